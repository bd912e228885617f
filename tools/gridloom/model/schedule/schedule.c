/* A schedule of tiles as a picture, and what was seen on the way through it. */
#include "tools/gridloom/model/schedule/schedule.h"

#include "arch/model/schedule/cutout.h"
#include "traces/file/quantity.h"
#include "traces/picture/tile_plane.h"
#include "traces/table/record.h"

/* Of wavefronts two colours take turns, as in the thesis; a lighter and a darker one of
 * each, so that neighbours on a diagonal differ, too. Strips are of another hue. */
enum {
    FILLS = 4,
};
static const char *const wavefront_fills[FILLS] = {"#f9e0a6", "#b5e0d0", "#efc35e",
                                                   "#6fc0a3"};
static const char *const strip_fills[FILLS] = {"#dbe8f5", "#a9cbe8", "#d3cdeb",
                                               "#8fb4dd"};

static const double plane_width = 600;
static const double second_width = 380;
static const double margin_left = 60;
static const double gap = 76;
static const double below = 78;

static void draw_tile(TraceSvg *svg,
                      const GpuSchedule *schedule,
                      const TraceTilePlane *axes,
                      uint64_t wavefront,
                      uint64_t tile,
                      GArray *labels)
{
    const GpuScheduleSteps steps = gpu_schedule_tile_steps(schedule, wavefront, tile);
    g_auto(TraceTileOutline) outline;
    g_autofree char *title =
        g_strdup_printf("wavefront %" G_GUINT64_FORMAT ", tile %" G_GUINT64_FORMAT,
                        wavefront + 1, tile + 1);
    const TraceSvgLook look = {
        .css_class = "schedule-tile",
        .fill = wavefront_fills[wavefront % FILLS],
        .title = title,
    };

    trace_tile_outline_init(&outline);
    for (int64_t step = steps.first; step < steps.end; step++) {
        const GpuScheduleRow row =
            gpu_schedule_tile_row(schedule, wavefront, tile, step);

        trace_tile_outline_add(&outline, axes, (double) row.begin, (double) row.end,
                               (double) step);
    }
    trace_tile_outline_draw(&outline, svg, &look, wavefront + 1, labels);
}

static void
draw_plane(TraceSvg *svg, const GpuSchedule *schedule, const TraceTilePlane *axes)
{
    const uint64_t wavefronts = gpu_schedule_wavefronts(schedule);
    g_autoptr(GArray) labels = trace_tile_numbers_new();

    for (uint64_t wavefront = 0; wavefront < wavefronts; wavefront++) {
        const uint64_t tiles = gpu_schedule_tiles(schedule, wavefront);

        for (uint64_t tile = 0; tile < tiles; tile++) {
            draw_tile(svg, schedule, axes, wavefront, tile, labels);
        }
    }
    trace_tile_plane_dots(axes, svg);
    trace_tile_numbers_draw(labels, svg);
    trace_tile_plane_draw(axes, svg);
}

/* What strips of a tile have of the second dimension, one after the other. */
typedef struct {
    TraceSvg *svg;
    const TraceTilePlane *axes;
    int64_t start; /* of the tile */
    TraceTileOutline outline;
    uint64_t strip;
    GArray *labels;
} Strips;

static void finish_strip(Strips *self)
{
    g_autofree char *title =
        g_strdup_printf("strip %" G_GUINT64_FORMAT, self->strip + 1);
    const TraceSvgLook look = {
        .css_class = "schedule-tile",
        .fill = strip_fills[self->strip % FILLS],
        .title = title,
    };

    trace_tile_outline_draw(&self->outline, self->svg, &look, self->strip + 1,
                            self->labels);
    trace_tile_outline_clear(&self->outline);
    trace_tile_outline_init(&self->outline);
}

/* Spans of a step come place by place of the first dimension; the first tells all. */
static void add_span(const GpuScheduleSpan *span, gpointer data)
{
    Strips *self = data;
    const double step = (double) ((int64_t) span->step - self->start);
    const double begin = (double) span->place[1];

    if (span->strip != self->strip) {
        finish_strip(self);
        self->strip = span->strip;
    }
    if (!trace_tile_outline_has(&self->outline, self->axes, step)) {
        trace_tile_outline_add(&self->outline, self->axes, begin,
                               begin + (double) span->count, step);
    }
}

