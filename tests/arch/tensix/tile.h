/* Tiles for tests of the Tensix arithmetic. */
#pragma once

#include <stdint.h>

#include "arch/tensix/tile.h"
#include "sim/random.h"

static inline void fill(uint32_t *tile, uint32_t bits)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        tile[i] = bits;
    }
}

/* A pattern of any kind, with those that decide a case more often than by chance: zeros
 * and ends of the exponents, few or many mantissa bits, exponents close to 127. */
static inline uint32_t random_bits(uint64_t *state, uint32_t mask)
{
    uint32_t bits = (uint32_t) (sim_random_next(state) >> 32);
    uint32_t kind = (uint32_t) sim_random_next(state);
    uint32_t near = (127 - 16 + (kind >> 8 & 31)) << 23;

    switch (kind & 15) {
    case 0:
        bits &= UINT32_C(0x80000000);
        break;
    case 1:
        bits &= UINT32_C(0x807fffff);
        break;
    case 2:
        bits |= UINT32_C(0x7f800000);
        break;
    case 3:
        bits = (bits & UINT32_C(0x81ffffff)) | (kind >> 9 & 1) << 24;
        break;
    case 4:
        bits |= UINT32_C(0x7e000000);
        break;
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
        bits = (bits & UINT32_C(0x807fffff)) | near;
        break;
    case 10:
    case 11:
        bits = (bits & UINT32_C(0x80000000)) | near;
        break;
    case 12:
        bits = (bits & UINT32_C(0x80700000)) | near;
        break;
    case 13:
        bits |= UINT32_C(0x007fe000);
        break;
    default:
        break;
    }
    return bits & mask;
}
