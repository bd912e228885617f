/* Words that one matrix product, or two in one pass, move between slow and fast memory,
 * and the tiles that do it. Models: loops.h has the loops that they speak of. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* What stays in fast memory while all else streams by. Of R = A1 A2: a patch of R, of
 * A1 or of A2. Of R = (A1 A2) A3 or A1 (A2 A3): a patch of what the parentheses make,
 * which so is never written to slow memory. */
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
    CHAIN_AS_PRINTED, /* beta = P0/P1 where the algebra has P0/P2 (D.11); for a patch of
                       * A2 the sides the other way round */
    CHAIN_WHOLE,      /* what loops over the best tiles of whole words move, exactly:
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

/* Of the matrix that the patch is one of. */
ChainTile chain_method_extent(ChainMethod method, const uint64_t *sizes);

typedef struct {
    double words;   /* with one write of the result, without a first read of it */
    double ratio;   /* alpha, beta; 0 for one product */
    double stretch; /* alpha', beta'; 0 for one product */
    double rows;    /* of the patch */
    double columns;
    bool is_wide; /* a side of the patch is longer than that of its matrix, so that the
                   * formula promises too much */
} ChainCost;

/* D.3, D.5, D.6, D.10, D.14, or where the form is CHAIN_WHOLE those of the best tile.
 * The sizes are those of P0.. that chain_check() takes. */
void chain_cost_init(ChainCost *self,
                     ChainMethod method,
                     const uint64_t *sizes,
                     uint64_t words,
                     ChainForm form);

/* The patch of a cost in whole words, inside its matrix. The thesis lets it fill all
 * `words` and has nothing for what streams by; where `is_strict` that fits, too. Where
 * the form is CHAIN_WHOLE no tile moves fewer words; with more than thousands of tiles
 * along a side, of which one more or less is nothing, it is the corrected one. */
void chain_tile_init(ChainTile *self,
                     ChainMethod method,
                     const uint64_t *sizes,
                     uint64_t words,
                     ChainForm form,
                     bool is_strict);

/* Words of fast memory besides the patch: the shorter of two lines, and one word of the
 * longer. */
uint64_t chain_tile_stream(const ChainTile *self);

/* Words that loops over such tiles move, the last ones being cut off at the end of the
 * matrix: exact while below 2^53. */
double
chain_tile_words(const ChainTile *self, ChainMethod method, const uint64_t *sizes);

/* The equations D.2, D.4, D.7 and D.11: words that a patch of such sides moves where
 * parts of tiles count as such. For a tile that divides the matrix chain_tile_words()
 * is the same, else more, but by less than one more tile each way. */
double chain_patch_words(ChainMethod method,
                         const uint64_t *sizes,
                         double rows,
                         double columns);
