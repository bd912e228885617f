/* The acoustic wave equation on 755 x 994 x 1000 cells, as stencil25.lua. */
#include <cstdio>
#include <memory>

#include "tools/gpu/device.cuh"
#include "tools/gpu/program.cuh"
#include "tools/gpu/variants.cuh"
#include "tools/gpu/wave25.cuh"

namespace
{

/* z of the script is fastest, then x, then y: as buffers of a wafer have it. */
constexpr gpu::Grid GRID = {1000, 755, 994};
constexpr int STEPS = 100;
constexpr int CHECKED_STEPS = 3;
constexpr double TOLERANCE = 1e-5; /* of the largest number */

__global__ void add_source(float *cell, float sample)
{
    *cell += sample;
}

class Stencil25
{
  public:
    explicit Stencil25(gpu::Program *program)
        : program_(program), start_{gpu::Array<float>(GRID.cells()),
                                    gpu::Array<float>(GRID.cells())},
          levels_{gpu::Array<float>(GRID.cells()), gpu::Array<float>(GRID.cells())}
    {
        for (int i = 0; i < 2; i++) {
            host_[i].reset(new float[GRID.cells()]);
            gpu::random_fill(host_[i].get(), GRID.cells(),
                             program->seed() + (uint64_t) i);
            start_[i].upload(host_[i].get());
        }
        reset();
    }

    void measure()
    {
        double cells = (double) GRID.cells() * STEPS;
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
        result.parameters.set("nx", GRID.ny);
        result.parameters.set("ny", GRID.nz);
        result.parameters.set("nz", GRID.nx);
        result.parameters.set("dtype", "fp32");
        result.parameters.set("steps", STEPS);
        result.parameters.set("source", true);
        result.parameters.set("start", "noise");
        size_t best = gpu::time_variants(&result, variants, single);
        gpu::Json metrics = result.metrics;

        gpu::time_variants(
            &result,
            {{variants[best].name, [&](int) { steps(variants[best], STEPS); }}}, all);
        result.metrics = metrics;
        result.iterations = STEPS;
        result.flops = gpu::WAVE_FLOPS * cells;
        result.flops_counter = "fp32_flops";
        result.dram_bytes = 3.0 * sizeof(float) * cells;
        result.cells = cells;
        result.method =
            "100 steps between CUDA events, median; variants by single steps";
        result.check.reference =
            "3 steps of all cells by finite differences in double precision, within "
            "1e-5 "
            "of the largest number; all variants have the same bits, two of them after "
            "100 steps, too";
        check(&result.check, variants, best);
        program_->write(&result, "stencil25");
    }

  private:
    using Kernel = void (*)(const float *, float *, gpu::Grid, int);

    struct Shape {
        const char *name;
        Kernel kernel;
        int width;
        int rows;
        size_t shared_bytes;
    };

    template <int WIDTH, int ROWS, int BLOCKS> static Shape cache()
    {
        return {"cache", gpu::wave25_cache<WIDTH, ROWS, BLOCKS>, WIDTH, ROWS, 0};
    }

    template <int WIDTH, int ROWS, int BLOCKS> static Shape shared()
    {
        return {"shared", gpu::wave25_shared<WIDTH, ROWS, BLOCKS>, WIDTH, ROWS,
                gpu::wave25_shared_bytes<WIDTH, ROWS>()};
    }

    gpu::Variant variant(const Shape &shape, int planes) const
    {
        int width = shape.width * gpu::WAVE_PACK;
        dim3 blocks((unsigned) ((GRID.nx + width - 1) / width),
                    (unsigned) ((GRID.ny + shape.rows - 1) / shape.rows),
                    (unsigned) ((GRID.nz + planes - 1) / planes));
        dim3 threads((unsigned) shape.width, (unsigned) shape.rows);
        cudaFuncAttributes attributes;
        char name[96];

        GPU_TRY(cudaFuncGetAttributes(&attributes, shape.kernel));
        std::snprintf(name, sizeof name, "%s %dx%d, %d registers, %d planes",
                      shape.name, width, shape.rows, attributes.numRegs, planes);
        return {name, [=](int step) {
                    shape.kernel<<<blocks, threads, shape.shared_bytes>>>(
                        levels_[step % 2].data(), levels_[1 - step % 2].data(), GRID,
                        planes);
                }};
    }

    std::vector<gpu::Variant> list() const
    {
        const Shape shapes[] = {
            cache<32, 8, 2>(),   cache<32, 8, 3>(),   cache<32, 8, 4>(),
            shared<32, 8, 2>(),  shared<32, 8, 3>(),  shared<32, 8, 4>(),
            shared<32, 16, 1>(), shared<32, 16, 2>(), shared<16, 16, 3>(),
            shared<64, 8, 2>(),  shared<32, 32, 1>(), shared<50, 8, 2>(),
        };
        std::vector<gpu::Variant> variants;

        for (const Shape &shape : shapes) {
            for (int planes : {497, 125, 63}) {
                variants.push_back(variant(shape, planes));
            }
        }
        return variants;
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
                                         gpu::wave_source(GRID),
                                     (float) gpu::wave_sample(step));
            }
        }
        GPU_LAUNCHED();
    }

    void
    check(gpu::Check *check, const std::vector<gpu::Variant> &variants, size_t best)
    {
        size_t cells = GRID.cells();
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
        gpu::wave_steps(GRID, exact_levels, CHECKED_STEPS);
        const double *right = exact_levels[CHECKED_STEPS % 2];
        gpu::Check largest;

        gpu::check_all(&largest, right, cells, [](size_t) { return 0.0; });
        check->tolerance = TOLERANCE * largest.max_abs_error;
        reset();
        steps(variants[best], CHECKED_STEPS);
        expected.copy_from(last);
        GPU_TRY(cudaMemcpy(values.get(), last.data(), last.bytes(),
                           cudaMemcpyDeviceToHost));
        gpu::check_all(check, values.get(), cells, [&](size_t i) { return right[i]; });
        for (const gpu::Variant &variant : variants) {
            check_bits(check, variant, expected, CHECKED_STEPS);
        }
        reset();
        steps(variants[best], STEPS);
        expected.copy_from(levels_[STEPS % 2]);
        check_bits(check, variants[best == 0 ? 1 : 0], expected, STEPS);
    }

    void check_bits(gpu::Check *check,
                    const gpu::Variant &variant,
                    const gpu::Array<float> &expected,
                    int count)
    {
        reset();
        steps(variant, count);
        if (!gpu::device_equal(levels_[count % 2].data(), expected.data(),
                               expected.bytes())) {
            std::fprintf(stderr, "  %s: differs after %d steps\n", variant.name.c_str(),
                         count);
            check->compare(NAN, 0);
        }
    }

    gpu::Program *program_;
    std::unique_ptr<float[]> host_[2];
    gpu::Array<float> start_[2];
    gpu::Array<float> levels_[2];
};

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);

    Stencil25(&program).measure();
    return program.exit_code();
}
