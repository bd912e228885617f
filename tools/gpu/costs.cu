/* What events cost on this GPU in seconds and joules: words of memory, barriers,
 * launches, a point of each stencil, operations. After A.5.1 and B.7.1 of the thesis
 * "Analytical Cost Metrics: Days of Future Past". */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

#include "tools/gpu/energy.hpp"
#include "tools/gpu/program.cuh"
#include "tools/gpu/random.hpp"
#include "tools/gpu/tiles/campaign.hpp"
#include "tools/gpu/tiles/events.cuh"
#include "tools/gpu/tiles/runner.cuh"
#include "tools/gpu/tiles/stencil.cuh"
#include "tools/gpu/timer.cuh"

namespace
{

constexpr int REPEATS = 20;
constexpr int LAUNCHES = 2000;
constexpr int BARRIERS = 100000;
constexpr int BARRIER_THREADS = 256;
constexpr size_t SAMPLES = 70; /* of tiles, for the time of a point */
constexpr double SHARE = 0.5;  /* of samples that must be there for a median */
constexpr double ENERGY_SECONDS = 1;
constexpr int VECTOR_UNITS = 128; /* of a multiprocessor of compute capability 9.0 */

double launch_seconds()
{
    return gpu::time_on_device(1, REPEATS,
                               [](int) {
                                   for (int i = 0; i < LAUNCHES; i++) {
                                       gpu::nothing_kernel<<<1, 32>>>();
                                   }
                               })
               .median() /
           LAUNCHES;
}

double barrier_seconds(int blocks)
{
    auto seconds = [&](int turns) {
        return gpu::time_on_device(
                   1, REPEATS,
                   [&](int) {
                       gpu::barrier_kernel<<<(unsigned) blocks, BARRIER_THREADS>>>(
                           turns);
                   })
            .median();
    };

    return (seconds(2 * BARRIERS) - seconds(BARRIERS)) / BARRIERS;
}

/* Passes of all vector units over a tile: (A.10, A.16, A.28). */
double passes(const gpu::Tile &tile, int dimension)
{
    double sum = 0;

    for (int row = 0; row < tile.half(); row++) {
        double points = tile.space[0] + 2 * row;

        for (int i = 1; i < dimension; i++) {
            points *= tile.space[i];
        }
        sum += 2 * std::ceil(points / VECTOR_UNITS);
    }
    return sum;
}

double strips(const gpu::TiledProblem &problem, const gpu::Tile &tile)
{
    double count = 1;

    for (int i = 1; i < problem.dimension; i++) {
        count *= std::ceil((double) (problem.space[i] + tile.steps) / tile.space[i]);
    }
    return count;
}

/* Of one wavefront of whole tiles that fill the GPU once and move nothing: the time of
 * a pass, less barriers. */
template <typename Stencil>
double point_seconds(const gpu::Tile &tile, int threads, int processors, double barrier)
{
    using Kernel = gpu::TileKernel<Stencil, false>;
    int resident = Kernel::resident(tile, threads);
    gpu::TiledProblem problem;

    if (resident == 0) {
        return INFINITY;
    }
    problem.dimension = Stencil::DIMENSION;
    problem.steps = tile.steps;
    problem.space[0] = tile.pitch() * resident * processors;
    problem.space[1] = problem.dimension == 2 ? 4096 : 256;
    problem.space[2] = problem.dimension == 2 ? 1 : 256;
    double seconds =
        gpu::time_on_device(1, 3, [&](int) {
            Kernel::function()<<<(unsigned) (resident * processors + 1),
                                 (unsigned) threads, Kernel::bytes(tile)>>>(
                problem, tile, 1, nullptr);
        }).median();
    double tiles = strips(problem, tile) * resident;

    return (seconds / tiles - tile.steps * barrier) / passes(tile, problem.dimension);
}

/* The median over drawn tiles, each with its best number of threads. */
template <typename Stencil>
void point(gpu::Program *program, double barrier, gpu::Json *out)
{
    std::vector<double> found;
    gpu::Json row = gpu::Json::object();

    for (const gpu::Tile &tile :
         gpu::tile_draw(Stencil::DIMENSION, SAMPLES, program->device().shared_bytes,
                        program->seed())) {
        double best = INFINITY;

        for (int threads : gpu::TILE_THREADS) {
            best = std::fmin(
                best, point_seconds<Stencil>(
                          tile, threads, program->device().multiprocessors, barrier));
        }
        if (std::isfinite(best)) {
            found.push_back(best);
        }
    }
    std::sort(found.begin(), found.end());
    if ((double) found.size() < SHARE * SAMPLES) {
        std::fprintf(stderr, "%s: too few tiles fit\n", Stencil::NAME);
        std::exit(1);
    }
    row.set("seconds", found[found.size() / 2]);
    row.set("least", found.front());
    row.set("most", found.back());
    row.set("samples", (uint64_t) found.size());
    std::printf("%s: a point takes %.3g s (%.3g to %.3g)\n", Stencil::NAME,
                found[found.size() / 2], found.front(), found.back());
    out->set(Stencil::NAME, row);
}

void wait()
{
    GPU_TRY(cudaDeviceSynchronize());
}

double watts(const gpu::Energy &energy)
{
    return energy.joules / energy.seconds;
}

class Prices
{
  public:
    explicit Prices(const gpu::Program &program)
        : blocks_(8 * program.device().multiprocessors), out_(1)
    {
        gpu::Energy idle = gpu::energy_of(
            ENERGY_SECONDS,
            []() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); },
            []() {});
        gpu::Energy awake = gpu::energy_of(
            ENERGY_SECONDS, []() { gpu::awake_kernel<<<1, 1>>>(20000000); }, wait);

