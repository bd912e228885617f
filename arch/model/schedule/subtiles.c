/* The points of a tile, subtile by subtile: a thread takes each, and those of a
 * diagonal want nothing of each other, as tiles of a wavefront do not. */
#include "arch/model/schedule/shape.h"

static void walk_subtile(GpuScheduleWalk *walk, int64_t band, int64_t column)
{
    const GpuSchedule *schedule = walk->schedule;
    const GpuScheduleTile *tile = walk->tile;
    const int64_t steps = (int64_t) schedule->setting.subtile_steps;
    const int64_t width = (int64_t) schedule->setting.subtile_space;
    const int64_t first = tile->start + band * steps;

    for (int64_t step = MAX(first, tile->first); step < MIN(first + steps, tile->end);
         step++) {
        const GpuScheduleRow row = gpu_schedule_cut_row(schedule, tile, step);
        const int64_t left = schedule->ops->row(schedule, tile, step).begin;
        const int64_t begin = MAX(row.begin, left + column * width);
        const int64_t end = MIN(row.end, left + (column + 1) * width);

        if (begin < end) {
            walk->span.step = (uint64_t) step;
            walk->span.place[0] = (uint64_t) begin;
            walk->span.count = (uint64_t) (end - begin);
            walk->func(&walk->span, walk->data);
        }
    }
}

void gpu_schedule_walk_subtiles(GpuScheduleWalk *walk)
{
    const GpuSchedule *schedule = walk->schedule;
    const GpuScheduleTile *tile = walk->tile;
    /* Only as far as the problem goes: a tile may be much larger. */
    const int64_t reach =
        schedule->space[0] + schedule->lean * (tile->end - 1) - tile->left;
    const int64_t bands = gpu_schedule_ceil(tile->end - tile->start,
                                            (int64_t) schedule->setting.subtile_steps);
    const int64_t columns = gpu_schedule_ceil(
        MIN(reach, schedule->tile_space[0]), (int64_t) schedule->setting.subtile_space);

    for (int64_t diagonal = 0; diagonal < bands + columns - 1; diagonal++) {
        walk->span.strip = (uint64_t) diagonal;
        walk->span.part = 0;
        for (int64_t band = MAX(0, diagonal - columns + 1);
             band <= MIN(diagonal, bands - 1); band++) {
            walk_subtile(walk, band, diagonal - band);
            walk->span.part++;
        }
    }
}
