/* A schedule of tiles as a picture. */
#include "tools/gridloom/model/schedule/schedule.h"

#include "tools/gridloom/model/schedule/axes.h"
#include "tools/gridloom/model/schedule/cutout.h"
#include "tools/gridloom/model/schedule/outline.h"
#include "tools/gridloom/model/schedule/tile.h"
#include "tools/gridloom/model/schedule/words.h"
#include "traces/picture/svg.h"

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
static const double panel_height = 360;
static const double least_height = 170; /* of a panel, where points may be wider */
static const double point_most = 26;    /* pixels of a point */
static const double dot_least = 9;      /* a smaller one has no dot */
static const double head_width = 372;   /* of the words above a panel */
static const double margin_left = 60;
static const double gap = 76;
static const double panel_top = 104;
static const double below = 78;

static void draw_dots(TraceSvg *svg, const ModelScheduleAxes *axes)
{
    const TraceSvgLook look = {.css_class = "schedule-dot"};

    if (MIN(axes->place_pixels, axes->step_pixels) < dot_least) {
        return;
    }
    for (guint64 step = 0; step < axes->steps; step++) {
        for (guint64 place = 0; place < axes->places; place++) {
            trace_svg_circle(
                svg, axes->left + ((double) place + 0.5) * axes->place_pixels,
                axes->top + ((double) step + 0.5) * axes->step_pixels, 1.2, &look);
        }
    }
}

static void draw_tile(TraceSvg *svg,
                      const GpuSchedule *schedule,
                      const ModelScheduleAxes *axes,
                      uint64_t wavefront,
                      uint64_t tile,
                      GArray *labels)
{
    const GpuScheduleSteps steps = gpu_schedule_tile_steps(schedule, wavefront, tile);
    g_auto(ModelScheduleOutline) outline;
    g_autofree char *title =
        g_strdup_printf("wavefront %" G_GUINT64_FORMAT ", tile %" G_GUINT64_FORMAT,
                        wavefront + 1, tile + 1);
    const TraceSvgLook look = {
        .css_class = "schedule-tile",
        .fill = wavefront_fills[wavefront % FILLS],
        .title = title,
    };

    model_schedule_outline_init(&outline);
    for (int64_t step = steps.first; step < steps.end; step++) {
        const GpuScheduleRow row =
            gpu_schedule_tile_row(schedule, wavefront, tile, step);

        model_schedule_outline_add(&outline, axes, (double) row.begin, (double) row.end,
                                   (double) step);
    }
    model_schedule_outline_draw(&outline, svg, &look, wavefront + 1, labels);
}

static void
draw_plane(TraceSvg *svg, const GpuSchedule *schedule, const ModelScheduleAxes *axes)
{
    const uint64_t wavefronts = gpu_schedule_wavefronts(schedule);
    g_autoptr(GArray) labels = model_schedule_labels_new();

    for (uint64_t wavefront = 0; wavefront < wavefronts; wavefront++) {
        const uint64_t tiles = gpu_schedule_tiles(schedule, wavefront);

        for (uint64_t tile = 0; tile < tiles; tile++) {
            draw_tile(svg, schedule, axes, wavefront, tile, labels);
        }
    }
    draw_dots(svg, axes);
    model_schedule_labels_draw(labels, svg);
    model_schedule_axes_draw(axes, svg);
}

/* What strips of a tile have of the second dimension, one after the other. */
typedef struct {
    TraceSvg *svg;
    const ModelScheduleAxes *axes;
    int64_t start; /* of the tile */
    ModelScheduleOutline outline;
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

    model_schedule_outline_draw(&self->outline, self->svg, &look, self->strip + 1,
                                self->labels);
    model_schedule_outline_clear(&self->outline);
    model_schedule_outline_init(&self->outline);
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
    if (!model_schedule_outline_has(&self->outline, self->axes, step)) {
        model_schedule_outline_add(&self->outline, self->axes, begin,
                                   begin + (double) span->count, step);
    }
}

static void draw_strips(TraceSvg *svg,
                        const GpuSchedule *schedule,
                        const ModelScheduleAxes *axes,
                        const ModelScheduleTile *tile)
{
    g_autoptr(GArray) labels = model_schedule_labels_new();
    Strips strips = {
        .svg = svg, .axes = axes, .start = tile->steps.start, .labels = labels};

    model_schedule_outline_init(&strips.outline);
    gpu_schedule_visit_tile(schedule, tile->wavefront, tile->tile, add_span, &strips);
    finish_strip(&strips);
    model_schedule_outline_clear(&strips.outline);
    draw_dots(svg, axes);
    model_schedule_labels_draw(labels, svg);
    model_schedule_axes_draw(axes, svg);
}

