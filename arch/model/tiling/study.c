/* Asks the model of time about a tile, or about all. */
#include "arch/model/tiling/study.h"

#include "arch/model/schedule/schedule.h"

enum {
    MOST_WAVEFRONTS = 1 << 20, /* of a schedule that is gone through */
};

double
gpu_tiling_seconds(const GpuTileSpace *space, const GpuTile *tile, GpuTilingForm form)
{
    GpuTilingTime time;

    gpu_tiling_time(&space->problem, tile, &space->machine, form, &time);
    return time.seconds;
}

GpuTilingForm gpu_tiling_other_form(GpuTilingForm form)
{
    return form == GPU_TILING_CORRECTED ? GPU_TILING_AS_PRINTED : GPU_TILING_CORRECTED;
}

const GpuTilingTime *gpu_tiling_study_time(const GpuTilingStudy *self)
{
    return &self->times[self->space.form];
}

/* Points that tiles have room for beyond the first dimension, of those there are. */
static double strip_places(const GpuTilingStudy *self, const GpuTilingTime *time)
{
    const GpuTilingProblem *problem = &self->space.problem;
    double places = (double) time->strips;

    for (guint i = 1; i < problem->dimension; i++) {
        places *= (double) self->tile.space[i] / (double) problem->space[i];
    }
    return places;
}

static void losses_init(GpuTilingStudy *self)
{
    const GpuTileSpace *space = &self->space;
    const GpuTilingMachine *machine = &space->machine;
    const GpuTilingTime *time = gpu_tiling_study_time(self);
    const double tiles = (double) time->wavefronts * (double) time->rounds *
                         self->tile.resident * (double) time->strips;
    const double computing =
        tiles * (double) time->passes * space->problem.point_seconds;
    /* A pair of wavefronts covers every row of points once, with hexagons this far
     * apart; each of them has t_T / 2 as many points as that. */
    const double pitch = (double) (2 * self->tile.space[0] + self->tile.steps - 2);

    self->losses = (GpuTilingLosses){
        .steps = (double) time->wavefronts * (double) self->tile.steps / 2 /
                 (double) space->problem.steps,
        .tiles = (double) time->rounds * self->tile.resident *
                 machine->multiprocessors * pitch / (double) space->problem.space[0],
        .strips = strip_places(self, time),
        .passes = (double) time->passes * machine->vector_units / (double) time->points,
        .barrier_seconds = tiles * (double) self->tile.steps * machine->barrier_seconds,
        .launch_seconds = (double) time->wavefronts * machine->launch_seconds,
    };
    self->losses.move_seconds = time->seconds - computing -
                                self->losses.barrier_seconds -
                                self->losses.launch_seconds;
}

static uint64_t exact_wavefronts(uint64_t steps, uint64_t tile_steps)
{
    const uint64_t rest = steps % tile_steps;

    return 2 * (steps / tile_steps + (rest > 0 ? 1 : 0)) +
           (rest > 0 && rest <= tile_steps / 2 ? 0 : 1);
}

/* The equations give all wavefronts as many tiles as the plane has pitches; in truth
 * one of two has a tile more, and that may take a round more. */
static void schedule_init(GpuTilingStudy *self)
{
    const GpuTileSpace *space = &self->space;
    const GpuTilingTime *time = &self->times[GPU_TILING_CORRECTED];
    const GpuScheduleSetting setting = {.shape = GPU_SCHEDULE_HYBRID,
                                        .form = GPU_TILING_CORRECTED};
    g_autoptr(GpuSchedule) schedule =
        self->exact_wavefronts > MOST_WAVEFRONTS
            ? NULL
            : gpu_schedule_new(&space->problem, &self->tile, &setting, NULL);

    if (schedule == NULL) {
        return;
    }
    self->scheduled_rounds = gpu_schedule_rounds(schedule, self->tile.resident,
                                                 space->machine.multiprocessors);
    self->scheduled_seconds =
        (double) gpu_schedule_wavefronts(schedule) * space->machine.launch_seconds +
        (double) self->scheduled_rounds * time->tile_seconds;
}

static void tile_init(GpuTilingStudy *self)
{
    const GpuTileSpace *space = &self->space;

    for (guint form = 0; form < GPU_TILING_FORMS; form++) {
        gpu_tiling_time(&space->problem, &self->tile, &space->machine,
                        (GpuTilingForm) form, &self->times[form]);
    }
    losses_init(self);
    self->exact_wavefronts = exact_wavefronts(space->problem.steps, self->tile.steps);
    schedule_init(self);
}

/* The tile of the line with every k. */
static GArray *
residents_of(const GpuTileSpace *space, const GpuTile *tile, GpuTilingForm form)
{
    GArray *residents = g_array_new(FALSE, FALSE, sizeof(GpuTileChoice));
    const guint most =
        MIN(gpu_tile_most_resident(tile, space->problem.dimension, &space->machine),
            space->box.resident);

    for (guint k = 1; k <= most; k++) {
        GpuTileChoice choice = {.tile = *tile};

        choice.tile.resident = k;
        choice.seconds = gpu_tiling_seconds(space, &choice.tile, form);
        g_array_append_val(residents, choice);
    }
    return residents;
}

static bool search_init(GpuTilingStudy *self, double within, GError **error)
{
    const GpuTileSpace *space = &self->space;
    GpuTileSpace other = *space;

    if (!gpu_tile_search(&self->search, space, within, error)) {
        return false;
    }
    self->has_search = true;
    self->tile = self->search.best.tile;
    self->residents = g_array_ref(self->search.residents);
    other.form = gpu_tiling_other_form(space->form);
    g_auto(GpuTileSearch) search = {0};

    if (!gpu_tile_search(&search, &other, 0, error)) {
        return false;
    }
    self->other = search.best;
    self->others = g_array_ref(search.residents);
    self->other_seconds = gpu_tiling_seconds(space, &search.best.tile, space->form);
    for (guint rule = 0; rule < GPU_TILE_RULES; rule++) {
        self->has_rule[rule] =
            gpu_tile_choose(space, (GpuTileRule) rule, &self->rules[rule]);
    }
    return true;
}

bool gpu_tiling_study_init(GpuTilingStudy *self,
                           const GpuTileSpace *space,
                           const GpuTile *tile,
                           double within,
                           GError **error)
{
    *self = (GpuTilingStudy){.space = *space};
    if (tile == NULL) {
        if (!search_init(self, within, error)) {
            return false;
        }
    } else {
        self->tile = *tile;
        self->residents = residents_of(space, tile, space->form);
        self->others = residents_of(space, tile, gpu_tiling_other_form(space->form));
    }
    tile_init(self);
    return true;
}

void gpu_tiling_study_clear(GpuTilingStudy *self)
{
    gpu_tile_search_clear(&self->search);
    g_clear_pointer(&self->residents, g_array_unref);
    g_clear_pointer(&self->others, g_array_unref);
}
