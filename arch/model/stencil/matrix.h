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

/* Has every aligned group of `size` neighbours in a row at most `most` that are not 0?
 * 2 of 4 is what sparse tensor cores want of 16-bit numbers, 1 of 2 what they want of
 * TF32 (PTX ISA, mma.sp). */
bool gpu_matrix_is_structured(const GpuMatrix *self, guint most, guint size);

/* sum += left x right, of fitting sizes. */
void gpu_matrix_multiply_add(GpuMatrix *sum,
                             const GpuMatrix *left,
                             const GpuMatrix *right);
