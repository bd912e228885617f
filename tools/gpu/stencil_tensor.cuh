/* 2D box stencils on tensor cores: a row of weights is a banded (Toeplitz) matrix, and
 * 16 output rows of 8 columns are the sum over rows of weights of 16 shifted input rows
 * times that matrix. A block streams down a strip of 128 columns; input rows come
 * through a ring in shared memory, those of the next rows of tiles while these are
 * computed. */
#pragma once

#include <cuda_runtime.h>

#include "tools/gpu/stencil.hpp"
#include "tools/gpu/stencil_async.cuh"
#include "tools/gpu/stencil_mma.cuh"
#include "tools/gpu/stencil_strips.hpp"

namespace gpu
{

template <typename T, int R> struct WeightsTensor {
    T at[2 * R + 1][2 * R + 1];
};

template <typename Mma,
          int R,
          int tiles_,
          int wx_,
          int wy_,
          int blocks_,
          int ahead_,
          int groups_>
struct StencilTensor {
    using T = typename Mma::Type;
    static constexpr int width = 16 / (int) sizeof(T);
    static constexpr int side = 2 * R + 1;
    static constexpr int halo = (R + 3) / 4 * 4; /* columns before a tile's first */
    static constexpr int bands = (8 + halo + R + 7) / 8; /* of 8 rows of the matrix */
    static constexpr int tiles = tiles_;                 /* of a warp, beside another */
    static constexpr int warps_x = wx_;
    static constexpr int warps_y = wy_;
    static constexpr int threads = 32 * wx_ * wy_;
    static constexpr int columns = 8 * tiles_ * wx_;
    static constexpr int rows = 16 * warps_y; /* that a block does at a time */
    static constexpr int reads = tiles + bands - 1;
    /* Reads are done in groups, so that sums of one follow those of another. */
    static constexpr int groups = groups_;
    static constexpr int stride = (reads + groups - 1) / groups;
    static constexpr int loaded = 8 * (tiles_ * wx_ + bands - 1);
    static constexpr int pitch = Mma::pitch(loaded);
    static constexpr int ahead = ahead_; /* rows of tiles that are on their way */
    static constexpr int ring = (1 + ahead) * rows + 2 * R; /* rows */
    static constexpr int vectors = loaded / width;
    static constexpr int copies = (vectors + 31) / 32;
    static constexpr int matrix = side * bands * 64; /* values of all bands */
    static constexpr int shared_bytes = (ring * pitch + matrix) * (int) sizeof(T);
    /* Rows of weights 8 apart share half of what they read. */
    static constexpr int pairs = side > 8 ? side - 8 : 0;
    static constexpr int singles = side - 2 * pairs;

    /* What a lane has of the bands, as Mma has b. */
    static __device__ void fill(const WeightsTensor<T, R> &weights, T *to)
    {
        for (int i = (int) threadIdx.x; i < matrix; i += threads) {
            const int lane = i / 2 % 32;
            const int k = i / 64 % bands * 8 + lane % 4 + i % 2 * 4;
            const int dx = k - halo - lane / 4;

            to[i] = dx < -R || dx > R ? T(0)
                                      : Mma::weight(weights.at[i / 64 / bands][dx + R]);
        }
    }

