/* A dense matrix of doubles, and which of its entries are 0. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    guint row_count;
    guint column_count;
    double *values; /* row by row */
} GpuMatrix;

/* All 0; at least one row and column. */
GpuMatrix *gpu_matrix_new(guint row_count, guint column_count);
void gpu_matrix_free(GpuMatrix *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuMatrix, gpu_matrix_free)

/* The entry, to read or to set. */
double *gpu_matrix_at(const GpuMatrix *self, guint row, guint column);

/* How many are not 0, and in how many rows there are any. */
gsize gpu_matrix_nonzeros(const GpuMatrix *self);
guint gpu_matrix_used_rows(const GpuMatrix *self);

/* sum += left x right, of fitting sizes. */
void gpu_matrix_multiply_add(GpuMatrix *sum,
                             const GpuMatrix *left,
                             const GpuMatrix *right);
