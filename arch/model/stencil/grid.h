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
