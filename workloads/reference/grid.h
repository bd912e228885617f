/* References: a 3D grid folded onto cores, column by column of tiles, with the 7-point
 * operator and the sums of a solver, in the chip's arithmetic and order. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/reference/units.h"

enum {
    REFERENCE_LINES = 64, /* of a tile */
    REFERENCE_LINE = 16,  /* numbers of a line */
};

/* Columns of tiles lie in `down` rows of `across`; column c is at (c % across, c /
 * across), whatever the chip calls these directions. Each has `layers` tiles of 64
 * lines of 16 numbers, one above the other; lines go down, numbers across. A vector has
 * the tiles column after column, layer after layer. A core holds `core_down` rows of
 * `core_across` columns, and cores are counted as columns are. Of the grid only the
 * first `lines` lines and `numbers` numbers of each are there; beyond them all is 0. */
typedef struct {
    guint across;
    guint down;
    guint core_across; /* divides across */
    guint core_down;   /* divides down */
    guint layers;
    guint lines;
    guint numbers;
    const float *diagonal; /* of the matrix, a vector; NULL: 6 everywhere */
    const char *order;     /* of the terms in a sum: c, n, s, w, e, u, d, each once */
    const guint *merges; /* pairs of cores: the second's sum is added to the first's */
    guint merge_count;   /* pairs */
    bool is_by_tile;     /* whole tiles are merged, not numbers */
} ReferenceGrid;

gsize reference_grid_count(const ReferenceGrid *self); /* numbers of a vector */

/* Sets the numbers outside the grid to 0. */
void reference_grid_mask(const ReferenceGrid *self, float *vector);

/* to = the diagonal times each number minus its six neighbours: seven products, then
 * six sums. */
void reference_grid_laplacian(const ReferenceGrid *self,
                              const ReferenceUnits *units,
                              float *to,
                              const float *from);

/* The same for the tile whose first number is at `at`. The chip multiplies tiles by -1
 * after they were shifted; before is the same, and once instead of six times. */
typedef struct {
    float *to;
    const float *from;
    const float *minus; /* from * -1 */
} ReferenceProduct;
void reference_grid_laplacian_tile(const ReferenceGrid *self,
                                   const ReferenceUnits *units,
                                   const ReferenceProduct *vectors,
                                   gsize at);

guint reference_grid_cores(const ReferenceGrid *self);

/* Makes the tile at `at` of vectors, as long as it is in the host's cache. */
typedef void ReferenceMake(gconstpointer data, gsize at);

/* Vectors whose products are added up; `make`, if there is one, is called for each tile
 * before it is used. */
typedef struct {
    const float *a;
    const float *b;
    ReferenceMake *make;
    gconstpointer data;
} ReferencePair;

/* The sum of products: first over a core's tiles, layer after layer and in a layer
 * column after column, then over the cores. */
float reference_grid_dot(const ReferenceGrid *self,
                         const ReferenceUnits *units,
                         const ReferencePair *pair);
