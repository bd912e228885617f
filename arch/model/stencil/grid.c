/* Numbers on the points of a rectangular grid. */
#include "arch/model/stencil/grid.h"

#include "arch/error.h"

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

void gpu_grid_line_place(const GpuGrid *self, gsize line, guint *place)
{
    for (guint axis = self->dimension - 1; axis-- > 0;) {
        place[axis] = (guint) (line % self->sides[axis]);
        line /= self->sides[axis];
    }
}

gsize gpu_grid_line_start(const GpuGrid *self, const guint *place)
{
    gsize line = 0;

    for (guint axis = 0; axis + 1 < self->dimension; axis++) {
        line = line * self->sides[axis] + place[axis];
    }
    return line * self->sides[self->dimension - 1];
}

GpuGrid *gpu_grid_new_inner(const GpuGrid *self, const GpuGrid *weights, GError **error)
{
    guint sides[GPU_STENCIL_DIMENSIONS];

    if (weights->dimension != self->dimension) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "a stencil of %u dimensions, the grid has %u", weights->dimension,
                    self->dimension);
        return NULL;
    }
    for (guint axis = 0; axis < self->dimension; axis++) {
        if (self->sides[axis] < weights->sides[axis]) {
            g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                        "a grid of %u points a side, a stencil of %u has no inner "
                        "point there",
                        self->sides[axis], weights->sides[axis]);
            return NULL;
        }
        sides[axis] = self->sides[axis] - weights->sides[axis] + 1;
    }
    return gpu_grid_new(self->dimension, sides);
}
