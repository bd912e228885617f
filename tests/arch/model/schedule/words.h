/* What the strips of a tile read, write and keep, counted point by point: for tests of
 * closed forms. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/model/schedule/check.h"

/* What one strip of a tile has to do with memory, in words. */
typedef struct {
    uint64_t points;
    uint64_t read;    /* values of other tiles, and initial ones, that no strip of this
                       * tile had before; those outside of space do not count */
    uint64_t written; /* values that other tiles want, or the end of the problem */
    uint64_t shared;  /* two copies of the box around its points and their neighbours */
} GpuStripWords;

/* Of all strips of a tile, GpuStripWords, in order. Fails as gpu_schedule_check(). */
GArray *gpu_schedule_tile_words(const GpuSchedule *self,
                                const GpuDependence *needs,
                                guint need_count,
                                uint64_t wavefront,
                                uint64_t tile,
                                GError **error);
