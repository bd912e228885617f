/* The kernel for a step of the wave equation that has whole planes of a block, with the
 * cells around them, brought into shared memory by the copy engine, some planes ahead.
 */
#pragma once

#include "tools/gpu/tensor_copy.cuh"
#include "tools/gpu/wave25.cuh"

namespace gpu
{

/* A block has WIDTH x THREADS threads, of which each has a pack in ROWS rows below each
 * other; BLOCKS are to fit into a multiprocessor. STAGES planes are in shared memory in
 * turn, more than WAVE_REACH + 1: from a thread's own to the last that its stencil
 * reaches, and those that are on their way. What is overwritten is loaded a plane ahead
 * if IS_AHEAD. */
template <int WIDTH_, int THREADS_, int ROWS_, int BLOCKS_, int STAGES_, bool IS_AHEAD_>
struct WaveStages {
    static constexpr int WIDTH = WIDTH_;
    static constexpr int THREADS = THREADS_;
    static constexpr int ROWS = ROWS_;
    static constexpr int BLOCKS = BLOCKS_;
    static constexpr int STAGES = STAGES_;
    static constexpr bool IS_AHEAD = IS_AHEAD_;
    static constexpr int HEIGHT = THREADS * ROWS;

    using Tile = WaveTile<WIDTH, HEIGHT>;

    static constexpr size_t BYTES = sizeof(Tile);
    static constexpr size_t STRIDE =
        (BYTES + TENSOR_ALIGN - 1) / TENSOR_ALIGN * TENSOR_ALIGN;
    static constexpr size_t TOTAL =
        STAGES * STRIDE + STAGES * sizeof(TensorBarrier) + TENSOR_ALIGN;
    /* Of boxes, in cells. */
    static constexpr int BOX_WIDTH = (WIDTH + 2) * WAVE_PACK;
    static constexpr int BOX_HEIGHT = HEIGHT + 2 * WAVE_REACH;
};

/* sum += weight * pack */
__device__ __forceinline__ void
wave_add(WavePack *sum, const WavePack &pack, int distance)
{
#pragma unroll
    for (int i = 0; i < WAVE_PACK; i++) {
        sum->value[i] += (float) wave_weight(distance) * pack.value[i];
    }
}

/* `levels` describes the grid at `now`. */
template <typename S>
__global__ void __launch_bounds__(S::WIDTH *S::THREADS, S::BLOCKS)
    wave25_tensor(const __grid_constant__ CUtensorMap levels,
                  const float *__restrict__ now,
                  float *before,
                  Grid grid,
                  int planes)
{
    constexpr int ROWS = S::ROWS;
    extern __shared__ unsigned char stage_memory[];
    unsigned char *tiles =
        (unsigned char *) (((uintptr_t) stage_memory + TENSOR_ALIGN - 1) /
                           TENSOR_ALIGN * TENSOR_ALIGN);
    TensorBarrier *barriers = (TensorBarrier *) (tiles + S::STAGES * S::STRIDE);
    int x = (int) (blockIdx.x * S::WIDTH + threadIdx.x) * WAVE_PACK;
    int y = (int) (blockIdx.y * S::HEIGHT + threadIdx.y * ROWS);
    int column = (int) threadIdx.x + 1;
    int row = (int) threadIdx.y * ROWS;
    int first = (int) blockIdx.z * planes;
    int end = min(first + planes, grid.nz);
    int last = end - 1 + WAVE_REACH; /* plane that is needed */
    ptrdiff_t plane = (ptrdiff_t) grid.plane();
    bool is_leader = threadIdx.x == 0 && threadIdx.y == 0;
    size_t offset =
        (size_t) first * grid.plane() + (size_t) y * (size_t) grid.nx + (size_t) x;
    auto is_inside = [&](int k) { return x < grid.nx && y + k < grid.ny; };
    auto tile = [&](int stage) {
        return (typename S::Tile *) (tiles + stage * S::STRIDE);
    };
    auto fetch = [&](int stage, int z) {
        barriers[stage].fetch(tile(stage), &levels,
                              ((int) blockIdx.x * S::WIDTH - 1) * WAVE_PACK,
                              (int) blockIdx.y * S::HEIGHT - WAVE_REACH, z, S::BYTES);
    };
    WaveQueue queue[ROWS];
    WavePack old[ROWS];

    if (is_leader) {
        for (int stage = 0; stage < S::STAGES; stage++) {
            barriers[stage].init();
        }
        for (int stage = 0; stage < S::STAGES && first + stage <= last; stage++) {
            fetch(stage, first + stage);
        }
    }
    __syncthreads();
    now += offset;
    before += offset;
    /* Queues are one plane behind: the loop pushes the front. */
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
#pragma unroll
        for (int i = 0; i < WAVE_REACH; i++) {
            queue[k].planes[i + 1] =
                pack_load_if(is_inside(k) && first + i - WAVE_REACH >= 0,
                             now + (i - WAVE_REACH) * plane + k * grid.nx);
        }
        if (S::IS_AHEAD) {
            old[k] = pack_load_streamed_if(is_inside(k), before + k * grid.nx);
        }
    }
#pragma unroll
    for (int i = 0; i < WAVE_REACH; i++) {
        barriers[i].wait(0);
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            queue[k].planes[WAVE_REACH + i + 1] =
                tile(i)->rows[row + k + WAVE_REACH][column];
        }
    }
    int stage = 0;
    int front = WAVE_REACH; /* stage of the plane that comes into reach */
    uint32_t phase = 0;     /* of the front */

