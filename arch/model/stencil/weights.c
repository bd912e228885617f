/* The weights of a stencil. */
#include "arch/model/stencil/weights.h"

#include "arch/error.h"
#include "sim/narrow.h"

#define ENTRIES_MOST ((gsize) 1 << 24)

/* A grid of 2r+1 points a side, for which a flattened matrix, of 2r+2 rows, can be
 * made. */
static GpuGrid *new_box(guint dimension, guint64 radius, GError **error)
{
    guint sides[GPU_STENCIL_DIMENSIONS];
    gsize entries = (gsize) (2 * radius + 2);

    g_assert(dimension >= 1 && dimension <= GPU_STENCIL_DIMENSIONS && radius >= 1);
    for (guint axis = 0; axis < dimension; axis++) {
        if (2 * radius + 1 > ENTRIES_MOST / entries) {
            g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                        "a kernel of radius %" G_GUINT64_FORMAT
                        " in %u dimensions, matrices have at most %" G_GSIZE_FORMAT
                        " entries",
                        radius, dimension, ENTRIES_MOST);
            return NULL;
        }
        sides[axis] = sim_u32(2 * radius + 1);
        entries *= sides[axis];
    }
    return gpu_grid_new(dimension, sides);
}

/* On how many axes is the point off the centre? */
static guint count_displaced(const GpuGrid *self, gsize point)
{
    const guint side = self->sides[0];
    guint displaced = 0;

    for (guint axis = 0; axis < self->dimension; axis++) {
        displaced += point % side != side / 2 ? 1 : 0;
        point /= side;
    }
    return displaced;
}

GpuGrid *gpu_weights_new(const GpuStencil *stencil, GError **error)
{
    GpuGrid *self = new_box(stencil->dimension, stencil->radius, error);

    for (gsize point = 0; self != NULL && point < self->count; point++) {
        const bool is_in =
            stencil->shape == GPU_BOX || count_displaced(self, point) < 2;

        self->values[point] = is_in ? 1 : 0;
    }
    return self;
}

guint gpu_weights_radius(const GpuGrid *self)
{
    return self->sides[0] / 2;
}

/* Where a point of `small` lands in `large` when its corner is put on the corner. */
static gsize place_in(const GpuGrid *large, const GpuGrid *small, gsize point)
{
    gsize place = 0;
    gsize stride = 1;

    for (guint axis = large->dimension; axis-- > 0;) {
        place += point % small->sides[axis] * stride;
        point /= small->sides[axis];
        stride *= large->sides[axis];
    }
    return place;
}

/* Two kernels one after the other. */
static GpuGrid *convolve(const GpuGrid *one, const GpuGrid *other, GError **error)
{
    const guint64 radius =
        (guint64) gpu_weights_radius(one) + gpu_weights_radius(other);
    GpuGrid *both = new_box(one->dimension, radius, error);

    for (gsize i = 0; both != NULL && i < one->count; i++) {
        if (one->values[i] == 0) {
            continue;
        }
        for (gsize j = 0; j < other->count; j++) {
            both->values[place_in(both, one, i) + place_in(both, other, j)] +=
                one->values[i] * other->values[j];
        }
    }
    return both;
}

GpuGrid *gpu_weights_fuse(const GpuGrid *self, guint steps, GError **error)
{
    g_autoptr(GpuGrid) fused = gpu_grid_new(self->dimension, self->sides);

    g_assert(steps >= 1);
    for (gsize point = 0; point < self->count; point++) {
        fused->values[point] = self->values[point];
    }
    for (guint step = 1; step < steps; step++) {
        GpuGrid *longer = convolve(fused, self, error);

        if (longer == NULL) {
            return NULL;
        }
        gpu_grid_free(fused);
        fused = longer;
    }
    return g_steal_pointer(&fused);
}
