/* Proves a schedule point by point: it must be sound, and a Jacobi stencil in its order
 * must give the same bits as the plain loop nest. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/model/schedule/check.h"

typedef struct {
    GpuTilingProblem problem; /* the one that was checked */
    bool is_part;             /* it is a part, because the requested problem is too
                               * large */
    GpuScheduleReport report;
    bool is_alignment; /* Smith-Waterman, of rectangles, which cannot have Jacobi */
    bool is_same;      /* to the bit */
} GpuScheduleProof;

/* A problem with too many points is reduced to a few tiles a side. Fails with
 * ARCH_ERROR_INVALID if that is still too large, and like gpu_schedule_new(). */
bool gpu_schedule_prove(const GpuTilingProblem *problem,
                        const GpuTile *tile,
                        const GpuScheduleSetting *setting,
                        GpuScheduleProof *proof,
                        GError **error);

/* Whether it is sound and has the same bits; a command then exits with 0. */
bool gpu_schedule_proof_is_passed(const GpuScheduleProof *self);
