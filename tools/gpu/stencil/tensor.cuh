/* 2D box stencils on tensor cores: a row of weights is a banded (Toeplitz) matrix, and
 * 16 output rows of 8 columns are the sum over rows of weights of 16 shifted input rows
 * times that matrix. A block streams down a strip; input rows come through a ring in
 * shared memory, those of the next rows of tiles while these are computed. */
#pragma once

#include <cuda_runtime.h>

#include "tools/gpu/stencil/async.cuh"
#include "tools/gpu/stencil/mma.cuh"
#include "tools/gpu/stencil/stencil.hpp"
#include "tools/gpu/stencil/strips.hpp"

namespace gpu
{

template <typename T, int R> struct WeightsTensor {
    T at[2 * R + 1][2 * R + 1];
};

/* A warp does `tiles` of 16 x 8 beside each other; a block has across x down warps. */
template <typename Mma, int R, int tiles, int across, int down> struct StencilTensor {
    using T = typename Mma::Type;
    static constexpr int width = 16 / (int) sizeof(T);
    static constexpr int side = 2 * R + 1;
    static constexpr int halo = (R + 3) / 4 * 4; /* columns before a tile's first */
    static constexpr int bands = (8 + halo + R + 7) / 8; /* of 8 rows of the matrix */
    static constexpr int warps = across * down;
    static constexpr int columns = 8 * tiles * across;
    static constexpr int rows = 16 * down; /* that a block does at a time */
    static constexpr int loaded = columns + 8 * (bands - 1);
    static constexpr int pitch = Mma::pitch(loaded);
    static constexpr int ring = 2 * rows + 2 * R; /* rows */
    static constexpr int vectors = loaded / width;
    static constexpr int copies = (vectors + 31) / 32;
    static constexpr int matrix = side * bands * 64; /* values of all bands */
    static constexpr int shared_bytes = (ring * pitch + matrix) * (int) sizeof(T);

    /* What lanes have of the bands, as Mma has b. */
    static __device__ void fill(const WeightsTensor<T, R> &weights, T *to)
    {
        for (int i = (int) threadIdx.x; i < matrix; i += 32 * warps) {
            const int lane = i / 2 % 32;
            const int k = i / 64 % bands * 8 + lane % 4 + i % 2 * 4;
            const int dx = k - halo - lane / 4;

            to[i] = dx < -R || dx > R ? T(0)
                                      : Mma::weight(weights.at[i / 64 / bands][dx + R]);
        }
    }

    /* Adds a row of weights: `upper` and `lower` are where the lane's rows lie, `band`
     * where it has the row's bands. */
    static __device__ __forceinline__ void
    add(const T *upper, const T *lower, const T *band, T (&acc)[tiles][4])
    {
        T b[bands][2];

#pragma unroll
        for (int q = 0; q < bands; q++) {
            b[q][0] = band[64 * q];
            b[q][1] = band[64 * q + 1];
        }
#pragma unroll
        for (int k = 0; k < tiles + bands - 1; k++) {
            T a[4];

            Mma::read(upper + 8 * k, lower + 8 * k, a);
#pragma unroll
            for (int q = 0; q < bands; q++) {
                if (k - q >= 0 && k - q < tiles) {
                    Mma::mma(acc[k - q], a, b[q]);
                }
            }
        }
    }

    /* Writes a row of tiles, up to column `end`. Of lanes with 8 bytes of each tile two
     * swap those of two tiles, so that each has 16 bytes of one. */
    static __device__ __forceinline__ void
    write(const T (&acc)[tiles][4], int half, int left, int end, T *to)
    {
        const int lane = (int) threadIdx.x % 32;

        if constexpr (width == 2) {
#pragma unroll
            for (int k = 0; k < tiles; k++) {
                const int x = left + 8 * k + lane % 4 * 2;

                if (x < end) {
                    vector16_copy(to + x, acc[k] + 2 * half);
                }
            }
        } else {
            const bool is_odd = lane % 2 == 1;

#pragma unroll
            for (int k = 0; k < tiles; k += 2) {
                const int x = left + 8 * (is_odd ? k + 1 : k) + lane % 4 / 2 * 4;
                T values[4];

#pragma unroll
                for (int i = 0; i < 2; i++) {
                    const T even = acc[k][2 * half + i];
                    const T odd = acc[k + 1][2 * half + i];
                    const T other = __shfl_xor_sync(~0U, is_odd ? even : odd, 1);

                    values[i] = is_odd ? other : even;
                    values[2 + i] = is_odd ? odd : other;
                }
                if (x < end) {
                    vector16_copy(to + x, values);
                }
            }
        }
    }
};

/* `blocks` is for how many on a multiprocessor registers are kept. */
template <typename Mma, int R, int tiles, int across, int down, int blocks>
__global__ void __launch_bounds__(32 * across * down, blocks)
    stencil_tensor(const __grid_constant__ WeightsTensor<typename Mma::Type, R> weights,
                   const typename Mma::Type *__restrict__ in,
                   typename Mma::Type *__restrict__ out,
                   int n,
                   int strip)
{
    using Shape = StencilTensor<Mma, R, tiles, across, down>;
    using T = typename Mma::Type;
    constexpr int width = Shape::width;
    extern __shared__ __align__(16) unsigned char shared[];
    T *ring = reinterpret_cast<T *>(shared);
    T *matrix = ring + Shape::ring * Shape::pitch;
    const int lane = (int) threadIdx.x % 32;
    const int warp = (int) threadIdx.x / 32;
    const int warp_x = warp % across * tiles * 8;
    const int warp_y = warp / across * 16;
    const int left = (int) blockIdx.x * Shape::columns;
    const int top = (int) blockIdx.y * strip;
    const int bottom = min(top + strip, n);
    int columns[Shape::copies];
    /* The row that the warp fetches next: of the strip, which begins R above its first
     * output; of the domain; and of the ring. */
    int next = warp;
    int next_in = stencil_wrap(top - R + warp, n);
    int next_slot = warp;

#pragma unroll
    for (int k = 0; k < Shape::copies; k++) {
        columns[k] = stencil_wrap(left - Shape::halo + (lane + 32 * k) * width, n);
    }
    auto fetch = [&](int end) {
        const int last = min(end, bottom - top + 2 * R);

        for (; next < last; next += Shape::warps) {
            const T *from = in + (size_t) next_in * n;
            T *slot = ring + next_slot * Shape::pitch;

#pragma unroll
            for (int k = 0; k < Shape::copies; k++) {
                if (32 * (k + 1) <= Shape::vectors || lane + 32 * k < Shape::vectors) {
                    async_copy16(slot + (lane + 32 * k) * width, from + columns[k]);
                }
            }
            for (next_in += Shape::warps; next_in >= n;) {
                next_in -= n;
            }
            next_slot += Shape::warps;
            next_slot -= next_slot >= Shape::ring ? Shape::ring : 0;
        }
        async_commit();
    };
    fetch(Shape::rows + 2 * R);
    Shape::fill(weights, matrix);

    /* Of the lane's rows for the first row of weights. */
    int slots[2] = {warp_y + Mma::row(lane, 0), warp_y + Mma::row(lane, 1)};

    for (int y = top; y < bottom; y += Shape::rows) {
        int row[2] = {slots[0], slots[1]};
        const T *from[2];
        T acc[tiles][4] = {};

        async_wait<0>();
        __syncthreads();
        fetch(y - top + 2 * Shape::rows + 2 * R);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            from[half] = ring + row[half] * Shape::pitch + warp_x + Mma::column(lane);
        }
#pragma unroll 1
        for (int dy = 0; dy < Shape::side; dy++) {
            Shape::add(from[0], from[1], matrix + dy * Shape::bands * 64 + lane * 2,
                       acc);
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const bool is_end = ++row[half] == Shape::ring;

                row[half] = is_end ? 0 : row[half];
                from[half] += is_end ? (1 - Shape::ring) * Shape::pitch : Shape::pitch;
            }
        }
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int at = y + warp_y + lane / 4 + 8 * half;

