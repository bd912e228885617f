/* Cuts the first tiles out of a problem, and looks at one of them. */
#include "arch/model/schedule/cutout.h"

#include "arch/error.h"

enum {
    ROWS_MOST = 400,
    PLACES_MOST = 4000,
};

static const uint64_t pitches = 3; /* of tiles that are shown side by side */

/* How far tiles of this shape are apart in the first dimension. */
static uint64_t period(const GpuTile *tile, GpuScheduleShape shape)
{
    switch (shape) {
    case GPU_SCHEDULE_HYBRID:
    case GPU_SCHEDULE_DIAMOND:
        return 2 * tile->space[0] + tile->steps;
    case GPU_SCHEDULE_SKEWED:
        return tile->space[0] + tile->steps / pitches;
    case GPU_SCHEDULE_ORTHOGONAL:
    case GPU_SCHEDULE_HALO:
        return tile->space[0];
    }
    g_return_val_if_reached(1);
}

static uint64_t steps_shown(const GpuTile *tile, GpuScheduleShape shape)
{
    return shape == GPU_SCHEDULE_HALO ? 2 * pitches
                                      : 2 * tile->steps + tile->steps / 2 + 1;
}

static GpuTilingProblem
part_of(const GpuTilingProblem *whole, const GpuTile *tile, GpuScheduleShape shape)
{
    GpuTilingProblem part = {
        .dimension = MIN(whole->dimension, 2),
        .space = {MIN(whole->space[0], pitches * period(tile, shape)), 1, 1},
        .steps = MIN(whole->steps, steps_shown(tile, shape)),
    };

    if (part.dimension > 1) {
        part.space[1] =
            MIN(whole->space[1], pitches * tile->space[1] + tile->space[1] / 2);
    }
    return part;
}

static bool check_part(const GpuTilingProblem *part, GError **error)
{
    const uint64_t places = MAX(part->space[0], part->space[1]);

    return (places <= PLACES_MOST && part->steps <= ROWS_MOST) ||
           arch_refuse(error,
                       "a few of these tiles have %" G_GUINT64_FORMAT
                       " places and %" G_GUINT64_FORMAT
                       " steps, a picture of them has %d and %d at most",
                       places, part->steps, PLACES_MOST, ROWS_MOST);
}

bool gpu_schedule_cutout_init(GpuScheduleCutout *self,
                              const GpuTilingProblem *problem,
                              const GpuTile *tile,
                              const GpuScheduleSetting *setting,
                              GError **error)
{
    g_autoptr(GpuSchedule) whole = gpu_schedule_new(problem, tile, setting, error);

    if (whole == NULL) {
        return false;
    }
    const GpuTilingProblem part = part_of(problem, tile, setting->shape);

    if (!check_part(&part, error)) {
        return false;
    }
    *self = (GpuScheduleCutout){
        .whole = *problem,
        .part = part,
        .tile = *tile,
        .setting = *setting,
        .schedule = gpu_schedule_new(&part, tile, setting, error),
    };
    return self->schedule != NULL;
}

void gpu_schedule_cutout_clear(GpuScheduleCutout *self)
{
    gpu_schedule_free(self->schedule);
}

static bool is_cut(const GpuScheduleCutout *self)
{
    return self->part.steps < self->whole.steps ||
           self->part.space[0] < self->whole.space[0] ||
           (self->whole.dimension > 1 && self->part.space[1] < self->whole.space[1]);
}

static void add_sizes(GString *text, guint dimension, const uint64_t *sizes)
{
    for (guint axis = 0; axis < dimension; axis++) {
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, axis == 0 ? "" : " x ",
                               sizes[axis]);
    }
}

char *gpu_schedule_cutout_text(const GpuScheduleCutout *self)
{
    GString *text = g_string_new("tiles: ");

    add_sizes(text, self->whole.dimension, self->tile.space);
    g_string_append_printf(
        text, " places, steps: %" G_GUINT64_FORMAT "; problem: ", self->tile.steps);
    add_sizes(text, self->whole.dimension, self->whole.space);
    g_string_append_printf(text, " places, steps: %" G_GUINT64_FORMAT "%s",
                           self->whole.steps,
                           is_cut(self) ? "; only its first tiles are shown" : "");
    return g_string_free(text, FALSE);
}

