/* A stencil run on numbers in all its forms: step by step, and by the matrices that
 * programs for tensor cores multiply with, whose useful part is S. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/model/stencil/stencil.h"

typedef enum {
    GPU_FORM_DIRECT,     /* point by point, one step after the other */
    GPU_FORM_FLATTENED,  /* ConvStencil */
    GPU_FORM_DECOMPOSED, /* SPIDER on dense tensor cores */
    GPU_FORM_SPARSE,     /* decomposed, swapped and compressed, 2 of every 4 */
    GPU_FORM_COUNT,
} GpuForm;

/* "direct", "flattened", "decomposed", "sparse" */
const char *gpu_form_name(GpuForm form);

typedef struct {
    guint matrix_count; /* 0 where there is no matrix */
    guint row_count;    /* of the largest matrix */
    guint column_count; /* likewise, as it is stored: half where it is compressed */
    uint64_t entries;   /* of all matrices, before they are compressed */
    uint64_t nonzeros;
    double sparsity;        /* S = nonzeros / entries; 1 where there is no matrix */
    double multiplications; /* of an updated point, all steps */
    double largest_error;   /* from the direct form; NaN where nothing was run */
} GpuTrialForm;

typedef struct {
    GpuStencil stencil;
    uint64_t point_count; /* that were compared */
    double tolerance;     /* 0 where whole numbers are exact */
    GpuTrialForm forms[GPU_FORM_COUNT];
} GpuTrial;

typedef struct {
    GpuStencil stencil;
    bool has_check; /* run it on numbers */
    guint size;     /* points a side of the grid; 0: a few groups of points */
    uint32_t seed;  /* of weights and numbers, whole ones from -9 to 9 */
} GpuTrialSetting;

/* Fails with ARCH_ERROR_INVALID where matrices have more than 2^24 entries, the grid
 * has no inner point, or there are more than 2^33 multiplications to do. */
bool gpu_trial_run(GpuTrial *self, const GpuTrialSetting *setting, GError **error);

/* Every form gave what the stencil gives. */
bool gpu_trial_is_equal(const GpuTrial *self);
