/* The weights of a stencil: a grid of 2r+1 points a side around the point that is
 * updated, 0 where the stencil has none. */
#pragma once

#include <stdbool.h>

#include "arch/model/stencil/grid.h"

/* 1 at every point of the shape, which is what counting needs; fusion is not looked at.
 * Fails with ARCH_ERROR_INVALID where a matrix of them would have more than 2^24
 * entries: (2r+1)^d (2r+2). */
GpuGrid *gpu_weights_new(const GpuStencil *stencil, GError **error);

guint gpu_weights_radius(const GpuGrid *self);

/* The kernel that does `steps` >= 1 steps at once: the weights convolved with
 * themselves, of radius steps times r. Fails like gpu_weights_new(). */
GpuGrid *gpu_weights_fuse(const GpuGrid *self, guint steps, GError **error);
