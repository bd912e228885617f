/* Draws rooflines. */
#include "traces/picture/roofline_chart.h"

#include <math.h>

#include "traces/picture/palette.h"
#include "traces/picture/plot/frame.h"
#include "traces/picture/plot/mark.h"
#include "traces/picture/roofline/labels.h"
#include "traces/picture/svg.h"

/* Lengths in pixels. */
#define EDGE         20.0
#define AREA_WIDTH   680.0
#define AREA_LEAST   470.0 /* its height; it grows with the legend */
#define AREA_MOST    800.0
#define TITLE_HEIGHT 30.0
#define WORDS_HEIGHT 26.0
#define FOOT         48.0
#define LEGEND_GAP   26.0
#define LEGEND_KEY   26.0
#define LEGEND_LINE  17.0
#define LEGEND_SPACE 10.0 /* between chips */
#define TITLE_LETTER 9.2  /* width of one, about */
#define WORDS_LETTER 6.7
#define SMALL_LETTER 6.6
#define NOTE_HEIGHT  18.0
#define ROOM         4.0 /* factor by which axes extend beyond marks and ridges */
#define RADIANS      (G_PI / 180)

enum {
    PLACES = 48, /* tried along a line */
    SIDES = 8,   /* tried around a mark */
};

typedef struct {
    const TraceRooflineChart *chart;
    TraceSvg *svg;
    TracePlotFrame frame;
    TraceRooflineLabels labels;
    double left;
    double top;
    double width;
    double height;
} Picture;

