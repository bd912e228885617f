/* Is a schedule sound, and what do its tiles move? Found out by going through all of
 * its points, not by a formula. */
#pragma once

#include "arch/model/schedule/schedule.h"

#define GPU_SCHEDULE_CHECK_MOST ((uint64_t) 1 << 23)

typedef struct {
    uint64_t points;   /* of the problem: S_1 S_2 S_3 T */
    uint64_t missing;  /* never visited */
    uint64_t repeated; /* visits of points that had been visited */
    uint64_t early;    /* visits times values that were not there yet */
    uint64_t crossing; /* values from another tile of the same wavefront */
    uint64_t wavefronts;
    uint64_t empty_wavefronts; /* of these, without a tile */
    uint64_t tiles;
    uint64_t widest;  /* tiles of a wavefront, at most */
    uint64_t strips;  /* of all tiles */
    uint64_t longest; /* strips of a tile, at most */
} GpuScheduleReport;

/* Visits all points; `needs` as gpu_schedule_admits() takes them, though those that it
 * refuses are looked at as well. Fails with ARCH_ERROR_INVALID where the problem has
 * more than GPU_SCHEDULE_CHECK_MOST points. */
bool gpu_schedule_check(const GpuSchedule *self,
                        const GpuDependence *needs,
                        guint need_count,
                        GpuScheduleReport *report,
                        GError **error);

/* Each point once, each value there before it is wanted, tiles of a wavefront
 * independent. */
bool gpu_schedule_report_is_sound(const GpuScheduleReport *self);
