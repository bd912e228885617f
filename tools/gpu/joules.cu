/* Joules of tiled programs: Smith-Waterman, Jacobi in one dimension and in two, each in
 * drawn tiles of drawn problems. After B.7 of the thesis "Analytical Cost Metrics: Days
 * of Future Past". */
#include <cmath>
#include <cstdio>
#include <fstream>

#include "tools/gpu/energy.hpp"
#include "tools/gpu/program.cuh"
#include "tools/gpu/random.hpp"
#include "tools/gpu/tiles/alignment.cuh"
#include "tools/gpu/tiles/campaign.hpp"
#include "tools/gpu/tiles/runner.cuh"
#include "tools/gpu/tiles/skewed.cuh"
#include "tools/gpu/tiles/stencil.cuh"

namespace
{

constexpr size_t BLOCK_BYTES = 49152; /* of shared memory, as in the thesis */
constexpr double SECONDS = 0.3;       /* of repeats, at least */
constexpr int FAR_BELOW = -1000000;

void wait()
{
    GPU_TRY(cudaDeviceSynchronize());
}

class Runs
{
  public:
    explicit Runs(gpu::Program *program) : random_(program->seed(), 0)
    {
    }

    /* One of the numbers. */
    int pick(std::initializer_list<int> numbers)
    {
        size_t place = (size_t) (random_.next(0, 1) * (double) numbers.size());

        return numbers.begin()[place];
    }

    /* A row of the file: what `body` enqueues, over and over. */
    template <typename Body>
    void measure(const std::string &problem, const std::string &tile, Body body)
    {
        char numbers[64];
        gpu::Energy energy = gpu::energy_of(SECONDS, body, wait);

        GPU_LAUNCHED();
        if (!std::isfinite(energy.joules)) {
            return;
        }
        std::snprintf(numbers, sizeof numbers, ",%.6g,%.6g\n", energy.seconds,
                      energy.joules);
        text_ += problem + "," + tile + numbers;
        seconds_ += energy.seconds;
        joules_ += energy.joules;
        rows_++;
    }

    void write(gpu::Program *program, const gpu::Check &check)
    {
        gpu::Result result;

        std::ofstream(program->folder() + "/" + program->device().chip + "-joules.csv")
            << "program,size,steps,tile,tile_steps,subtile,seconds,joules\n"
            << text_;
        result.workload = "joules";
        result.parameters.set("dtype", "fp32");
        result.timing.seconds = {seconds_};
        result.energy_joules = joules_;
        result.check = check;
        result.method = "repeats for 0.3 s or more between moves of NVML's counter; "
                        "seconds and joules are of all rows together";
        result.metrics.set("rows", (uint64_t) rows_);
        program->write(&result, "joules");
    }

  private:
    gpu::Random random_;
    std::string text_;
    double seconds_ = 0;
    double joules_ = 0;
    int rows_ = 0;
};

std::string numbers(std::initializer_list<int> values)
{
    std::string text;

    for (int value : values) {
        text += (text.empty() ? "" : ",") + std::to_string(value);
    }
    return text;
}

/* -- Smith-Waterman -----------------------------------------------------------------
 */

class Alignment
{
  public:
    Alignment(const gpu::AlignmentProblem &problem, uint64_t seed)
        : problem_(problem), first_(letters(problem.columns, seed)),
          second_(letters(problem.rows, seed + 1)),
          above_(2 * (size_t) problem.columns), left_(2 * (size_t) problem.rows),
          corners_(problem.corners()), best_(1)
    {
        reset();
    }

