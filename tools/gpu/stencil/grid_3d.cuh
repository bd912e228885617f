/* 3D stencils of radius 1 on CUDA cores with temporal fusion. A block streams along z
 * over a tile of columns, V in x and Y in y a thread. Planes come through a ring in
 * shared memory. A step keeps the sums of the two output planes that have begun in
 * registers and leaves the plane that it ends in shared memory, where the next step
 * finds it one plane later: so one barrier a plane is enough for all steps. Each step
 * after the first loses a row and a column on every side of the tile. */
#pragma once

#include <cuda_runtime.h>

#include "tools/gpu/stencil/async.cuh"
#include "tools/gpu/stencil/stencil.hpp"
#include "tools/gpu/stencil/strips.hpp"

namespace gpu
{

template <typename T> struct Weights3d {
    T at[3][3][3];
};

/* A thread has Y rows; `stages` planes are in the ring. */
template <typename T, bool is_box, int steps, int Y, int warps, int stages>
struct Stencil3d {
    static constexpr int width = 16 / (int) sizeof(T);
    static constexpr int V = width;
    static constexpr int threads = 32 * warps;
    static constexpr int columns = 32 * V;
    static constexpr int rows = warps * Y;
    static constexpr int pitch = columns + 2 * width;
    static constexpr int plane = (rows + 2) * pitch;
    static constexpr int loss_x = (steps - 1 + width - 1) / width * width;
    static constexpr int loss_y = steps - 1;
    static constexpr int valid_x = columns - 2 * loss_x;
    static constexpr int valid_y = rows - 2 * loss_y;
    static constexpr int vectors = plane / width;
    static constexpr int copies = (vectors + threads - 1) / threads;
    static constexpr int planes = stages + 2 * (steps - 1);
    static constexpr int shared_bytes = planes * plane * (int) sizeof(T);
    /* Output plane z ends this many planes after input plane z - steps came. */
    static constexpr int delay = 3 * steps - 1;

    /* V values of a row. */
    static __device__ __forceinline__ void read(const T *from, T (&near)[V + 2])
    {
        T own[V];

        vector16_copy(own, from);
#pragma unroll
        for (int v = 0; v < V; v++) {
            near[v + 1] = own[v];
        }
    }

    /* Their neighbours at both ends; those of the tile's ends are only there in planes
     * of the ring. */
    static __device__ __forceinline__ void
    read_ends(const T *from, bool is_ring, int lane, T (&near)[V + 2])
    {
        near[0] = __shfl_up_sync(~0U, near[V], 1);
        near[V + 1] = __shfl_down_sync(~0U, near[1], 1);
        if (is_ring && lane == 0) {
            near[0] = from[-1];
        }
        if (is_ring && lane == 31) {
            near[V + 1] = from[V];
        }
    }

