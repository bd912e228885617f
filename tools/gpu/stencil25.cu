/* The acoustic wave equation, as stencil25.lua; on 755 x 994 x 1000 cells unless told.
 */
#include <array>
#include <cstdio>
#include <memory>

#include "tools/gpu/device.cuh"
#include "tools/gpu/program.cuh"
#include "tools/gpu/variants.cuh"
#include "tools/gpu/wave25_tensor.cuh"

namespace
{

/* z of the script is fastest, then x, then y: as buffers of a wafer have it. */
constexpr gpu::Grid LARGE = {1000, 755, 994, true};
constexpr int LARGE_STEPS = 100;
constexpr int CHECKED_STEPS = 3;
constexpr double TOLERANCE = 1e-5;      /* of the largest number */
constexpr double LATE_TOLERANCE = 1e-3; /* of two variants after all steps */

__global__ void add_source(float *cell, float sample)
{
    *cell += sample;
}

class Stencil25
{
  public:
    Stencil25(gpu::Program *program, const gpu::Grid &grid, int steps)
        : program_(program), grid_(grid),
          steps_(steps), start_{gpu::Array<float>(grid.cells()),
                                gpu::Array<float>(grid.cells())},
          levels_{gpu::Array<float>(grid.cells()), gpu::Array<float>(grid.cells())}
    {
        for (int i = 0; i < 2; i++) {
            host_[i].reset(new float[grid_.cells()]);
            gpu::random_fill(host_[i].get(), grid_.cells(),
                             program->seed() + (uint64_t) i);
            start_[i].upload(host_[i].get());
        }
        reset();
    }

    void measure(const std::string &name)
    {
        double cells = (double) grid_.cells() * steps_;
        std::vector<gpu::Variant> variants = list();
        gpu::Result result;
        gpu::VariantTimes single;
        gpu::VariantTimes all;

        single.warmups = 3;
        single.repeats = 20;
        single.energy_seconds = 0;
        all.warmups = 1;
        all.repeats = 20;
        result.workload = "stencil25";
        grid_.describe(&result.parameters);
        result.parameters.set("dtype", "fp32");
        result.parameters.set("steps", steps_);
        result.parameters.set("source", true);
        result.parameters.set("start", "noise");
        size_t best = gpu::time_variants(&result, variants, single);
        gpu::Json metrics = result.metrics;

        gpu::time_variants(
            &result,
            {{variants[best].name, [&](int) { steps(variants[best], steps_); }}}, all);
        result.metrics = metrics;
        result.iterations = steps_;
        result.flops = gpu::WAVE_FLOPS * cells;
        result.flops_counter = "fp32_flops";
        result.dram_bytes = 3.0 * sizeof(float) * cells;
        result.cells = cells;
        result.method = std::to_string(steps_) +
                        " steps between CUDA events, median; variants by single steps";
        result.check.reference =
            steps_ == LARGE_STEPS
                ? "3 steps of all cells and variants by finite differences in double "
                  "precision, within 1e-5 of the largest number; two variants after "
                  "100 steps, within 1e-3 of it of each other"
                : "3 steps of all cells and variants by finite differences in double "
                  "precision, within 1e-5 of the largest number; two variants after "
                  "all steps, within 1e-3 of it of each other";
        check(&result.check, variants, best);
        program_->write(&result, name);
    }

  private:
    /* Enqueues a step from one level to the other. */
    using Launch = std::function<void(dim3 blocks, dim3 threads, int step, int planes)>;

    struct Shape {
        std::string name;
        int width;
        int rows;
        Launch launch;
    };

    template <typename Kernel> static int registers(Kernel kernel)
    {
        cudaFuncAttributes attributes;

        GPU_TRY(cudaFuncGetAttributes(&attributes, kernel));
        return attributes.numRegs;
    }

