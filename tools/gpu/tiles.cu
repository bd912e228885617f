/* How long stencils in hexagonal tiles take: drawn tiles and chosen ones, each with
 * several numbers of threads. After A.5 of the thesis "Analytical Cost Metrics: Days of
 * Future Past". */
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "tools/gpu/program.cuh"
#include "tools/gpu/random.hpp"
#include "tools/gpu/tiles/campaign.hpp"
#include "tools/gpu/tiles/runner.cuh"
#include "tools/gpu/tiles/stencil.cuh"
#include "tools/gpu/timer.cuh"

namespace
{

constexpr size_t TILES = 85;
constexpr double TOLERANCE = 1e-5; /* numbers are within 1 */

double now()
{
    using namespace std::chrono;

    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

struct Options {
    std::string chosen;        /* file of tiles that a model chose */
    double most_seconds = 1e9; /* for the drawn tiles of an experiment */
};

/* Takes --chosen and --seconds out of the words. */
Options take_options(int *argc, char **argv)
{
    Options options;
    int kept = 1;

    for (int i = 1; i < *argc; i++) {
        if (i + 1 < *argc && std::strcmp(argv[i], "--chosen") == 0) {
            options.chosen = argv[++i];
        } else if (i + 1 < *argc && std::strcmp(argv[i], "--seconds") == 0) {
            options.most_seconds = std::atof(argv[++i]);
        } else {
            argv[kept++] = argv[i];
        }
    }
    *argc = kept;
    return options;
}

template <typename Stencil> class Bench
{
  public:
    Bench(gpu::Program *program, const gpu::TileExperiment &experiment)
        : experiment_(experiment), start_(gpu::random_vector<float>(
                                       experiment.problem.points(), program->seed())),
          planes_(2 * start_.count()), reference_(start_.count())
    {
        size_t last = (size_t) (experiment.problem.steps & 1) * start_.count();

        reset();
        gpu::step_all<Stencil>(experiment.problem, planes_.data());
        GPU_TRY(cudaMemcpy(reference_.data(), planes_.data() + last, reference_.bytes(),
                           cudaMemcpyDeviceToDevice));
    }

    /* The fastest number of threads. False where the tile does not fit. */
    bool measure(gpu::TileRow *row, double *difference)
    {
        using Kernel = gpu::TileKernel<Stencil>;

        row->seconds = INFINITY;
        for (int threads : gpu::TILE_THREADS) {
            int resident = Kernel::resident(row->tile, threads);

            if (resident == 0) {
                continue;
            }
            double seconds = run(row->tile, threads);

            if (seconds < row->seconds) {
                row->seconds = seconds;
                row->threads = threads;
                row->resident = resident;
            }
        }
        if (std::isinf(row->seconds)) {
            return false;
        }
        run(row->tile, row->threads);
        *difference = std::fmax(
            *difference, gpu::device_difference(
                             planes_.data() + (size_t) (experiment_.problem.steps & 1) *
                                                  start_.count(),
                             reference_.data(), reference_.count()));
        return true;
    }

  private:
    void reset()
    {
        for (size_t i = 0; i < 2; i++) {
            GPU_TRY(cudaMemcpy(planes_.data() + i * start_.count(), start_.data(),
                               start_.bytes(), cudaMemcpyDeviceToDevice));
        }
    }
    double run(const gpu::Tile &tile, int threads)
    {
        gpu::Stopwatch watch;

        reset();
        watch.start();
        gpu::TileKernel<Stencil>::run(experiment_.problem, tile, threads,
                                      planes_.data());
        watch.stop();
        double seconds = watch.seconds();

        GPU_LAUNCHED();
        return seconds;
    }

    gpu::TileExperiment experiment_;
    gpu::Array<float> start_;
    gpu::Array<float> planes_; /* of both parities */
    gpu::Array<float> reference_;
};

class Campaign
{
  public:
    Campaign(gpu::Program *program, const Options &options)
        : program_(program), options_(options)
    {
        if (!options.chosen.empty()) {
            chosen_ = gpu::tile_rows_read(options.chosen);
        }
        check_.tolerance = TOLERANCE;
        check_.reference = "all points after the last step, by one kernel a step";
    }

    template <typename Stencil> void run(const gpu::TileExperiment &experiment)
    {
        Bench<Stencil> bench(program_, experiment);
        double start = now();
        size_t first = rows_.size();
        double best = INFINITY;

        for (const gpu::Tile &tile :
             gpu::tile_draw(experiment.problem.dimension, TILES,
                            program_->device().shared_bytes, program_->seed())) {
            if (now() - start > options_.most_seconds) {
                break;
            }
            measure(&bench, {experiment.stencil, experiment.problem, tile});
        }
        for (const gpu::TileRow &row : chosen_) {
            if (row.stencil == experiment.stencil &&
                row.problem.points() == experiment.problem.points() &&
                row.problem.steps == experiment.problem.steps) {
                measure(&bench, row);
            }
        }
        for (size_t i = first; i < rows_.size(); i++) {
            best = std::fmin(best, rows_[i].seconds);
        }
        std::printf("%s %d^%d: %zu tiles, the best %.4f s, %.1f GPoints/s, %.0f s\n",
                    Stencil::NAME, experiment.problem.space[0], Stencil::DIMENSION,
                    rows_.size() - first, best,
                    1e-9 * (double) experiment.problem.points() *
                        experiment.problem.steps / best,
                    now() - start);
        total_ += best;
        std::fflush(stdout);
    }

    void write()
    {
        gpu::Result result;
        std::string path =
            program_->folder() + "/" + program_->device().chip + "-tiles.csv";

        std::ofstream(path) << gpu::tile_rows_text(program_->device().chip, rows_);
        result.workload = "tiles";
        result.parameters.set("dtype", "fp32");
        result.timing.seconds = {total_};
        result.check = check_;
        result.method = "launches of all wavefronts between CUDA events, once, the "
                        "fastest of six numbers of threads; seconds: the best tiles of "
                        "all experiments together";
        result.metrics.set("rows", (uint64_t) rows_.size());
        program_->write(&result, "tiles");
    }

  private:
    template <typename Stencil> void measure(Bench<Stencil> *bench, gpu::TileRow row)
    {
        double difference = 0;

        if (bench->measure(&row, &difference)) {
            check_.compare(difference, 0);
            rows_.push_back(row);
        }
    }

    gpu::Program *program_;
    Options options_;
    std::vector<gpu::TileRow> chosen_;
    std::vector<gpu::TileRow> rows_;
    gpu::Check check_;
    double total_ = 0;
};

}  // namespace

int main(int argc, char **argv)
{
    Options options = take_options(&argc, argv);
    gpu::Program program(argc, argv);
    Campaign campaign(&program, options);

    for (const gpu::TileExperiment &experiment : gpu::tile_experiments()) {
        if (experiment.stencil == gpu::Jacobi2d::NAME) {
            campaign.run<gpu::Jacobi2d>(experiment);
        } else if (experiment.stencil == gpu::Heat2d::NAME) {
            campaign.run<gpu::Heat2d>(experiment);
        } else if (experiment.stencil == gpu::Laplacian2d::NAME) {
            campaign.run<gpu::Laplacian2d>(experiment);
        } else if (experiment.stencil == gpu::Gradient2d::NAME) {
            campaign.run<gpu::Gradient2d>(experiment);
        } else if (experiment.stencil == gpu::Heat3d::NAME) {
            campaign.run<gpu::Heat3d>(experiment);
        } else {
            campaign.run<gpu::Laplacian3d>(experiment);
        }
    }
    campaign.write();
    return program.exit_code();
}
