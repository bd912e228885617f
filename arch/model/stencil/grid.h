/* Numbers on the points of a rectangular grid. The weights of a stencil are one too, of
 * 2r+1 points a side. */
#pragma once

#include <glib.h>

#include "arch/model/stencil/stencil.h"

typedef struct {
    guint dimension;
    guint sides[GPU_STENCIL_DIMENSIONS]; /* points; neighbours in the last one are
                                            neighbours in memory */
    gsize count;                         /* of all points */
    double *values;
} GpuGrid;

/* All 0. Sides are at least 1, and all points together at most 2^28. */
GpuGrid *gpu_grid_new(guint dimension, const guint *sides);
void gpu_grid_free(GpuGrid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuGrid, gpu_grid_free)

/* A line is the points along the last dimension. */
gsize gpu_grid_line_count(const GpuGrid *self);

/* Where a line stands in the other dimensions; `place` has one for each of them. */
void gpu_grid_line_place(const GpuGrid *self, gsize line, guint *place);

/* The first point of the line that stands there. */
gsize gpu_grid_line_start(const GpuGrid *self, const guint *place);

/* The grid of those points of `self` that have all neighbours that `weights` wants:
 * 2r fewer a side. Fails with ARCH_ERROR_INVALID where there are none, or the weights
 * are of another dimension. */
GpuGrid *
gpu_grid_new_inner(const GpuGrid *self, const GpuGrid *weights, GError **error);
