/* 2D stencils on CUDA cores with temporal fusion. A warp streams down a strip of
 * columns, V of them a lane. Rows come through a ring in shared memory that the warp
 * has for itself, so that no warp waits for another. A step keeps the sums of the 2R
 * output rows that have begun in registers; the row that it ends is the next step's
 * input, with neighbours from the next lanes, so that every step after the first loses
 * R columns at both ends of the warp's. */
#pragma once

#include <cuda_runtime.h>

#include "tools/gpu/stencil/async.cuh"
#include "tools/gpu/stencil/stencil.hpp"
#include "tools/gpu/stencil/strips.hpp"

namespace gpu
{

template <typename T, int R> struct Weights2d {
    T at[2 * R + 1][2 * R + 1];
};

template <typename T, bool is_box, int R, int steps, int V> struct Stencil2d {
    static_assert(steps == 1 || R <= V, "neighbours come from the next lane");
    static constexpr int width = 16 / (int) sizeof(T); /* values of an access */
    static constexpr int warps = 4;
    static constexpr int stages = V == width ? 4 : 8; /* rows of the ring */
    static constexpr int halo = (R + width - 1) / width * width;
    static constexpr int columns = 32 * V + 2 * halo;
    static constexpr int loss = (R * (steps - 1) + width - 1) / width * width;
    static constexpr int valid = 32 * V - 2 * loss;
    static constexpr int vectors = columns / width;
    static constexpr int copies = (vectors + 31) / 32;
    static constexpr int warmup = 2 * R * steps;
    static constexpr int shared_bytes = warps * stages * columns * (int) sizeof(T);

    /* Adds a row, with R neighbours at both ends, to the sums; `row` becomes the output
     * row that it ends. */
    static __device__ __forceinline__ void add(const T (&in)[V + 2 * R],
                                               T (&sums)[2 * R][V],
                                               T (&row)[V],
                                               const Weights2d<T, R> &weights)
    {
#pragma unroll
        for (int k = 0; k <= 2 * R; k++) {
            const int from = is_box || k == R ? 0 : R;
            const int to = is_box || k == R ? 2 * R : R;

#pragma unroll
            for (int v = 0; v < V; v++) {
                T sum = k < 2 * R ? sums[k][v] : T(0);

#pragma unroll
                for (int i = from; i <= to; i++) {
                    T product = weights.at[2 * R - k][i] * in[v + i];

                    sum = k == 2 * R && i == from ? product : sum + product;
                }
                (k == 0 ? row[v] : sums[k == 0 ? 0 : k - 1][v]) = sum;
            }
        }
    }

    static __device__ __forceinline__ void
    write_vector(const T (&values)[width], int column, int left, int n, T *to)
    {
        if (column >= loss && column < loss + valid && left + column < n) {
            vector16_copy(to + column, values);
        }
    }

    /* Writes a row to where the warp's first column is. Of lanes with two vectors each
     * two swap one, so that neighbours write neighbours. */
    static __device__ __forceinline__ void
    write(const T (&row)[V], int lane, int left, int n, T *to)
    {
        if constexpr (V == width) {
            write_vector(row, lane * V, left, n, to);
        } else {
            static_assert(V == 2 * width, "a lane has one or two vectors");
            const bool is_odd = lane % 2 == 1;
            const int column = is_odd ? lane * V - width : lane * V;
            T first[width];
            T second[width];

#pragma unroll
            for (int k = 0; k < width; k++) {
                T other = __shfl_xor_sync(~0U, is_odd ? row[k] : row[width + k], 1);

                first[k] = is_odd ? other : row[k];
                second[k] = is_odd ? row[width + k] : other;
            }
            write_vector(first, column, left, n, to);
            write_vector(second, column + V, left, n, to);
        }
    }
};

template <typename T, bool is_box, int R, int steps, int V>
__global__ void __launch_bounds__(Stencil2d<T, is_box, R, steps, V>::warps * 32)
    stencil_2d(const __grid_constant__ Weights2d<T, R> weights,
               const T *__restrict__ in,
               T *__restrict__ out,
               int n,
               int tiles,
               int strip)
{
    using Shape = Stencil2d<T, is_box, R, steps, V>;
    constexpr int width = Shape::width;
    constexpr int halo = Shape::halo;
    extern __shared__ __align__(16) unsigned char shared[];
    const int lane = (int) threadIdx.x % 32;
    const int warp = (int) threadIdx.x / 32;
    const int job = (int) blockIdx.x * Shape::warps + warp;
    const int left = job % tiles * Shape::valid - Shape::loss;
    const int top = job / tiles * strip;
    T *ring = reinterpret_cast<T *>(shared) + warp * Shape::stages * Shape::columns;
    T *to = out + (size_t) top * n + left;
    int columns[Shape::copies];
    int next = stencil_wrap(top - R * steps, n); /* the row that is fetched next */

    if (top >= n) {
        return;
    }
    const int rows = min(strip, n - top) + Shape::warmup;

#pragma unroll
    for (int k = 0; k < Shape::copies; k++) {
        columns[k] = stencil_wrap(left - halo + (lane + 32 * k) * width, n);
    }
    auto fetch = [&](int i) {
        const T *from = in + (size_t) next * n;
        T *slot = ring + i % Shape::stages * Shape::columns;

        if (i < rows) {
#pragma unroll
            for (int k = 0; k < Shape::copies; k++) {
                if (32 * (k + 1) <= Shape::vectors || lane + 32 * k < Shape::vectors) {
                    async_copy16(slot + (lane + 32 * k) * width, from + columns[k]);
                }
            }
        }
        async_commit();
        next = next + 1 == n ? 0 : next + 1;
    };
    for (int i = 0; i < Shape::stages - 1; i++) {
        fetch(i);
    }

    T sums[steps][2 * R][V] = {};
#pragma unroll 1
    for (int i = 0; i < rows; i++) {
        T loaded[V + 2 * halo];
        T near[V + 2 * R];
        T row[V];

        async_wait<Shape::stages - 2>();
        __syncwarp();
        fetch(i + Shape::stages - 1);
        const T *from = ring + i % Shape::stages * Shape::columns + lane * V;

#pragma unroll
        for (int k = 0; k < V + 2 * halo; k += width) {
            vector16_copy(loaded + k, from + k);
        }
#pragma unroll
        for (int k = 0; k < V + 2 * R; k++) {
            near[k] = loaded[halo - R + k];
        }
        Shape::add(near, sums[0], row, weights);
#pragma unroll
        for (int s = 1; s < steps; s++) {
#pragma unroll
            for (int k = 0; k < R; k++) {
                near[k] = __shfl_up_sync(~0U, row[V - R + k], 1);
                near[V + R + k] = __shfl_down_sync(~0U, row[k], 1);
            }
#pragma unroll
            for (int v = 0; v < V; v++) {
                near[R + v] = row[v];
            }
            Shape::add(near, sums[s], row, weights);
        }
        if (i < Shape::warmup) {
            continue;
        }
        Shape::write(row, lane, left, n, to);
        to += n;
    }
}

template <typename T, bool is_box, int R, int steps, int V>
double stencil_2d_enqueue(const StencilPass &pass, const StencilPlan &plan)
{
    using Shape = Stencil2d<T, is_box, R, steps, V>;
    auto kernel = stencil_2d<T, is_box, R, steps, V>;
    static const long slots =
        stencil_slots((const void *) kernel, 32 * Shape::warps, Shape::shared_bytes);
    const int n = pass.size;
    const int tiles = (n + Shape::valid - 1) / Shape::valid;
    const int bytes = stencil_shared_bytes(Shape::shared_bytes, plan.blocks);
    const int strip = plan.strip > 0 ? plan.strip
                                     : stencil_strip(n, tiles, slots * Shape::warps,
                                                     Shape::warmup, 1);
    const int jobs = tiles * ((n + strip - 1) / strip);
    Weights2d<T, R> weights;

    if (bytes == 0) {
        return 0;
    }
    for (int k = 0; k < (2 * R + 1) * (2 * R + 1); k++) {
        weights.at[k / (2 * R + 1)][k % (2 * R + 1)] = (T) pass.weights[k];
    }
    kernel<<<(jobs + Shape::warps - 1) / Shape::warps, 32 * Shape::warps, bytes>>>(
        weights, static_cast<const T *>(pass.in), static_cast<T *>(pass.out), n, tiles,
        strip);
    const double points = is_box ? (2 * R + 1) * (2 * R + 1) : 4 * R + 1;
    const double rows = n + (double) ((n + strip - 1) / strip) * Shape::warmup;

    return 2.0 * points * steps * tiles * (32.0 * V) * rows;
}

/* Lanes with one or with two vectors of 16 bytes. */
template <typename T, bool is_box, int R, int steps>
double stencil_2d_choose(const StencilPass &pass, const StencilPlan &plan)
{
    constexpr int width = 16 / (int) sizeof(T);

    switch (plan.kernel) {
    case 0:
        return stencil_2d_enqueue<T, is_box, R, steps, width>(pass, plan);
    case 1:
        return stencil_2d_enqueue<T, is_box, R, steps, 2 * width>(pass, plan);
    default:
        return 0;
    }
}

/* All radii and depths of a shape and a type. */
template <typename T, bool is_box>
double stencil_2d_find(int radius,
                       int fusion,
                       const StencilPass &pass,
                       const StencilPlan &plan)
{
    switch (radius * 10 + fusion) {
    case 11:
        return stencil_2d_choose<T, is_box, 1, 1>(pass, plan);
    case 12:
        return stencil_2d_choose<T, is_box, 1, 2>(pass, plan);
    case 13:
        return stencil_2d_choose<T, is_box, 1, 3>(pass, plan);
    case 14:
        return stencil_2d_choose<T, is_box, 1, 4>(pass, plan);
    case 15:
        return stencil_2d_choose<T, is_box, 1, 5>(pass, plan);
    case 16:
        return stencil_2d_choose<T, is_box, 1, 6>(pass, plan);
    case 17:
        return stencil_2d_choose<T, is_box, 1, 7>(pass, plan);
    case 18:
        return stencil_2d_choose<T, is_box, 1, 8>(pass, plan);
    case 31:
        return stencil_2d_choose<T, is_box, 3, 1>(pass, plan);
    case 71:
        return stencil_2d_choose<T, is_box, 7, 1>(pass, plan);
    default:
        return 0;
    }
}

}  // namespace gpu