            Shape::write(acc, half, left + warp_x, at < bottom ? n : 0,
                         out + (size_t) at * n);
            slots[half] += Shape::rows;
            slots[half] -= slots[half] >= Shape::ring ? Shape::ring : 0;
        }
    }
}

template <typename Mma, int R, int tiles, int across, int down, int blocks>
double stencil_tensor_enqueue(const StencilPass &pass, const StencilPlan &plan)
{
    using Shape = StencilTensor<Mma, R, tiles, across, down>;
    using T = typename Mma::Type;
    auto kernel = stencil_tensor<Mma, R, tiles, across, down, blocks>;
    static const long slots =
        stencil_slots((const void *) kernel, 32 * Shape::warps, Shape::shared_bytes);
    const int n = pass.size;
    const int columns = (n + Shape::columns - 1) / Shape::columns;
    const int bytes = stencil_shared_bytes(Shape::shared_bytes, plan.blocks);
    const int strip = plan.strip > 0
                          ? (plan.strip + Shape::rows - 1) / Shape::rows * Shape::rows
                          : stencil_strip(n, columns, slots, 2 * R, Shape::rows);
    const dim3 grid(columns, (n + strip - 1) / strip);
    WeightsTensor<T, R> weights;

    if (bytes == 0) {
        return 0;
    }
    for (int k = 0; k < Shape::side * Shape::side; k++) {
        weights.at[k / Shape::side][k % Shape::side] = (T) pass.weights[k];
    }
    kernel<<<grid, 32 * Shape::warps, bytes>>>(weights, static_cast<const T *>(pass.in),
                                               static_cast<T *>(pass.out), n, strip);
    return 2.0 * Shape::side * 8 * Shape::bands * ((double) columns * Shape::columns) *
           ((n + Shape::rows - 1) / Shape::rows * Shape::rows);
}

}  // namespace gpu
