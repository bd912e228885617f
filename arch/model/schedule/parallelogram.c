/* Parallelograms in time and space, and rectangles, which do not lean.
 *
 * With u = s + lean t, tile (a, b) has steps a t_T .. and u from b t_S on; values come
 * from no larger t and no larger u, so tiles with the same a + b want nothing of each
 * other. */
#include "arch/model/schedule/shape.h"

static int64_t bands(const GpuSchedule *self)
{
    return gpu_schedule_ceil(self->steps, self->tile_steps);
}

/* The b of the first and of the last tile of a band of steps. */
static int64_t first_of(const GpuSchedule *self, int64_t band)
{
    return self->lean * band * self->tile_steps / self->tile_space[0];
}

static int64_t last_of(const GpuSchedule *self, int64_t band)
{
    const int64_t end = MIN((band + 1) * self->tile_steps, self->steps);

    return (self->space[0] - 1 + self->lean * (end - 1)) / self->tile_space[0];
}

static uint64_t wavefronts(const GpuSchedule *self)
{
    const int64_t band = bands(self) - 1;

    return (uint64_t) (band + last_of(self, band)) + 1;
}

/* The lowest band with band + side(band) >= wavefront; the sum grows with the band. */
static int64_t lowest(const GpuSchedule *self,
                      int64_t wavefront,
                      int64_t (*side)(const GpuSchedule *, int64_t))
{
    int64_t low = 0;
    int64_t high = bands(self);

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (middle + side(self, middle) >= wavefront) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Tiles of a wavefront are counted by their bands. */
static uint64_t tiles(const GpuSchedule *self, int64_t wavefront)
{
    const int64_t first = lowest(self, wavefront, last_of);
    const int64_t end = lowest(self, wavefront + 1, first_of);

    return end < first ? 0 : (uint64_t) (end - first);
}

static GpuScheduleTile place(const GpuSchedule *self, int64_t wavefront, int64_t tile)
{
    const int64_t band = lowest(self, wavefront, last_of) + tile;
    const int64_t start = band * self->tile_steps;

    return (GpuScheduleTile){
        .start = start,
        .first = start,
        .end = MIN(start + self->tile_steps, self->steps),
        .left = (wavefront - band) * self->tile_space[0],
    };
}

static GpuScheduleRow
row(const GpuSchedule *self, const GpuScheduleTile *tile, int64_t step)
{
    const int64_t begin = tile->left - self->lean * step;

    return (GpuScheduleRow){begin, begin + self->tile_space[0]};
}

const GpuScheduleOps gpu_schedule_parallelogram = {
    .wavefronts = wavefronts,
    .tiles = tiles,
    .tile = place,
    .row = row,
};
