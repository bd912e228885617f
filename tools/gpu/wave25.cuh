/* Kernels for a step of the wave equation, before = Q now - before, a 25-point stencil.
 * Blocks of WIDTH x ROWS threads, a pack of 4 cells each, march through planes and keep
 * nine of them in registers. nx is a multiple of 4. */
#pragma once

#include <cuda_pipeline_primitives.h>

#include "tools/gpu/pack.cuh"
#include "tools/gpu/wave25.hpp"

namespace gpu
{

using WavePack = Pack<float>;

constexpr int WAVE_PACK = WavePack::COUNT;
static_assert(WAVE_PACK == WAVE_REACH, "a neighbouring pack holds all that is needed");

/* The planes around that of a thread's pack: [WAVE_REACH] is its own. */
struct WaveQueue {
    WavePack planes[2 * WAVE_REACH + 1];

    __device__ __forceinline__ void push(const WavePack &front)
    {
#pragma unroll
        for (int i = 0; i < 2 * WAVE_REACH; i++) {
            planes[i] = planes[i + 1];
        }
        planes[2 * WAVE_REACH] = front;
    }
};

/* Sums along the march and along the row; `left` and `right` are the packs beside. */
__device__ __forceinline__ WavePack wave_column_and_row(const WaveQueue &queue,
                                                        const WavePack &left,
                                                        const WavePack &right)
{
    const WavePack &centre = queue.planes[WAVE_REACH];
    float window[3 * WAVE_PACK];
    WavePack sum;

#pragma unroll
    for (int i = 0; i < WAVE_PACK; i++) {
        window[i] = left.value[i];
        window[WAVE_PACK + i] = centre.value[i];
        window[2 * WAVE_PACK + i] = right.value[i];
    }
#pragma unroll
    for (int i = 0; i < WAVE_PACK; i++) {
        sum.value[i] = (float) wave_weight(0) * centre.value[i];
#pragma unroll
        for (int d = 1; d <= WAVE_REACH; d++) {
            sum.value[i] += (float) wave_weight(d) *
                            ((queue.planes[WAVE_REACH - d].value[i] +
                              queue.planes[WAVE_REACH + d].value[i]) +
                             (window[WAVE_PACK + i - d] + window[WAVE_PACK + i + d]));
        }
    }
    return sum;
}

__device__ __forceinline__ void
wave_add_rows(WavePack *sum, const WavePack &north, const WavePack &south, int distance)
{
#pragma unroll
    for (int i = 0; i < WAVE_PACK; i++) {
        sum->value[i] +=
            (float) wave_weight(distance) * (north.value[i] + south.value[i]);
    }
}

/* sum - before, to where before is. */
__device__ __forceinline__ void
wave_store(float *to, const WavePack &sum, const WavePack &before)
{
    WavePack result;

#pragma unroll
    for (int i = 0; i < WAVE_PACK; i++) {
        result.value[i] = sum.value[i] - before.value[i];
    }
    pack_store_streamed(to, result);
}

/* Rows and packs beside a thread's come from the cache. */
template <int WIDTH, int ROWS, int BLOCKS>
__global__ void __launch_bounds__(WIDTH *ROWS, BLOCKS)
    wave25_cache(const float *__restrict__ now, float *before, Grid grid, int planes)
{
    int x = (int) (blockIdx.x * WIDTH + threadIdx.x) * WAVE_PACK;
    int y = (int) (blockIdx.y * ROWS + threadIdx.y);
    int first = (int) blockIdx.z * planes;
    int end = min(first + planes, grid.nz);
    ptrdiff_t plane = (ptrdiff_t) grid.plane();
    WaveQueue queue;

    if (x >= grid.nx || y >= grid.ny) {
        return;
    }
    size_t offset =
        (size_t) first * grid.plane() + (size_t) y * (size_t) grid.nx + (size_t) x;

    now += offset;
    before += offset;
#pragma unroll
    for (int i = 0; i < 2 * WAVE_REACH; i++) {
        int z = first + i - WAVE_REACH;

        queue.planes[i + 1] =
            pack_load_if(z >= 0 && z < grid.nz, now + (i - WAVE_REACH) * plane);
    }
#pragma unroll 3
    for (int z = first; z < end; z++) {
        WavePack last = pack_load((const float *) before);

        queue.push(pack_load_if(z + WAVE_REACH < grid.nz, now + WAVE_REACH * plane));
        WavePack left = pack_load_if(x > 0, now - WAVE_PACK);
        WavePack right = pack_load_if(x + WAVE_PACK < grid.nx, now + WAVE_PACK);
        WavePack sum = wave_column_and_row(queue, left, right);

#pragma unroll
        for (int d = 1; d <= WAVE_REACH; d++) {
            wave_add_rows(&sum, pack_load_if(y >= d, now - (ptrdiff_t) d * grid.nx),
                          pack_load_if(y + d < grid.ny, now + (ptrdiff_t) d * grid.nx),
                          d);
        }
        wave_store(before, sum, last);
        now += plane;
        before += plane;
    }
}

/* A plane of a block's cells with WAVE_REACH cells around them. */
template <int WIDTH, int ROWS> struct WaveTile {
    WavePack rows[ROWS + 2 * WAVE_REACH][WIDTH + 2];
};

/* Asks for the cells around a block's in the plane at `now`, which points to the
 * block's first cell; zeros beyond the grid. */
template <int WIDTH, int ROWS>
__device__ __forceinline__ void
wave_fetch_border(WaveTile<WIDTH, ROWS> *tile, const float *now, const Grid &grid)
{
    constexpr int ABOVE = 2 * WAVE_REACH * WIDTH; /* packs of rows before and after */
    constexpr int ALL = ABOVE + 2 * ROWS;
    int x = (int) blockIdx.x * WIDTH;
    int y = (int) blockIdx.y * ROWS;

    for (int i = (int) (threadIdx.y * WIDTH + threadIdx.x); i < ALL;
         i += WIDTH * ROWS) {
        int row;
        int column;

        if (i < ABOVE) {
            row = i / WIDTH - WAVE_REACH;
            row += row >= 0 ? ROWS : 0;
            column = i % WIDTH;
        } else {
            row = (i - ABOVE) / 2;
            column = (i - ABOVE) % 2 == 0 ? -1 : WIDTH;
        }
        bool is_inside = y + row >= 0 && y + row < grid.ny && x + column >= 0 &&
                         (x + column) * WAVE_PACK < grid.nx;
        const float *from = now + (ptrdiff_t) row * grid.nx + column * WAVE_PACK;

        __pipeline_memcpy_async(&tile->rows[row + WAVE_REACH][column + 1],
                                is_inside ? from : now, sizeof(WavePack),
                                is_inside ? 0 : sizeof(WavePack));
    }
    __pipeline_commit();
}

/* Rows and packs beside a thread's come from shared memory, two planes in turn: the
 * next plane's border is fetched while this one is computed. */
template <int WIDTH, int ROWS, int BLOCKS>
__global__ void __launch_bounds__(WIDTH *ROWS, BLOCKS)
    wave25_shared(const float *__restrict__ now, float *before, Grid grid, int planes)
{
    extern __shared__ WavePack memory[];
    WaveTile<WIDTH, ROWS> *tiles = (WaveTile<WIDTH, ROWS> *) memory;
    int x = (int) (blockIdx.x * WIDTH + threadIdx.x) * WAVE_PACK;
    int y = (int) (blockIdx.y * ROWS + threadIdx.y);
    int first = (int) blockIdx.z * planes;
    int end = min(first + planes, grid.nz);
    ptrdiff_t plane = (ptrdiff_t) grid.plane();
    bool is_inside = x < grid.nx && y < grid.ny;
    size_t corner = (size_t) first * grid.plane() +
                    (size_t) (blockIdx.y * ROWS) * (size_t) grid.nx +
                    (size_t) (blockIdx.x * WIDTH * WAVE_PACK);
    size_t mine = (size_t) threadIdx.y * (size_t) grid.nx + threadIdx.x * WAVE_PACK;
    const float *border = now + corner;
    WaveQueue queue;

    now += corner + mine;
    before += corner + mine;
    wave_fetch_border(&tiles[0], border, grid);
#pragma unroll
    for (int i = 0; i <= 2 * WAVE_REACH; i++) {
        int z = first + i - WAVE_REACH;

        queue.planes[i] = pack_load_if(is_inside && z >= 0 && z < grid.nz,
                                       now + (i - WAVE_REACH) * plane);
    }
    tiles[0].rows[threadIdx.y + WAVE_REACH][threadIdx.x + 1] = queue.planes[WAVE_REACH];
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll 1
    for (int z = first; z < end; z++) {
        int turn = (z - first) % 2;
        WaveTile<WIDTH, ROWS> *next = &tiles[1 - turn];
        WavePack(*rows)[WIDTH + 2] = &tiles[turn].rows[threadIdx.y];
        WavePack last = pack_load_if(is_inside, (const float *) before);
        WavePack front = pack_load_if(is_inside && z + WAVE_REACH + 1 < grid.nz,
                                      now + (WAVE_REACH + 1) * plane);

        if (z + 1 < end) {
            border += plane;
            wave_fetch_border(next, border, grid);
        }
        WavePack sum = wave_column_and_row(queue, rows[WAVE_REACH][threadIdx.x],
                                           rows[WAVE_REACH][threadIdx.x + 2]);

#pragma unroll
        for (int d = 1; d <= WAVE_REACH; d++) {
            wave_add_rows(&sum, rows[WAVE_REACH - d][threadIdx.x + 1],
                          rows[WAVE_REACH + d][threadIdx.x + 1], d);
        }
        if (is_inside) {
            wave_store(before, sum, last);
        }
        queue.push(front);
        next->rows[threadIdx.y + WAVE_REACH][threadIdx.x + 1] =
            queue.planes[WAVE_REACH];
        __pipeline_wait_prior(0);
        __syncthreads();
        now += plane;
        before += plane;
    }
}

/* Shared memory of wave25_shared(). */
template <int WIDTH, int ROWS> constexpr size_t wave25_shared_bytes()
{
    return 2 * sizeof(WaveTile<WIDTH, ROWS>);
}

}  // namespace gpu