static void add_styles(TraceSvg *svg)
{
    trace_svg_style(svg, ".schedule-title",
                    "font-size: 17px; font-weight: 600; fill: #1b1b1f");
    trace_svg_style(svg, ".schedule-head",
                    "font-size: 13px; font-weight: 600; fill: #35363c");
    trace_svg_style(svg, ".schedule-note", "font-size: 12px; fill: #55565d");
    trace_svg_style(svg, ".schedule-tile", "stroke: #35363c; stroke-width: 0.8");
    trace_svg_style(svg, ".schedule-number",
                    "font-size: 12px; font-weight: 600; fill: #1b1b1f; paint-order: "
                    "stroke; stroke: #ffffff; stroke-width: 2px");
    trace_svg_style(svg, ".schedule-dot", "fill: #35363c; opacity: 0.45");
    model_schedule_axes_style(svg);
    model_schedule_words_style(svg);
}

static void draw_head(TraceSvg *svg, double left, const char *head, const char *note)
{
    const TraceSvgLook head_look = {.css_class = "schedule-head"};
    const TraceSvgLook note_look = {.css_class = "schedule-note"};

    trace_svg_text(svg, left, panel_top - 26, TRACE_SVG_START, head, &head_look);
    trace_svg_text(svg, left, panel_top - 10, TRACE_SVG_START, note, &note_look);
}

/* Places and steps are equally long, unless that makes the panel too flat. */
static ModelScheduleAxes
axes_of(double left, double width, uint64_t places, uint64_t steps)
{
    const double place = MIN(point_most, width / (double) places);
    const double equal = MIN(place, panel_height / (double) steps);
    const double flat = MIN(point_most, least_height / (double) steps);

    return (ModelScheduleAxes){
        .left = left,
        .top = panel_top,
        .places = places,
        .steps = steps,
        .place_pixels = equal < flat ? place : equal,
        .step_pixels = MAX(equal, flat),
        .place_name = "s1, place",
        .step_name = "t, step",
    };
}

static double height_of(const ModelScheduleAxes *axes)
{
    return axes->step_pixels * (double) axes->steps;
}

static double width_of(const ModelScheduleAxes *axes)
{
    return MAX(head_width, axes->place_pixels * (double) axes->places);
}

static ModelScheduleAxes second_axes(const ModelScheduleCutout *cutout,
                                     const ModelScheduleTile *tile,
                                     double left)
{
    const uint64_t steps = (uint64_t) (tile->steps.end - tile->steps.first);
    const uint64_t places = (uint64_t) (tile->places.end - tile->places.begin);
    ModelScheduleAxes axes;

    if (cutout->whole.dimension == 1) {
        /* One place on each side and one step below, whose values are read. */
        axes = axes_of(left, second_width, places + 2, steps + 1);
        axes.first_place = tile->places.begin - 1;
        axes.first_step = tile->steps.first - 1;
        return axes;
    }
    axes = axes_of(left, second_width, cutout->part.space[1], steps);
    axes.first_step = tile->steps.first - tile->steps.start;
    axes.place_name = "s2, place";
    axes.step_name = "t, step of the tile";
    return axes;
}

static void draw_second(TraceSvg *svg,
                        const ModelScheduleCutout *cutout,
                        const ModelScheduleTile *tile,
                        const ModelScheduleAxes *axes)
{
    if (cutout->whole.dimension == 1) {
        draw_head(svg, axes->left, "What a tile reads and writes",
                  cutout->setting.shape == GPU_SCHEDULE_ORTHOGONAL
                      ? "where a point wants west, south and south-west of it"
                      : "where a point wants three of the step before");
        model_schedule_words_draw(svg, axes, cutout->schedule, tile);
        return;
    }
    draw_head(svg, axes->left, "Strips of a tile through the second dimension",
              cutout->whole.dimension > 2
                  ? "one after the other; the third is cut alike, inside of each"
              : cutout->tile.steps > 1 ? "one after the other; each leans against time"
                                       : "one after the other");
    draw_strips(svg, cutout->schedule, axes, tile);
}

static void draw_title(TraceSvg *svg, const ModelScheduleCutout *cutout)
{
    g_autofree char *under = model_schedule_cutout_text(cutout);
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
    g_auto(ModelScheduleCutout) cutout = {0};

    if (!model_schedule_cutout_init(&cutout, problem, tile, setting, error)) {
        return NULL;
    }
    const ModelScheduleTile close = model_schedule_tile_choose(cutout.schedule);
    const ModelScheduleAxes first =
        axes_of(margin_left, plane_width, cutout.part.space[0], cutout.part.steps);
    const ModelScheduleAxes second =
        second_axes(&cutout, &close, margin_left + width_of(&first) + gap);
    g_autoptr(TraceSvg) svg =
        trace_svg_new(second.left + width_of(&second) + 24,
                      panel_top + MAX(height_of(&first), height_of(&second)) + below,
                      "schedule of tiles");

    add_styles(svg);
    draw_title(svg, &cutout);
    draw_head(svg, first.left, "Tiles in time and the first dimension",
              "a number is a wavefront; its tiles need nothing of each other");
    draw_plane(svg, cutout.schedule, &first);
    draw_second(svg, &cutout, &close, &second);
    return trace_svg_to_text(svg);
}
