/* Which tiles a schedule can be made of. */
#pragma once

#include "arch/model/schedule/schedule.h"

/* Fails as gpu_schedule_new(). */
bool gpu_schedule_setting_check(const GpuScheduleSetting *setting,
                                const GpuTilingProblem *problem,
                                const GpuTile *tile,
                                GError **error);
