/* Draws timelines: rows of lanes, an axis of cycles, a legend. */
#include "traces/picture/timeline_picture.h"

#include <math.h>

#include "traces/picture/svg.h"
#include "traces/picture/timeline/columns.h"
#include "traces/picture/timeline/operations.h"
#include "traces/picture/timeline/path_line.h"
#include "traces/reading/timeline_items.h"

/* Lengths in pixels. */
#define EDGE         20.0
#define AREA_WIDTH   960
#define ROW          18.0 /* from lane to lane */
#define BAR          14.0
#define STALL_BAR    8.0
#define NEST         3.0 /* a slice in another one is lower by */
#define PLACE_GAP    7.0
#define HEAD         48.0
#define AXIS         44.0
#define LEGEND_LINE  20.0
#define LEGEND_GAP   26.0
#define WORDS_LETTER 6.6
#define NAME_LETTER  6.2
#define TITLE_LETTER 9.2
#define TICKS_MOST   9
#define FLOWS_MOST   300
#define ZONE         "#d4d6de"
#define MARK_GAP     2.0 /* between two marks of a lane */

typedef struct {
    const TraceTimelinePicture *picture;
    const TraceTimeline *timeline;
    TraceSvg *svg;
    Operations operations;
    Columns columns;
    double left; /* of the area */
    double top;
    double bottom;
    double width;
    double *rows; /* y of each lane of the timeline; NaN: not shown */
} Picture;

static void picture_clear(Picture *self)
{
    operations_clear(&self->operations);
    columns_clear(&self->columns);
    g_free(self->rows);
    trace_svg_free(self->svg);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

/* Pixels from the left of the area. */
static double place_of(const Picture *self, SimTime time)
{
    double span = (double) (self->picture->end - self->picture->begin);

    return time <= self->picture->begin
               ? 0
               : (double) (MIN(time, self->picture->end) - self->picture->begin) /
                     span * AREA_WIDTH;
}

static bool is_shown(const Picture *self, SimTime begin, SimTime end)
{
    return begin < self->picture->end && end > self->picture->begin;
}

static const TracePlace *place_at(const Picture *self, gsize index)
{
    const TraceLane *lane = trace_lane_at(self->timeline, self->picture->lanes[index]);

    return trace_place_at(self->timeline, lane->place);
}

static void lay_out(Picture *self)
{
    const TraceTimelinePicture *picture = self->picture;
    double y = HEAD + EDGE;
    double names = 40;

    self->rows = g_new(double, self->timeline->lanes->len);
    for (guint i = 0; i < self->timeline->lanes->len; i++) {
        self->rows[i] = NAN;
    }
    for (gsize i = 0; i < picture->lane_count; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, picture->lanes[i]);

        y += i > 0 && place_at(self, i) != place_at(self, i - 1) ? PLACE_GAP : 0;
        self->rows[picture->lanes[i]] = y;
        names = fmax(names, trace_svg_text_width(lane->name, WORDS_LETTER));
        y += ROW;
    }
    self->left = EDGE + names + 10;
    self->top = HEAD + EDGE;
    self->bottom = fmax(y, self->top + ROW);
    self->width = self->left + AREA_WIDTH + EDGE + 24;
    self->width = fmax(self->width,
                       2 * EDGE + trace_svg_text_width(picture->title, TITLE_LETTER));
}

/* 1, 2 or 5 times a power of ten. */
static double step_of(double span)
{
    double power = pow(10, floor(log10(fmax(span / TICKS_MOST, 1))));
    double part = fmax(span / TICKS_MOST, 1) / power;

    if (part <= 1) {
        return power;
    }
    if (part <= 2) {
        return 2 * power;
    }
    return (part <= 5 ? 5 : 10) * power;
}

