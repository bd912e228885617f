/* Stencils run on numbers: point by point, and as products of matrices, dense or
 * compressed. What commands say of these schemes holds because both are equal. */
#pragma once

#include <stdbool.h>

#include "arch/model/stencil/product.h"

/* Where a line stands in the other dimensions; `place` has one for each of them. */
void gpu_grid_line_place(const GpuGrid *self, gsize line, guint *place);

/* The first point of the line that stands there. */
gsize gpu_grid_line_start(const GpuGrid *self, const guint *place);

/* The grid of those points of `self` that have all neighbours that `weights` wants:
 * 2r fewer a side. Fails with ARCH_ERROR_INVALID where there are none, or the weights
 * are of another dimension. */
GpuGrid *
gpu_grid_new_inner(const GpuGrid *self, const GpuGrid *weights, GError **error);

/* The stencil itself, point by point: each inner point's sum of weight times neighbour.
 * Fails as gpu_grid_new_inner(). */
GpuGrid *gpu_grid_apply(const GpuGrid *self, const GpuGrid *weights, GError **error);

/* Strided swapping (SPIDER): every second column of the left half changes places with
 * the one as far into the right half, and the rows of the data with them. Since no row
 * of a decomposed matrix has weights in both, every aligned pair then has at most one,
 * which is 1:2 and so 2:4 sparse. Swaps back when done twice. */
void gpu_transform_swap(GpuTransform *self);

/* The matrices in their compressed form, GpuSparse. Fails with ARCH_ERROR_INVALID where
 * one is not 2:4 sparse. The caller unrefs it. */
GPtrArray *gpu_transform_compress(const GpuTransform *self, GError **error);

/* S: the part of all entries that is not 0. */
double gpu_transform_sparsity(const GpuTransform *self);

/* What gpu_grid_apply() gives, from the matrices, or where `sparse` is not NULL from
 * these. Fails as that. */
GpuGrid *gpu_transform_apply(const GpuTransform *self,
                             const GPtrArray *sparse,
                             const GpuGrid *grid,
                             GError **error);