    /* Adds row `dy` of three to what output row `y` sums up in all three planes. */
    static __device__ __forceinline__ void
    add(const T (&near)[V + 2], int dy, T (&sums)[3][V], const Weights3d<T> &weights)
    {
#pragma unroll
        for (int k = 0; k < 3; k++) { /* plane that ends, goes on, begins */
            const bool is_row = is_box || (k == 1 && dy == 1);
            const bool is_point = is_box || k == 1 || dy == 1;

#pragma unroll
            for (int v = 0; v < V; v++) {
#pragma unroll
                for (int dx = 0; dx < 3; dx++) {
                    if (is_row || (is_point && dx == 1)) {
                        sums[k][v] += weights.at[2 - k][dy][dx] * near[v + dx];
                    }
                }
            }
        }
    }
};

/* `blocks` is for how many on a multiprocessor registers are kept. */
template <typename T, bool is_box, int steps, int Y, int warps, int stages, int blocks>
__global__ void __launch_bounds__(32 * warps, blocks)
    stencil_3d(const __grid_constant__ Weights3d<T> weights,
               const T *__restrict__ in,
               T *__restrict__ out,
               int n,
               int strip)
{
    using Shape = Stencil3d<T, is_box, steps, Y, warps, stages>;
    constexpr int V = Shape::V;
    constexpr int width = Shape::width;
    constexpr int pitch = Shape::pitch;
    extern __shared__ __align__(16) unsigned char shared[];
    T *ring = reinterpret_cast<T *>(shared);
    T *between = ring + stages * Shape::plane;
    const int lane = (int) threadIdx.x % 32;
    const int warp = (int) threadIdx.x / 32;
    const int left = (int) blockIdx.x * Shape::valid_x - Shape::loss_x;
    const int top = (int) blockIdx.y * Shape::valid_y - Shape::loss_y;
    const int front = (int) blockIdx.z * strip;
    const int depth = min(strip, n - front);
    /* of the thread's first value in a plane in shared memory */
    const int own = (warp * Y + 1) * pitch + width + lane * V;
    const int x = left + lane * V;
    const int y = top + warp * Y;
    int places[Shape::copies];
    int next = stencil_wrap(front - steps, n);

#pragma unroll
    for (int k = 0; k < Shape::copies; k++) {
        const int vector = (int) threadIdx.x + k * Shape::threads;
        const int row = vector / (pitch / width);
        const int column = vector % (pitch / width) * width;

        places[k] =
            stencil_wrap(top - 1 + row, n) * n + stencil_wrap(left - width + column, n);
    }
    auto fetch = [&](int i) {
        const T *from = in + (size_t) next * n * n;
        T *slot = ring + i % stages * Shape::plane;

        if (i < depth + 2 * steps) {
#pragma unroll
            for (int k = 0; k < Shape::copies; k++) {
                const int vector = (int) threadIdx.x + k * Shape::threads;

                if ((k + 1) * Shape::threads <= Shape::vectors ||
                    vector < Shape::vectors) {
                    async_copy16(slot + vector * width, from + places[k]);
                }
            }
        }
        async_commit();
        next = next + 1 == n ? 0 : next + 1;
    };
    for (int i = 0; i < stages - 1; i++) {
        fetch(i);
    }

    T begun[steps][Y][2][V] = {};
#pragma unroll 1
    for (int i = 0; i < depth + Shape::delay; i++) {
        async_wait<stages - 2>();
        __syncthreads();
        fetch(i + stages - 1);
#pragma unroll
        for (int s = 0; s < steps; s++) {
            const T *from = s == 0
                                ? ring + i % stages * Shape::plane
                                : between + (2 * (s - 1) + (i + 1) % 2) * Shape::plane;
            T sums[Y][3][V];

#pragma unroll
            for (int r = 0; r < Y; r++) {
#pragma unroll
                for (int v = 0; v < V; v++) {
                    sums[r][0][v] = begun[s][r][0][v];
                    sums[r][1][v] = begun[s][r][1][v];
                    sums[r][2][v] = T(0);
                }
            }
#pragma unroll
            for (int r = -1; r <= Y; r++) {
                T near[V + 2];

                Shape::read(from + own + r * pitch, near);
                if (is_box || (r >= 0 && r < Y)) {
                    Shape::read_ends(from + own + r * pitch, s == 0, lane, near);
                }
#pragma unroll
                for (int dy = 0; dy < 3; dy++) {
                    if (r + 1 - dy >= 0 && r + 1 - dy < Y) {
                        Shape::add(near, dy, sums[r + 1 - dy], weights);
                    }
                }
            }
#pragma unroll
            for (int r = 0; r < Y; r++) {
#pragma unroll
                for (int v = 0; v < V; v++) {
                    begun[s][r][0][v] = sums[r][1][v];
                    begun[s][r][1][v] = sums[r][2][v];
                }
                if (s + 1 < steps) {
                    vector16_copy(between + (2 * s + i % 2) * Shape::plane + own +
                                      r * pitch,
                                  sums[r][0]);
                } else {
                    const int z = front + i - Shape::delay;
                    const int row = warp * Y + r;

                    if (z >= front && row >= Shape::loss_y &&
                        row < Shape::loss_y + Shape::valid_y && y + r < n &&
                        lane * V >= Shape::loss_x &&
                        lane * V < Shape::loss_x + Shape::valid_x && x < n) {
                        vector16_copy(out + ((size_t) z * n + (size_t) (y + r)) * n + x,
                                      sums[r][0]);
                    }
                }
            }
        }
    }
}

template <typename T, bool is_box, int steps, int Y, int warps, int stages, int blocks>
double stencil_3d_enqueue(const StencilPass &pass, const StencilPlan &plan)
{
    using Shape = Stencil3d<T, is_box, steps, Y, warps, stages>;
    auto kernel = stencil_3d<T, is_box, steps, Y, warps, stages, blocks>;
    static const long slots =
        stencil_slots((const void *) kernel, Shape::threads, Shape::shared_bytes);
    const int n = pass.size;
    const int tiles_x = (n + Shape::valid_x - 1) / Shape::valid_x;
    const int tiles_y = (n + Shape::valid_y - 1) / Shape::valid_y;
    const int bytes = stencil_shared_bytes(Shape::shared_bytes, plan.blocks);
    const int strip = plan.strip > 0 ? plan.strip
                                     : stencil_strip(n, (long) tiles_x * tiles_y, slots,
                                                     Shape::delay, 1);
    const dim3 grid(tiles_x, tiles_y, (n + strip - 1) / strip);
    Weights3d<T> weights;

    if (bytes == 0) {
        return 0;
    }
    for (int k = 0; k < 27; k++) {
        weights.at[k / 9][k / 3 % 3][k % 3] = (T) pass.weights[k];
    }
    kernel<<<grid, Shape::threads, bytes>>>(weights, static_cast<const T *>(pass.in),
                                            static_cast<T *>(pass.out), n, strip);
    const double planes = n + (double) grid.z * Shape::delay;

    return 2.0 * (is_box ? 27 : 7) * steps * tiles_x * tiles_y * Shape::columns *
           Shape::rows * planes;
}

/* Rows a thread, warps, stages, and blocks on a multiprocessor for which registers are
 * kept. */
template <typename T, bool is_box>
double stencil_3d_find(int fusion, const StencilPass &pass, const StencilPlan &plan)
{
    switch (fusion * 10 + plan.kernel) {
    case 10:
        return stencil_3d_enqueue<T, is_box, 1, 4, 8, 4, 2>(pass, plan);
    case 11:
        return stencil_3d_enqueue<T, is_box, 1, 2, 8, 4, 3>(pass, plan);
    case 12:
        return stencil_3d_enqueue<T, is_box, 1, 2, 16, 4, 1>(pass, plan);
    case 20:
        return stencil_3d_enqueue<T, is_box, 2, 4, 8, 3, 2>(pass, plan);
    case 21:
        return stencil_3d_enqueue<T, is_box, 2, 4, 12, 3, 1>(pass, plan);
    case 22:
        return stencil_3d_enqueue<T, is_box, 2, 2, 16, 4, 1>(pass, plan);
    case 30:
        return stencil_3d_enqueue<T, is_box, 3, 4, 12, 3, 1>(pass, plan);
    case 31:
        return stencil_3d_enqueue<T, is_box, 3, 4, 8, 3, 1>(pass, plan);
    case 32:
        return stencil_3d_enqueue<T, is_box, 3, 2, 16, 4, 1>(pass, plan);
    default:
        return 0;
    }
}

}  // namespace gpu
