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
        (void) arch_refuse(error, "a stencil of %u dimensions, the grid has %u",
                           weights->dimension, self->dimension);
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

/* Adds one line of weights times the line of neighbours that it falls on. */
static void add_line(GpuGrid *inner,
                     gsize inner_line,
                     const double *neighbours,
                     const double *weights,
                     guint weight_count)
{
    const guint side = inner->sides[inner->dimension - 1];
    double *sums = inner->values + inner_line * side;

    for (guint point = 0; point < side; point++) {
        for (guint weight = 0; weight < weight_count; weight++) {
            sums[point] += weights[weight] * neighbours[point + weight];
        }
    }
}

GpuGrid *gpu_grid_apply(const GpuGrid *self, const GpuGrid *weights, GError **error)
{
    g_autoptr(GpuGrid) inner = gpu_grid_new_inner(self, weights, error);
    const guint last = self->dimension - 1;
    guint at[GPU_STENCIL_DIMENSIONS] = {0};
    guint by[GPU_STENCIL_DIMENSIONS] = {0};

    if (inner == NULL) {
        return NULL;
    }
    for (gsize line = 0; line < gpu_grid_line_count(inner); line++) {
        for (gsize part = 0; part < gpu_grid_line_count(weights); part++) {
            gpu_grid_line_place(inner, line, at);
            gpu_grid_line_place(weights, part, by);
            for (guint axis = 0; axis < last; axis++) {
                at[axis] += by[axis];
            }
            add_line(inner, line, self->values + gpu_grid_line_start(self, at),
                     weights->values + part * weights->sides[last],
                     weights->sides[last]);
        }
    }
    return g_steal_pointer(&inner);
}
