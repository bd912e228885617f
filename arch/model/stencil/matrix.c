/* A dense matrix of doubles. */
#include "arch/model/stencil/matrix.h"

GpuMatrix *gpu_matrix_new(guint row_count, guint column_count)
{
    GpuMatrix *self = g_new(GpuMatrix, 1);

    g_assert(row_count >= 1 && column_count >= 1);
    *self = (GpuMatrix){.row_count = row_count,
                        .column_count = column_count,
                        .values = g_new0(double, (gsize) row_count *column_count)};
    return self;
}

void gpu_matrix_free(GpuMatrix *self)
{
    if (self != NULL) {
        g_free(self->values);
        g_free(self);
    }
}

double *gpu_matrix_at(const GpuMatrix *self, guint row, guint column)
{
    return &self->values[(gsize) row * self->column_count + column];
}

/* Of a row, from `first` on. */
static guint
count_nonzeros(const GpuMatrix *self, guint row, guint first, guint column_count)
{
    guint count = 0;

    for (guint column = first; column < first + column_count; column++) {
        count += *gpu_matrix_at(self, row, column) != 0 ? 1 : 0;
    }
    return count;
}

gsize gpu_matrix_nonzeros(const GpuMatrix *self)
{
    gsize count = 0;

    for (guint row = 0; row < self->row_count; row++) {
        count += count_nonzeros(self, row, 0, self->column_count);
    }
    return count;
}

guint gpu_matrix_used_rows(const GpuMatrix *self)
{
    guint count = 0;

    for (guint row = 0; row < self->row_count; row++) {
        count += count_nonzeros(self, row, 0, self->column_count) > 0 ? 1 : 0;
    }
    return count;
}

bool gpu_matrix_is_structured(const GpuMatrix *self, guint most, guint size)
{
    for (guint row = 0; row < self->row_count; row++) {
        for (guint first = 0; first < self->column_count; first += size) {
            const guint rest = self->column_count - first;

            if (count_nonzeros(self, row, first, MIN(size, rest)) > most) {
                return false;
            }
        }
    }
    return true;
}

void gpu_matrix_multiply_add(GpuMatrix *sum,
                             const GpuMatrix *left,
                             const GpuMatrix *right)
{
    g_assert(left->column_count == right->row_count);
    g_assert(sum->row_count == left->row_count);
    g_assert(sum->column_count == right->column_count);
    for (guint row = 0; row < sum->row_count; row++) {
        for (guint inner = 0; inner < left->column_count; inner++) {
            const double factor = *gpu_matrix_at(left, row, inner);

            for (guint column = 0; column < sum->column_count; column++) {
                *gpu_matrix_at(sum, row, column) +=
                    factor * *gpu_matrix_at(right, inner, column);
            }
        }
    }
}
