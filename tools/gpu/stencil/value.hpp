/* The field that stencils start from: values in [-1, 1) that depend on seed and place
 * alone, so that a reference needs no copy of it. */
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define STENCIL_EVERYWHERE __host__ __device__
#else
#define STENCIL_EVERYWHERE
#endif

namespace gpu
{

/* splitmix64 */
STENCIL_EVERYWHERE inline uint64_t stencil_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/* `index` counts the points of the field, x fastest. */
STENCIL_EVERYWHERE inline double stencil_value(uint64_t seed, uint64_t index)
{
    uint64_t bits = stencil_mix(index ^ stencil_mix(seed));

    return static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
}

}  // namespace gpu
