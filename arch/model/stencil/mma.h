/* The matrix products that tensor cores do in one instruction, and how well the
 * matrices of a stencil fill them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/gpu.h"
#include "arch/model/stencil/transform.h"

/* An m x k matrix of weights times a k x n matrix of data. */
typedef struct {
    const char *name; /* m8n8k4 */
    GpuType type;     /* float is TF32 */
    bool is_sparse;   /* k counts all entries of a row, half of which are stored */
    guint m;
    guint n;
    guint k;
    const char *source;
} GpuMma;

/* NULL past the last. */
const GpuMma *gpu_mma_at(guint index);

/* NULL if there is no shape of that name for this type. */
const GpuMma *gpu_mma_find(const char *name, GpuType type, bool is_sparse);

/* The shape that programs use: the largest k on an A100. NULL if there is none (sparse
 * doubles). */
const GpuMma *gpu_mma_default(GpuType type, bool is_sparse);

/* "m8n8k4, m16n8k8"; the caller frees it. */
char *gpu_mma_names(GpuType type, bool is_sparse);

/* How a matrix of weights fills the instructions that multiply with it. */
typedef struct {
    guint64 count;       /* of instructions, for n columns of data */
    double row_share;    /* of their rows that the matrix has */
    double column_share; /* of their columns */
} GpuMmaFit;

void gpu_mma_fit(const GpuMma *self,
                 guint row_count,
                 guint column_count,
                 GpuMmaFit *fit);

/* The same for all matrices of a stencil. */
typedef struct {
    guint64 count;   /* of instructions, for n groups of points */
    double flops;    /* that they do for a point, zeros and padding and all */
    double padding;  /* of the operands' entries, those beyond the matrices */
    double nonzero;  /* of the operands' entries, those that are not 0 */
    guint used_rows; /* of the largest matrix, those that are not empty */
    guint row_count; /* of that one */
    guint column_count;
    guint matrix_count;
} GpuMmaUse;

void gpu_mma_use(const GpuMma *self, const GpuTransform *transform, GpuMmaUse *use);
