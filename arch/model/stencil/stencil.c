/* Points of stencils, fused and not, and what transforming them into matrices adds. */
#include "arch/model/stencil/stencil.h"

#include <math.h>

static double box_points(double radius, guint dimension)
{
    return pow(2 * radius + 1, dimension);
}

/* One step of a star goes along one axis, so that x is reached within t steps where the
 * ceilings of |x| / r add up to at most t. Of k axes that x leaves, each in one of 2r
 * ways a step, there are C(d, k) choices and C(t, k) ways to deal out the steps. */
static double fused_star_points(const GpuStencil *self, guint dimension)
{
    double term = 1;
    double points = 1;

    for (guint k = 1; k <= dimension && k <= self->fusion; k++) {
        /* Whole before it is divided, and after. */
        term *= (double) (dimension - k + 1) * (self->fusion - k + 1);
        term *= 2.0 * self->radius;
        term /= (double) k * k;
        points += term;
    }
    return points;
}

const char *gpu_shape_name(GpuStencilShape shape)
{
    return shape == GPU_BOX ? "box" : "star";
}

bool gpu_shape_find(const char *name, GpuStencilShape *shape)
{
    for (guint i = GPU_BOX; i <= GPU_STAR; i++) {
        if (g_str_equal(name, gpu_shape_name((GpuStencilShape) i))) {
            *shape = (GpuStencilShape) i;
            return true;
        }
    }
    return false;
}

char *gpu_stencil_name(const GpuStencil *self)
{
    return g_strdup_printf("%s-%uD%uR", self->shape == GPU_BOX ? "Box" : "Star",
                           self->dimension, self->radius);
}

double gpu_stencil_points(const GpuStencil *self)
{
    return self->shape == GPU_BOX ? box_points(self->radius, self->dimension)
                                  : 2.0 * self->radius * self->dimension + 1;
}

/* Of the kernel that does all steps at once, its points in the first dimensions. */
static double fused_points(const GpuStencil *self, bool is_boxed, guint dimension)
{
    return self->shape == GPU_BOX || is_boxed
               ? box_points((double) self->radius * self->fusion, dimension)
               : fused_star_points(self, dimension);
}

double gpu_stencil_fused_points(const GpuStencil *self, bool is_boxed)
{
    return fused_points(self, is_boxed, self->dimension);
}

double gpu_stencil_redundancy(const GpuStencil *self, bool is_boxed)
{
    return gpu_stencil_fused_points(self, is_boxed) /
           (self->fusion * gpu_stencil_points(self));
}

/* A row of the matrices has the weights of one point. */
double gpu_stencil_sparsity(const GpuStencil *self, GpuScheme scheme, bool is_boxed)
{
    const double radius = (double) self->radius * self->fusion;
    const double weights = gpu_stencil_fused_points(self, is_boxed);

    switch (scheme) {
    case GPU_SCHEME_NONE:
        return 1;
    case GPU_SCHEME_FLATTEN:
        return weights / (2 * box_points(radius, self->dimension));
    case GPU_SCHEME_DECOMPOSE:
        /* Only lines with weights have a matrix. */
        return weights /
               (fused_points(self, is_boxed, self->dimension - 1) * (4 * radius + 4));
    }
    g_assert_not_reached();
}
