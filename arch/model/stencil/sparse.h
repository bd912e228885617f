/* A matrix as sparse tensor cores read it: of every four neighbours in a row two
 * values, and two bits for each that say which of the four it was. */
#pragma once

#include <stdint.h>

#include "arch/model/stencil/matrix.h"

enum {
    GPU_SPARSE_GROUP = 4,
    GPU_SPARSE_KEPT = 2,
    GPU_SPARSE_BITS = 2, /* of metadata for a value */
};

typedef struct {
    GpuMatrix *kept;    /* as many rows, half as many columns */
    uint32_t *metadata; /* row by row, a row begins a new word; first value in the
                           lowest bits, and in a group the places ascend */
    guint row_words;    /* of metadata */
} GpuSparse;

/* Fails with ARCH_ERROR_INVALID where a group has more than two values, or the last one
 * is not whole. */
GpuSparse *gpu_sparse_compress(const GpuMatrix *matrix, GError **error);
void gpu_sparse_free(GpuSparse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuSparse, gpu_sparse_free)

/* The column of the whole matrix that a value is of. */
guint gpu_sparse_column(const GpuSparse *self, guint row, guint kept_column);

/* The matrix again. */
GpuMatrix *gpu_sparse_decompress(const GpuSparse *self);

/* sum += self x right, with half of the multiplications of the whole matrix. */
void gpu_sparse_multiply_add(GpuMatrix *sum,
                             const GpuSparse *self,
                             const GpuMatrix *right);
