/* Going through a schedule point by point: whether it is sound, and a Jacobi stencil
 * that keeps to it has the bits of the plain loop nest. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/model/schedule/check.h"

typedef struct {
    GpuTilingProblem problem; /* that was gone through */
    bool is_part;             /* the one that was asked for is too large for it */
    GpuScheduleReport report;
    bool is_alignment; /* Smith-Waterman, of rectangles, which cannot have Jacobi */
    bool is_same;      /* to the bit */
} GpuScheduleProof;

/* A problem with too many points is made smaller, to a few tiles a side. Fails with
 * ARCH_ERROR_INVALID where that is too large still, and as gpu_schedule_new(). */
bool gpu_schedule_prove(const GpuTilingProblem *problem,
                        const GpuTile *tile,
                        const GpuScheduleSetting *setting,
                        GpuScheduleProof *proof,
                        GError **error);

/* Sound, and the same bits: what a command that ends with 0 tells. */
bool gpu_schedule_proof_is_passed(const GpuScheduleProof *self);