#pragma unroll 1
    for (int z = first; z < end; z++) {
        WavePack(*rows)[S::WIDTH + 2] = &tile(stage)->rows[row];
        WavePack next_old[ROWS];
        WavePack sum[ROWS];

#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            if (S::IS_AHEAD) {
                next_old[k] = pack_load_streamed_if(is_inside(k) && z + 1 < end,
                                                    before + plane + k * grid.nx);
            } else {
                old[k] = pack_load_streamed_if(is_inside(k), before + k * grid.nx);
            }
        }
        barriers[front].wait(phase);
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            queue[k].push(tile(front)->rows[row + k + WAVE_REACH][column]);
            sum[k] = wave_column_and_row(queue[k], rows[k + WAVE_REACH][column - 1],
                                         rows[k + WAVE_REACH][column + 1]);
        }
        /* Each row beside a thread's is loaded once. */
#pragma unroll
        for (int i = 0; i < ROWS + 2 * WAVE_REACH; i++) {
            constexpr int CENTRE = WAVE_REACH;
            bool is_own = i >= CENTRE && i < CENTRE + ROWS;

            if (ROWS == 1 && is_own) {
                continue;
            }
            WavePack beside = is_own ? queue[is_own ? i - CENTRE : 0].planes[CENTRE]
                                     : rows[i][column];

#pragma unroll
            for (int k = 0; k < ROWS; k++) {
                int distance = i < CENTRE + k ? CENTRE + k - i : i - CENTRE - k;

                if (distance >= 1 && distance <= WAVE_REACH) {
                    wave_add(&sum[k], beside, distance);
                }
            }
        }
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            if (is_inside(k)) {
                wave_store(before + k * grid.nx, sum[k], old[k]);
            }
            if (S::IS_AHEAD) {
                old[k] = next_old[k];
            }
        }
        __syncthreads();
        if (is_leader && z + S::STAGES <= last) {
            fetch(stage, z + S::STAGES);
        }
        stage = stage + 1 < S::STAGES ? stage + 1 : 0;
        front = front + 1 < S::STAGES ? front + 1 : 0;
        phase ^= front == 0 ? 1U : 0U;
        before += plane;
    }
}

}  // namespace gpu
