/* A stencil as products of matrices, as programs for tensor cores do it: each product
 * is a matrix of weights, made once, times a matrix of data. A column of data is what a
 * group of neighbouring points along the last dimension needs. The products add up to
 * the updated points of the group, one a row. */
#pragma once

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

guint gpu_transform_matrix_count(const GpuTransform *self);

/* Of weights. */
const GpuMatrix *gpu_transform_matrix(const GpuTransform *self, guint matrix);

/* Points that one group has. */
guint gpu_transform_group_points(const GpuTransform *self);
