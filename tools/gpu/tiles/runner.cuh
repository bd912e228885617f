/* Runs a tiled problem, wavefront after wavefront, and the same step by step as a
 * reference. */
#pragma once

#include "tools/gpu/device.cuh"
#include "tools/gpu/tiles/prism.cuh"
#include "tools/gpu/tiles/slab.cuh"

namespace gpu
{

template <typename Stencil, bool IS_MOVING = true> struct TileKernel {
    using Function = void (*)(TiledProblem, Tile, int, float *);

    static Function function()
    {
        if constexpr (Stencil::DIMENSION == 2) {
            return prism_kernel<Stencil, IS_MOVING>;
        } else {
            return slab_kernel<Stencil, IS_MOVING>;
        }
    }
    static size_t bytes(const Tile &tile)
    {
        return sizeof(float) * tile.shared_words(Stencil::DIMENSION);
    }
    /* Tiles that share a multiprocessor; 0 where not even one fits. */
    static int resident(const Tile &tile, int threads)
    {
        int blocks = 0;

        if (cudaFuncSetAttribute(function(),
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int) bytes(tile)) != cudaSuccess ||
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function(), threads,
                                                          bytes(tile)) != cudaSuccess) {
            (void) cudaGetLastError();
            return 0;
        }
        return blocks;
    }
    static void
    run(const TiledProblem &problem, const Tile &tile, int threads, float *planes)
    {
        int blocks = tile_count(tile, problem.space[0]);

        for (int wave = 0; wave < tile_waves(tile, problem.steps); wave++) {
            function()<<<(unsigned) blocks, (unsigned) threads, bytes(tile)>>>(
                problem, tile, wave, planes);
        }
    }
};

template <typename Stencil>
__global__ void step_kernel(TiledProblem problem, const float *from, float *to)
{
    size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
    int columns = problem.space[Stencil::DIMENSION - 1];
    int rows = problem.space[Stencil::DIMENSION - 2];
    int column = (int) (i % (size_t) columns);
    int row = (int) (i / (size_t) columns % (size_t) rows);
    int layer = (int) (i / (size_t) columns / (size_t) rows);
    int stride = columns;
    int layers = Stencil::DIMENSION == 3 ? problem.space[0] : 1;

    if (i >= problem.points()) {
        return;
    }
    const float *own = from + i;
    float value = *own;
    bool is_inner = column > 0 && column < columns - 1 && row > 0 && row < rows - 1;

    if (Stencil::DIMENSION == 2 && is_inner) {
        int offsets[4] = {-stride, stride, -1, 1};

        value = Stencil::point(value, [&](int k) { return own[offsets[k]]; });
    }
    if (Stencil::DIMENSION == 3 && is_inner && layer > 0 && layer < layers - 1) {
        int offsets[6] = {-stride * rows, stride * rows, -stride, stride, -1, 1};

        value = Stencil::point(value, [&](int k) { return own[offsets[k]]; });
    }
    to[i] = value;
}

/* Steps of the whole grid; planes as in tiles. */
template <typename Stencil> void step_all(const TiledProblem &problem, float *planes)
{
    size_t points = problem.points();

    for (int step = 0; step < problem.steps; step++) {
        step_kernel<Stencil><<<(unsigned) ((points + 255) / 256), 256>>>(
            problem, planes + (size_t) (step & 1) * points,
            planes + (size_t) ((step + 1) & 1) * points);
    }
    GPU_LAUNCHED();
}

}  // namespace gpu