    /* Writes a row of tiles, up to column `end`. Of lanes with 8 bytes of each tile two
     * swap those of two tiles, so that each has 16 bytes of one. */
    static __device__ __forceinline__ void
    write(const T (&acc)[tiles][4], int half, int lane, int left, int end, T *to)
    {
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

template <typename Mma,
          int R,
          int tiles_,
          int wx_,
          int wy_,
          int blocks_,
          int ahead_,
          int groups_>
__global__ void __launch_bounds__(32 * wx_ * wy_, blocks_)
    stencil_tensor(const __grid_constant__ WeightsTensor<typename Mma::Type, R> weights,
                   const typename Mma::Type *__restrict__ in,
                   typename Mma::Type *__restrict__ out,
                   int n,
                   int strip)
{
    using Shape = StencilTensor<Mma, R, tiles_, wx_, wy_, blocks_, ahead_, groups_>;
    using T = typename Mma::Type;
    constexpr int width = Shape::width;
    constexpr int bands = Shape::bands;
    extern __shared__ __align__(16) unsigned char shared[];
    T *ring = reinterpret_cast<T *>(shared);
    T *matrix = ring + Shape::ring * Shape::pitch;
    const int lane = (int) threadIdx.x % 32;
    const int warp = (int) threadIdx.x / 32;
    const int warp_x = warp % Shape::warps_x * Shape::tiles * 8;
    const int warp_y = warp / Shape::warps_x * 16;
    const int left = (int) blockIdx.x * Shape::columns;
    const int top = (int) blockIdx.y * strip;
    const int bottom = min(top + strip, n);
    int columns[Shape::copies];

#pragma unroll
    for (int k = 0; k < Shape::copies; k++) {
        columns[k] = stencil_wrap(left - Shape::halo + (lane + 32 * k) * width, n);
    }
    /* Input rows first .. end of the strip, which begins R above its first output. */
    auto fetch = [&](int first, int end) {
        const int last = min(end, bottom - top + 2 * R);

        for (int i = first + warp; i < last; i += Shape::threads / 32) {
            const T *from = in + (size_t) stencil_wrap(top - R + i, n) * n;
            T *slot = ring + i % Shape::ring * Shape::pitch;

#pragma unroll
            for (int k = 0; k < Shape::copies; k++) {
                if (32 * (k + 1) <= Shape::vectors || lane + 32 * k < Shape::vectors) {
                    async_copy16(slot + (lane + 32 * k) * width, from + columns[k]);
                }
            }
        }
        async_commit();
    };
    for (int k = 0; k < Shape::ahead; k++) {
        fetch(k == 0 ? 0 : k * Shape::rows + 2 * R, (k + 1) * Shape::rows + 2 * R);
    }
    Shape::fill(weights, matrix);

    for (int y = top; y < bottom; y += Shape::rows) {
        const int base = y - top;
        T acc[Shape::tiles][4] = {};

        async_wait<Shape::ahead - 1>();
        __syncthreads();
        fetch(base + Shape::ahead * Shape::rows + 2 * R,
              base + (1 + Shape::ahead) * Shape::rows + 2 * R);
        auto row = [&](int dy) {
            return ring +
                   (base + warp_y + dy + Mma::row(lane)) % Shape::ring * Shape::pitch +
                   warp_x + Mma::column(lane);
        };
        auto read_bands = [&](int dy, T(&b)[bands][2]) {
#pragma unroll
            for (int q = 0; q < bands; q++) {
                b[q][0] = matrix[(dy * bands + q) * 64 + lane * 2];
                b[q][1] = matrix[(dy * bands + q) * 64 + lane * 2 + 1];
            }
        };
        auto multiply = [&](int k, const T(&upper)[2], const T(&lower)[2],
                            const T(&b)[bands][2]) {
#pragma unroll
            for (int q = 0; q < bands; q++) {
                if (k - q >= 0 && k - q < Shape::tiles) {
                    Mma::mma(acc[k - q], upper, lower, b[q]);
                }
            }
        };
#pragma unroll 1
        for (int dy = 0; dy < Shape::pairs; dy++) {
            const T *rows[3] = {row(dy), row(dy + 8), row(dy + 16)};
            T first[bands][2];
            T second[bands][2];

            read_bands(dy, first);
            read_bands(dy + 8, second);
#pragma unroll
            for (int k = 0; k < Shape::stride; k++) {
                T halves[Shape::groups][3][2];

#pragma unroll
                for (int g = 0; g < Shape::groups; g++) {
#pragma unroll
                    for (int i = 0; i < 3 && k + g * Shape::stride < Shape::reads;
                         i++) {
                        Mma::read(rows[i] + 8 * (k + g * Shape::stride), halves[g][i]);
                    }
                }
#pragma unroll
                for (int g = 0; g < Shape::groups; g++) {
                    multiply(k + g * Shape::stride, halves[g][0], halves[g][1], first);
                }
#pragma unroll
                for (int g = 0; g < Shape::groups; g++) {
                    multiply(k + g * Shape::stride, halves[g][1], halves[g][2], second);
                }
            }
        }
#pragma unroll 1
        for (int dy = Shape::pairs; dy < Shape::pairs + Shape::singles; dy++) {
            const T *rows[2] = {row(dy), row(dy + 8)};
            T only[bands][2];

            read_bands(dy, only);
#pragma unroll
            for (int k = 0; k < Shape::stride; k++) {
                T halves[Shape::groups][2][2];

#pragma unroll
                for (int g = 0; g < Shape::groups; g++) {
#pragma unroll
                    for (int i = 0; i < 2 && k + g * Shape::stride < Shape::reads;
                         i++) {
                        Mma::read(rows[i] + 8 * (k + g * Shape::stride), halves[g][i]);
                    }
                }
#pragma unroll
                for (int g = 0; g < Shape::groups; g++) {
                    multiply(k + g * Shape::stride, halves[g][0], halves[g][1], only);
                }
            }
        }

#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int at = y + warp_y + lane / 4 + 8 * half;

            Shape::write(acc, half, lane, left + warp_x, at < bottom ? n : 0,
                         out + (size_t) at * n);
        }
    }
}

template <typename Mma,
          int R,
          int tiles_ = 64 / (int) sizeof(typename Mma::Type),
          int wx_ = (int) sizeof(typename Mma::Type) / 4,
          int wy_ = 16 / (int) sizeof(typename Mma::Type),
          int blocks_ = 2,
          int ahead_ = 1,
          int groups_ = 2>
double stencil_tensor_enqueue(const StencilPass &pass)
{
    using Shape = StencilTensor<Mma, R, tiles_, wx_, wy_, blocks_, ahead_, groups_>;
    using T = typename Mma::Type;
    auto kernel = stencil_tensor<Mma, R, tiles_, wx_, wy_, blocks_, ahead_, groups_>;
    static const long slots =
        stencil_slots((const void *) kernel, Shape::threads, Shape::shared_bytes);
    const int n = pass.size;
    const int tiles = (n + Shape::columns - 1) / Shape::columns;
    const int strip = pass.strip > 0
                          ? (pass.strip + Shape::rows - 1) / Shape::rows * Shape::rows
                          : stencil_strip(n, tiles, slots, 2 * R, Shape::rows);
    const dim3 grid(tiles, (n + strip - 1) / strip);
    WeightsTensor<T, R> weights;

    for (int k = 0; k < Shape::side * Shape::side; k++) {
        weights.at[k / Shape::side][k % Shape::side] = (T) pass.weights[k];
    }
    kernel<<<grid, Shape::threads, Shape::shared_bytes + pass.idle>>>(
        weights, static_cast<const T *>(pass.in), static_cast<T *>(pass.out), n, strip);
    return 2.0 * Shape::side * 8 * Shape::bands * ((double) tiles * Shape::columns) *
           ((n + Shape::rows - 1) / Shape::rows * Shape::rows);
}

}  // namespace gpu
