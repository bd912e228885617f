/* 2D box stencils on sparse tensor cores. The matrix of a row of weights is the left
 * factor, in its compressed form, and 8 rows of 32 columns of data are the right one:
 * 16 columns of 8 rows of points are the sum over rows of weights. A block streams down
 * a strip as in tensor.cuh. */
#pragma once

#include <cuda_runtime.h>

#include "tools/gpu/stencil/async.cuh"
#include "tools/gpu/stencil/mma.cuh"
#include "tools/gpu/stencil/sparse.hpp"
#include "tools/gpu/stencil/stencil.hpp"
#include "tools/gpu/stencil/strips.hpp"

namespace gpu
{

template <int R> struct WeightsSparse {
    float at[2 * R + 1][2 * R + 1];
};

/* With g = lane / 4 and c = lane % 4 a lane has of
 *   a, compressed, rows g and g + 8 of pair c,
 *   b (c, g), (c + 4, g),
 *   acc (g, 2c), (g, 2c + 1), (g + 8, 2c), (g + 8, 2c + 1). */
struct MmaSparse {
    using Type = float;

    static __device__ __forceinline__ void
    mma(float (&acc)[4], const float (&a)[2], const float (&b)[2], uint32_t metadata)
    {
        asm("mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, 0x0;"
            : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
            : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])),
              "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])), "r"(metadata));
    }
};

/* A warp does `tiles` of 16 x 8 beside each other; a block has across x down warps. */
template <int R, int tiles, int across, int down> struct StencilSparse {
    static constexpr int width = 4; /* values of an access */
    static constexpr int products = 4;
    static constexpr int side = 2 * R + 1;
    static constexpr int halo = sparse_halo(R);
    static constexpr int warps = across * down;
    static constexpr int columns = 16 * tiles * across;
    static constexpr int rows = 8 * down; /* that a block does at a time */
    static constexpr int loaded = columns + 16;
    static constexpr int pitch = (loaded + 3) / 8 * 8 + 4; /* an odd multiple of 4 */
    static constexpr int ring = 2 * rows + 2 * R;
    static constexpr int vectors = loaded / width;
    static constexpr int copies = (vectors + 31) / 32;
    static constexpr int matrix = side * products * 64;
    static constexpr int shared_bytes = (ring * pitch + matrix) * (int) sizeof(float);
    static_assert(halo + R <= 16, "32 columns of data hold all neighbours of 16");

    /* What lanes have of the matrices, as MmaSparse has a. */
    static __device__ void fill(const WeightsSparse<R> &weights, float *to)
    {
        for (int i = (int) threadIdx.x; i < matrix; i += 32 * warps) {
            const int lane = i / 2 % 32;
            const int q = i / 64 % products;
            const int row = lane / 4 + i % 2 * 8;
            const int kept = sparse_kept(R, q, lane % 4, row);
            const int weight = sparse_weight(R, q, kept, row);

            to[i] = weight < 0 ? 0.0f
                               : MmaTf32::weight(weights.at[i / 64 / products][weight]);
        }
    }

    /* Adds a row of weights: `from` is where the lane's row of the first 16 columns
     * lies, `matrix` where it has the row's products. */
    static __device__ __forceinline__ void add(const float *from,
                                               const float *matrix,
                                               const uint32_t (&metadata)[products],
                                               float (&acc)[tiles][4])
    {
        const bool is_odd = threadIdx.x % 2 == 1;
        float a[products][2];
        float left[4];

#pragma unroll
        for (int q = 0; q < products; q++) {
            a[q][0] = matrix[64 * q];
            a[q][1] = matrix[64 * q + 1];
        }
        MmaTf32::read(from, nullptr, left);
#pragma unroll
        for (int k = 0; k < tiles; k++) {
            float right[4];

            MmaTf32::read(from + 16 * (k + 1), nullptr, right);
#pragma unroll
            for (int q = 0; q < products; q++) {
                const float b[2] = {is_odd ? right[q] : left[q],
                                    is_odd ? left[q] : right[q]};

                MmaSparse::mma(acc[k], a[q], b, metadata[q]);
            }
#pragma unroll
            for (int q = 0; q < 4; q++) {
                left[q] = right[q];
            }
        }
    }
};

