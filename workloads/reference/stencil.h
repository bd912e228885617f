/* References: a stencil with weights on a 3D grid, step after step, zero outside the
 * grid. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/buffer/number_format.h"
#include "workloads/reference/source.h"

enum {
    REFERENCE_MOST_SUMS = 64,
    REFERENCE_MOST_GROUPS = 256,
    REFERENCE_MOST_TERMS = 256,
    REFERENCE_MOST_REACH = 8,
};

/* Terms with the same weight: `count` terms from `first` on. */
typedef struct {
    double weight;
    guint first;
    guint count;
} ReferenceGroup;

/* Of the cells at `places`, whose terms go along x and have weight 1: `count` groups
 * from `first` on, of which terms go along y. */
typedef struct {
    ReferenceGroup places;
    guint first;
    guint count;
} ReferenceSum;

/* A step is now' = S now, less the level before where it has one, and the source. S is
 * the sums along y, of which the first is that of this cell, then `count` groups from
 * `first` on, of which terms go along x and z. Cell (x, y, z) is number (z * lines + x)
 * * numbers + y.
 */
typedef struct {
    NumberFormat format;
    guint fidelity;
    guint lines;
    guint numbers;
    guint layers;
    guint steps;
    guint reach; /* of all terms, along x and y */
    bool has_before;
    ReferenceSource source; /* numbers along x are lines, along y numbers */
    guint sum_count;
    guint first;
    guint count;
    ReferenceSum sums[REFERENCE_MOST_SUMS];
    ReferenceGroup groups[REFERENCE_MOST_GROUPS];
    struct {
        int x;
        int y;
        int z;
    } terms[REFERENCE_MOST_TERMS];
} ReferenceStencil;

gsize reference_stencil_count(const ReferenceStencil *self); /* cells */

/* The last level, from two successive ones, as a chip makes it. A sum along y is
 * rounded to the format before it is used. BF16, on the FPU: weights are BF16; products
 * are added up term by term, in a Dst of 32 bits, and rounded at the end. FP32, on the
 * SFPU: a group's numbers are added up, multiplied by the weight unless that is 1 or
 * -1, and added to the sum. g_free it. */
float *reference_stencil_on_chip(const ReferenceStencil *self,
                                 const float *now,
                                 const float *before);

/* The last level in double precision; g_free it. */
double *reference_stencil_exact(const ReferenceStencil *self,
                                const float *now,
                                const float *before);

/* The largest error of `result` against double precision, in units of what roundings
 * may lose, and the largest magnitude there is. A step may lose, of the terms'
 * magnitudes, half a unit in the last place for each of so many roundings: in BF16 that
 * of weights, of a sum along y and of the result, and as much as one more for what
 * comes of several and in 32 bits; in FP32 one for each term and group, the weight and
 * the level before. Denormal results are 0: each rounding, of each phase of a product,
 * may lose 2^-126. What was lost before counts with the terms' weights. */
double reference_stencil_error(const ReferenceStencil *self,
                               const float *now,
                               const float *before,
                               const float *result,
                               double *largest);
