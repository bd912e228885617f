/* Seeded stencils and grids of whole numbers, so that sums are exact in any order. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/model/stencil/weights.h"

/* A stencil, and the sides of a grid for it. */
typedef struct {
    GpuStencil stencil;
    guint sides[4];
    uint32_t seed;
} GpuCase;

/* Box and star, one to four dimensions, radii from 1 on; grids that whole groups of
 * points do not fill. */
extern const GpuCase gpu_cases[];
extern const gsize gpu_case_count;

/* -9..9; not 0 where the stencil has a point. */
GpuGrid *gpu_case_weights(const GpuCase *self);
GpuGrid *gpu_case_grid(const GpuCase *self);

/* The same numbers at the same points; says which case it is where they are not. */
void gpu_case_assert_equal(const GpuCase *self,
                           const GpuGrid *one,
                           const GpuGrid *other);
