/* Words that one matrix product, or two in one pass, move between slow and fast memory,
 * and the tiles that do it. These are models; loops.h has the loops that they describe.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* The patch that stays in fast memory while all else streams through. For R = A1 A2 it
 * is a patch of R, of A1 or of A2. For R = (A1 A2) A3 or A1 (A2 A3) it is a patch of
 * the product in parentheses, which is then never written to slow memory. */
typedef enum {
    CHAIN_KEEP_OUTPUT,
    CHAIN_KEEP_LEFT,
    CHAIN_KEEP_RIGHT,
    CHAIN_FUSE_LEFT,
    CHAIN_FUSE_RIGHT,
} ChainMethod;

enum {
    CHAIN_METHODS = CHAIN_FUSE_RIGHT + 1,
    CHAIN_METHOD_SIZES = 4, /* of the fused ones; the others have 3 */
};

typedef enum {
    CHAIN_CORRECTED,
    CHAIN_AS_PRINTED, /* beta = P0/P1 where the algebra gives P0/P2 (D.11); for a patch
                       * of A2 the sides are swapped */
    CHAIN_WHOLE,      /* the exact words of loops over the best tiles of whole words:
                       * inside the matrix, and with a whole number of tiles */
} ChainForm;

/* "keep_output" and so on; "corrected" and so on. */
const char *chain_method_name(ChainMethod method);
const char *chain_form_name(ChainForm form);

/* A patch in whole words. */
typedef struct {
    uint64_t rows;
    uint64_t columns;
} ChainTile;

/* The size of the matrix that the patch belongs to. */
ChainTile chain_method_extent(ChainMethod method, const uint64_t *sizes);

typedef struct {
    double words;   /* including one write of the result, without a first read */
    double ratio;   /* alpha, beta; 0 for one product */
    double stretch; /* alpha', beta'; 0 for one product */
    double rows;    /* of the patch */
    double columns;
    bool is_wide; /* a side of the patch exceeds its matrix, so the formula is too
                   * optimistic */
} ChainCost;

/* Costs by D.3, D.5, D.6, D.10 and D.14, or those of the best tile if the form is
 * CHAIN_WHOLE. The sizes P0.. must pass chain_check(). */
void chain_cost_init(ChainCost *self,
                     ChainMethod method,
                     const uint64_t *sizes,
                     uint64_t words,
                     ChainForm form);

/* The patch of a cost in whole words, inside its matrix. In the thesis it fills all
 * `words` and leaves no room for streams; with `is_strict` they fit too. If the form is
 * CHAIN_WHOLE, no other tile moves fewer words; with many thousands of tiles along a
 * side, where one more or less does not matter, it is the corrected tile. */
void chain_tile_init(ChainTile *self,
                     ChainMethod method,
                     const uint64_t *sizes,
                     uint64_t words,
                     ChainForm form,
                     bool is_strict);

/* Words of fast memory besides the patch: the shorter of two lines, and one word of the
 * longer. */
uint64_t chain_tile_stream(const ChainTile *self);

/* Words that loops over such tiles move; the last tiles are cut off at the end of the
 * matrix. Exact below 2^53. */
double
chain_tile_words(const ChainTile *self, ChainMethod method, const uint64_t *sizes);

/* Equations D.2, D.4, D.7 and D.11: words that a patch with these sides moves if parts
 * of tiles count as fractions. chain_tile_words() is equal for a tile that divides the
 * matrix; otherwise it is larger, by less than one more tile each way. */
double chain_patch_words(ChainMethod method,
                         const uint64_t *sizes,
                         double rows,
                         double columns);
