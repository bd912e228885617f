/* y = A x, A being the 7-point Laplacian of a grid, as stencil7.lua. */
#include "tools/gpu/device.cuh"
#include "tools/gpu/halves.cuh"
#include "tools/gpu/pcg/laplacian7.cuh"
#include "tools/gpu/program.cuh"
#include "tools/gpu/variants.cuh"

namespace
{

constexpr int TERMS = 7;
constexpr size_t ALL_TURNS = (size_t) 8 * 512 * 112 * 64 * sizeof(float); /* bytes */
constexpr size_t MOST_TURNS = 1024;
constexpr double GAIN = 12; /* the largest sum of numbers from -1 to 1 */

template <typename T> class Stencil7
{
  public:
    /* `turns` pairs of grids, one of which each call takes. */
    Stencil7(gpu::Program *program,
             const gpu::Grid &grid,
             size_t turns,
             int iterations = 1)
        : program_(program), grid_(grid), turns_(turns), iterations_(iterations),
          from_(turns * grid.cells()), to_(turns * grid.cells())
    {
        for (size_t i = 0; i < turns; i++) {
            host_.push_back(gpu::random_grid<T>(grid, program->seed() + i));
            GPU_TRY(cudaMemcpy(from_.data() + i * grid.cells(), host_[i].data(),
                               grid.cells() * sizeof(T), cudaMemcpyHostToDevice));
        }
    }

    void measure(const std::string &name)
    {
        double cells = (double) grid_.cells() * iterations_;
        std::vector<gpu::Variant> variants = list();
        gpu::Result result;

        result.workload = "stencil7";
        grid_.describe(&result.parameters);
        result.parameters.set("dtype", gpu::Format<T>::NAME);
        result.parameters.set("iterations", iterations_);
        result.iterations = (uint64_t) iterations_;
        result.flops = TERMS * cells;
        result.flops_counter = gpu::Format<T>::COUNTER;
        result.dram_bytes = 2.0 * sizeof(T) * cells;
        result.cells = cells;
        result.method =
            iterations_ > 1 ? "all products one after the other between CUDA events, "
                              "median; they take turns among grids"
            : 2 * from_.bytes() < program_->device().l2_bytes
                ? "one product between CUDA events, median; the grids stay in the cache"
            : turns_ > 1 ? "one product between CUDA events, median; calls take turns "
                           "among grids, which come from DRAM"
                         : "one product between CUDA events, median";
        result.check.tolerance =
            (sizeof(T) == 2 ? 1 : TERMS) * GAIN * gpu::Format<T>::ROUNDING;
        result.check.reference = "each cell in double precision, of the fastest "
                                 "variant; all others have the "
                                 "same bits";
        size_t best = gpu::time_variants(&result, variants);
        check(&result.check, variants, best);
        program_->write(&result, name);
    }

  private:
    using Kernel = void (*)(const T *, T *, gpu::Grid, int);

    gpu::Variant variant(const char *name, Kernel kernel, int rows, int layers) const
    {
        constexpr int WIDTH = gpu::WARP * gpu::Pack<T>::COUNT;
        dim3 blocks((unsigned) ((grid_.nx + WIDTH - 1) / WIDTH),
                    (unsigned) ((grid_.ny + rows - 1) / rows),
                    (unsigned) ((grid_.nz + layers - 1) / layers));
        dim3 threads(gpu::WARP, (unsigned) rows);

        return {std::string(name) + ", " + std::to_string(rows) + " rows, " +
                    std::to_string(layers) + " layers",
                [=](int call) {
                    for (int i = 0; i < iterations_; i++) {
                        size_t turn =
                            ((size_t) call * (size_t) iterations_ + (size_t) i) %
                            turns_;
                        size_t offset = turn * grid_.cells();

                        kernel<<<blocks, threads>>>(from_.data() + offset,
                                                    to_.data() + offset, grid_, layers);
                    }
                }};
    }

    std::vector<gpu::Variant> list() const
    {
        std::vector<gpu::Variant> variants;

        for (int layers : {1, 4, 16, 64, 128}) {
            if (layers > grid_.nz) {
                continue;
            }
            variants.push_back(
                variant("cache", gpu::laplacian7_march<T, 4, false>, 4, layers));
            variants.push_back(
                variant("cache", gpu::laplacian7_march<T, 8, false>, 8, layers));
            variants.push_back(variant("cache, streamed",
                                       gpu::laplacian7_march<T, 8, true>, 8, layers));
            variants.push_back(variant("cache, streamed",
                                       gpu::laplacian7_march<T, 16, true>, 16, layers));
            variants.push_back(
                variant("shared", gpu::laplacian7_shared<T, 8, true>, 8, layers));
            variants.push_back(
                variant("shared", gpu::laplacian7_shared<T, 16, true>, 16, layers));
        }
        return variants;
    }

    void compute_all(const gpu::Variant &variant)
    {
        to_.poison();
        for (size_t i = 0; i < turns_; i++) {
            variant.body((int) i);
        }
        GPU_LAUNCHED();
    }

    void
    check(gpu::Check *check, const std::vector<gpu::Variant> &variants, size_t best)
    {
        gpu::Array<T> expected(to_.count());

        compute_all(variants[best]);
        std::vector<T> values = to_.download();

        expected.copy_from(to_);
        for (size_t i = 0; i < turns_; i++) {
            gpu::check_all(check, values.data() + i * grid_.cells(), grid_.cells(),
                           [&](size_t cell) {
                               return gpu::laplacian7_at(grid_, host_[i].data(), cell);
                           });
        }
        for (const gpu::Variant &variant : variants) {
            compute_all(variant);
            if (!gpu::device_equal(to_.data(), expected.data(), to_.bytes())) {
                check->compare(NAN, 0);
                std::fprintf(stderr, "%s: differs\n", variant.name.c_str());
            }
        }
    }

    gpu::Program *program_;
    gpu::Grid grid_;
    size_t turns_;
    int iterations_; /* products of a call */
    std::vector<std::vector<T>> host_;
    gpu::Array<T> from_;
    gpu::Array<T> to_;
};

/* With so many turns that grids come from DRAM. */
template <typename T> void measure_asked(gpu::Program *program, const gpu::Asked &asked)
{
    gpu::Grid grid = asked.grid(gpu::Pack<T>::COUNT);
    size_t bytes = grid.cells() * sizeof(T);
    size_t turns = std::min(MOST_TURNS, (ALL_TURNS + bytes - 1) / bytes);

    Stencil7<T>(program, grid, turns, asked.iterations)
        .measure("stencil7" + asked.suffix());
}

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    const gpu::Asked &asked = program.asked();

    if (asked.is_there()) {
        gpu::with_format(
            asked, [&](auto zero) { measure_asked<decltype(zero)>(&program, asked); });
        return program.exit_code();
    }
    Stencil7<float>(&program, {512, 112, 64}, 8).measure("stencil7");
    Stencil7<float>(&program, {1024, 1024, 512}, 1).measure("stencil7-large");
    Stencil7<double>(&program, {512, 112, 64}, 8).measure("stencil7-fp64");
    Stencil7<double>(&program, {1024, 1024, 256}, 1).measure("stencil7-large-fp64");
    return program.exit_code();
}