    template <int SUBTILE> void run()
    {
        int threads = problem_.tile / SUBTILE;
        gpu::AlignmentState state = {first_.data(), second_.data(),  above_.data(),
                                     left_.data(),  corners_.data(), best_.data()};

        for (int wave = 0; wave < problem_.waves(); wave++) {
            gpu::alignment_kernel<SUBTILE>
                <<<(unsigned) problem_.down(), (unsigned) threads,
                   sizeof(int) * gpu::alignment_shared_words(problem_, threads)>>>(
                    problem_, state, wave);
        }
    }
    int best() const
    {
        return best_.download()[0];
    }
    /* The same on the host. */
    int expected() const
    {
        std::vector<uint8_t> first = first_.download();
        std::vector<uint8_t> second = second_.download();
        std::vector<int> score(first.size() + 1);
        std::vector<int> down(first.size() + 1, FAR_BELOW);
        int best = 0;

        for (uint8_t letter : second) {
            int diagonal = 0;
            int right = FAR_BELOW;

            for (size_t i = 1; i <= first.size(); i++) {
                int up = score[i];
                int value =
                    diagonal + (letter == first[i - 1] ? gpu::ALIGNMENT_MATCH
                                                       : gpu::ALIGNMENT_MISMATCH);

                down[i] =
                    std::max(down[i] - gpu::ALIGNMENT_EXTEND, up - gpu::ALIGNMENT_OPEN);
                right = std::max(right - gpu::ALIGNMENT_EXTEND,
                                 score[i - 1] - gpu::ALIGNMENT_OPEN);
                score[i] = std::max(std::max(value, 0), std::max(down[i], right));
                best = std::max(best, score[i]);
                diagonal = up;
            }
        }
        return best;
    }

  private:
    static std::vector<uint8_t> letters(int count, uint64_t seed)
    {
        gpu::Random random(seed, 0);
        std::vector<uint8_t> text((size_t) count);

        for (uint8_t &letter : text) {
            letter = (uint8_t) random.next(0, 4);
        }
        return text;
    }
    void reset()
    {
        auto fill = [](gpu::Array<int> *array) {
            std::vector<int> values(array->count());

            for (size_t i = 1; i < values.size(); i += 2) {
                values[i] = FAR_BELOW;
            }
            array->upload(values.data());
        };

        fill(&above_);
        fill(&left_);
        GPU_TRY(cudaMemset(corners_.data(), 0, corners_.bytes()));
        GPU_TRY(cudaMemset(best_.data(), 0, best_.bytes()));
    }

    gpu::AlignmentProblem problem_;
    gpu::Array<uint8_t> first_;
    gpu::Array<uint8_t> second_;
    gpu::Array<int> above_;
    gpu::Array<int> left_;
    gpu::Array<int> corners_;
    gpu::Array<int> best_;
};

void measure_alignments(gpu::Program *program, Runs *runs, int count, gpu::Check *check)
{
    gpu::AlignmentProblem small = {4096, 4096, 512, 256};
    Alignment tried(small, program->seed());

    tried.run<8>();
    check->compare(tried.best(), tried.expected());
    for (int i = 0; i < count; i++) {
        int side = runs->pick({16384, 32768, 65536});
        int subtile = runs->pick({4, 8, 16});
        int tile = subtile * runs->pick({32, 64, 128});
        int rows = runs->pick({128, 256, 512, 1024});
        gpu::AlignmentProblem problem = {side, side, tile, rows};
        Alignment alignment(problem, program->seed());

        if (4.25 * 4 * (tile + rows) > BLOCK_BYTES) {
            continue;
        }
        runs->measure("sw," + numbers({side, side}), numbers({tile, rows, subtile}),
                      [&]() {
                          if (subtile == 4) {
                              alignment.run<4>();
                          } else if (subtile == 8) {
                              alignment.run<8>();
                          } else {
                              alignment.run<16>();
                          }
                      });
    }
}

/* -- Jacobi in one dimension --------------------------------------------------------
 */

class Skewed
{
  public:
    Skewed(const gpu::SkewedProblem &problem, uint64_t seed)
        : problem_(problem),
          row_(gpu::random_vector<float>((size_t) problem.points, seed)),
          border_(problem.border_words())
    {
    }

