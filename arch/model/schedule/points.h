/* Numbers the points of a problem, to store data for each. */
#pragma once

#include "arch/model/schedule/schedule.h"

typedef struct {
    guint dimension;
    int64_t space[GPU_TILING_DIMENSIONS];
    int64_t steps;
    gsize count;
} GpuSchedulePoints;

/* Fails with ARCH_ERROR_INVALID where there are more than GPU_SCHEDULE_CHECK_MOST. */
bool gpu_schedule_points(const GpuSchedule *schedule,
                         GpuSchedulePoints *points,
                         GError **error);

typedef struct {
    int64_t step;
    int64_t place[GPU_TILING_DIMENSIONS]; /* 0 where there is no such dimension */
} GpuSchedulePoint;

/* Number `offset` of a span. */
GpuSchedulePoint gpu_schedule_point_of(const GpuSchedulePoints *self,
                                       const GpuScheduleSpan *span,
                                       uint64_t offset);

/* The point that an update needs. */
GpuSchedulePoint gpu_schedule_point_before(const GpuSchedulePoint *self,
                                           const GpuDependence *need);

bool gpu_schedule_points_in_space(const GpuSchedulePoints *self,
                                  const GpuSchedulePoint *point);

/* Whether the point lies in the problem, in space and in time. */
bool gpu_schedule_points_have(const GpuSchedulePoints *self,
                              const GpuSchedulePoint *point);

/* Steps -1 and T, too: 0 .. (T + 2) S - 1, of a point in space. */
gsize gpu_schedule_points_index(const GpuSchedulePoints *self,
                                const GpuSchedulePoint *point);
