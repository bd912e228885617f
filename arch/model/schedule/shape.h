/* The interface between shapes of tiles and the schedule. */
#pragma once

#include "arch/model/schedule/schedule.h"

/* A tile in the plane of time and the first dimension. Steps may be empty. */
typedef struct {
    int64_t start; /* before the problem cuts it */
    int64_t first;
    int64_t end;
    int64_t left; /* of its first row; of parallelograms in leaning coordinates */
} GpuScheduleTile;

typedef struct {
    uint64_t (*wavefronts)(const GpuSchedule *self);
    uint64_t (*tiles)(const GpuSchedule *self, int64_t wavefront);
    GpuScheduleTile (*tile)(const GpuSchedule *self, int64_t wavefront, int64_t tile);
    /* Of a step that the tile has; not yet cut by the problem. */
    GpuScheduleRow (*row)(const GpuSchedule *self,
                          const GpuScheduleTile *tile,
                          int64_t step);
} GpuScheduleOps;

struct GpuSchedule {
    const GpuScheduleOps *ops;
    GpuScheduleSetting setting;
    GpuTilingProblem problem;
    guint dimension;
    int64_t space[GPU_TILING_DIMENSIONS]; /* 1 where there is no such dimension */
    int64_t steps;
    int64_t tile_space[GPU_TILING_DIMENSIONS];
    int64_t tile_steps;
    int64_t pitch; /* of hexagons */
    int64_t lean;  /* places by which parallelograms move left each step */
};

extern const GpuScheduleOps gpu_schedule_hexagon;
extern const GpuScheduleOps gpu_schedule_parallelogram;
extern const GpuScheduleOps gpu_schedule_halo;

/* A way through all points of one tile of the plane. */
typedef struct {
    const GpuSchedule *schedule;
    const GpuScheduleTile *tile;
    GpuScheduleFunc func;
    gpointer data;
    GpuScheduleSpan span; /* the one that goes to func next */
} GpuScheduleWalk;

void gpu_schedule_walk_strips(GpuScheduleWalk *walk);

/* The row, cut by the problem; end is begin where nothing is left. */
GpuScheduleRow gpu_schedule_cut_row(const GpuSchedule *self,
                                    const GpuScheduleTile *tile,
                                    int64_t step);

/* Towards minus infinity and plus infinity; the divisor is positive. */
int64_t gpu_schedule_floor(int64_t dividend, int64_t divisor);
int64_t gpu_schedule_ceil(int64_t dividend, int64_t divisor);
