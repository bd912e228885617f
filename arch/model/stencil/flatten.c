/* Flattens the dimensions of a stencil into one, with ConvStencil's dual tessellation.
 */
#include "arch/model/stencil/product.h"
#include "sim/narrow.h"

/* The matrix for `side` points of each line of data, from `first` on. Weight w of point
 * p of the group is for point p + w of the line. */
static void add_half(GpuTransform *self, const GpuGrid *weights, guint first)
{
    const guint side = weights->sides[weights->dimension - 1];
    GpuTransformPart *part = gpu_transform_add(self, sim_u32(weights->count));

    for (guint column = 0; column < weights->count; column++) {
        const gsize line = column / side;
        const guint point = first + column % side;

        part->sources[column] = (GpuTransformSource){line, point};
        for (guint row = 0; row < part->matrix->row_count; row++) {
            if (point >= row && point - row < side) {
                *gpu_matrix_at(part->matrix, row, column) =
                    weights->values[line * side + point - row];
            }
        }
    }
}

GpuTransform *gpu_transform_flatten(const GpuGrid *weights)
{
    GpuTransform *self = gpu_transform_new(weights);

    add_half(self, weights, 0);
    add_half(self, weights, weights->sides[weights->dimension - 1]);
    return self;
}
