/* The result of flattening or decomposing: matrices, and the data that each of their
 * columns multiplies. */
#pragma once

#include "arch/model/stencil/transform.h"

/* One datum that a group of points needs: a line of the stencil's box, and the distance
 * from the line's first point. */
typedef struct {
    gsize line;
    guint point;
} GpuTransformSource;

typedef struct {
    GpuMatrix *matrix;
    GpuTransformSource *sources; /* one for each column */
} GpuTransformPart;

struct GpuTransform {
    GpuGrid *box; /* of the stencil; only its size matters */
    GPtrArray *parts;
};

/* Without parts. */
GpuTransform *gpu_transform_new(const GpuGrid *weights);

/* Adds a matrix of 2r+2 rows; the caller fills it and its sources in. */
GpuTransformPart *gpu_transform_add(GpuTransform *self, guint column_count);
