/* Hexagons in time and space: rows of t_S, t_S+2, .., t_S+t_T-2 points and back.
 *
 * Rows of wavefront w are t_T/2 above those of w-1 and half a pitch aside. Where a
 * hexagon's row has t_S+2d points, that of its neighbour of the other colour has
 * t_S+2(t_T/2-1-d); together 2t_S+t_T-2, which is the pitch that leaves nothing out.
 * Every value that a row wants from outside its hexagon is of the wavefront before. */
#include "arch/model/schedule/shape.h"

static int64_t half(const GpuSchedule *self)
{
    return self->tile_steps / 2;
}

/* By how many points a row is wider than the base, on either side. */
static int64_t bulge(const GpuSchedule *self, int64_t row)
{
    return row < half(self) ? row : self->tile_steps - 1 - row;
}

/* The first wavefront is half below the problem: only so do two colours cover its first
 * row. This is why (A.3) counts one more than 2 T/t_T. */
static uint64_t wavefronts(const GpuSchedule *self)
{
    return (uint64_t) gpu_schedule_ceil(self->steps, half(self)) + 1;
}

static int64_t start_of(const GpuSchedule *self, int64_t wavefront)
{
    return (wavefront - 1) * half(self);
}

/* Where the base of a hexagon of this colour begins. The widest row of wavefronts 1, 3,
 * .. begins at place 0, so that they have ceil(S/pitch) tiles. */
static int64_t origin(const GpuSchedule *self, int64_t wavefront)
{
    return half(self) - 1 - (wavefront % 2 == 0 ? self->pitch / 2 : 0);
}

/* Of those rows that are in the problem. */
static int64_t widest_bulge(const GpuSchedule *self, int64_t start)
{
    const int64_t lowest = MAX(-start, 0);
    const int64_t highest = MIN(self->steps - start, self->tile_steps) - 1;

    return highest < half(self) ? bulge(self, highest)
                                : bulge(self, MAX(lowest, half(self) - 1));
}

/* Numbers of hexagons that reach into the problem, first to last. */
static void
range(const GpuSchedule *self, int64_t wavefront, int64_t *first, int64_t *last)
{
    const int64_t base = origin(self, wavefront);
    const int64_t wider = widest_bulge(self, start_of(self, wavefront));

    *first = gpu_schedule_ceil(1 - self->tile_space[0] - wider - base, self->pitch);
    *last = gpu_schedule_floor(self->space[0] - 1 + wider - base, self->pitch);
}

static uint64_t tiles(const GpuSchedule *self, int64_t wavefront)
{
    int64_t first;
    int64_t last;

    range(self, wavefront, &first, &last);
    return last < first ? 0 : (uint64_t) (last - first + 1);
}

static GpuScheduleTile place(const GpuSchedule *self, int64_t wavefront, int64_t tile)
{
    const int64_t start = start_of(self, wavefront);
    int64_t first;
    int64_t last;

    range(self, wavefront, &first, &last);
    return (GpuScheduleTile){
        .start = start,
        .first = MAX(start, 0),
        .end = MIN(start + self->tile_steps, self->steps),
        .left = origin(self, wavefront) + (first + tile) * self->pitch,
    };
}

static GpuScheduleRow
row(const GpuSchedule *self, const GpuScheduleTile *tile, int64_t step)
{
    const int64_t wider = bulge(self, step - tile->start);

    return (GpuScheduleRow){tile->left - wider,
                            tile->left + self->tile_space[0] + wider};
}

const GpuScheduleOps gpu_schedule_hexagon = {
    .wavefronts = wavefronts,
    .tiles = tiles,
    .tile = place,
    .row = row,
};
