/* Tiled loops that multiply matrices through a fast memory of a few words. They do what
 * the formulas of cost.h describe, on real numbers, and count the words. */
#pragma once

#include <stdint.h>

#include <glib.h>

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
 * arithmetic uses only fast memory, which has `capacity` words: at least those of the
 * tile plus chain_tile_stream(). Adds to `traffic`. */
void chain_loops_multiply(ChainMethod method,
                          const GpuMatrix *const *factors,
                          const ChainTile *tile,
                          uint64_t capacity,
                          GpuMatrix *result,
                          ChainTraffic *traffic);

/* A fast memory with a limited number of words. It counts loads and stores and never
 * holds more words than it has room for. */
typedef struct ChainFastMemory ChainFastMemory;

/* Numbers in slow memory: part of a row or a column of a matrix. */
typedef struct {
    double *numbers;
    gsize stride;
    gsize count;
} ChainLine;

ChainFastMemory *chain_fast_memory_new(uint64_t capacity);
void chain_fast_memory_free(ChainFastMemory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ChainFastMemory, chain_fast_memory_free)

/* Allocates `count` words, all 0. They are given back in reverse order. */
double *chain_fast_memory_take(ChainFastMemory *self, gsize count);
void chain_fast_memory_give_back(ChainFastMemory *self, gsize count);

/* Between slow memory and as many words of fast memory, one after the other. */
void chain_fast_memory_load(ChainFastMemory *self, const ChainLine *from, double *to);
void chain_fast_memory_store(ChainFastMemory *self,
                             const double *from,
                             const ChainLine *to);

ChainTraffic chain_fast_memory_traffic(const ChainFastMemory *self);