static void picture_clear(Picture *self)
{
    trace_plot_frame_clear(&self->frame);
    trace_roofline_labels_clear(&self->labels);
    trace_svg_free(self->svg);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

static double highest(const TraceRooflineChip *chip, bool is_peak)
{
    double most = 0;

    for (gsize i = 0; i < chip->line_count; i++) {
        most =
            chip->lines[i].is_peak == is_peak ? fmax(most, chip->lines[i].value) : most;
    }
    return most;
}

static void cover_point(Picture *self, double intensity, double rate)
{
    trace_plot_axis_cover(&self->frame.x, intensity / ROOM);
    trace_plot_axis_cover(&self->frame.x, intensity * ROOM);
    trace_plot_axis_cover(&self->frame.y, rate / ROOM);
    trace_plot_axis_cover(&self->frame.y, rate * ROOM);
}

static void cover_chip(Picture *self, const TraceRooflineChip *chip)
{
    const double peak = highest(chip, true);

    for (gsize i = 0; i < chip->line_count; i++) {
        const TraceRooflineLine *line = &chip->lines[i];

        if (line->is_peak) {
            trace_plot_axis_cover(&self->frame.y, line->value * 1.5);
        } else if (peak > 0) {
            trace_plot_axis_cover(&self->frame.x, peak / line->value / ROOM);
            trace_plot_axis_cover(&self->frame.x, peak / line->value * ROOM);
        }
    }
    for (gsize i = 0; i < chip->series_count; i++) {
        for (gsize k = 0; k < chip->series[i].mark_count; k++) {
            const TraceRooflineMark *mark = &chip->series[i].marks[k];

            cover_point(self, mark->intensity, mark->rate);
            for (gsize j = 0; j < mark->step_count; j++) {
                cover_point(self, mark->steps[j].intensity, mark->steps[j].rate);
            }
        }
    }
}

static void cover(Picture *self)
{
    trace_plot_axis_init(&self->frame.x, true);
    trace_plot_axis_init(&self->frame.y, true);
    for (gsize i = 0; i < self->chart->chip_count; i++) {
        cover_chip(self, &self->chart->chips[i]);
    }
    trace_plot_axis_ready(&self->frame.x);
    trace_plot_axis_ready(&self->frame.y);
}

/* How large the legend is. */
static void
measure_legend(const TraceRooflineChart *chart, double *width, double *height)
{
    *width = 0;
    *height = 0;
    for (gsize i = 0; i < chart->chip_count; i++) {
        const TraceRooflineChip *chip = &chart->chips[i];

        *width = fmax(*width, trace_svg_text_width(chip->name, WORDS_LETTER + 1));
        for (gsize k = 0; k < chip->series_count; k++) {
            *width =
                fmax(*width, LEGEND_KEY + trace_svg_text_width(chip->series[k].label,
                                                               SMALL_LETTER));
        }
        for (gsize k = 0; k < chip->line_count; k++) {
            *width = fmax(*width, LEGEND_KEY + trace_svg_text_width(
                                                   chip->lines[k].label, SMALL_LETTER));
        }
        *height += LEGEND_SPACE +
                   LEGEND_LINE * (double) (1 + chip->series_count + chip->line_count);
    }
}

static void lay_out(Picture *self, double legend_width, double legend_height)
{
    self->left = EDGE + trace_plot_frame_labels(&self->frame) + 10;
    self->top = EDGE + TITLE_HEIGHT + WORDS_HEIGHT;
    self->width = fmax(self->left + AREA_WIDTH + LEGEND_GAP + legend_width,
                       EDGE + trace_svg_text_width(self->chart->title, TITLE_LETTER)) +
                  EDGE;
    for (gsize i = 0; i < self->chart->note_count; i++) {
        self->width =
            fmax(self->width,
                 2 * EDGE + trace_svg_text_width(self->chart->notes[i], WORDS_LETTER));
    }
    self->height = self->top + fmax(self->frame.height + FOOT, legend_height) +
                   EDGE / 2 + NOTE_HEIGHT * (double) self->chart->note_count;
}

static void style(TraceSvg *svg)
{
    trace_plot_frame_style(svg);
    trace_svg_style(svg, ".roof-line", "stroke-width: 2px; stroke-linecap: round");
    trace_svg_style(svg, ".roof-line.roof-flat", "stroke-width: 1.6px");
    trace_svg_style(svg, ".roof-published", "stroke-dasharray: 6 4");
    trace_svg_style(svg, ".roof-mark", "stroke: #ffffff; stroke-width: 0.8px");
    trace_svg_style(svg, ".roof-path", "fill: none; stroke-width: 1px; opacity: 0.6");
    trace_svg_style(svg, ".roof-step", "stroke-width: 0.8px");
    trace_svg_style(svg, ".roof-measured", "stroke: #1b1b1f; stroke-width: 1.5px");
    trace_svg_style(svg, ".roof-hollow", "stroke-width: 2px");
    trace_svg_style(svg, ".roof-label",
                    "font-size: 11px; paint-order: stroke; stroke: #ffffff; "
                    "stroke-width: 3px; stroke-linejoin: round");
    trace_svg_style(svg, ".roof-chip", "font-size: 13px; font-weight: 600");
    trace_svg_style(svg, ".roof-note",
                    "font-size: 12px; font-weight: 600; fill: #8a3b00");
    trace_svg_style(svg, ".roof-words", "font-size: 11.5px; fill: #35363c");
}

/* The part of a line that is inside the axes; false where none is. */
static bool ends_of(const Picture *self,
                    const TraceRooflineChip *chip,
                    const TraceRooflineLine *line,
                    TraceSvgPoint ends[2])
{
    const TracePlotFrame *frame = &self->frame;
    const double value = line->value;
    const double peak = highest(chip, true);
    const double fastest = highest(chip, false);
    double from = frame->x.low;
    double to = frame->x.high;

    if (line->is_peak) {
        from = fastest > 0 ? fmax(from, value / fastest) : from;
        ends[0] = (TraceSvgPoint){trace_plot_frame_x(frame, from),
                                  trace_plot_frame_y(frame, value)};
        ends[1] = (TraceSvgPoint){trace_plot_frame_x(frame, to), ends[0].y};
    } else {
        from = fmax(from, frame->y.low / value);
        to = fmin(to, fmin(peak > 0 ? peak : INFINITY, frame->y.high) / value);
        if (from >= to) {
            return false;
        }
        ends[0] = (TraceSvgPoint){trace_plot_frame_x(frame, from),
                                  trace_plot_frame_y(frame, from * value)};
        ends[1] = (TraceSvgPoint){trace_plot_frame_x(frame, to),
                                  trace_plot_frame_y(frame, to * value)};
    }
    return from < to;
}

static const char *line_class(const TraceRooflineChip *chip,
                              const TraceRooflineLine *line)
{
    if (line->is_peak) {
        return chip->is_published ? "roof-line roof-flat roof-published"
                                  : "roof-line roof-flat";
    }
    return chip->is_published ? "roof-line roof-published" : "roof-line";
}

static void draw_lines(Picture *self, gsize index)
{
    const TraceRooflineChip *chip = &self->chart->chips[index];

    for (gsize i = 0; i < chip->line_count; i++) {
        const TraceSvgLook look = {.css_class = line_class(chip, &chip->lines[i]),
                                   .stroke = trace_palette_colour(index),
                                   .title = chip->lines[i].label};
        TraceSvgPoint ends[2];

        if (ends_of(self, chip, &chip->lines[i], ends)) {
            trace_svg_line(self->svg, ends[0].x, ends[0].y, ends[1].x, ends[1].y,
                           &look);
            trace_roofline_labels_add_line(&self->labels, ends[0], ends[1]);
        }
    }
}

/* Above or below a line, from one end to the other: flats from their right end on. */
static void label_line(Picture *self, gsize index, const TraceRooflineLine *line)
{
    const TraceRooflineChip *chip = &self->chart->chips[index];
    const double length = trace_svg_text_width(line->label, SMALL_LETTER);
    const TraceSvgLook look = {.css_class = "roof-label",
                               .fill = trace_palette_colour(index)};
    TraceRooflinePlace places[2 * PLACES];
    TraceSvgPoint ends[2];

    if (!ends_of(self, chip, line, ends)) {
        return;
    }
    const double x = ends[1].x - ends[0].x;
    const double y = ends[1].y - ends[0].y;
    const double angle = atan2(y, x);

    for (gsize i = 0; i < PLACES; i++) {
        const double room = fmax(0, sqrt(x * x + y * y) - length - 10);
        const double part = (double) i / (PLACES - 1);
        const double along = 5 + room * (line->is_peak ? 1 - part : part);

        for (gsize side = 0; side < 2; side++) {
            const double up = side == 0 ? 5 : -13;

            places[2 * i + side] = (TraceRooflinePlace){
                .x = ends[0].x + along * cos(angle) + up * sin(angle),
                .y = ends[0].y + along * sin(angle) - up * cos(angle),
                .angle = angle};
        }
    }
    const TraceRooflinePlace *place =
        trace_roofline_labels_take(&self->labels, places, G_N_ELEMENTS(places), length);

    if (place != NULL) {
        trace_svg_turned_text(self->svg, place->x, place->y, place->angle / RADIANS,
                              line->label, &look);
    }
}

/* How a mark says where its numbers are from. */
static TraceSvgLook
mark_look(gsize index, TraceRooflineOrigin origin, const char *title)
{
    TraceSvgLook look = {
        .css_class = "roof-mark", .fill = trace_palette_colour(index), .title = title};

    if (origin == TRACE_ROOFLINE_MEASURED) {
        look.css_class = "roof-measured";
    } else if (origin == TRACE_ROOFLINE_PUBLISHED || origin == TRACE_ROOFLINE_BOUND) {
        look = (TraceSvgLook){.css_class = "roof-hollow",
                              .fill = "none",
                              .stroke = trace_palette_colour(index),
                              .title = title};
    }
    return look;
}

static double mark_x(const Picture *self, const TraceRooflineMark *mark)
{
    return trace_plot_frame_x(&self->frame, mark->intensity);
}

static double mark_y(const Picture *self, const TraceRooflineMark *mark)
{
    return trace_plot_frame_y(&self->frame, mark->rate);
}

static void label_mark(Picture *self, gsize index, const TraceRooflineMark *mark)
{
    static const TraceSvgPoint sides[SIDES] = {{1, 0},  {-1, 0}, {0, -1},  {0, 1},
                                               {1, -1}, {1, 1},  {-1, -1}, {-1, 1}};
    const double length = trace_svg_text_width(mark->label, SMALL_LETTER);
    const TraceSvgLook look = {.css_class = "roof-label",
                               .fill = trace_palette_colour(index)};
    TraceRooflinePlace places[2 * SIDES];

    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        const TraceSvgPoint *side = &sides[i % SIDES];
        const double off = i < SIDES ? 1 : 2;
        const double from = side->x > 0 ? 9 : side->x < 0 ? -9 - length : -length / 2;

        places[i] = (TraceRooflinePlace){
            .x = mark_x(self, mark) + from,
            .y = mark_y(self, mark) + 4 + off * 14 * side->y,
        };
    }
    const TraceRooflinePlace *place =
        trace_roofline_labels_take(&self->labels, places, G_N_ELEMENTS(places), length);

    if (place != NULL) {
        const bool is_left = sides[(gsize) (place - places) % SIDES].x < 0;

        trace_svg_text(self->svg, is_left ? place->x + length : place->x, place->y,
                       is_left ? TRACE_SVG_END : TRACE_SVG_START, mark->label, &look);
    }
}