static void draw_strips(TraceSvg *svg,
                        const GpuSchedule *schedule,
                        const TraceTilePlane *axes,
                        const GpuScheduleClose *tile)
{
    g_autoptr(GArray) labels = trace_tile_numbers_new();
    Strips strips = {
        .svg = svg, .axes = axes, .start = tile->steps.start, .labels = labels};

    trace_tile_outline_init(&strips.outline);
    gpu_schedule_visit_tile(schedule, tile->wavefront, tile->tile, add_span, &strips);
    finish_strip(&strips);
    trace_tile_outline_clear(&strips.outline);
    trace_tile_plane_dots(axes, svg);
    trace_tile_numbers_draw(labels, svg);
    trace_tile_plane_draw(axes, svg);
}

/* What a tile of one dimension reads and writes (Figure B.4). */
typedef struct {
    TraceSvg *svg;
    const TraceTilePlane *axes;
    guint counts[GPU_VALUE_WRITTEN + 1];
} Words;

/* A GpuValueFunc. */
static void draw_value(GpuValueKind kind, int64_t step, int64_t place, gpointer data)
{
    static const TraceTileMark marks[] = {[GPU_VALUE_OWN] = TRACE_TILE_OWN,
                                          [GPU_VALUE_READ] = TRACE_TILE_READ,
                                          [GPU_VALUE_WRITTEN] = TRACE_TILE_WRITTEN};
    Words *self = data;

    self->counts[kind]++;
    trace_tile_plane_mark(self->axes, self->svg, marks[kind], (double) place,
                          (double) step);
}

/* The axes hold the tile and one place and one step around it. */
static void draw_words(TraceSvg *svg,
                       const GpuSchedule *schedule,
                       const TraceTilePlane *axes,
                       const GpuScheduleClose *tile)
{
    Words words = {.svg = svg, .axes = axes};
    const double bottom = trace_tile_plane_y(axes, (double) axes->first_step);

    gpu_schedule_close_values(schedule, tile, draw_value, &words);
    g_autofree char *text =
        g_strdup_printf("%u values are read (squares), %u are written (dots)",
                        words.counts[GPU_VALUE_READ], words.counts[GPU_VALUE_WRITTEN]);

    trace_tile_plane_draw(axes, svg);
    trace_svg_text(svg, axes->left, bottom + 58, TRACE_SVG_START, text,
                   &(TraceSvgLook){.css_class = "schedule-note"});
}

static TraceTilePlane
second_axes(const GpuScheduleCutout *cutout, const GpuScheduleClose *tile, double left)
{
    const uint64_t steps = (uint64_t) (tile->steps.end - tile->steps.first);
    const uint64_t places = (uint64_t) (tile->places.end - tile->places.begin);
    TraceTilePlane axes;

    if (cutout->whole.dimension == 1) {
        /* One place on each side and one step below, whose values are read. */
        axes = trace_tile_plane_fit(left, second_width, places + 2, steps + 1);
        axes.first_place = tile->places.begin - 1;
        axes.first_step = tile->steps.first - 1;
        return axes;
    }
    axes = trace_tile_plane_fit(left, second_width, cutout->part.space[1], steps);
    axes.first_step = tile->steps.first - tile->steps.start;
    axes.place_name = "s2, place";
    axes.step_name = "t, step of the tile";
    return axes;
}

static void draw_second(TraceSvg *svg,
                        const GpuScheduleCutout *cutout,
                        const GpuScheduleClose *tile,
                        const TraceTilePlane *axes)
{
    if (cutout->whole.dimension == 1) {
        trace_tile_plane_head(
            axes, svg, "What a tile reads and writes",
            cutout->setting.shape == GPU_SCHEDULE_ORTHOGONAL
                ? "where a point wants west, south and south-west of it"
                : "where a point wants three of the step before");
        draw_words(svg, cutout->schedule, axes, tile);
        return;
    }
    trace_tile_plane_head(
        axes, svg, "Strips of a tile through the second dimension",
        cutout->whole.dimension > 2
            ? "one after the other; the third is cut alike, inside of each"
        : cutout->tile.steps > 1 ? "one after the other; each leans against time"
                                 : "one after the other");
    draw_strips(svg, cutout->schedule, axes, tile);
}

static void draw_title(TraceSvg *svg, const GpuScheduleCutout *cutout)
{
    g_autofree char *under = gpu_schedule_cutout_text(cutout);
    g_autofree char *title = g_strdup_printf(
        "Schedule of %s tiles%s", gpu_schedule_shape_name(cutout->setting.shape),
        cutout->setting.form == GPU_TILING_AS_PRINTED ? ", with the pitch as printed"
                                                      : "");
    const TraceSvgLook title_look = {.css_class = "schedule-title"};
    const TraceSvgLook note_look = {.css_class = "schedule-note"};

    trace_svg_text(svg, margin_left, 28, TRACE_SVG_START, title, &title_look);
    trace_svg_text(svg, margin_left, 48, TRACE_SVG_START, under, &note_look);
}

