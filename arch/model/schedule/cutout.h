/* A close view of part of a problem: its first tiles, one of them, and the values that
 * it reads and writes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/schedule/schedule.h"

typedef struct {
    GpuTilingProblem whole;
    GpuTilingProblem part; /* of two dimensions at most */
    GpuTile tile;
    GpuScheduleSetting setting;
    GpuSchedule *schedule; /* of the part; shapes begin at the same place for every
                            * size, so these are tiles of the whole problem */
} GpuScheduleCutout;

/* Fails like gpu_schedule_new(), and with ARCH_ERROR_INVALID if a tile is too large to
 * be drawn row by row. */
bool gpu_schedule_cutout_init(GpuScheduleCutout *self,
                              const GpuTilingProblem *problem,
                              const GpuTile *tile,
                              const GpuScheduleSetting *setting,
                              GError **error);
void gpu_schedule_cutout_clear(GpuScheduleCutout *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GpuScheduleCutout, gpu_schedule_cutout_clear)

/* "tiles: 16 x 64 places, steps: 34; problem: .."; the caller frees it. */
char *gpu_schedule_cutout_text(const GpuScheduleCutout *self);

/* A tile of a schedule. */
typedef struct {
    uint64_t wavefront;
    uint64_t tile;
    GpuScheduleSteps steps;
    GpuScheduleRow places; /* of all its rows */
} GpuScheduleClose;

/* The tile with the most points in the plane of time and the first dimension; ties
 * prefer a tile that touches no border, then the first. */
GpuScheduleClose gpu_schedule_close(const GpuSchedule *schedule);

typedef enum {
    GPU_VALUE_OWN,     /* a point of the tile */
    GPU_VALUE_READ,    /* of another one, each once */
    GPU_VALUE_WRITTEN, /* of the tile, and wanted by another one */
} GpuValueKind;

typedef void (*GpuValueFunc)(GpuValueKind kind,
                             int64_t step,
                             int64_t place,
                             gpointer data);

/* Visits a tile of one dimension row by row: its points, the values it reads, and the
 * values it writes. */
void gpu_schedule_close_values(const GpuSchedule *schedule,
                               const GpuScheduleClose *tile,
                               GpuValueFunc func,
                               gpointer data);