typedef void (*SeriesFunc)(Picture *self,
                           gsize index,
                           gsize shape,
                           const TraceRooflineSeries *series);

/* Each run has a shape of its own, also on another chip. */
static void each_series(Picture *self, SeriesFunc func)
{
    gsize shape = 0;

    for (gsize i = 0; i < self->chart->chip_count; i++) {
        for (gsize k = 0; k < self->chart->chips[i].series_count; k++) {
            func(self, i, shape++, &self->chart->chips[i].series[k]);
        }
    }
}

static void
place_series(Picture *self, gsize index, gsize shape, const TraceRooflineSeries *series)
{
    (void) index;
    (void) shape;
    for (gsize i = 0; i < series->mark_count; i++) {
        trace_roofline_labels_add_mark(&self->labels, mark_x(self, &series->marks[i]),
                                       mark_y(self, &series->marks[i]));
    }
}

/* From one step to the next; the first is a ring. */
static void draw_steps(Picture *self, gsize index, const TraceRooflineMark *mark)
{
    const char *colour = trace_palette_colour(index);
    g_autofree TraceSvgPoint *points = g_new0(TraceSvgPoint, MAX(mark->step_count, 1));

    for (gsize i = 0; i < mark->step_count; i++) {
        points[i] =
            (TraceSvgPoint){trace_plot_frame_x(&self->frame, mark->steps[i].intensity),
                            trace_plot_frame_y(&self->frame, mark->steps[i].rate)};
    }
    if (mark->step_count > 1) {
        trace_svg_polyline(
            self->svg, points, mark->step_count,
            &(const TraceSvgLook){.css_class = "roof-path", .stroke = colour});
    }
    for (gsize i = 0; i < mark->step_count; i++) {
        trace_svg_circle(self->svg, points[i].x, points[i].y, i == 0 ? 3 : 1.8,
                         &(const TraceSvgLook){.css_class = "roof-step",
                                               .fill = i == 0 ? "none" : colour,
                                               .stroke = colour});
    }
}

