/* The part of a problem that a picture of its schedule shows. */
#include "tools/gridloom/model/schedule/cutout.h"

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

    if (places > PLACES_MOST || part->steps > ROWS_MOST) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "a few of these tiles have %" G_GUINT64_FORMAT
                    " places and %" G_GUINT64_FORMAT
                    " steps, a picture of them has %d and %d at most",
                    places, part->steps, PLACES_MOST, ROWS_MOST);
        return false;
    }
    return true;
}

bool model_schedule_cutout_init(ModelScheduleCutout *self,
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
    *self = (ModelScheduleCutout){
        .whole = *problem,
        .part = part,
        .tile = *tile,
        .setting = *setting,
        .schedule = gpu_schedule_new(&part, tile, setting, error),
    };
    return self->schedule != NULL;
}

void model_schedule_cutout_clear(ModelScheduleCutout *self)
{
    gpu_schedule_free(self->schedule);
}

static bool is_cut(const ModelScheduleCutout *self)
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

char *model_schedule_cutout_text(const ModelScheduleCutout *self)
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
