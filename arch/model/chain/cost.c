/* Words that one matrix product, or two in one pass, move. */
#include "arch/model/chain/cost.h"

#include <math.h>

/* Roots are not exact: a side of 7.999999999999999 words is one of 8. Should that be
 * too much in all, a line is taken off again. */
#define ROUNDING (1 + 1e-12)

/* Along a side, up to which the best tile is looked for. */
#define MOST_TILES 4096

const char *chain_method_name(ChainMethod method)
{
    static const char *const names[CHAIN_METHODS] = {
        [CHAIN_KEEP_OUTPUT] = "keep_output", [CHAIN_KEEP_LEFT] = "keep_left",
        [CHAIN_KEEP_RIGHT] = "keep_right",   [CHAIN_FUSE_LEFT] = "fuse_left",
        [CHAIN_FUSE_RIGHT] = "fuse_right",
    };

    return names[method];
}

const char *chain_form_name(ChainForm form)
{
    static const char *const names[] = {
        [CHAIN_CORRECTED] = "corrected",
        [CHAIN_AS_PRINTED] = "as printed",
        [CHAIN_WHOLE] = "whole tiles",
    };

    return names[form];
}

/* Which of P0.. are the sides of the matrix whose patch stays. */
static const guint8 extents[CHAIN_METHODS][2] = {
    [CHAIN_KEEP_OUTPUT] = {0, 2}, [CHAIN_KEEP_LEFT] = {0, 1},
    [CHAIN_KEEP_RIGHT] = {1, 2},  [CHAIN_FUSE_LEFT] = {0, 2},
    [CHAIN_FUSE_RIGHT] = {1, 3},
};

ChainTile chain_method_extent(ChainMethod method, const uint64_t *sizes)
{
    return (ChainTile){sizes[extents[method][0]], sizes[extents[method][1]]};
}

/* What all methods have in common: words that move once for each row of tiles, for each
 * column of them, and for the whole matrix. */
typedef struct {
    double per_row;
    double per_column;
    double once;
} Terms;

static Terms terms_of(ChainMethod method, const uint64_t *sizes)
{
    const double p0 = (double) sizes[0];
    const double p1 = (double) sizes[1];
    const double p2 = (double) sizes[2];

    switch (method) {
    case CHAIN_KEEP_OUTPUT: /* D.2: A2 again for each row of tiles, A1 for each column
                             */
        return (Terms){p1 * p2, p0 * p1, p0 * p2};
    case CHAIN_KEEP_LEFT: /* D.4: R is read and written but for its first read */
        return (Terms){p1 * p2, 2 * p0 * p2, p0 * p1 - p0 * p2};
    case CHAIN_KEEP_RIGHT:
        return (Terms){2 * p0 * p2, p0 * p1, p1 * p2 - p0 * p2};
    case CHAIN_FUSE_LEFT: { /* D.7 */
        const double p3 = (double) sizes[3];

        return (Terms){p1 * p2 + p2 * p3, p0 * p1 + 2 * p0 * p3, -p0 * p3};
    }
    case CHAIN_FUSE_RIGHT: { /* D.11 */
        const double p3 = (double) sizes[3];

        return (Terms){p2 * p3 + 2 * p0 * p3, p1 * p2 + p0 * p1, -p0 * p3};
    }
    }
    return (Terms){0};
}

static double words_at(const Terms *terms, double row_tiles, double column_tiles)
{
    return terms->per_row * row_tiles + terms->per_column * column_tiles + terms->once;
}

static void keep(ChainCost *self, ChainMethod method, double root, ChainForm form)
{
    const bool is_turned = form == CHAIN_AS_PRINTED && method == CHAIN_KEEP_RIGHT;

    self->rows = root;
    self->columns = root;
    if (method == CHAIN_KEEP_LEFT || is_turned) {
        self->rows = root / G_SQRT2;
        self->columns = root * G_SQRT2;
    } else if (method == CHAIN_KEEP_RIGHT) {
        self->rows = root * G_SQRT2;
        self->columns = root / G_SQRT2;
    }
}

static double keep_words(ChainMethod method, const uint64_t *sizes, double root)
{
    const Terms terms = terms_of(method, sizes);
    const double cube = (double) sizes[0] * (double) sizes[1] * (double) sizes[2];
    const double factor = method == CHAIN_KEEP_OUTPUT ? 2 : 2 * G_SQRT2;

    return factor * cube / root + terms.once;
}

static void fuse(ChainCost *self,
                 ChainMethod method,
                 const uint64_t *sizes,
                 double root,
                 ChainForm form)
{
    const bool is_left = method == CHAIN_FUSE_LEFT;
    const uint64_t *first = is_left ? sizes : sizes + 1; /* of the inner product */
    const double cube = (double) first[0] * (double) first[1] * (double) first[2];
    const double over = (double) (is_left ? sizes[3] : sizes[0]);
    const double under =
        (double) (is_left || form == CHAIN_AS_PRINTED ? sizes[1] : sizes[2]);
    const double ratio = over / under;
    const double stretch = (1 + 2 * ratio) / (1 + ratio);

    self->ratio = ratio;
    self->stretch = stretch;
    self->rows = is_left ? root / sqrt(stretch) : root * sqrt(stretch);
    self->columns = is_left ? root * sqrt(stretch) : root / sqrt(stretch);
    self->words = 2 * cube * (1 + ratio) * sqrt(stretch) / root -
                  (double) sizes[0] * (double) sizes[3];
}