        static_watts_ = watts(awake);
        prices_.set("idle_watts", watts(idle));
        prices_.set("static_watts", static_watts_);
    }

    template <gpu::Event EVENT> void operation(const char *name)
    {
        constexpr int TURNS = 4000;
        constexpr int THREADS = 256;
        double events =
            (double) blocks_ * THREADS * TURNS * gpu::EVENT_CHAINS * gpu::EVENT_UNROLL;

        price(name, events, [&]() {
            gpu::event_kernel<EVENT><<<(unsigned) blocks_, THREADS>>>(
                TURNS, (gpu::EventWord<EVENT>) 1, out_.data());
        });
    }

    /* A copy by the driver: one word read and one written for each. */
    void global()
    {
        constexpr size_t BYTES = (size_t) 2 << 30;
        gpu::Array<char> from(BYTES);
        gpu::Array<char> to(BYTES);

        price("global_joules_per_word", 2.0 * (double) BYTES / 4, [&]() {
            GPU_TRY(cudaMemcpyAsync(to.data(), from.data(), BYTES,
                                    cudaMemcpyDeviceToDevice));
        });
    }

    const gpu::Json &json() const
    {
        return prices_;
    }

  private:
    template <typename Body> void price(const char *name, double events, Body body)
    {
        gpu::Energy energy = gpu::energy_of(ENERGY_SECONDS, body, wait);
        double joules = (energy.joules - static_watts_ * energy.seconds) / events;

        GPU_LAUNCHED();
        std::printf("%s %.3g, %.0f W, %.3g a second\n", name, joules, watts(energy),
                    events / energy.seconds);
        prices_.set(name, joules);
        prices_.set(std::string(name) + "_watts", watts(energy));
        prices_.set(std::string(name) + "_per_second", events / energy.seconds);
    }

    int blocks_;
    double static_watts_ = 0;
    gpu::Array<int> out_;
    gpu::Json prices_ = gpu::Json::object();
};

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    gpu::Result result;
    gpu::Json tiling = gpu::Json::object();
    gpu::Json points = gpu::Json::object();
    double launch = launch_seconds();
    double barrier = barrier_seconds(program.device().multiprocessors);

    tiling.set("global_seconds_per_byte", 1 / program.copy_bytes_per_second());
    tiling.set("barrier_seconds", barrier);
    tiling.set("launch_seconds", launch);
    std::printf("launch %.3g s, barrier of %d threads %.3g s\n", launch,
                BARRIER_THREADS, barrier);
    point<gpu::Jacobi2d>(&program, barrier, &points);
    point<gpu::Heat2d>(&program, barrier, &points);
    point<gpu::Laplacian2d>(&program, barrier, &points);
    point<gpu::Gradient2d>(&program, barrier, &points);
    point<gpu::Heat3d>(&program, barrier, &points);
    point<gpu::Laplacian3d>(&program, barrier, &points);

    Prices prices(program);

    prices.global();
    prices.operation<gpu::Event::shared>("shared_joules_per_word");
    prices.operation<gpu::Event::add>("add_joules_per_operation");
    prices.operation<gpu::Event::multiply>("multiply_joules_per_operation");
    prices.operation<gpu::Event::integer_add>("integer_add_joules_per_operation");
    prices.operation<gpu::Event::integer_max>("integer_max_joules_per_operation");
    result.workload = "costs";
    result.parameters.set("dtype", "fp32");
    result.timing.seconds = {launch};
    result.check.reference = "nothing is computed";
    result.method = "medians of CUDA events; joules by NVML's counter from one of its "
                    "moves to another, less those of a GPU with one waiting thread";
    result.metrics.set("tiling", tiling);
    result.metrics.set("points", points);
    result.metrics.set("energy", prices.json());
    program.write(&result, "costs");
    return program.exit_code();
}
