/* Runs stencils point by point, and by the matrices that they become. */
#include "arch/model/stencil/apply.h"

#include "arch/error.h"
#include "arch/model/stencil/sparse.h"
#include "sim/narrow.h"

void gpu_grid_line_place(const GpuGrid *self, gsize line, guint *place)
{
    for (guint axis = self->dimension - 1; axis-- > 0;) {
        place[axis] = sim_u32(line % self->sides[axis]);
        line /= self->sides[axis];
    }
}

gsize gpu_grid_line_start(const GpuGrid *self, const guint *place)
{
    gsize line = 0;

    for (guint axis = 0; axis + 1 < self->dimension; axis++) {
        line = line * self->sides[axis] + place[axis];
    }
    return line * self->sides[self->dimension - 1];
}

GpuGrid *gpu_grid_new_inner(const GpuGrid *self, const GpuGrid *weights, GError **error)
{
    guint sides[GPU_STENCIL_DIMENSIONS];

    if (weights->dimension != self->dimension) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "a stencil of %u dimensions, the grid has %u", weights->dimension,
                    self->dimension);
        return NULL;
    }
    for (guint axis = 0; axis < self->dimension; axis++) {
        if (self->sides[axis] < weights->sides[axis]) {
            g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                        "a grid of %u points a side, a stencil of %u has no inner "
                        "point there",
                        self->sides[axis], weights->sides[axis]);
            return NULL;
        }
        sides[axis] = self->sides[axis] - weights->sides[axis] + 1;
    }
    return gpu_grid_new(self->dimension, sides);
}

/* Adds one line of weights times the line of neighbours that it falls on. */
static void add_line(GpuGrid *inner,
                     gsize inner_line,
                     const double *neighbours,
                     const double *weights,
                     guint weight_count)
{
    const guint side = inner->sides[inner->dimension - 1];
    double *sums = inner->values + inner_line * side;

    for (guint point = 0; point < side; point++) {
        for (guint weight = 0; weight < weight_count; weight++) {
            sums[point] += weights[weight] * neighbours[point + weight];
        }
    }
}

GpuGrid *gpu_grid_apply(const GpuGrid *self, const GpuGrid *weights, GError **error)
{
    g_autoptr(GpuGrid) inner = gpu_grid_new_inner(self, weights, error);
    const guint last = self->dimension - 1;
    guint at[GPU_STENCIL_DIMENSIONS] = {0};
    guint by[GPU_STENCIL_DIMENSIONS] = {0};

    if (inner == NULL) {
        return NULL;
    }
    for (gsize line = 0; line < gpu_grid_line_count(inner); line++) {
        for (gsize part = 0; part < gpu_grid_line_count(weights); part++) {
            gpu_grid_line_place(inner, line, at);
            gpu_grid_line_place(weights, part, by);
            for (guint axis = 0; axis < last; axis++) {
                at[axis] += by[axis];
            }
            add_line(inner, line, self->values + gpu_grid_line_start(self, at),
                     weights->values + part * weights->sides[last],
                     weights->sides[last]);
        }
    }
    return g_steal_pointer(&inner);
}

static void swap_columns(GpuTransformPart *self, guint one, guint other)
{
    const GpuTransformSource source = self->sources[one];

    self->sources[one] = self->sources[other];
    self->sources[other] = source;
    for (guint row = 0; row < self->matrix->row_count; row++) {
        double *at_one = gpu_matrix_at(self->matrix, row, one);
        double *at_other = gpu_matrix_at(self->matrix, row, other);
        const double value = *at_one;

        *at_one = *at_other;
        *at_other = value;
    }
}

void gpu_transform_swap(GpuTransform *self)
{
    for (guint i = 0; i < self->parts->len; i++) {
        GpuTransformPart *part = g_ptr_array_index(self->parts, i);
        const guint half = part->matrix->column_count / 2;

        for (guint column = 1; column < half; column += 2) {
            swap_columns(part, column, column + half);
        }
    }
}

static void sparse_free(gpointer data)
{
    gpu_sparse_free(data);
}

GPtrArray *gpu_transform_compress(const GpuTransform *self, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(sparse_free);

    for (guint i = 0; i < self->parts->len; i++) {
        GpuSparse *sparse = gpu_sparse_compress(gpu_transform_matrix(self, i), error);

        if (sparse == NULL) {
            g_prefix_error(error, "matrix %u: ", i);
            return NULL;
        }
        g_ptr_array_add(all, sparse);
    }
    return g_steal_pointer(&all);
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

static void apply_line(const GpuTransform *self,
                       const GPtrArray *sparse,
                       const GpuGrid *grid,
                       GpuGrid *inner,
                       gsize line)
{
    const guint side = inner->sides[inner->dimension - 1];
    const guint group_points = gpu_transform_group_points(self);
    const guint group_count = (side + group_points - 1) / group_points;
    g_autoptr(GpuMatrix) sums = gpu_matrix_new(group_points, group_count);
    guint place[GPU_STENCIL_DIMENSIONS];

    gpu_grid_line_place(inner, line, place);
    for (guint i = 0; i < self->parts->len; i++) {
        const GpuTransformPart *part = g_ptr_array_index(self->parts, i);
        g_autoptr(GpuMatrix) data = gather(self, part, grid, place, group_count);

        if (sparse != NULL) {
            gpu_sparse_multiply_add(sums, g_ptr_array_index(sparse, i), data);
        } else {
            gpu_matrix_multiply_add(sums, part->matrix, data);
        }
    }
    for (guint point = 0; point < side; point++) {
        inner->values[line * side + point] =
            *gpu_matrix_at(sums, point % group_points, point / group_points);
    }
}

GpuGrid *gpu_transform_apply(const GpuTransform *self,
                             const GPtrArray *sparse,
                             const GpuGrid *grid,
                             GError **error)
{
    GpuGrid *inner = gpu_grid_new_inner(grid, self->box, error);

    for (gsize line = 0; inner != NULL && line < gpu_grid_line_count(inner); line++) {
        apply_line(self, sparse, grid, inner, line);
    }
    return inner;
}
