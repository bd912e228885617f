/* Tiles of space alone: a wavefront for each step, neighbours exchange their borders
 * through global memory in between. */
#include "arch/model/schedule/shape.h"

static uint64_t wavefronts(const GpuSchedule *self)
{
    return (uint64_t) self->steps;
}

static uint64_t tiles(const GpuSchedule *self, int64_t wavefront G_GNUC_UNUSED)
{
    return (uint64_t) gpu_schedule_ceil(self->space[0], self->tile_space[0]);
}

static GpuScheduleTile place(const GpuSchedule *self, int64_t wavefront, int64_t tile)
{
    return (GpuScheduleTile){
        .start = wavefront,
        .first = wavefront,
        .end = wavefront + 1,
        .left = tile * self->tile_space[0],
    };
}

static GpuScheduleRow
row(const GpuSchedule *self, const GpuScheduleTile *tile, int64_t step G_GNUC_UNUSED)
{
    return (GpuScheduleRow){tile->left, tile->left + self->tile_space[0]};
}

const GpuScheduleOps gpu_schedule_halo = {
    .wavefronts = wavefronts,
    .tiles = tiles,
    .tile = place,
    .row = row,
};
