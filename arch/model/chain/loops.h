/* Tiled loops that multiply matrices through a fast memory of a few words: what the
 * formulas of cost.h speak of, done on numbers and counted. */
#pragma once

#include <stdint.h>

#include "arch/model/chain/cost.h"
#include "arch/model/stencil/matrix.h"

/* Words between slow and fast memory, and the most that were in fast memory at once. */
typedef struct {
    uint64_t loaded;
    uint64_t stored;
    uint64_t peak;
} ChainTraffic;

/* result = the product of two factors, or of three where the method fuses, with the
 * loops of the method (Algorithms 5 and 9 where it fuses). `result` holds 0 only. The
 * arithmetic sees fast memory alone, which has `capacity` words: at least those of the
 * tile and of chain_tile_stream(). Adds to `traffic`. */
void chain_loops_multiply(ChainMethod method,
                          const GpuMatrix *const *factors,
                          const ChainTile *tile,
                          uint64_t capacity,
                          GpuMatrix *result,
                          ChainTraffic *traffic);
