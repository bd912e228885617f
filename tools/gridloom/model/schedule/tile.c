/* The tile of a schedule that a picture looks at closely. */
#include "tools/gridloom/model/schedule/tile.h"

/* Also counts its points. */
static ModelScheduleTile
look_at(const GpuSchedule *schedule, uint64_t wavefront, uint64_t tile, int64_t *points)
{
    ModelScheduleTile self = {
        .wavefront = wavefront,
        .tile = tile,
        .steps = gpu_schedule_tile_steps(schedule, wavefront, tile),
        .places = {INT64_MAX, 0},
    };

    *points = 0;
    for (int64_t step = self.steps.first; step < self.steps.end; step++) {
        const GpuScheduleRow row =
            gpu_schedule_tile_row(schedule, wavefront, tile, step);

        self.places.begin = MIN(self.places.begin, row.begin);
        self.places.end = MAX(self.places.end, row.end);
        *points += row.end - row.begin;
    }
    return self;
}

static int inner_sides(const ModelScheduleTile *self, const GpuTilingProblem *problem)
{
    return (self->steps.first > 0) + (self->places.begin > 0) +
           (self->places.end < (int64_t) problem->space[0]);
}

ModelScheduleTile model_schedule_tile_choose(const GpuSchedule *schedule)
{
    const GpuTilingProblem *problem = gpu_schedule_problem(schedule);
    const uint64_t wavefronts = gpu_schedule_wavefronts(schedule);
    ModelScheduleTile best = {0};
    int64_t most = -1;

    for (uint64_t wavefront = 0; wavefront < wavefronts; wavefront++) {
        const uint64_t tiles = gpu_schedule_tiles(schedule, wavefront);

        for (uint64_t tile = 0; tile < tiles; tile++) {
            int64_t points;
            const ModelScheduleTile seen = look_at(schedule, wavefront, tile, &points);
            const int64_t merit = 4 * points + inner_sides(&seen, problem);

            if (merit > most) {
                most = merit;
                best = seen;
            }
        }
    }
    return best;
}
