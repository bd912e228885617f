/* GPUs and stencils as a line or a file names them, for the model of time. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/model/tiling/search.h"

/* Seconds of a point, at least: keeps times finite and above 0. */
#define MODEL_TIME_LEAST 1e-18

/* The GPU that `name` means, with changes as --set has them; the caller frees it. Fails
 * as chip_numbers_load_gpu() and chip_numbers_override(). */
ArchParams *model_time_gpu(const char *name, char **overrides, GError **error);

/* Sets what depends on the GPU and the stencil: machine, dimension and C_iter, which is
 * `point_seconds` unless that is 0. Fails with ARCH_ERROR_UNDOCUMENTED. */
bool model_time_space_of(GpuTileSpace *space,
                         const ArchParams *gpu,
                         const GpuTilingStencil *stencil,
                         double point_seconds,
                         GError **error);

/* "jacobi1d, jacobi2d, ..."; the caller frees it. */
char *model_time_stencil_names(void);
