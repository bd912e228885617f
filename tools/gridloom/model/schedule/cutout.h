/* The part of a problem that a picture of its schedule shows. */
#pragma once

#include "arch/model/schedule/schedule.h"

typedef struct {
    GpuTilingProblem whole;
    GpuTilingProblem part; /* of two dimensions at most */
    GpuTile tile;
    GpuScheduleSetting setting;
    GpuSchedule *schedule; /* of the part: shapes begin at the same place whatever the
                            * size is, so these are tiles of the whole */
} ModelScheduleCutout;

/* Fails as model_schedule_to_svg(). */
bool model_schedule_cutout_init(ModelScheduleCutout *self,
                                const GpuTilingProblem *problem,
                                const GpuTile *tile,
                                const GpuScheduleSetting *setting,
                                GError **error);
void model_schedule_cutout_clear(ModelScheduleCutout *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ModelScheduleCutout, model_schedule_cutout_clear)

/* "tiles: 16 x 64 places, steps: 34; problem: .."; the caller frees it. */
char *model_schedule_cutout_text(const ModelScheduleCutout *self);