static void draw_axis(const Picture *self)
{
    const TraceTimelinePicture *picture = self->picture;
    double step = step_of((double) (picture->end - picture->begin));
    double first = ceil((double) picture->begin / step) * step;
    char clock[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *words = g_strdup_printf(
        "cycles, of %s ns each",
        g_ascii_formatd(clock, sizeof clock, "%.4g", 1e9 / self->timeline->clock_hz));
    bool has_clock = isfinite(1e9 / self->timeline->clock_hz);

    trace_svg_open_group(self->svg, self->left, 0, "timeline-axis", NULL);
    for (guint i = 0; i <= 2 * TICKS_MOST; i++) {
        double at = first + i * step;

        if (at > (double) picture->end || at >= (double) SIM_TIME_NEVER) {
            break;
        }
        double x = (at - (double) picture->begin) /
                   (double) (picture->end - picture->begin) * AREA_WIDTH;
        g_autofree char *label = g_strdup_printf("%.0f", at);

        trace_svg_line(self->svg, x, self->top - 4, x, self->bottom + 4, NULL);
        trace_svg_text(self->svg, x, self->bottom + 18, TRACE_SVG_MIDDLE, label, NULL);
    }
    trace_svg_text(self->svg, AREA_WIDTH / 2.0, self->bottom + 36, TRACE_SVG_MIDDLE,
                   has_clock ? words : "cycles", NULL);
    trace_svg_close_group(self->svg);
}

/* A name where there is room for it. */
static void draw_name(const Picture *self,
                      const char *name,
                      double x,
                      double y,
                      double width,
                      const char *css_class)
{
    if (trace_svg_text_width(name, NAME_LETTER) + 6 <= width) {
        trace_svg_text(self->svg, x + width / 2, y + BAR / 2 + 3.5, TRACE_SVG_MIDDLE,
                       name, &(TraceSvgLook){.css_class = css_class});
    }
}

static void draw_slice(Picture *self, const TraceSlice *slice, double y)
{
    double x = place_of(self, slice->begin);
    double width = place_of(self, slice->end) - x;
    double nest = fmin(slice->depth * NEST, BAR - 5);
    guint class_index = operations_class(&self->operations, slice->name);
    bool is_zone = operations_is_zone(trace_lane_at(self->timeline, slice->lane));

    if (width < self->columns.width) {
        if (slice->depth == 0) {
            columns_add(&self->columns, class_index, x, width);
        }
        return;
    }
    g_autofree char *arguments = trace_arguments_text(
        self->timeline, slice->first_argument, slice->argument_count);
    g_autofree char *title = g_strdup_printf(
        "%s, %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " (%" G_GUINT64_FORMAT
        " cycles) %s",
        slice->name, slice->begin, slice->end, trace_slice_cycles(slice), arguments);

    trace_svg_rect(
        self->svg, self->left + x, y + nest, width, BAR - nest,
        &(TraceSvgLook){.css_class = "timeline-slice",
                        .fill = is_zone ? ZONE : operations_colour(class_index),
                        .title = title});
    if (slice->depth == 0) {
        draw_name(self, slice->name, self->left + x, y, width,
                  is_zone ? "timeline-zone" : "timeline-name");
    }
}

static void draw_stall(Picture *self, const TraceMark *mark, double y)
{
    SimTime end = trace_time_after(mark->at, mark->cycles);
    double x = place_of(self, mark->at);
    double width = place_of(self, end) - x;

    if (width < self->columns.width) {
        columns_add(&self->columns, COLUMN_STALLED, x, width);
        return;
    }
    g_autofree char *title =
        g_strdup_printf("stall %s, %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                        " (%" G_GUINT64_FORMAT " cycles)",
                        mark->name, mark->at, end, mark->cycles);

    trace_svg_rect(self->svg, self->left + x, y + (BAR - STALL_BAR) / 2, width,
                   STALL_BAR,
                   &(TraceSvgLook){.css_class = "timeline-stall",
                                   .fill = "url(#timeline-stall)",
                                   .title = title});
}

static void draw_mark(const Picture *self, const TraceMark *mark, double y)
{
    double x = self->left + place_of(self, mark->at);
    const TraceSvgPoint points[] = {
        {x, y + 3}, {x + 3, y + BAR / 2}, {x, y + BAR - 3}, {x - 3, y + BAR / 2}};
    g_autofree char *title =
        g_strdup_printf("%s at %" G_GUINT64_FORMAT, mark->name, mark->at);

    trace_svg_polygon(self->svg, points, G_N_ELEMENTS(points),
                      &(TraceSvgLook){.css_class = "timeline-mark", .title = title});
}

static void draw_marks(Picture *self, const TraceLane *lane, double y)
{
    double before = -MARK_GAP;

    for (guint32 i = 0; i < lane->mark_count; i++) {
        const TraceMark *mark = trace_mark_at(self->timeline, lane->first_mark + i);

        if (mark->is_stall &&
            is_shown(self, mark->at, trace_time_after(mark->at, mark->cycles))) {
            draw_stall(self, mark, y);
        } else if (!mark->is_stall && mark->at >= self->picture->begin &&
                   mark->at < self->picture->end &&
                   place_of(self, mark->at) >= before + MARK_GAP) {
            draw_mark(self, mark, y);
            before = place_of(self, mark->at);
        }
    }
}

static void draw_lane(Picture *self, guint32 index)
{
    const TraceLane *lane = trace_lane_at(self->timeline, index);
    double y = self->rows[index] + (ROW - BAR) / 2;

    trace_svg_text(self->svg, self->left - 10, y + BAR - 3, TRACE_SVG_END, lane->name,
                   &(TraceSvgLook){.css_class = "timeline-lane"});
    trace_svg_rect(self->svg, self->left, y, AREA_WIDTH, BAR,
                   &(TraceSvgLook){.css_class = "timeline-row"});
    for (guint32 i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice = trace_slice_at(self->timeline, lane->first_slice + i);

        if (is_shown(self, slice->begin, slice->end)) {
            draw_slice(self, slice, y);
        }
    }
    draw_marks(self, lane, y);
    columns_draw(&self->columns, self->svg, self->left, y, BAR);
}

/* How much of the time the places of a square were busy, as columns. */
static void draw_use(const Picture *self, const TraceCounter *counter)
{
    const TraceLane *lane = trace_lane_at(self->timeline, counter->lane);
    const TracePlace *place = trace_place_at(self->timeline, lane->place);
    double places =
        ((double) place->x_end - place->x + 1) * ((double) place->y_end - place->y + 1);
    double bottom = self->rows[counter->lane] + (ROW + BAR) / 2;
    bool is_busy = g_str_equal(counter->name, "busy");

    for (guint32 i = 0; i < counter->sample_count; i++) {
        const TraceSample *sample =
            trace_sample_at(self->timeline, counter->first_sample + i);
        SimTime end = trace_time_after(sample->at, counter->width);
        double part = (double) sample->value / ((double) counter->width * places);

        if (!(part > 0) || !is_shown(self, sample->at, end)) {
            continue;
        }
        double x = place_of(self, sample->at);
        double height = fmax(BAR * fmin(part, 1), 0.5);
        g_autofree char *title =
            g_strdup_printf("%s %.1f %% of %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                            counter->name, 100 * part, sample->at, end);

        trace_svg_rect(
            self->svg, self->left + x, bottom - height, place_of(self, end) - x, height,
            &(TraceSvgLook){.fill = is_busy ? "#3b6ea5" : "url(#timeline-stall)",
                            .title = title});
    }
}

static void draw_uses(const Picture *self)
{
    for (guint32 i = 0; i < self->timeline->counters->len; i++) {
        const TraceCounter *counter = trace_counter_at(self->timeline, i);

        if (counter->width > 0 && !isnan(self->rows[counter->lane])) {
            draw_use(self, counter);
        }
    }
}

/* Is the flow between lanes that are shown, in the window? */
static bool
has_line(const Picture *self, guint32 flow, TraceFlowEnd *from, TraceFlowEnd *to)
{
    return trace_flow_ends(self->timeline, flow, from, to) &&
           !isnan(self->rows[from->lane]) && !isnan(self->rows[to->lane]) &&
           from->begin >= self->picture->begin &&
           trace_flow_arrival(from, to) <= self->picture->end;
}

static guint draw_flows(const Picture *self)
{
    TraceFlowEnd from;
    TraceFlowEnd to;
    guint count = 0;

    for (guint32 i = 0; i < self->timeline->flows->len; i++) {
        count += has_line(self, i, &from, &to);
    }
    for (guint32 i = 0; count <= FLOWS_MOST && i < self->timeline->flows->len; i++) {
        if (has_line(self, i, &from, &to)) {
            trace_svg_line(self->svg, self->left + place_of(self, from.begin),
                           self->rows[from.lane] + ROW / 2,
                           self->left + place_of(self, trace_flow_arrival(&from, &to)),
                           self->rows[to.lane] + ROW / 2,
                           &(TraceSvgLook){.css_class = "timeline-flow"});
        }
    }
    return count;
}

static char *share_text(const Picture *self, const char *name, double cycles)
{
    double whole = (double) (self->picture->end - self->picture->begin) *
                   (double) self->picture->lane_count;

    return g_strdup_printf("%s %.1f %%", name, 100 * cycles / whole);
}

/* Entries one after another, on as many lines as they need. */
typedef struct {
    const Picture *picture;
    TraceSvg *svg; /* NULL: only finds out where it ends */
    double x;
    double y;
} Legend;

static void add_entry(Legend *self, const char *fill, const char *text)
{
    double width = trace_svg_text_width(text, WORDS_LETTER) + LEGEND_GAP;

    if (self->x + width > AREA_WIDTH && self->x > 0) {
        self->x = 0;
        self->y += LEGEND_LINE;
    }
    if (self->svg != NULL) {
        double left = self->picture->left + self->x;

        if (fill != NULL) {
            trace_svg_rect(
                self->svg, left, self->y - 10, 14, 12,
                &(TraceSvgLook){.css_class = "timeline-stall", .fill = fill});
        }
        trace_svg_text(self->svg, left + (fill != NULL ? 19 : 0), self->y,
                       TRACE_SVG_START, text,
                       &(TraceSvgLook){.css_class = "timeline-words"});
    }
    self->x += width + 4;
}

static void add_operations(Legend *self)
{
    const GArray *operations = self->picture->operations.operations;
    double rest = 0;

    for (guint i = 0; i < operations->len; i++) {
        const Operation *operation = &g_array_index(operations, Operation, i);

        if (i >= OPERATIONS_COLOURED) {
            rest += operation->cycles;
            continue;
        }
        g_autofree char *text =
            share_text(self->picture, operation->name, operation->cycles);

        add_entry(self, operations_colour(i), text);
    }
    if (rest > 0) {
        g_autofree char *text = share_text(self->picture, "other operations", rest);

        add_entry(self, operations_colour(OPERATIONS_OTHER), text);
    }
}

static void add_stalls(Legend *self)
{
    const GArray *stalls = self->picture->operations.stalls;
    g_autoptr(GString) reasons = g_string_new("stalls:");

    for (guint i = 0; i < MIN(stalls->len, 6); i++) {
        const Operation *stall = &g_array_index(stalls, Operation, i);
        g_autofree char *text = share_text(self->picture, stall->name, stall->cycles);

        g_string_append_printf(reasons, "%s %s", i > 0 ? "," : "", text);
    }
    if (stalls->len > 0) {
        add_entry(self, "url(#timeline-stall)", reasons->str);
    }
}

static double draw_legend(const Picture *self, TraceSvg *svg, guint flows)
{
    Legend legend = {
        .picture = self, .svg = svg, .y = self->bottom + AXIS + LEGEND_LINE};

    add_operations(&legend);
    add_stalls(&legend);
    if (flows > FLOWS_MOST) {
        g_autofree char *text = g_strdup_printf("%u flows are not drawn", flows);

        add_entry(&legend, NULL, text);
    }
    return legend.y + EDGE;
}

static void style(TraceSvg *svg)
{
    trace_svg_hatch(svg, "timeline-stall", "#9b9ca4");
    trace_svg_style(svg, ".timeline-title",
                    "font-size: 17px; font-weight: 600; fill: #1b1b1f");
    trace_svg_style(svg, ".timeline-words", "font-size: 12px; fill: #35363c");
    trace_svg_style(svg, ".timeline-lane", "font-size: 12px; fill: #35363c");
    trace_svg_style(svg, ".timeline-row", "fill: #f4f5f8");
    trace_svg_style(svg, ".timeline-slice", "stroke: #ffffff; stroke-width: 0.5px");
    trace_svg_style(svg, ".timeline-name",
                    "font-size: 11px; fill: #ffffff; stroke: #1b1b1f; "
                    "stroke-width: 2px; paint-order: stroke");
    trace_svg_style(svg, ".timeline-zone", "font-size: 11px; fill: #1b1b1f");
    trace_svg_style(svg, ".timeline-stall", "stroke: #85868e; stroke-width: 0.6px");
    trace_svg_style(svg, ".timeline-mark", "fill: #1b1b1f");
    trace_svg_style(svg, ".timeline-flow",
                    "stroke: #1b1b1f; stroke-width: 0.9px; stroke-opacity: 0.55");
    trace_svg_style(svg, ".timeline-axis line", "stroke: #c9cad1; stroke-width: 1px");
    trace_svg_style(svg, ".timeline-axis text", "font-size: 12px; fill: #55565d");
}

static char *words_of(const Picture *self)
{
    return g_strdup_printf(
        "cycles %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
        "; shares are of the time of all %" G_GSIZE_FORMAT " lanes shown",
        self->picture->begin, self->picture->end, self->picture->lane_count);
}

char *trace_timeline_picture_to_svg(const TraceTimelinePicture *self)
{
    g_auto(Picture) picture = {.picture = self, .timeline = self->timeline};

    g_return_val_if_fail(self->begin < self->end, NULL);
    operations_init(&picture.operations, self);
    columns_init(&picture.columns, AREA_WIDTH, MAX(self->least_width, 1));
    lay_out(&picture);
    /* As if flows were not drawn: one line more than is needed at most. */
    picture.svg = trace_svg_new(
        picture.width, draw_legend(&picture, NULL, FLOWS_MOST + 1), self->title);
    style(picture.svg);
    g_autofree char *words = words_of(&picture);

    trace_svg_text(picture.svg, EDGE, EDGE + 12, TRACE_SVG_START, self->title,
                   &(TraceSvgLook){.css_class = "timeline-title"});
    trace_svg_text(picture.svg, EDGE, EDGE + 32, TRACE_SVG_START, words,
                   &(TraceSvgLook){.css_class = "timeline-words"});
    draw_axis(&picture);
    for (gsize i = 0; i < self->lane_count; i++) {
        draw_lane(&picture, self->lanes[i]);
    }
    draw_uses(&picture);
    (void) draw_legend(&picture, picture.svg, draw_flows(&picture));
    if (self->path != NULL) {
        path_line_style(picture.svg);
        path_line_draw(picture.svg,
                       &(PathArea){.rows = picture.rows,
                                   .row = ROW,
                                   .left = picture.left,
                                   .width = AREA_WIDTH,
                                   .begin = self->begin,
                                   .end = self->end},
                       self->path);
    }
    return trace_svg_to_text(picture.svg);
}
