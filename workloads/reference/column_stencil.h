/* References: stencils on a 3D grid whose columns of cells lie in the PEs of a wafer.
 */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/buffer/number_format.h"

/* A neighbour cell of a field, relative to the cell being computed, and its weight. */
typedef struct {
    guint field; /* 0: the input of a step; else field `field - 1` of the stencil */
    int x;
    int y;
    int z;
    double weight;
} ReferenceTerm;

/* Terms `first` to `first + count - 1`. */
typedef struct {
    guint first;
    guint count;
} ReferenceTerms;

/* A step first computes the fields, whose terms refer to field 0 only, then the result,
 * all in the same way: the first term's product is rounded; every other term is added
 * with its product and rounded once. Terms of columns outside the grid are left out;
 * cells above and below it are 0.
 *
 * Cell (x, y, z) is number (y * columns + x) * layers + z. */
typedef struct {
    guint columns;
    guint rows;
    guint layers;
    guint steps;
    NumberFormat cells; /* input format of a step; fp32 or fp16 */
    NumberFormat sums;  /* output format: the same, or fp32 in a single step */
    bool is_exact;      /* neither weights nor sums are rounded */
    const ReferenceTerm *terms;
    const ReferenceTerms *fields;
    guint field_count;
    ReferenceTerms result;
    const double *diagonal; /* for each cell the weight of terms that are the input's
                               cell itself, in the format of cells; NULL: their own */
} ReferenceColumnStencil;

gsize reference_column_stencil_count(const ReferenceColumnStencil *self); /* cells */

/* The cells after all steps, from the initial ones. g_free it. */
double *reference_column_stencil(const ReferenceColumnStencil *self,
                                 const double *cells);

/* buffer:column_stencil{ columns =, rows =, layers =, steps =, cells = format, sums =
 * format, fields = { { term, ... }, ... } or nil, terms = { term, ... }, arithmetic =
 * "chip" or "double" }: a new buffer in the format of sums, and the largest magnitude.
 * A term is { weight =, x =, y =, z =, field = }, all but the weight 0 unless told.
 * With diagonal =, a buffer, terms of the cell itself have its numbers as weights. */
int reference_column_stencil_call(lua_State *L);