static void
draw_series(Picture *self, gsize index, gsize shape, const TraceRooflineSeries *series)
{
    trace_svg_open_group(self->svg, 0, 0, "roof-run", series->label);
    for (gsize i = 0; i < series->mark_count; i++) {
        const TraceSvgLook look =
            mark_look(index, series->origin, series->marks[i].title);

        draw_steps(self, index, &series->marks[i]);
        trace_plot_mark_draw_as(self->svg, shape, mark_x(self, &series->marks[i]),
                                mark_y(self, &series->marks[i]), &look);
    }
    trace_svg_close_group(self->svg);
}

static void
label_series(Picture *self, gsize index, gsize shape, const TraceRooflineSeries *series)
{
    (void) shape;
    for (gsize i = 0; i < series->mark_count; i++) {
        label_mark(self, index, &series->marks[i]);
    }
}

static void label_lines(Picture *self)
{
    for (gsize i = 0; i < self->chart->chip_count; i++) {
        const TraceRooflineChip *chip = &self->chart->chips[i];

        for (gsize k = 0; k < chip->line_count; k++) {
            label_line(self, i, &chip->lines[k]);
        }
    }
}

static void draw_legend(const Picture *self)
{
    gsize shape = 0;
    double y = 8;

    trace_svg_open_group(self->svg, AREA_WIDTH + LEGEND_GAP, 0, "roof-legend", NULL);
    for (gsize i = 0; i < self->chart->chip_count; i++) {
        const TraceRooflineChip *chip = &self->chart->chips[i];
        const TraceSvgLook head = {.css_class = "roof-chip",
                                   .fill = trace_palette_colour(i)};

        trace_svg_text(self->svg, 0, y + 4, TRACE_SVG_START, chip->name, &head);
        y += LEGEND_LINE;
        for (gsize k = 0; k < chip->series_count; k++) {
            const TraceSvgLook look = mark_look(i, chip->series[k].origin, NULL);

            trace_plot_mark_draw_as(self->svg, shape++, LEGEND_KEY / 2 - 3, y, &look);
            trace_svg_text(self->svg, LEGEND_KEY, y + 4, TRACE_SVG_START,
                           chip->series[k].label, TRACE_SVG_CLASS("roof-words"));
            y += LEGEND_LINE;
        }
        for (gsize k = 0; k < chip->line_count; k++) {
            const TraceSvgLook look = {.css_class = line_class(chip, &chip->lines[k]),
                                       .stroke = trace_palette_colour(i)};

            trace_svg_line(self->svg, 0, chip->lines[k].is_peak ? y : y + 4,
                           LEGEND_KEY - 8, chip->lines[k].is_peak ? y : y - 4, &look);
            trace_svg_text(self->svg, LEGEND_KEY, y + 4, TRACE_SVG_START,
                           chip->lines[k].label, TRACE_SVG_CLASS("roof-words"));
            y += LEGEND_LINE;
        }
        y += LEGEND_SPACE;
    }
    trace_svg_close_group(self->svg);
}

