/* Splits a stencil into its lines, each of which becomes a banded matrix. */
#include "arch/model/stencil/product.h"

static bool has_weights(const double *line, guint side)
{
    for (guint point = 0; point < side; point++) {
        if (line[point] != 0) {
            return true;
        }
    }
    return false;
}

static void add_band(GpuTransform *self, gsize line, const double *weights, guint side)
{
    const guint column_count = 2 * gpu_transform_group_points(self);
    GpuTransformPart *part = gpu_transform_add(self, column_count);

    for (guint column = 0; column < column_count; column++) {
        part->sources[column] = (GpuTransformSource){line, column};
    }
    for (guint row = 0; row < part->matrix->row_count; row++) {
        for (guint point = 0; point < side; point++) {
            *gpu_matrix_at(part->matrix, row, row + point) = weights[point];
        }
    }
}

GpuTransform *gpu_transform_decompose(const GpuGrid *weights)
{
    const guint side = weights->sides[weights->dimension - 1];
    GpuTransform *self = gpu_transform_new(weights);

    for (gsize line = 0; line < gpu_grid_line_count(weights); line++) {
        const double *of_line = weights->values + line * side;

        if (has_weights(of_line, side)) {
            add_band(self, line, of_line, side);
        }
    }
    return self;
}
