/* Tiles by rules that need no model of time, and the formula behind one of them. */
#include "arch/model/tiling/search.h"

const char *gpu_tile_rule_name(GpuTileRule rule)
{
    static const char *const names[] = {[GPU_TILE_DENSEST] = "densest",
                                        [GPU_TILE_LARGEST] = "largest",
                                        [GPU_TILE_WIDEST] = "widest"};

    return names[rule];
}

typedef struct {
    const GpuTileSpace *space;
    GpuTileRule rule;
    bool is_found;
    double score; /* of the choice */
    GpuTileChoice choice;
} Chooser;

/* What the rule wants most of. */
static double score(GpuTileRule rule, const GpuTile *tile, const GpuTileShape *shape)
{
    switch (rule) {
    case GPU_TILE_DENSEST:
        return (double) shape->points / (double) shape->moved_words;
    case GPU_TILE_LARGEST:
        return (double) shape->bytes;
    case GPU_TILE_WIDEST:
    case GPU_TILE_RULES:
    default:
        return (double) tile->space[0] + (double) tile->steps / 2;
    }
}

static bool weigh(const GpuTile *tile, const GpuTileShape *shape, gpointer data)
{
    Chooser *self = data;
    const GpuTileSpace *space = self->space;
    const double mine = score(self->rule, tile, shape);
    GpuTilingTime time;

    if (self->is_found && mine < self->score) {
        return true;
    }
    gpu_tiling_time_of(&space->problem, tile, shape, &space->machine, space->form,
                       &time);
    if ((self->rule == GPU_TILE_WIDEST && time.compute_seconds < time.move_seconds) ||
        (self->is_found && mine <= self->score &&
         time.seconds >= self->choice.seconds)) {
        return true;
    }
    self->is_found = true;
    self->score = mine;
    self->choice = (GpuTileChoice){*tile, time.seconds};
    return true;
}

bool gpu_tile_choose(const GpuTileSpace *space, GpuTileRule rule, GpuTileChoice *choice)
{
    Chooser self = {.space = space, .rule = rule};

    gpu_tile_visit(space, weigh, &self);
    if (self.is_found) {
        *choice = self.choice;
    }
    return self.is_found;
}

double gpu_tiling_overhead(const GpuTilingProblem *problem,
                           const GpuTile *tile,
                           const GpuTilingMachine *machine,
                           GpuTilingForm form)
{
    double seconds = problem->point_seconds * (double) problem->space[0] *
                     (double) problem->steps /
                     ((double) tile->space[0] + (double) tile->steps / 2);

    if (form == GPU_TILING_AS_PRINTED) {
        return seconds;
    }
    for (guint i = 1; i < problem->dimension; i++) {
        seconds *= (double) problem->space[i] / (double) tile->space[i];
    }
    return seconds / machine->multiprocessors;
}