char *model_schedule_to_svg(const GpuTilingProblem *problem,
                            const GpuTile *tile,
                            const GpuScheduleSetting *setting,
                            GError **error)
{
    g_auto(GpuScheduleCutout) cutout = {0};

    if (!gpu_schedule_cutout_init(&cutout, problem, tile, setting, error)) {
        return NULL;
    }
    const GpuScheduleClose close = gpu_schedule_close(cutout.schedule);
    const TraceTilePlane first = trace_tile_plane_fit(
        margin_left, plane_width, cutout.part.space[0], cutout.part.steps);
    const TraceTilePlane second = second_axes(
        &cutout, &close, margin_left + trace_tile_plane_width(&first) + gap);
    g_autoptr(TraceSvg) svg = trace_svg_new(
        second.left + trace_tile_plane_width(&second) + 24,
        TRACE_TILE_PLANE_TOP +
            MAX(trace_tile_plane_height(&first), trace_tile_plane_height(&second)) +
            below,
        "schedule of tiles");

    trace_tile_plane_style(svg);
    draw_title(svg, &cutout);
    trace_tile_plane_head(
        &first, svg, "Tiles in time and the first dimension",
        "a number is a wavefront; its tiles need nothing of each other");
    draw_plane(svg, cutout.schedule, &first);
    draw_second(svg, &cutout, &close, &second);
    return trace_svg_to_text(svg);
}

static void add_count(GString *text, uint64_t count, const char *what)
{
    if (count > 0) {
        g_string_append_printf(text, "; %" G_GUINT64_FORMAT " %s", count, what);
    }
}

static void add_faults(GString *text, const GpuScheduleReport *report)
{
    if (gpu_schedule_report_is_sound(report)) {
        g_string_append(text, ", each once and in a legal order");
        return;
    }
    add_count(text, report->missing, "left out");
    add_count(text, report->repeated, "visits too many");
    add_count(text, report->early, "values wanted too early");
    add_count(text, report->crossing, "values from tiles of the same wavefront");
}

char *model_schedule_check_text(const GpuScheduleProof *self)
{
    const GpuScheduleReport *report = &self->report;
    GString *text = g_string_new("");

    if (self->is_part) {
        g_autofree char *sizes =
            quantity_sizes(self->problem.space, self->problem.dimension);

        g_string_append_printf(
            text,
            "schedule of a problem made smaller: %s, %" G_GUINT64_FORMAT " steps\n",
            sizes, self->problem.steps);
    }
    g_string_append_printf(text, "schedule: %" G_GUINT64_FORMAT " points",
                           report->points);
    add_faults(text, report);
    g_string_append_printf(
        text,
        "\nschedule: %" G_GUINT64_FORMAT " wavefronts (%" G_GUINT64_FORMAT
        " without a tile), %" G_GUINT64_FORMAT " tiles (%" G_GUINT64_FORMAT
        " of a wavefront at most), %" G_GUINT64_FORMAT " strips (%" G_GUINT64_FORMAT
        " of a tile at most)",
        report->wavefronts, report->empty_wavefronts, report->tiles, report->widest,
        report->strips, report->longest);
    g_string_append_printf(text, "\nschedule: %s by tiles %s",
                           self->is_alignment ? "Smith-Waterman" : "Jacobi",
                           self->is_same ? "has the bits of the plain loop nest"
                                         : "differs from the plain loop nest");
    return g_string_free(text, FALSE);
}

JsonObject *model_schedule_check_json(const GpuScheduleProof *self)
{
    const GpuScheduleReport *report = &self->report;
    const GpuTilingProblem *problem = &self->problem;

    return RECORD(
        VALUE("space", record_counts(problem->space, problem->dimension)),
        VALUE("steps", problem->steps), VALUE("is_part", self->is_part),
        VALUE("points", report->points), VALUE("missing", report->missing),
        VALUE("repeated", report->repeated), VALUE("early", report->early),
        VALUE("crossing", report->crossing), VALUE("wavefronts", report->wavefronts),
        VALUE("empty_wavefronts", report->empty_wavefronts),
        VALUE("tiles", report->tiles), VALUE("tiles_per_wavefront", report->widest),
        VALUE("strips", report->strips), VALUE("strips_per_tile", report->longest),
        VALUE("stencil", self->is_alignment ? "smith-waterman" : "jacobi"),
        VALUE("is_same", self->is_same),
        VALUE("is_passed", gpu_schedule_proof_is_passed(self)));
}