    template <typename Kernel>
    Shape
    shape(const char *name, Kernel kernel, int width, int rows, Launch launch) const
    {
        return {std::string(name) + " " + std::to_string(width * gpu::WAVE_PACK) + "x" +
                    std::to_string(rows) + ", " + std::to_string(registers(kernel)) +
                    " registers",
                width, rows, launch};
    }

    template <int WIDTH, int ROWS, int BLOCKS> Shape cache() const
    {
        auto kernel = gpu::wave25_cache<WIDTH, ROWS, BLOCKS>;

        return shape("cache", kernel, WIDTH, ROWS,
                     [=](dim3 blocks, dim3 threads, int step, int planes) {
                         kernel<<<blocks, threads>>>(level(step), level(step + 1),
                                                     grid_, planes);
                     });
    }

    template <int WIDTH, int ROWS, int BLOCKS> Shape shared() const
    {
        auto kernel = gpu::wave25_shared<WIDTH, ROWS, BLOCKS>;
        size_t bytes = gpu::wave25_shared_bytes<WIDTH, ROWS>();

        return shape("shared", kernel, WIDTH, ROWS,
                     [=](dim3 blocks, dim3 threads, int step, int planes) {
                         kernel<<<blocks, threads, bytes>>>(
                             level(step), level(step + 1), grid_, planes);
                     });
    }

