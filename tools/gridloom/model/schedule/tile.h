/* The tile of a schedule that a picture looks at closely. */
#pragma once

#include "arch/model/schedule/schedule.h"

typedef struct {
    uint64_t wavefront;
    uint64_t tile;
    GpuScheduleSteps steps;
    GpuScheduleRow places; /* of all its rows */
} ModelScheduleTile;

/* The one with most points in the plane of time and the first dimension; of these one
 * that touches no border, if there is one, and of these the first. */
ModelScheduleTile model_schedule_tile_choose(const GpuSchedule *schedule);
