/* Problems and tiles for tests of schedules. */
#pragma once

/* clang-format off: CMocka wants these first, in this order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
/* clang-format on */

#include "arch/model/schedule/check.h"

typedef struct {
    GpuTilingProblem problem;
    GpuTile tile;
    GpuScheduleSetting setting;
} ScheduleCase;

/* Some sizes and tiles: small enough to visit all points, and often larger than the
 * problem. */
ScheduleCase schedule_case_random(GRand *random, GpuScheduleShape shape);

/* A case as it is written in a test; sizes of dimensions that are not there are 0. */
ScheduleCase
schedule_case_of(uint64_t first, uint64_t second, uint64_t third, uint64_t steps);
void schedule_case_tile(ScheduleCase *self,
                        uint64_t first,
                        uint64_t second,
                        uint64_t third,
                        uint64_t steps);

/* "hybrid 7x9, 5 steps; tile 2x4, 6 steps"; the caller frees it. */
char *schedule_case_text(const ScheduleCase *self);

GpuSchedule *schedule_case_schedule(const ScheduleCase *self);

/* Of Smith-Waterman: west, south and south-west. */
extern const GpuDependence schedule_case_alignment[3];

/* Checks it with all needs that its shape takes. */
GpuScheduleReport schedule_case_report(const ScheduleCase *self);
