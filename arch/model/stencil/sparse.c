/* A matrix as sparse tensor cores read it. */
#include "arch/model/stencil/sparse.h"

#include "arch/error.h"

#define VALUES_OF_WORD (32 / GPU_SPARSE_BITS)
#define PLACE_MASK     ((1U << GPU_SPARSE_BITS) - 1)

void gpu_sparse_free(GpuSparse *self)
{
    if (self != NULL) {
        gpu_matrix_free(self->kept);
        g_free(self->metadata);
        g_free(self);
    }
}

/* Which of a group are kept: those that are not 0, and where these are fewer, zeros, so
 * that there are two different places in ascending order. False where there are more.
 */
static bool choose_places(const double *group, guint places[GPU_SPARSE_KEPT])
{
    guint spare = GPU_SPARSE_KEPT;
    guint count = 0;

    for (guint place = 0; place < GPU_SPARSE_GROUP; place++) {
        spare -= group[place] != 0 && spare > 0 ? 1 : 0;
    }
    for (guint place = 0; place < GPU_SPARSE_GROUP; place++) {
        if (group[place] == 0 && spare == 0) {
            continue;
        }
        if (count == GPU_SPARSE_KEPT) {
            return group[place] == 0;
        }
        spare -= group[place] == 0 ? 1 : 0;
        places[count++] = place;
    }
    return true;
}

static void
keep(GpuSparse *self, guint row, guint kept_column, double value, guint place)
{
    const guint shift = kept_column % VALUES_OF_WORD * GPU_SPARSE_BITS;

    *gpu_matrix_at(self->kept, row, kept_column) = value;
    self->metadata[(gsize) row * self->row_words + kept_column / VALUES_OF_WORD] |=
        place << shift;
}

static bool
compress_group(GpuSparse *self, const GpuMatrix *matrix, guint row, guint group)
{
    const double *values = gpu_matrix_at(matrix, row, group * GPU_SPARSE_GROUP);
    guint places[GPU_SPARSE_KEPT];

    if (!choose_places(values, places)) {
        return false;
    }
    for (guint i = 0; i < GPU_SPARSE_KEPT; i++) {
        keep(self, row, group * GPU_SPARSE_KEPT + i, values[places[i]], places[i]);
    }
    return true;
}

GpuSparse *gpu_sparse_compress(const GpuMatrix *matrix, GError **error)
{
    const guint group_count = matrix->column_count / GPU_SPARSE_GROUP;
    const guint kept_count = group_count * GPU_SPARSE_KEPT;
    g_autoptr(GpuSparse) self = NULL;

    if (matrix->column_count % GPU_SPARSE_GROUP != 0) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "a matrix of %u columns, 2:4 sparse ones have a multiple of 4",
                    matrix->column_count);
        return NULL;
    }
    self = g_new0(GpuSparse, 1);
    self->kept = gpu_matrix_new(matrix->row_count, kept_count);
    self->row_words = (kept_count + VALUES_OF_WORD - 1) / VALUES_OF_WORD;
    self->metadata = g_new0(uint32_t, (gsize) matrix->row_count * self->row_words);
    for (guint row = 0; row < matrix->row_count; row++) {
        for (guint group = 0; group < group_count; group++) {
            if (!compress_group(self, matrix, row, group)) {
                g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                            "row %u has more than 2 values in columns %u..%u, a 2:4 "
                            "sparse matrix has at most 2 of 4",
                            row, group * GPU_SPARSE_GROUP,
                            group * GPU_SPARSE_GROUP + GPU_SPARSE_GROUP - 1);
                return NULL;
            }
        }
    }
    return g_steal_pointer(&self);
}

guint gpu_sparse_column(const GpuSparse *self, guint row, guint kept_column)
{
    const uint32_t word =
        self->metadata[(gsize) row * self->row_words + kept_column / VALUES_OF_WORD];
    const guint shift = kept_column % VALUES_OF_WORD * GPU_SPARSE_BITS;
    const guint place = word >> shift & PLACE_MASK;

    return kept_column / GPU_SPARSE_KEPT * GPU_SPARSE_GROUP + place;
}

GpuMatrix *gpu_sparse_decompress(const GpuSparse *self)
{
    const guint kept_count = self->kept->column_count;
    GpuMatrix *matrix = gpu_matrix_new(self->kept->row_count,
                                       kept_count / GPU_SPARSE_KEPT * GPU_SPARSE_GROUP);

    for (guint row = 0; row < matrix->row_count; row++) {
        for (guint kept = 0; kept < kept_count; kept++) {
            *gpu_matrix_at(matrix, row, gpu_sparse_column(self, row, kept)) =
                *gpu_matrix_at(self->kept, row, kept);
        }
    }
    return matrix;
}

void gpu_sparse_multiply_add(GpuMatrix *sum,
                             const GpuSparse *self,
                             const GpuMatrix *right)
{
    const guint kept_count = self->kept->column_count;

    g_assert(right->row_count == kept_count / GPU_SPARSE_KEPT * GPU_SPARSE_GROUP);
    g_assert(sum->row_count == self->kept->row_count);
    g_assert(sum->column_count == right->column_count);
    for (guint row = 0; row < sum->row_count; row++) {
        for (guint kept = 0; kept < kept_count; kept++) {
            const double factor = *gpu_matrix_at(self->kept, row, kept);
            const guint inner = gpu_sparse_column(self, row, kept);

            for (guint column = 0; column < sum->column_count; column++) {
                *gpu_matrix_at(sum, row, column) +=
                    factor * *gpu_matrix_at(right, inner, column);
            }
        }
    }
}
