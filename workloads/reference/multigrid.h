/* References: V-cycles of multigrid for the 7-point Laplacian, 6 times a cell minus its
 * neighbours, with 0 beyond the grid. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/reference/rounding.h"

enum {
    REFERENCE_LEVELS = 16,
};

/* Factors of the residual in sweeps that are made one after another. */
typedef struct {
    const double *weights;
    guint count;
} ReferenceSweeps;

/* The problem. Level 0 is the grid; of each axis of a level the cells 1, 3, 5, ... are
 * the next level's, so that an axis has an odd number of cells. Cell (x, y, z) is
 * number (y * columns + x) * layers + z of a vector. Restriction weights a cell and its
 * two neighbours along each axis with 1/4, 1/2, 1/4; prolongation interpolates. Coarse
 * residuals are multiplied by 4, so that the matrix of all levels is the same.
 *
 * Every result is rounded. A product and its sum are rounded once if `is_fused`. */
typedef struct {
    guint columns;
    guint rows;
    guint layers;
    guint levels;
    guint cycles;
    bool is_red_black; /* sweeps of all levels but the coarsest: `count` of them, whose
                          weights are not used */
    bool is_fused;
    Rounding rounding;
    ReferenceSweeps before; /* on a level, before and after the coarser ones */
    ReferenceSweeps after;
    ReferenceSweeps coarsest;
} ReferenceMultigrid;

gsize reference_multigrid_count(const ReferenceMultigrid *self); /* cells */

/* Makes the cycles, from x. `norms` gets the norms of the residual before the first one
 * and after each: products are added up in single precision along a column, unless
 * there is no rounding, and in double precision over columns. */
void reference_multigrid(const ReferenceMultigrid *self,
                         const double *b,
                         double *x,
                         double *norms);
