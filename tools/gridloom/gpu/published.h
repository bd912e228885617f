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
} CmdGpuPublishedRow;

typedef struct CmdGpuPublished CmdGpuPublished;

/* Fails where there is no such file, or with TRACE_ERROR_READ, its line in the
 * message. */
CmdGpuPublished *cmd_gpu_published_load(GError **error);
void cmd_gpu_published_free(CmdGpuPublished *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdGpuPublished, cmd_gpu_published_free)

guint cmd_gpu_published_count(const CmdGpuPublished *self);
const CmdGpuPublishedRow *cmd_gpu_published_row(const CmdGpuPublished *self, guint row);

/* NULL where the paper prints none. */
const CmdGpuPublishedRow *cmd_gpu_published_find(const CmdGpuPublished *self,
                                                 const char *implementation,
                                                 const GpuStencil *stencil,
                                                 const char *quantity);
