/* What a tile of one dimension reads and writes, as a picture. */
#include "tools/gridloom/model/schedule/words.h"

/* A tile, and what it is drawn with. */
typedef struct {
    TraceSvg *svg;
    const ModelScheduleAxes *axes;
    const GpuSchedule *schedule;
    const ModelScheduleTile *tile;
    GpuDependence needs[GPU_DEPENDENCES_MOST];
    guint need_count;
    GHashTable *is_read; /* numbers of points */
    guint written;
} Words;

void model_schedule_words_style(TraceSvg *svg)
{
    trace_svg_style(svg, ".schedule-own", "fill: #e9e9ee; stroke: #ffffff");
    trace_svg_style(svg, ".schedule-written", "fill: #d55e00");
    trace_svg_style(svg, ".schedule-read",
                    "fill: none; stroke: #0072b2; stroke-width: 1.6");
}

static int64_t place_count(const Words *self)
{
    return (int64_t) gpu_schedule_problem(self->schedule)->space[0];
}

static bool is_own(const Words *self, int64_t step, int64_t place)
{
    if (step < self->tile->steps.first || step >= self->tile->steps.end) {
        return false;
    }
    const GpuScheduleRow row = gpu_schedule_tile_row(
        self->schedule, self->tile->wavefront, self->tile->tile, step);

    return place >= row.begin && place < row.end;
}

static void draw_square(const Words *self, int64_t step, int64_t place, bool is_filled)
{
    const ModelScheduleAxes *axes = self->axes;
    const TraceSvgLook look = {.css_class =
                                   is_filled ? "schedule-own" : "schedule-read"};
    const double inset = is_filled ? 0 : MIN(axes->place_pixels, axes->step_pixels) / 5;

    trace_svg_rect(self->svg, model_schedule_axes_x(axes, (double) place) + inset,
                   model_schedule_axes_y(axes, (double) step + 1) + inset,
                   axes->place_pixels - 2 * inset, axes->step_pixels - 2 * inset,
                   &look);
}

/* Is the value wanted by a point of another tile? */
static bool is_wanted(const Words *self, int64_t step, int64_t place)
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

static void draw_read(Words *self, int64_t step, int64_t place)
{
    for (guint i = 0; i < self->need_count; i++) {
        const int64_t from = place + self->needs[i].space[0];
        const int64_t at = step + self->needs[i].step;
        const gsize number = (gsize) ((at + 1) * place_count(self) + from);

        if (from >= 0 && from < place_count(self) && !is_own(self, at, from) &&
            g_hash_table_add(self->is_read, GSIZE_TO_POINTER(number))) {
            draw_square(self, at, from, false);
        }
    }
}

static void draw_written(Words *self, int64_t step, int64_t place)
{
    const TraceSvgLook look = {.css_class = "schedule-written"};
    const ModelScheduleAxes *axes = self->axes;

    if (is_wanted(self, step, place)) {
        trace_svg_circle(self->svg, model_schedule_axes_x(axes, (double) place + 0.5),
                         model_schedule_axes_y(axes, (double) step + 0.5),
                         MIN(axes->place_pixels, axes->step_pixels) / 4, &look);
        self->written++;
    }
}

static void draw_points(Words *self)
{
    for (int64_t step = self->tile->steps.first; step < self->tile->steps.end; step++) {
        const GpuScheduleRow row = gpu_schedule_tile_row(
            self->schedule, self->tile->wavefront, self->tile->tile, step);

        for (int64_t place = row.begin; place < row.end; place++) {
            draw_square(self, step, place, true);
            draw_read(self, step, place);
            draw_written(self, step, place);
        }
    }
}

void model_schedule_words_draw(TraceSvg *svg,
                               const ModelScheduleAxes *axes,
                               const GpuSchedule *schedule,
                               const ModelScheduleTile *tile)
{
    g_autoptr(GHashTable) is_read = g_hash_table_new(NULL, NULL);
    Words words = {
        .svg = svg,
        .axes = axes,
        .schedule = schedule,
        .tile = tile,
        .is_read = is_read,
    };
    const TraceSvgLook note = {.css_class = "schedule-note"};
    const double bottom = model_schedule_axes_y(axes, (double) axes->first_step);

    words.need_count = gpu_schedule_needs(schedule, words.needs);
    draw_points(&words);
    g_autofree char *text =
        g_strdup_printf("%u values are read (squares), %u are written (dots)",
                        g_hash_table_size(is_read), words.written);

    model_schedule_axes_draw(axes, svg);
    trace_svg_text(svg, axes->left, bottom + 58, TRACE_SVG_START, text, &note);
}
