/* What a paper prints about stencils on a GPU: rows of traces/figures/gpu.csv. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/model/stencil/stencil.h"

typedef struct {
    const char *source;
    const char *implementation;
    GpuStencil stencil; /* dimension 0 where the paper does not say which */
    bool has_type;
    const char *quantity;
    const char *unit;
    double value;
    const char *note;
} GpuPublishedRow;

typedef struct GpuPublished GpuPublished;

/* Fails where there is no such file, or with TRACE_ERROR_READ, its line in the
 * message. */
GpuPublished *gpu_published_load(GError **error);
void gpu_published_free(GpuPublished *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuPublished, gpu_published_free)

guint gpu_published_count(const GpuPublished *self);
const GpuPublishedRow *gpu_published_row(const GpuPublished *self, guint row);

/* NULL where the paper prints none. */
const GpuPublishedRow *gpu_published_find(const GpuPublished *self,
                                          const char *implementation,
                                          const GpuStencil *stencil,
                                          const char *quantity);
