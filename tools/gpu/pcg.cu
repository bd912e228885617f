/* PCG without a stored matrix, as pcg.lua: fused kernels, and a kernel for each
 * operation with the numbers of dot products on the device or on the host. */
#include "tools/gpu/pcg/fused_solver.cuh"
#include "tools/gpu/pcg/laplacian7.cuh"
#include "tools/gpu/pcg/measurement.cuh"
#include "tools/gpu/pcg/split_solver.cuh"

namespace
{

template <typename T> using Makers = std::vector<gpu::PcgMaker<T>>;

template <int ROWS, bool IS_TURNING, typename T>
void add_fused(Makers<T> *makers,
               const gpu::PcgProblem &problem,
               const gpu::Array<T> &b)
{
    for (int layers : {1, 2, 4, 8, 16}) {
        makers->push_back([=, &b]() {
            return std::unique_ptr<gpu::PcgSolver<T>>(
                new gpu::PcgFused<T, ROWS, IS_TURNING>(problem.grid, b,
                                                       problem.iterations, layers));
        });
    }
}

template <typename T>
Makers<T> fused(const gpu::PcgProblem &problem, const gpu::Array<T> &b)
{
    Makers<T> makers;

    add_fused<4, true>(&makers, problem, b);
    add_fused<8, false>(&makers, problem, b);
    add_fused<8, true>(&makers, problem, b);
    add_fused<16, true>(&makers, problem, b);
    return makers;
}

template <typename T> gpu::PcgProduct<T> product(const gpu::Grid &grid, int layers)
{
    constexpr int ROWS = 8;
    constexpr int WIDTH = gpu::WARP * gpu::Pack<T>::COUNT;
    dim3 blocks((unsigned) ((grid.nx + WIDTH - 1) / WIDTH),
                (unsigned) ((grid.ny + ROWS - 1) / ROWS),
                (unsigned) ((grid.nz + layers - 1) / layers));

    return {"matrix-free, " + std::to_string(layers) + " layers",
            [=](const T *from, T *to, cudaStream_t stream) {
                gpu::laplacian7_march<T, ROWS, false>
                    <<<blocks, dim3(gpu::WARP, ROWS), 0, stream>>>(from, to, grid,
                                                                   layers);
            },
            0};
}

template <typename T>
void add_split(Makers<T> *makers,
               const gpu::PcgProblem &problem,
               const gpu::Array<T> &b,
               gpu::PcgScalars scalars)
{
    for (int layers : {1, 4, 8}) {
        makers->push_back([=, &b]() {
            return std::unique_ptr<gpu::PcgSolver<T>>(
                new gpu::PcgSplit<T>(problem.grid, b, problem.iterations,
                                     product<T>(problem.grid, layers), scalars));
        });
    }
}

template <typename T>
Makers<T>
split(const gpu::PcgProblem &problem, const gpu::Array<T> &b, gpu::PcgScalars scalars)
{
    Makers<T> makers;

    add_split(&makers, problem, b, scalars);
    return makers;
}

template <typename T> void measure(gpu::Program *program, const std::string &suffix)
{
    const gpu::PcgProblem &problem = gpu::PCG_TABLE3;
    gpu::PcgMeasurement<T> pcg(program, problem);

    pcg.measure(fused(problem, pcg.b()), "pcg-matrix-free" + suffix,
                "none, fused kernels");
    pcg.measure(split(problem, pcg.b(), gpu::PcgScalars::device),
                "pcg-matrix-free-split" + suffix, "none, a kernel for each operation");
    pcg.measure(split(problem, pcg.b(), gpu::PcgScalars::host),
                "pcg-matrix-free-host" + suffix,
                "none, a kernel for each operation, scalars to the host");
}

/* The fastest of all that do not wait for the host. */
template <typename T>
void measure_fastest(gpu::Program *program,
                     const gpu::PcgProblem &problem,
                     const std::string &suffix)
{
    gpu::PcgMeasurement<T> pcg(program, problem);
    Makers<T> makers = fused(problem, pcg.b());

    add_split(&makers, problem, pcg.b(), gpu::PcgScalars::device);
    pcg.measure(makers, "pcg-matrix-free" + suffix, "none");
}

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);
    const gpu::Asked &asked = program.asked();

    if (asked.is_there()) {
        gpu::with_format(asked, [&](auto zero) {
            using T = decltype(zero);

            measure_fastest<T>(&program,
                               {asked.grid(gpu::Pack<T>::COUNT), asked.iterations},
                               asked.suffix());
        });
        return program.exit_code();
    }
    measure<float>(&program, "");
    measure<double>(&program, "-fp64");
    measure_fastest<float>(&program, gpu::PCG_SMALL, "-small");
    measure_fastest<float>(&program, gpu::PCG_DEMO, "-demo");
    return program.exit_code();
}
