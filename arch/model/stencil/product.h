/* What flattening and decomposing make: matrices, and which data each of
 * their columns is for. */
#pragma once

#include "arch/model/stencil/transform.h"

/* Which of the data that a group of points needs: of a line of the stencil's box, so
 * many points from its first one on. */
typedef struct {
    gsize line;
    guint point;
} GpuTransformSource;

typedef struct {
    GpuMatrix *matrix;
    GpuTransformSource *sources; /* one for each column */
} GpuTransformPart;

struct GpuTransform {
    GpuGrid *box; /* of the stencil: its size is what counts */
    GPtrArray *parts;
};

/* Without parts. */
GpuTransform *gpu_transform_new(const GpuGrid *weights);

/* Adds a matrix of 2r+2 rows; the caller fills it and its sources in. */
GpuTransformPart *gpu_transform_add(GpuTransform *self, guint column_count);
