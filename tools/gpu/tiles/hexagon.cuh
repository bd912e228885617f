/* Hexagons in time and the first dimension of space, as arch/model/tiling has them: a
 * tile of t_T steps begins with t_S1 points, gains one at each end a step for half of
 * its steps and loses them again. Two families take turns; each is a wavefront. */
#pragma once

#include <cstdint>
#include <cuda_runtime.h>

namespace gpu
{

/* Arrays hold both parities of time one after the other; the outermost points stay as
 * they are. The last dimension is fastest in memory. */
struct TiledProblem {
    int dimension = 2;
    int space[3] = {1, 1, 1};
    int steps = 1;

    __host__ __device__ size_t points() const
    {
        return (size_t) space[0] * (size_t) space[1] * (size_t) space[2];
    }
};

struct Tile {
    int space[3] = {1, 1, 1}; /* t_S1, t_S2, t_S3 */
    int steps = 2;            /* t_T, even */

    __host__ __device__ int half() const
    {
        return steps / 2;
    }
    __host__ __device__ int pitch() const
    {
        return 2 * space[0] + steps - 2;
    }
    /* Of shared memory, along each dimension; of the first one a line less would do,
     * but (A.20) has it so. */
    __host__ __device__ int lines() const
    {
        return width(0);
    }
    __host__ __device__ int width(int dimension) const
    {
        return space[dimension] + steps + 1;
    }
    __host__ __device__ size_t shared_words(int dimension) const
    {
        size_t words = 2 * (size_t) lines();

        for (int i = 1; i < dimension; i++) {
            words *= (size_t) width(i);
        }
        return words;
    }
};

/* A hexagon: where and when it begins, and which of its rows are inside the problem's
 * time. */
struct Hexagon {
    int first; /* point of its lowest row */
    int start; /* step of its lowest row */
    int low;   /* rows low .. high - 1 */
    int high;

    __host__ __device__ Hexagon(const Tile &tile, int wave, int index, int steps)
    {
        /* Wavefront 0 is of the second family, half a tile before the beginning. */
        bool is_second = wave % 2 == 0;

        start = wave * tile.half() - tile.half();
        first = (index - 1) * tile.pitch() +
                (is_second ? tile.space[0] + tile.half() - 1 : 0);
        low = start < 0 ? -start : 0;
        high = start + tile.steps > steps ? steps - start : tile.steps;
    }
    /* Points of a row. */
    __host__ __device__ static int grown(const Tile &tile, int row)
    {
        return row < tile.half() ? row : tile.steps - 1 - row;
    }
    __host__ __device__ int begin(const Tile &tile, int row) const
    {
        return first - grown(tile, row);
    }
    __host__ __device__ int end(const Tile &tile, int row) const
    {
        return first + tile.space[0] + grown(tile, row);
    }
    /* Points at each end of a row and beside it that its tile has not computed: all but
     * these of a row and its two neighbours come from the row before. */
    __host__ __device__ int unknown(const Tile &tile, int row) const
    {
        return row < tile.half() ? 2 : row == tile.half() ? 1 : 0;
    }
    /* Whether later tiles read a point of a row: those at the ends while the row
     * shrinks, and all of the last one. */
    __host__ __device__ bool is_read(const Tile &tile, int row, int point) const
    {
        int depth = row + 1 < tile.half() ? 0 : row + 1 == tile.half() ? 1 : 2;

        return row == high - 1 || point < begin(tile, row) + depth ||
               point >= end(tile, row) - depth;
    }
};

__host__ __device__ inline int tile_waves(const Tile &tile, int steps)
{
    return (steps + tile.half() - 1) / tile.half() + 1;
}

/* Hexagons of a wavefront: from the one that reaches the first point to the one that
 * holds the last. */
__host__ __device__ inline int tile_count(const Tile &tile, int points)
{
    return (points + tile.half()) / tile.pitch() + 3;
}

}  // namespace gpu
