/* A stencil as products of matrices. */
#include "arch/model/stencil/product.h"

static void part_free(gpointer data)
{
    GpuTransformPart *self = data;

    gpu_matrix_free(self->matrix);
    g_free(self->sources);
    g_free(self);
}

GpuTransform *gpu_transform_new(const GpuGrid *weights)
{
    GpuTransform *self = g_new(GpuTransform, 1);

    *self = (GpuTransform){.box = gpu_grid_new(weights->dimension, weights->sides),
                           .parts = g_ptr_array_new_with_free_func(part_free)};
    return self;
}

void gpu_transform_free(GpuTransform *self)
{
    if (self != NULL) {
        gpu_grid_free(self->box);
        g_ptr_array_unref(self->parts);
        g_free(self);
    }
}

GpuTransformPart *gpu_transform_add(GpuTransform *self, guint column_count)
{
    GpuTransformPart *part = g_new(GpuTransformPart, 1);

    *part = (GpuTransformPart){
        .matrix = gpu_matrix_new(gpu_transform_group_points(self), column_count),
        .sources = g_new0(GpuTransformSource, column_count)};
    g_ptr_array_add(self->parts, part);
    return part;
}

static const GpuTransformPart *part_at(const GpuTransform *self, guint part)
{
    return g_ptr_array_index(self->parts, part);
}

guint gpu_transform_matrix_count(const GpuTransform *self)
{
    return self->parts->len;
}

const GpuMatrix *gpu_transform_matrix(const GpuTransform *self, guint matrix)
{
    return part_at(self, matrix)->matrix;
}

guint gpu_transform_group_points(const GpuTransform *self)
{
    return self->box->sides[self->box->dimension - 1] + 1;
}