/* Also counts its points. */
static GpuScheduleClose
look_at(const GpuSchedule *schedule, uint64_t wavefront, uint64_t tile, int64_t *points)
{
    GpuScheduleClose self = {
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

static int inner_sides(const GpuScheduleClose *self, const GpuTilingProblem *problem)
{
    return (self->steps.first > 0) + (self->places.begin > 0) +
           (self->places.end < (int64_t) problem->space[0]);
}

GpuScheduleClose gpu_schedule_close(const GpuSchedule *schedule)
{
    const GpuTilingProblem *problem = gpu_schedule_problem(schedule);
    const uint64_t wavefronts = gpu_schedule_wavefronts(schedule);
    GpuScheduleClose best = {0};
    int64_t most = -1;

    for (uint64_t wavefront = 0; wavefront < wavefronts; wavefront++) {
        const uint64_t tiles = gpu_schedule_tiles(schedule, wavefront);

        for (uint64_t tile = 0; tile < tiles; tile++) {
            int64_t points;
            const GpuScheduleClose seen = look_at(schedule, wavefront, tile, &points);
            const int64_t merit = 4 * points + inner_sides(&seen, problem);

            if (merit > most) {
                most = merit;
                best = seen;
            }
        }
    }
    return best;
}

/* A tile, and the function that receives its values. */
typedef struct {
    const GpuSchedule *schedule;
    const GpuScheduleClose *tile;
    GpuDependence needs[GPU_DEPENDENCES_MOST];
    guint need_count;
    GHashTable *is_read; /* numbers of points */
    GpuValueFunc func;
    gpointer data;
} Values;

static int64_t place_count(const Values *self)
{
    return (int64_t) gpu_schedule_problem(self->schedule)->space[0];
}

static bool is_own(const Values *self, int64_t step, int64_t place)
{
    if (step < self->tile->steps.first || step >= self->tile->steps.end) {
        return false;
    }
    const GpuScheduleRow row = gpu_schedule_tile_row(
        self->schedule, self->tile->wavefront, self->tile->tile, step);

    return place >= row.begin && place < row.end;
}

/* Is the value wanted by a point of another tile? */
static bool is_wanted(const Values *self, int64_t step, int64_t place)
{
    for (guint i = 0; i < self->need_count; i++) {
        const int64_t by = place - self->needs[i].space[0];

        if (by >= 0 && by < place_count(self) &&
            !is_own(self, step - self->needs[i].step, by)) {
            return true;
        }
    }
    return false;
}

static void tell_point(const Values *self, int64_t step, int64_t place)
{
    self->func(GPU_VALUE_OWN, step, place, self->data);
    for (guint i = 0; i < self->need_count; i++) {
        const int64_t from = place + self->needs[i].space[0];
        const int64_t at = step + self->needs[i].step;
        const gsize number = (gsize) ((at + 1) * place_count(self) + from);

        if (from >= 0 && from < place_count(self) && !is_own(self, at, from) &&
            g_hash_table_add(self->is_read, GSIZE_TO_POINTER(number))) {
            self->func(GPU_VALUE_READ, at, from, self->data);
        }
    }
    if (is_wanted(self, step, place)) {
        self->func(GPU_VALUE_WRITTEN, step, place, self->data);
    }
}

void gpu_schedule_close_values(const GpuSchedule *schedule,
                               const GpuScheduleClose *tile,
                               GpuValueFunc func,
                               gpointer data)
{
    g_autoptr(GHashTable) is_read = g_hash_table_new(NULL, NULL);
    Values values = {.schedule = schedule,
                     .tile = tile,
                     .is_read = is_read,
                     .func = func,
                     .data = data};

    values.need_count = gpu_schedule_needs(schedule, values.needs);
    for (int64_t step = tile->steps.first; step < tile->steps.end; step++) {
        const GpuScheduleRow row =
            gpu_schedule_tile_row(schedule, tile->wavefront, tile->tile, step);

        for (int64_t place = row.begin; place < row.end; place++) {
            tell_point(&values, step, place);
        }
    }
}
