/* Checks that a schedule is sound and counts what its tiles move, by visiting all of
 * its points instead of a formula. */
#pragma once

#include "arch/model/schedule/schedule.h"

#define GPU_SCHEDULE_CHECK_MOST ((uint64_t) 1 << 23)

typedef struct {
    uint64_t points;   /* of the problem: S_1 S_2 S_3 T */
    uint64_t missing;  /* never visited */
    uint64_t repeated; /* visits of points already visited */
    uint64_t early;    /* reads of values that were not there yet, over all visits */
    uint64_t crossing; /* values from another tile of the same wavefront */
    uint64_t wavefronts;
    uint64_t empty_wavefronts; /* wavefronts without a tile */
    uint64_t tiles;
    uint64_t widest;  /* tiles of a wavefront, at most */
    uint64_t strips;  /* of all tiles */
    uint64_t longest; /* strips of a tile, at most */
} GpuScheduleReport;

/* Visits all points. `needs` is as for gpu_schedule_admits(), but needs that it refuses
 * are checked as well. Fails with ARCH_ERROR_INVALID where the problem has more than
 * GPU_SCHEDULE_CHECK_MOST points. */
bool gpu_schedule_check(const GpuSchedule *self,
                        const GpuDependence *needs,
                        guint need_count,
                        GpuScheduleReport *report,
                        GError **error);

/* Whether each point is visited once, each value is there before it is needed, and the
 * tiles of a wavefront are independent. */
bool gpu_schedule_report_is_sound(const GpuScheduleReport *self);
