/* A stencil as products of matrices. */
#include "arch/model/stencil/product.h"

static void part_free(gpointer data)
{
    GpuTransformPart *self = data;

    gpu_matrix_free(self->matrix);
    g_free(self->sources);
    gpu_sparse_free(self->sparse);
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

bool gpu_transform_compress(GpuTransform *self, GError **error)
{
    for (guint i = 0; i < self->parts->len; i++) {
        GpuTransformPart *part = g_ptr_array_index(self->parts, i);
        GpuSparse *sparse = gpu_sparse_compress(part->matrix, error);

        if (sparse == NULL) {
            g_prefix_error(error, "matrix %u: ", i);
            return false;
        }
        gpu_sparse_free(part->sparse);
        part->sparse = sparse;
    }
    return true;
}

guint gpu_transform_matrix_count(const GpuTransform *self)
{
    return self->parts->len;
}

const GpuMatrix *gpu_transform_matrix(const GpuTransform *self, guint matrix)
{
    return part_at(self, matrix)->matrix;
}

double gpu_transform_sparsity(const GpuTransform *self)
{
    gsize nonzeros = 0;
    gsize entries = 0;

    for (guint i = 0; i < self->parts->len; i++) {
        const GpuMatrix *matrix = gpu_transform_matrix(self, i);

        nonzeros += gpu_matrix_nonzeros(matrix);
        entries += (gsize) matrix->row_count * matrix->column_count;
    }
    return (double) nonzeros / (double) entries;
}

guint gpu_transform_group_points(const GpuTransform *self)
{
    return self->box->sides[self->box->dimension - 1] + 1;
}

/* The matrix of data for one line of inner points: a column for each group of them.
 * What is beyond the grid is only ever multiplied for points beyond it. */
static GpuMatrix *gather(const GpuTransform *self,
                         const GpuTransformPart *part,
                         const GpuGrid *grid,
                         const guint *place,
                         guint group_count)
{
    const guint side = grid->sides[grid->dimension - 1];
    const guint group_points = gpu_transform_group_points(self);
    GpuMatrix *data = gpu_matrix_new(part->matrix->column_count, group_count);
    guint at[GPU_STENCIL_DIMENSIONS];

    for (guint row = 0; row < data->row_count; row++) {
        const GpuTransformSource *source = &part->sources[row];

        gpu_grid_line_place(self->box, source->line, at);
        for (guint axis = 0; axis + 1 < grid->dimension; axis++) {
            at[axis] += place[axis];
        }
        const double *line = grid->values + gpu_grid_line_start(grid, at);

        for (guint group = 0; group < group_count; group++) {
            const gsize point = (gsize) group * group_points + source->point;

            *gpu_matrix_at(data, row, group) = point < side ? line[point] : 0;
        }
    }
    return data;
}

static void
apply_line(const GpuTransform *self, const GpuGrid *grid, GpuGrid *inner, gsize line)
{
    const guint side = inner->sides[inner->dimension - 1];
    const guint group_points = gpu_transform_group_points(self);
    const guint group_count = (side + group_points - 1) / group_points;
    g_autoptr(GpuMatrix) sums = gpu_matrix_new(group_points, group_count);
    guint place[GPU_STENCIL_DIMENSIONS];

    gpu_grid_line_place(inner, line, place);
    for (guint i = 0; i < self->parts->len; i++) {
        const GpuTransformPart *part = part_at(self, i);
        g_autoptr(GpuMatrix) data = gather(self, part, grid, place, group_count);

        if (part->sparse != NULL) {
            gpu_sparse_multiply_add(sums, part->sparse, data);
        } else {
            gpu_matrix_multiply_add(sums, part->matrix, data);
        }
    }
    for (guint point = 0; point < side; point++) {
        inner->values[line * side + point] =
            *gpu_matrix_at(sums, point % group_points, point / group_points);
    }
}

GpuGrid *
gpu_transform_apply(const GpuTransform *self, const GpuGrid *grid, GError **error)
{
    GpuGrid *inner = gpu_grid_new_inner(grid, self->box, error);

    for (gsize line = 0; inner != NULL && line < gpu_grid_line_count(inner); line++) {
        apply_line(self, grid, inner, line);
    }
    return inner;
}
