/* A schedule of tiles as a picture. */
#include "tools/gridloom/model/schedule/schedule.h"

#include "arch/model/schedule/cutout.h"
#include "traces/picture/tile_plane.h"

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

static void draw_dots(TraceSvg *svg, const TraceTilePlane *axes)
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
    draw_dots(svg, axes);
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
    draw_dots(svg, axes);
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
    Words *self = data;
    const TraceTilePlane *axes = self->axes;
    const double side = MIN(axes->place_pixels, axes->step_pixels);
    const double inset = kind == GPU_VALUE_READ ? side / 5 : 0;

    self->counts[kind]++;
    if (kind == GPU_VALUE_WRITTEN) {
        trace_svg_circle(self->svg, trace_tile_plane_x(axes, (double) place + 0.5),
                         trace_tile_plane_y(axes, (double) step + 0.5), side / 4,
                         &(TraceSvgLook){.css_class = "schedule-written"});
        return;
    }
    trace_svg_rect(self->svg, trace_tile_plane_x(axes, (double) place) + inset,
                   trace_tile_plane_y(axes, (double) step + 1) + inset,
                   axes->place_pixels - 2 * inset, axes->step_pixels - 2 * inset,
                   &(TraceSvgLook){.css_class = kind == GPU_VALUE_OWN
                                                    ? "schedule-own"
                                                    : "schedule-read"});
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
    trace_tile_plane_style(svg);
    trace_svg_style(svg, ".schedule-own", "fill: #e9e9ee; stroke: #ffffff");
    trace_svg_style(svg, ".schedule-written", "fill: #d55e00");
    trace_svg_style(svg, ".schedule-read",
                    "fill: none; stroke: #0072b2; stroke-width: 1.6");
}

static void draw_head(TraceSvg *svg, double left, const char *head, const char *note)
{
    const TraceSvgLook head_look = {.css_class = "schedule-head"};
    const TraceSvgLook note_look = {.css_class = "schedule-note"};

    trace_svg_text(svg, left, panel_top - 26, TRACE_SVG_START, head, &head_look);
    trace_svg_text(svg, left, panel_top - 10, TRACE_SVG_START, note, &note_look);
}

/* Places and steps are equally long, unless that makes the panel too flat. */
static TraceTilePlane
axes_of(double left, double width, uint64_t places, uint64_t steps)
{
    const double place = MIN(point_most, width / (double) places);
    const double equal = MIN(place, panel_height / (double) steps);
    const double flat = MIN(point_most, least_height / (double) steps);

    return (TraceTilePlane){
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

static double height_of(const TraceTilePlane *axes)
{
    return axes->step_pixels * (double) axes->steps;
}

static double width_of(const TraceTilePlane *axes)
{
    return MAX(head_width, axes->place_pixels * (double) axes->places);
}

static TraceTilePlane
second_axes(const GpuScheduleCutout *cutout, const GpuScheduleClose *tile, double left)
{
    const uint64_t steps = (uint64_t) (tile->steps.end - tile->steps.first);
    const uint64_t places = (uint64_t) (tile->places.end - tile->places.begin);
    TraceTilePlane axes;

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
                        const GpuScheduleCutout *cutout,
                        const GpuScheduleClose *tile,
                        const TraceTilePlane *axes)
{
    if (cutout->whole.dimension == 1) {
        draw_head(svg, axes->left, "What a tile reads and writes",
                  cutout->setting.shape == GPU_SCHEDULE_ORTHOGONAL
                      ? "where a point wants west, south and south-west of it"
                      : "where a point wants three of the step before");
        draw_words(svg, cutout->schedule, axes, tile);
        return;
    }
    draw_head(svg, axes->left, "Strips of a tile through the second dimension",
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
    const TraceTilePlane first =
        axes_of(margin_left, plane_width, cutout.part.space[0], cutout.part.steps);
    const TraceTilePlane second =
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
