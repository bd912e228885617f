/* Numbers on the points of a rectangular grid. */
#include "arch/model/stencil/grid.h"

#define POINTS_MOST ((gsize) 1 << 28)

GpuGrid *gpu_grid_new(guint dimension, const guint *sides)
{
    GpuGrid *self = g_new0(GpuGrid, 1);

    g_assert(dimension >= 1 && dimension <= GPU_STENCIL_DIMENSIONS);
    self->dimension = dimension;
    self->count = 1;
    for (guint axis = 0; axis < dimension; axis++) {
        g_assert(sides[axis] >= 1 && sides[axis] <= POINTS_MOST / self->count);
        self->sides[axis] = sides[axis];
        self->count *= sides[axis];
    }
    self->values = g_new0(double, self->count);
    return self;
}

void gpu_grid_free(GpuGrid *self)
{
    if (self != NULL) {
        g_free(self->values);
        g_free(self);
    }
}

gsize gpu_grid_line_count(const GpuGrid *self)
{
    return self->count / self->sides[self->dimension - 1];
}
