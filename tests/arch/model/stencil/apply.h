/* Stencils computed: point by point, and by the products of their matrices. */
#pragma once

#include <stdbool.h>

#include "arch/model/stencil/transform.h"
#include "arch/model/stencil/weights.h"

/* Weights that are not 0. */
gsize gpu_weights_points(const GpuGrid *self);

/* Has every aligned group of `size` neighbours in a row at most `most` that are not 0?
 * 2 of 4 is what sparse tensor cores want of 16-bit numbers, 1 of 2 what they want of
 * TF32 (PTX ISA, mma.sp). */
bool gpu_matrix_is_structured(const GpuMatrix *self, guint most, guint size);

/* The stencil itself, point by point: each inner point's sum of weight times neighbour.
 * Fails as gpu_grid_new_inner(). */
GpuGrid *gpu_grid_apply(const GpuGrid *self, const GpuGrid *weights, GError **error);

/* Strided swapping (SPIDER): every second column of the left half changes places with
 * the one as far into the right half, and the rows of the data with them. Since no row
 * of a decomposed matrix has weights in both, every aligned pair then has at most one,
 * which is 1:2 and so 2:4 sparse. Swaps back when done twice. */
void gpu_transform_swap(GpuTransform *self);

/* Can the matrices be used in their compressed form (sparse.h)? Fails with
 * ARCH_ERROR_INVALID where one is not 2:4 sparse. */
bool gpu_transform_compress(const GpuTransform *self, GError **error);

/* S: the part of all entries that is not 0. */
double gpu_transform_sparsity(const GpuTransform *self);

/* What gpu_grid_apply() gives, from the matrices, or from what they are compressed to.
 * Fails as that. */
GpuGrid *gpu_transform_apply(const GpuTransform *self,
                             bool is_compressed,
                             const GpuGrid *grid,
                             GError **error);
