/* PCG without a stored matrix, as pcg.lua: fused kernels, and a kernel for each
 * operation with the numbers of dot products on the device or on the host. */
#include "tools/gpu/laplacian7.cuh"
#include "tools/gpu/pcg_fused_solver.cuh"
#include "tools/gpu/pcg_measurement.cuh"
#include "tools/gpu/pcg_split_solver.cuh"

namespace
{

template <typename T> using Solvers = std::vector<std::unique_ptr<gpu::PcgSolver<T>>>;

template <int ROWS, bool IS_TURNING, typename T>
void add_fused(Solvers<T> *solvers, const gpu::Array<T> &b)
{
    for (int layers : {4, 6, 8, 11, 16}) {
        solvers->emplace_back(new gpu::PcgFused<T, ROWS, IS_TURNING>(
            gpu::PCG_GRID, b, gpu::PCG_ITERATIONS, layers));
    }
}

template <typename T> Solvers<T> fused(const gpu::Array<T> &b)
{
    Solvers<T> solvers;

    add_fused<4, true>(&solvers, b);
    add_fused<8, false>(&solvers, b);
    add_fused<8, true>(&solvers, b);
    add_fused<16, false>(&solvers, b);
    add_fused<16, true>(&solvers, b);
    return solvers;
}

template <typename T> gpu::PcgProduct<T> product(int layers)
{
    constexpr int ROWS = 8;
    constexpr int WIDTH = gpu::WARP * gpu::Pack<T>::COUNT;
    const gpu::Grid grid = gpu::PCG_GRID;
    dim3 blocks((unsigned) (grid.nx / WIDTH), (unsigned) (grid.ny / ROWS),
                (unsigned) ((grid.nz + layers - 1) / layers));

    return {"matrix-free, " + std::to_string(layers) + " layers",
            [=](const T *from, T *to, cudaStream_t stream) {
                gpu::laplacian7_march<T, ROWS, false>
                    <<<blocks, dim3(gpu::WARP, ROWS), 0, stream>>>(from, to, grid,
                                                                   layers);
            },
            0};
}

template <typename T> Solvers<T> split(const gpu::Array<T> &b, gpu::PcgScalars scalars)
{
    Solvers<T> solvers;

    for (int layers : {1, 4, 8}) {
        solvers.emplace_back(new gpu::PcgSplit<T>(gpu::PCG_GRID, b, gpu::PCG_ITERATIONS,
                                                  product<T>(layers), scalars));
    }
    return solvers;
}

template <typename T> void measure(gpu::Program *program, const std::string &suffix)
{
    gpu::PcgMeasurement<T> pcg(program);

    pcg.measure(fused(pcg.b()), "pcg-matrix-free" + suffix, "none, fused kernels");
    pcg.measure(split(pcg.b(), gpu::PcgScalars::device),
                "pcg-matrix-free-split" + suffix, "none, a kernel for each operation");
    pcg.measure(split(pcg.b(), gpu::PcgScalars::host), "pcg-matrix-free-host" + suffix,
                "none, a kernel for each operation, scalars to the host");
}

}  // namespace

int main(int argc, char **argv)
{
    gpu::Program program(argc, argv);

    measure<float>(&program, "");
    measure<double>(&program, "-fp64");
    return program.exit_code();
}