/* All of chain_cost_init() but the best of whole tiles. */
static void close_form(ChainCost *self,
                       ChainMethod method,
                       const uint64_t *sizes,
                       uint64_t words,
                       ChainForm form)
{
    const double root = sqrt((double) words);
    const ChainTile matrix = chain_method_extent(method, sizes);

    *self = (ChainCost){0};
    if (method == CHAIN_FUSE_LEFT || method == CHAIN_FUSE_RIGHT) {
        fuse(self, method, sizes, root, form);
    } else {
        keep(self, method, root, form);
        self->words = keep_words(method, sizes, root);
    }
    self->is_wide =
        self->rows > (double) matrix.rows || self->columns > (double) matrix.columns;
}

void chain_cost_init(ChainCost *self,
                     ChainMethod method,
                     const uint64_t *sizes,
                     uint64_t words,
                     ChainForm form)
{
    ChainTile tile;

    close_form(self, method, sizes, words, form);
    if (form == CHAIN_WHOLE) {
        chain_tile_init(&tile, method, sizes, words, form, false);
        self->rows = (double) tile.rows;
        self->columns = (double) tile.columns;
        self->words = chain_tile_words(&tile, method, sizes);
        self->is_wide = false;
    }
}

uint64_t chain_tile_stream(const ChainTile *self)
{
    return MIN(self->rows, self->columns) + 1;
}

/* The patch of the closed form in whole words. */
static void round_patch(ChainTile *self,
                        ChainMethod method,
                        const uint64_t *sizes,
                        uint64_t words,
                        ChainForm form)
{
    const ChainTile matrix = chain_method_extent(method, sizes);
    ChainCost cost;

    close_form(&cost, method, sizes, words, form);
    self->rows = CLAMP((uint64_t) (cost.rows * ROUNDING), 1, matrix.rows);
    self->columns = CLAMP((uint64_t) (cost.columns * ROUNDING), 1, matrix.columns);
    /* A side that was cut off leaves room for the other. */
    if (cost.columns > (double) matrix.columns) {
        self->rows = MIN(words / self->columns, matrix.rows);
    } else if (cost.rows > (double) matrix.rows) {
        self->columns = MIN(words / self->rows, matrix.columns);
    }
}

/* The most columns of a tile with so many rows; 0: not even one fits. */
static uint64_t most_columns(uint64_t rows, uint64_t words, bool is_strict)
{
    const uint64_t few = (words - 1) / (rows + 1); /* fewer than rows: these stream */

    if (!is_strict) {
        return words / rows;
    }
    if (few <= rows) {
        return few;
    }
    return (words - 1 - rows) / rows;
}

/* Both are at least 1. */
static uint64_t tiles_of(uint64_t size, uint64_t tile)
{
    return 1 + (size - 1) / tile;
}

/* Of all numbers of rows of tiles, the one that moves the fewest words. `self` is a
 * tile that fits, from which on only better ones are taken. */
static void improve(ChainTile *self,
                    ChainMethod method,
                    const uint64_t *sizes,
                    uint64_t words,
                    bool is_strict)
{
    const Terms terms = terms_of(method, sizes);
    double best = chain_tile_words(self, method, sizes);
    const ChainTile matrix = chain_method_extent(method, sizes);

    for (uint64_t row_tiles = 1;
         row_tiles <= matrix.rows && words_at(&terms, (double) row_tiles, 1) < best;
         row_tiles++) {
        const uint64_t rows = tiles_of(matrix.rows, row_tiles);
        const uint64_t columns =
            MIN(most_columns(rows, words, is_strict), matrix.columns);

        if (columns > 0) {
            /* As narrow as so many tiles can be. */
            const uint64_t column_tiles = tiles_of(matrix.columns, columns);
            const ChainTile tile = {rows, tiles_of(matrix.columns, column_tiles)};
            const double moved = chain_tile_words(&tile, method, sizes);

            if (moved < best) {
                best = moved;
                *self = tile;
            }
        }
    }
}

void chain_tile_init(ChainTile *self,
                     ChainMethod method,
                     const uint64_t *sizes,
                     uint64_t words,
                     ChainForm form,
                     bool is_strict)
{
    const ChainTile matrix = chain_method_extent(method, sizes);

    round_patch(self, method, sizes, words, form);
    while (self->rows * self->columns + (is_strict ? chain_tile_stream(self) : 0) >
           words) {
        /* A line off the longer side loses the fewest words. */
        *(self->rows > self->columns ? &self->rows : &self->columns) -= 1;
    }
    g_assert(self->rows > 0 && self->columns > 0);
    if (form == CHAIN_WHOLE && tiles_of(matrix.rows, self->rows) <= MOST_TILES) {
        improve(self, method, sizes, words, is_strict);
    }
}

double
chain_tile_words(const ChainTile *self, ChainMethod method, const uint64_t *sizes)
{
    const Terms terms = terms_of(method, sizes);
    const ChainTile matrix = chain_method_extent(method, sizes);

    return words_at(&terms, (double) tiles_of(matrix.rows, self->rows),
                    (double) tiles_of(matrix.columns, self->columns));
}

double chain_patch_words(ChainMethod method,
                         const uint64_t *sizes,
                         double rows,
                         double columns)
{
    const Terms terms = terms_of(method, sizes);
    const ChainTile matrix = chain_method_extent(method, sizes);

    return words_at(&terms, (double) matrix.rows / rows,
                    (double) matrix.columns / columns);
}
