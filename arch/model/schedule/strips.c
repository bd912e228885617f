/* The points of a tile, strip by strip. A strip is t_Si points wide and moves one place
 * left each step: what it wants then lies in itself, in strips before it, or in tiles
 * of wavefronts before. */
#include "arch/model/schedule/shape.h"

enum {
    SECOND = 1,
    THIRD = 2,
};

/* Numbers of the strips of one dimension that have points: first .. end - 1. */
typedef struct {
    int64_t first;
    int64_t end;
} Strips;

static Strips strips_of(const GpuScheduleWalk *walk, guint axis)
{
    const GpuSchedule *schedule = walk->schedule;
    const int64_t lowest = walk->tile->first - walk->tile->start;
    const int64_t highest = walk->tile->end - 1 - walk->tile->start;

    if (axis >= schedule->dimension) {
        return (Strips){0, 1};
    }
    return (Strips){
        lowest / schedule->tile_space[axis],
        (schedule->space[axis] - 1 + highest) / schedule->tile_space[axis] + 1,
    };
}

/* What a strip has of a dimension at a step; all of one that does not exist. */
static GpuScheduleRow
side(const GpuScheduleWalk *walk, guint axis, int64_t strip, int64_t step)
{
    const GpuSchedule *schedule = walk->schedule;
    const int64_t width = schedule->tile_space[axis];
    const int64_t left = strip * width - (step - walk->tile->start);

    if (axis >= schedule->dimension) {
        return (GpuScheduleRow){0, 1};
    }
    return (GpuScheduleRow){MAX(left, 0), MIN(left + width, schedule->space[axis])};
}

static void emit(GpuScheduleWalk *walk, GpuScheduleRow last)
{
    walk->span.place[walk->schedule->dimension - 1] = (uint64_t) last.begin;
    walk->span.count = (uint64_t) (last.end - last.begin);
    walk->func(&walk->span, walk->data);
}

/* One step of a strip. */
static void
walk_step(GpuScheduleWalk *walk, int64_t step, int64_t second, int64_t third)
{
    const GpuScheduleRow row = gpu_schedule_cut_row(walk->schedule, walk->tile, step);
    const GpuScheduleRow seconds = side(walk, SECOND, second, step);
    const GpuScheduleRow thirds = side(walk, THIRD, third, step);

    if (seconds.end <= seconds.begin || thirds.end <= thirds.begin) {
        return;
    }
    walk->span.step = (uint64_t) step;
    if (walk->schedule->dimension == 1) {
        emit(walk, row);
        return;
    }
    for (int64_t x = row.begin; x < row.end; x++) {
        walk->span.place[0] = (uint64_t) x;
        if (walk->schedule->dimension == 2) {
            emit(walk, seconds);
            continue;
        }
        for (int64_t y = seconds.begin; y < seconds.end; y++) {
            walk->span.place[SECOND] = (uint64_t) y;
            emit(walk, thirds);
        }
    }
}

void gpu_schedule_walk_strips(GpuScheduleWalk *walk)
{
    const Strips seconds = strips_of(walk, SECOND);
    const Strips thirds = strips_of(walk, THIRD);

    walk->span.strip = 0;
    for (int64_t second = seconds.first; second < seconds.end; second++) {
        for (int64_t third = thirds.first; third < thirds.end; third++) {
            for (int64_t step = walk->tile->first; step < walk->tile->end; step++) {
                walk_step(walk, step, second, third);
            }
            walk->span.strip++;
        }
    }
}
