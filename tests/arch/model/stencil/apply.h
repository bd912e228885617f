/* Stencils applied to grids, point by point and by products of matrices: what the
 * matrices of arch/model/stencil/transform.h are made for. */
#pragma once

#include <stdbool.h>

#include "arch/model/stencil/transform.h"

/* The grid of those points of `self` that have all neighbours that `weights` wants: 2r
 * fewer a side; NULL where there are none. */
GpuGrid *grid_inner(const GpuGrid *self, const GpuGrid *weights);

/* The stencil itself, point by point: each inner point's sum of weight times neighbour.
 * NULL as grid_inner(). */
GpuGrid *grid_apply(const GpuGrid *self, const GpuGrid *weights);

/* The same from the matrices. */
GpuGrid *transform_apply(const GpuTransform *self, const GpuGrid *grid);

/* Strided swapping (SPIDER): every second column of the left half changes places with
 * the one as far into the right half, and the rows of the data with them. Since no row
 * of a decomposed matrix has weights in both, every aligned pair then has at most one,
 * which is 1:2 and so 2:4 sparse. Swaps back when done twice. */
void transform_swap(GpuTransform *self);

/* S: the part of all entries that is not 0. */
double transform_sparsity(const GpuTransform *self);

/* Has every aligned group of `size` neighbours in a row at most `most` that are not 0?
 * 2 of 4 is what sparse tensor cores want of 16-bit numbers, 1 of 2 what they want of
 * TF32 (PTX ISA, mma.sp). */
bool matrix_is_structured(const GpuMatrix *self, guint most, guint size);