    template <int WIDTH, int THREADS, int ROWS, int BLOCKS, int STAGES, bool IS_AHEAD>
    Shape tensor() const
    {
        using S = gpu::WaveStages<WIDTH, THREADS, ROWS, BLOCKS, STAGES, IS_AHEAD>;
        auto kernel = gpu::wave25_tensor<S>;
        std::array<CUtensorMap, 2> maps;
        std::string name = "tensor copies, " + std::to_string(STAGES) + " stages, " +
                           std::to_string(ROWS) + " rows a thread" +
                           (IS_AHEAD ? ", ahead," : ",");

        for (int i = 0; i < 2; i++) {
            maps[(size_t) i] =
                gpu::tensor_map(level(i), grid_, S::BOX_WIDTH, S::BOX_HEIGHT);
        }
        GPU_TRY(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) S::TOTAL));
        return shape(name.c_str(), kernel, WIDTH, S::HEIGHT,
                     [=](dim3 blocks, dim3, int step, int planes) {
                         kernel<<<blocks, dim3(WIDTH, THREADS), S::TOTAL>>>(
                             maps[(size_t) (step % 2)], level(step), level(step + 1),
                             grid_, planes);
                     });
    }

    gpu::Variant variant(const Shape &shape, int planes) const
    {
        int width = shape.width * gpu::WAVE_PACK;
        dim3 blocks((unsigned) ((grid_.nx + width - 1) / width),
                    (unsigned) ((grid_.ny + shape.rows - 1) / shape.rows),
                    (unsigned) ((grid_.nz + planes - 1) / planes));
        dim3 threads((unsigned) shape.width, (unsigned) shape.rows);

        return {shape.name + ", " + std::to_string(planes) + " planes",
                [=](int step) { shape.launch(blocks, threads, step, planes); }};
    }

    std::vector<gpu::Variant> list() const
    {
        const Shape shapes[] = {
            cache<32, 8, 4>(),
            shared<32, 8, 3>(),
            shared<64, 8, 2>(),
            tensor<32, 16, 1, 2, 8, false>(),
            tensor<50, 16, 1, 1, 8, true>(),
            tensor<50, 20, 1, 1, 9, false>(),
            tensor<32, 16, 2, 1, 9, true>(),
            tensor<50, 10, 2, 1, 7, true>(),
            tensor<50, 10, 2, 1, 9, true>(),
        };
        std::vector<gpu::Variant> variants;

        for (const Shape &shape : shapes) {
            for (int planes : {(grid_.nz + 1) / 2, (grid_.nz + 7) / 8}) {
                variants.push_back(variant(shape, planes));
            }
        }
        return variants;
    }

    /* Where time `step` is, or will be. */
    float *level(int step) const
    {
        return levels_[step % 2].data();
    }

    void reset()
    {
        for (int i = 0; i < 2; i++) {
            levels_[i].copy_from(start_[i]);
        }
    }

    void steps(const gpu::Variant &variant, int count)
    {
        for (int step = 0; step < count; step++) {
            variant.body(step);
            if (step < gpu::WAVE_PULSE) {
                add_source<<<1, 1>>>(levels_[1 - step % 2].data() +
                                         gpu::wave_source(grid_),
                                     (float) gpu::wave_sample(step));
            }
        }
        GPU_LAUNCHED();
    }

    void
    check(gpu::Check *check, const std::vector<gpu::Variant> &variants, size_t best)
    {
        size_t cells = grid_.cells();
        gpu::Array<float> &last = levels_[CHECKED_STEPS % 2];
        gpu::Array<float> expected(cells);
        std::unique_ptr<float[]> values(new float[cells]);
        std::unique_ptr<double[]> exact[2];
        double *exact_levels[2];

        for (int i = 0; i < 2; i++) {
            exact[i].reset(new double[cells]);
            exact_levels[i] = exact[i].get();
            gpu::parallel_for(cells, [&](size_t cell) {
                exact_levels[i][cell] = (double) host_[i][cell];
            });
        }
        gpu::wave_steps(grid_, exact_levels, CHECKED_STEPS);
        const double *right = exact_levels[CHECKED_STEPS % 2];
        gpu::Check largest;

        gpu::check_all(&largest, right, cells, [](size_t) { return 0.0; });
        check->tolerance = TOLERANCE * largest.max_abs_error;
        reset();
        steps(variants[best], CHECKED_STEPS);
        GPU_TRY(cudaMemcpy(values.get(), last.data(), last.bytes(),
                           cudaMemcpyDeviceToHost));
        gpu::check_all(check, values.get(), cells, [&](size_t i) { return right[i]; });
        gpu::parallel_for(cells, [&](size_t i) { values[i] = (float) right[i]; });
        expected.upload(values.get());
        for (const gpu::Variant &variant : variants) {
            double error = difference(variant, expected, CHECKED_STEPS);

            if (!(error <= check->tolerance)) {
                std::fprintf(stderr, "  %s: wrong by %g\n", variant.name.c_str(),
                             error);
            }
            check->compare(error, 0);
        }
        reset();
        steps(variants[best], steps_);
        expected.copy_from(levels_[steps_ % 2]);
        check->compare(difference(variants[best == 0 ? 1 : 0], expected, steps_) *
                           TOLERANCE / LATE_TOLERANCE,
                       0);
    }

    /* The largest after some steps from the start. */
    double difference(const gpu::Variant &variant,
                      const gpu::Array<float> &expected,
                      int count)
    {
        reset();
        steps(variant, count);
        return gpu::device_difference(level(count), expected.data(), expected.count());
    }

    gpu::Program *program_;
    gpu::Grid grid_;
    int steps_;
    std::unique_ptr<float[]> host_[2];
    gpu::Array<float> start_[2];
    gpu::Array<float> levels_[2];
};

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    const gpu::Asked &asked = program.asked();

    if (asked.is_there()) {
        gpu::Grid grid = {asked.nz, asked.nx, asked.ny, true};

        if (asked.dtype != "fp32") {
            asked.refuse_dtype("stencil25", "fp32");
        }
        if (asked.nz % gpu::WAVE_PACK != 0) {
            std::fprintf(stderr, "stencil25: nz must be a multiple of %d\n",
                         gpu::WAVE_PACK);
            return 1;
        }
        Stencil25(&program, grid, asked.iterations)
            .measure("stencil25" + asked.suffix());
        return program.exit_code();
    }
    Stencil25(&program, LARGE, LARGE_STEPS).measure("stencil25");
    return program.exit_code();
}