static void draw(Picture *self)
{
    style(self->svg);
    trace_svg_text(self->svg, EDGE, EDGE + 14, TRACE_SVG_START, self->chart->title,
                   TRACE_SVG_CLASS("plot-title"));
    for (gsize i = 0; i < self->chart->note_count; i++) {
        const double up = NOTE_HEIGHT * (double) (self->chart->note_count - 1 - i);

        trace_svg_text(self->svg, EDGE, self->height - EDGE / 2 - up, TRACE_SVG_START,
                       self->chart->notes[i], TRACE_SVG_CLASS("roof-note"));
    }
    trace_svg_open_group(self->svg, self->left, self->top, NULL, NULL);
    trace_plot_frame_draw(&self->frame, self->svg, EDGE - self->left);
    for (gsize i = 0; i < self->chart->chip_count; i++) {
        draw_lines(self, i);
    }
    each_series(self, place_series);
    each_series(self, draw_series);
    label_lines(self);
    each_series(self, label_series);
    draw_legend(self);
    trace_svg_close_group(self->svg);
}

char *trace_roofline_chart_to_svg(const TraceRooflineChart *self)
{
    g_auto(Picture) picture = {.chart = self,
                               .frame = {.width = AREA_WIDTH,
                                         .x_words = "operations per byte [FLOP/B]",
                                         .y_words = self->rate}};
    double legend_width;
    double legend_height;

    g_return_val_if_fail(self->title != NULL && self->rate != NULL, NULL);
    measure_legend(self, &legend_width, &legend_height);
    picture.frame.height = CLAMP(legend_height - FOOT, AREA_LEAST, AREA_MOST);
    cover(&picture);
    trace_roofline_labels_init(&picture.labels, AREA_WIDTH, picture.frame.height);
    lay_out(&picture, legend_width, legend_height);
    picture.svg = trace_svg_new(picture.width, picture.height, self->title);
    draw(&picture);
    return trace_svg_to_text(picture.svg);
}
