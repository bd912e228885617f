/* A stencil as products of matrices, as programs for tensor cores do it: each product
 * is a matrix of weights, made once, times one of data, of which a column is what a
 * group of neighbouring points along the last dimension needs. The products add up to
 * the updated points of the group, one a row. */
#pragma once

#include <stdbool.h>

#include "arch/model/stencil/grid.h"
#include "arch/model/stencil/matrix.h"

typedef struct GpuTransform GpuTransform;

/* Flattens all dimensions into one (ConvStencil): 2r+2 points from two matrices (its
 * dual tessellation), one for the first 2r+1 points of each line of data and one for
 * the rest, both with (2r+1)^d columns. Row i of the first has the weights of a line
 * moved right by i, as far as they fit, row i of the second what did not: the first
 * one's last row is empty, so is the second one's first, and of a box's entries half
 * are not 0. */
GpuTransform *gpu_transform_flatten(const GpuGrid *weights);

/* Splits the stencil into its lines (SPIDER), of which those without weights are left
 * out: a matrix for each, of 2r+2 rows that repeat the line, each one further right,
 * and 4r+4 columns, of which the last two are padding. (2r+1)/(4r+4) of a box's entries
 * are not 0. */
GpuTransform *gpu_transform_decompose(const GpuGrid *weights);

void gpu_transform_free(GpuTransform *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuTransform, gpu_transform_free)

/* Strided swapping (SPIDER): every second column of the left half changes places with
 * the one as far into the right half, and the rows of the data with them. Since no row
 * of a decomposed matrix has weights in both, every aligned pair then has at most one,
 * which is 1:2 and so 2:4 sparse. Swaps back when done twice; what was compressed is no
 * more. */
void gpu_transform_swap(GpuTransform *self);

/* The matrices will be used in their compressed form (sparse.h). Fails with
 * ARCH_ERROR_INVALID where one is not 2:4 sparse. */
bool gpu_transform_compress(GpuTransform *self, GError **error);

guint gpu_transform_matrix_count(const GpuTransform *self);

/* Of weights; as whole, also where it is used in compressed form. */
const GpuMatrix *gpu_transform_matrix(const GpuTransform *self, guint matrix);

/* S: the part of all entries that is not 0. */
double gpu_transform_sparsity(const GpuTransform *self);

/* Points that one group has. */
guint gpu_transform_group_points(const GpuTransform *self);

/* What gpu_grid_apply() gives, from the matrices. Fails as that. */
GpuGrid *
gpu_transform_apply(const GpuTransform *self, const GpuGrid *grid, GError **error);
