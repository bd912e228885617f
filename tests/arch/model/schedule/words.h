/* What the tiles of a schedule move, counted point by point, for the equations of the
 * time model. */
#pragma once

#include "arch/model/schedule/check.h"

/* What one strip of a tile has to do with memory, in words. */
typedef struct {
    uint64_t points;
    uint64_t read;    /* values of other tiles, and initial ones, that no strip of this
                       * tile had before; those outside of space do not count */
    uint64_t written; /* values that other tiles want, or the end of the problem */
    uint64_t shared;  /* two copies of the box around its points and their neighbours */
} StripWords;

/* Of all strips of a tile, StripWords, in order. Fails as gpu_schedule_check(). */
GArray *schedule_tile_words(const GpuSchedule *self,
                            const GpuDependence *needs,
                            guint need_count,
                            uint64_t wavefront,
                            uint64_t tile,
                            GError **error);

/* Of a whole tile: through the other dimensions, or diagonals of subtiles. A tile that
 * the problem cuts has some of them. */
uint64_t schedule_strips(const GpuSchedule *self);

/* Between tiles of a wavefront; of hexagons and diamonds, 0 for others. */
uint64_t schedule_pitch(const GpuSchedule *self);