    template <int SUBTILE> void run()
    {
        int threads = problem_.tile / SUBTILE;

        for (int wave = 0; wave < problem_.waves(); wave++) {
            gpu::skewed_kernel<SUBTILE>
                <<<(unsigned) problem_.bands(), (unsigned) threads,
                   sizeof(float) * gpu::skewed_shared_words(problem_, threads)>>>(
                    problem_, wave, row_.data(), border_.data());
        }
    }
    std::vector<float> values() const
    {
        return row_.download();
    }

  private:
    gpu::SkewedProblem problem_;
    gpu::Array<float> row_;
    gpu::Array<float> border_;
};

void check_skewed(uint64_t seed, gpu::Check *check)
{
    gpu::SkewedProblem problem = {20000, 96, 512, 32};
    Skewed skewed(problem, seed);
    std::vector<float> expected = skewed.values();

    for (int step = 0; step < problem.steps; step++) {
        std::vector<float> last = expected;

        for (size_t i = 1; i + 1 < last.size(); i++) {
            expected[i] = 0.333f * (last[i - 1] + last[i] + last[i + 1]);
        }
    }
    skewed.run<4>();
    std::vector<float> values = skewed.values();

    for (size_t i = 0; i < values.size(); i++) {
        check->compare(values[i], expected[i]);
    }
}

void measure_skewed(gpu::Program *program, Runs *runs, int count, gpu::Check *check)
{
    check_skewed(program->seed(), check);
    for (int i = 0; i < count; i++) {
        int points = runs->pick({1 << 20, 1 << 21, 1 << 22});
        int steps = runs->pick({8192, 16384});
        int subtile = runs->pick({4, 8, 16});
        int tile = subtile * runs->pick({64, 128, 256});
        int tile_steps = runs->pick({32, 64, 128, 256});
        gpu::SkewedProblem problem = {points, steps, tile, tile_steps};

        if (tile < tile_steps) {
            continue;
        }
        Skewed skewed(problem, program->seed());

        runs->measure("j1d," + numbers({points, steps}),
                      numbers({tile, tile_steps, subtile}), [&]() {
                          if (subtile == 4) {
                              skewed.run<4>();
                          } else if (subtile == 8) {
                              skewed.run<8>();
                          } else {
                              skewed.run<16>();
                          }
                      });
    }
}

/* -- Jacobi in two dimensions -------------------------------------------------------
 */

void measure_prisms(gpu::Program *program, Runs *runs, int count)
{
    using Kernel = gpu::TileKernel<gpu::Jacobi2d>;

    for (const gpu::Tile &tile :
         gpu::tile_draw(2, (size_t) count, BLOCK_BYTES, program->seed())) {
        int side = runs->pick({2048, 4096, 8192});
        int threads = runs->pick({128, 256, 512});
        gpu::TiledProblem problem = {2, {side, side, 1}, runs->pick({64, 128})};
        gpu::Array<float> planes(
            gpu::random_vector<float>(2 * problem.points(), program->seed()));
        std::string size = std::to_string(side) + "x" + std::to_string(side);
        std::string sides =
            std::to_string(tile.space[0]) + "x" + std::to_string(tile.space[1]);

        if (Kernel::resident(tile, threads) == 0) {
            continue;
        }
        runs->measure("j2d," + size + "," + numbers({problem.steps}),
                      sides + "," + numbers({tile.steps}) + ",",
                      [&]() { Kernel::run(problem, tile, threads, planes.data()); });
    }
}

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    gpu::Check check;
    Runs runs(&program);

    check.tolerance = 1e-5;
    check.reference = "SW and J1D on smaller problems, on the host; J2D: see tiles";
    measure_alignments(&program, &runs, 110, &check);
    measure_skewed(&program, &runs, 110, &check);
    measure_prisms(&program, &runs, 100);
    runs.write(&program, check);
    return program.exit_code();
}
