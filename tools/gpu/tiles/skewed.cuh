/* Jacobi in one dimension in slanted tiles of t_S points and t_T steps: each row is one
 * point further back. A thread keeps s_S points of a row in registers; two of them at
 * each border go through shared memory, and from tile to tile through that of the GPU.
 */
#pragma once

#include <cstdint>
#include <cuda_runtime.h>

namespace gpu
{

struct SkewedProblem {
    int points = 1;     /* the outermost ones stay as they are */
    int steps = 1;      /* a multiple of tile_steps */
    int tile = 1;       /* t_S, at least t_T */
    int tile_steps = 2; /* t_T */

    __host__ __device__ int bands() const
    {
        return steps / tile_steps;
    }
    /* The last one holds the last point in its last row, too. */
    __host__ __device__ int tiles() const
    {
        return (points + tile_steps + tile - 1) / tile;
    }
    __host__ __device__ int waves() const
    {
        return tiles() + 2 * (bands() - 1);
    }
    __host__ __device__ size_t border_words() const
    {
        return 2 * (size_t) steps;
    }
};

/* Shared words of a tile: four of a thread, and two of each step. */
inline size_t skewed_shared_words(const SkewedProblem &problem, int threads)
{
    return 4 * (size_t) threads + 2 * (size_t) problem.tile_steps;
}

/* A tile with threads of SUBTILE points. `row` has the points as the band below left
 * them, `border` the two points before the tile at each step. */
template <int SUBTILE> class SkewedTile
{
  public:
    __device__ SkewedTile(const SkewedProblem &problem,
                          int band,
                          int tile,
                          float *row,
                          float *border,
                          float *shared)
        : problem_(problem), row_(row),
          border_(border + 2 * (size_t) band * (size_t) problem.tile_steps),
          pairs_(shared), left_(shared + 4 * blockDim.x),
          begin_(tile * problem.tile + 1 + (int) threadIdx.x * SUBTILE)
    {
    }

    __device__ void run()
    {
        int thread = (int) threadIdx.x;
        int threads = (int) blockDim.x;

        for (int i = thread; i < 2 * problem_.tile_steps; i += threads) {
            left_[i] = i < 2 ? at(begin_ - thread * SUBTILE - 2 + i) : border_[i];
        }
        for (int i = 0; i < SUBTILE; i++) {
            value_[i] = at(begin_ + i);
        }
        __syncthreads();
        for (int step = 0; step < problem_.tile_steps; step++) {
            float *pairs = pairs_ + (step & 1) * 2 * threads;

            for (int i = 0; i < 2; i++) {
                float edge = value_[SUBTILE - 2 + i];

                pairs[2 * thread + i] = edge;
                if (thread == threads - 1) {
                    border_[2 * step + i] = edge;
                }
            }
            __syncthreads();
            const float *left =
                thread > 0 ? pairs + 2 * (thread - 1) : left_ + 2 * step;

            advance(step, left[0], left[1]);
        }
        for (int i = 0; i < SUBTILE; i++) {
            int point = begin_ + i - problem_.tile_steps;

            if (point >= 0 && point < problem_.points) {
                row_[point] = value_[i];
            }
        }
    }

  private:
    __device__ float at(int point) const
    {
        return point >= 0 && point < problem_.points ? row_[point] : 0.0f;
    }

    /* From the two points before. */
    __device__ void advance(int step, float before, float own)
    {
        for (int i = 0; i < SUBTILE; i++) {
            int point = begin_ + i - 1 - step;
            float after = value_[i];

            value_[i] = point > 0 && point < problem_.points - 1
                            ? 0.333f * (before + own + after)
                            : own;
            before = own;
            own = after;
        }
    }

    const SkewedProblem &problem_;
    float *row_;
    float *border_;
    float *pairs_;
    float *left_;
    int begin_; /* the thread's first point, a row before the first */
    float value_[SUBTILE];
};

/* The tiles of one wavefront: those whose place and twice their band add up to it. */
template <int SUBTILE>
__global__ void
skewed_kernel(SkewedProblem problem, int wave, float *row, float *border)
{
    extern __shared__ float shared[];
    int band = (int) blockIdx.x;
    int tile = wave - 2 * band;

    if (tile >= 0 && tile < problem.tiles()) {
        SkewedTile<SUBTILE>(problem, band, tile, row, border, shared).run();
    }
}

}  // namespace gpu