/* `blocks` is for how many on a multiprocessor registers are kept. */
template <int R, int tiles, int across, int down, int blocks>
__global__ void __launch_bounds__(32 * across * down, blocks)
    stencil_sparse(const __grid_constant__ WeightsSparse<R> weights,
                   const float *__restrict__ in,
                   float *__restrict__ out,
                   int n,
                   int strip)
{
    using Shape = StencilSparse<R, tiles, across, down>;
    constexpr int width = Shape::width;
    extern __shared__ __align__(16) unsigned char shared[];
    float *ring = reinterpret_cast<float *>(shared);
    float *matrix = ring + Shape::ring * Shape::pitch;
    const int lane = (int) threadIdx.x % 32;
    const int warp = (int) threadIdx.x / 32;
    const int warp_x = warp % across * tiles * 16;
    const int warp_y = warp / across * 8;
    const int left = (int) blockIdx.x * Shape::columns;
    const int top = (int) blockIdx.y * strip;
    const int bottom = min(top + strip, n);
    int columns[Shape::copies];
    uint32_t metadata[Shape::products];
    /* The row that the warp fetches next: of the strip, which begins R above its first
     * output; of the domain; and of the ring. */
    int next = warp;
    int next_in = stencil_wrap(top - R + warp, n);
    int next_slot = warp;

#pragma unroll
    for (int k = 0; k < Shape::copies; k++) {
        columns[k] = stencil_wrap(left - Shape::halo + (lane + 32 * k) * width, n);
    }
#pragma unroll
    for (int q = 0; q < Shape::products; q++) {
        metadata[q] = sparse_metadata(R, q, lane / 4);
    }
    auto fetch = [&](int end) {
        const int last = min(end, bottom - top + 2 * R);

        for (; next < last; next += Shape::warps) {
            const float *from = in + (size_t) next_in * n;
            float *slot = ring + next_slot * Shape::pitch;

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

    int slot = warp_y + lane % 8; /* of the lane's row for the first row of weights */

    for (int y = top; y < bottom; y += Shape::rows) {
        int row = slot;
        float acc[tiles][4] = {};

        async_wait<0>();
        __syncthreads();
        fetch(y - top + 2 * Shape::rows + 2 * R);
        const float *from = ring + row * Shape::pitch + warp_x + lane / 8 * 4;

#pragma unroll 1
        for (int dy = 0; dy < Shape::side; dy++) {
            Shape::add(from, matrix + dy * Shape::products * 64 + lane * 2, metadata,
                       acc);
            const bool is_end = ++row == Shape::ring;

            row = is_end ? 0 : row;
            from += is_end ? (1 - Shape::ring) * Shape::pitch : Shape::pitch;
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int at = y + warp_y + lane % 4 * 2 + i % 2;
            const int x = left + warp_x + lane / 4 + i / 2 * 8;

#pragma unroll
            for (int k = 0; k < tiles; k++) {
                if (at < bottom && x + 16 * k < n) {
                    out[(size_t) at * n + x + 16 * k] = acc[k][i];
                }
            }
        }
        slot += Shape::rows;
        slot -= slot >= Shape::ring ? Shape::ring : 0;
    }
}

/* Gives FLOP as makers of GPUs count those of sparse tensor cores: zeros that are not
 * stored too. */
template <int R, int tiles, int across, int down, int blocks>
double stencil_sparse_enqueue(const StencilPass &pass, const StencilPlan &plan)
{
    using Shape = StencilSparse<R, tiles, across, down>;
    auto kernel = stencil_sparse<R, tiles, across, down, blocks>;
    static const long slots =
        stencil_slots((const void *) kernel, 32 * Shape::warps, Shape::shared_bytes);
    const int n = pass.size;
    const int columns = (n + Shape::columns - 1) / Shape::columns;
    const int bytes = stencil_shared_bytes(Shape::shared_bytes, plan.blocks);
    const int strip = plan.strip > 0
                          ? (plan.strip + Shape::rows - 1) / Shape::rows * Shape::rows
                          : stencil_strip(n, columns, slots, 2 * R, Shape::rows);
    const dim3 grid(columns, (n + strip - 1) / strip);
    WeightsSparse<R> weights;

    if (bytes == 0) {
        return 0;
    }
    for (int k = 0; k < Shape::side * Shape::side; k++) {
        weights.at[k / Shape::side][k % Shape::side] = (float) pass.weights[k];
    }
    kernel<<<grid, 32 * Shape::warps, bytes>>>(
        weights, static_cast<const float *>(pass.in), static_cast<float *>(pass.out), n,
        strip);
    return 2.0 * Shape::side * 8 * Shape::products *
           ((double) columns * Shape::columns) *
           ((n + Shape::rows - 1) / Shape::rows * Shape::rows);
}

}  // namespace gpu
