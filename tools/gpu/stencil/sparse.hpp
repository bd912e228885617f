/* The banded matrix of a row of weights as sparse tensor cores read it: 16 columns of
 * points, 32 columns of data, in four products of 16 x 8 by 8 x 8. Every second column
 * of the left half has changed places with the right half's (strided swapping), so that
 * of each pair of neighbours at most one is not 0 (1:2, PTX ISA, mma.sp of TF32). */
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define SPARSE_HOST_AND_DEVICE __host__ __device__
#else
#define SPARSE_HOST_AND_DEVICE
#endif

namespace gpu
{

/* Columns of data before the first point's own, a multiple of 4. */
SPARSE_HOST_AND_DEVICE constexpr int sparse_halo(int radius)
{
    return (radius + 3) / 4 * 4;
}

/* The column of data, 0 .. 31, that row k, 0 .. 7, of product q, 0 .. 3, reads. */
SPARSE_HOST_AND_DEVICE constexpr int sparse_source(int q, int k)
{
    return 4 * q + k % 4 + 16 * ((k % 2) ^ (k / 4));
}

/* The weight, 0 .. 2 radius, of that column for point `row`, 0 .. 15; -1: none. */
SPARSE_HOST_AND_DEVICE constexpr int sparse_weight(int radius, int q, int k, int row)
{
    const int weight = sparse_source(q, k) - sparse_halo(radius) - row + radius;

    return weight < 0 || weight > 2 * radius ? -1 : weight;
}

/* The one of pair `pair`, 0 .. 3, that is kept: row 2 pair or 2 pair + 1. */
SPARSE_HOST_AND_DEVICE constexpr int sparse_kept(int radius, int q, int pair, int row)
{
    return 2 * pair + (sparse_weight(radius, q, 2 * pair + 1, row) >= 0 ? 1 : 0);
}

/* Metadata of rows `row` and `row` + 8, of all four pairs: 4 bits a pair, 0100 where
 * the first is kept and 1110 where the second is; the upper row in the lower half. */
SPARSE_HOST_AND_DEVICE constexpr uint32_t sparse_metadata(int radius, int q, int row)
{
    uint32_t word = 0;

    for (int half = 0; half < 2; half++) {
        for (int pair = 0; pair < 4; pair++) {
            const bool is_second =
                sparse_kept(radius, q, pair, row + 8 * half) % 2 == 1;

            word |= (is_second ? 0xeU : 0x4U) << (16 * half + 4 * pair);
        }
    }
    return word;
}

}  // namespace gpu
