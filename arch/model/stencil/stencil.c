/* Points of stencils, fused and not, and what transforming them into matrices adds. */
#include "arch/model/stencil/stencil.h"

#include <math.h>

enum {
    TILE = 16,     /* TCStencil: a side of its tiles */
    RANK_TILE = 8, /* LoRAStencil: a side of m8n8k4 */
    RANK_STEP = 4, /* its k */
    BAND = 8,      /* tools/gpu/stencil: columns of a product */
};

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

/* Multiplications of a point where each line is a product of 16 x 16 by 16 x 16, of
 * which 16 - 2R columns are kept. A star that is not fused has one line an axis. */
static double tile_products(const GpuStencil *self, bool is_boxed)
{
    const double kept = TILE - 2.0 * self->radius * self->fusion;
    const bool is_cross = self->shape == GPU_STAR && !is_boxed && self->fusion == 1;
    const double lines =
        is_cross ? self->dimension : fused_points(self, is_boxed, self->dimension - 1);

    return kept > 0 ? lines * TILE * TILE / kept : INFINITY;
}

/* 8 points and their neighbours, in whole steps of k. */
static guint rank_width(guint radius)
{
    return (RANK_TILE + 2 * radius + RANK_STEP - 1) / RANK_STEP * RANK_STEP;
}

/* The same where each plane of a symmetric kernel is a sum of kernels of rank 1, as
 * wide as 3, 5, .. 2R+1: 8 x 8 points are U X V of each, X as wide as 8 points and
 * their neighbours, in whole instructions of k = 4. Of a star that is not fused the two
 * lines of the middle plane are a product each, other points are single. */
static double rank_products(const GpuStencil *self, bool is_boxed)
{
    const guint radius = self->radius * self->fusion;
    const bool is_cross = self->shape == GPU_STAR && !is_boxed && self->fusion == 1;
    const double planes =
        self->dimension < 2 ? 1 : fused_points(self, is_boxed, self->dimension - 2);
    double sum = 1; /* the middle point */

    if (is_cross) {
        return 2.0 * rank_width(radius) + 2.0 * radius * MAX(self->dimension, 2) -
               4.0 * radius + 1;
    }
    for (guint i = 1; i <= radius; i++) {
        const double width = rank_width(i);

        sum += width * (width + RANK_TILE) / RANK_TILE;
    }
    return planes * sum;
}

/* The same where 8 columns of points are a product of the line with as many whole bands
 * of 8 as reach over all their neighbours, the first aligned to 4. */
static double band_products(const GpuStencil *self, bool is_boxed)
{
    const guint radius = self->radius * self->fusion;
    const guint before = (radius + 3) / 4 * 4;
    const guint bands = (BAND + before + radius + BAND - 1) / BAND;

    return fused_points(self, is_boxed, self->dimension - 1) * BAND * bands;
}

/* Multiplications of a point, zeros and all. */
static double products(const GpuStencil *self, GpuScheme scheme, bool is_boxed)
{
    const double radius = (double) self->radius * self->fusion;

    switch (scheme) {
    case GPU_SCHEME_NONE:
        break;
    case GPU_SCHEME_FLATTEN:
        return 2 * box_points(radius, self->dimension);
    case GPU_SCHEME_DECOMPOSE:
        /* Only lines with weights have a matrix. */
        return fused_points(self, is_boxed, self->dimension - 1) * (4 * radius + 4);
    case GPU_SCHEME_TILES:
        return tile_products(self, is_boxed);
    case GPU_SCHEME_RANKS:
        return rank_products(self, is_boxed);
    case GPU_SCHEME_BANDS:
        return band_products(self, is_boxed);
    }
    return gpu_stencil_fused_points(self, is_boxed);
}

double gpu_stencil_sparsity(const GpuStencil *self, GpuScheme scheme, bool is_boxed)
{
    return gpu_stencil_fused_points(self, is_boxed) / products(self, scheme, is_boxed);
}
