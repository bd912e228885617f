/* Draws plots. */
#include "traces/picture/plot.h"

#include <math.h>

#include <glib.h>

#include "sim/compare.h"
#include "traces/picture/plot/frame.h"
#include "traces/picture/plot/mark.h"
#include "traces/picture/svg.h"

typedef struct {
    GArray *places; /* of double: where points stand, rising, each once */
    double length;  /* of the axis, in pixels */
} TracePlotCells;

typedef struct {
    double from;
    double to;
} TracePlotExtent;

#define SAME 0.5 /* pixels: points nearer to each other stand at one place */

static void trace_plot_cells_init(TracePlotCells *self, double length)
{
    self->places = g_array_new(FALSE, FALSE, sizeof(double));
    self->length = length;
}

static void trace_plot_cells_clear(TracePlotCells *self)
{
    g_clear_pointer(&self->places, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TracePlotCells, trace_plot_cells_clear)

/* A point stands here; then, once, all have been said. */
static void trace_plot_cells_add(TracePlotCells *self, double place)
{
    g_array_append_val(self->places, place);
}

static double place_at(const TracePlotCells *self, guint index)
{
    return g_array_index(self->places, double, index);
}

static void trace_plot_cells_ready(TracePlotCells *self)
{
    guint kept = 0;

    g_array_sort(self->places, sim_compare_doubles);
    for (guint i = 0; i < self->places->len; i++) {
        const double place = place_at(self, i);

        if (kept == 0 || place - place_at(self, kept - 1) > SAME) {
            g_array_index(self->places, double, kept++) = place;
        }
    }
    g_array_set_size(self->places, kept);
}

/* The cell of a point; that at an end is as wide on its other side, within the axis. A
 * single one has all of it. */
static TracePlotExtent trace_plot_cells_span(const TracePlotCells *self, double place)
{
    const guint count = self->places->len;
    guint at = 0;

    if (count < 2) {
        return (TracePlotExtent){.from = 0, .to = self->length};
    }
    while (at + 1 < count && place - place_at(self, at) > SAME) {
        at++;
    }
    const guint left = MIN(MAX(at, 1) - 1, count - 2); /* of the gap before it */
    const guint right = MIN(at, count - 2);
    const double before = place_at(self, left + 1) - place_at(self, left);
    const double after = place_at(self, right + 1) - place_at(self, right);

    return (TracePlotExtent){
        .from = fmax(place - before / 2, 0),
        .to = fmin(place + after / 2, self->length),
    };
}

/* Lengths in pixels. */
#define EDGE         20.0
#define AREA_WIDTH   560.0
#define AREA_HEIGHT  340.0
#define TITLE_HEIGHT 30.0
#define WORDS_HEIGHT 26.0 /* the name of the vertical axis, above it */
#define FOOT         48.0
#define NOTE_HEIGHT  22.0
#define LEGEND_GAP   22.0
#define LEGEND_LINE  22.0
#define LEGEND_KEY   28.0
#define TITLE_LETTER 9.2 /* width of one, about */
#define WORDS_LETTER 6.6
#define MARKS_MOST   64 /* points of a line that still carry marks */

typedef struct {
    const TracePlot *plot;
    TraceSvg *svg;
    TracePlotFrame frame;
    double left; /* of the area between the axes */
    double top;
    double width; /* of the picture */
    double height;
    double foot; /* below that area */
} Picture;

static void picture_clear(Picture *self)
{
    trace_plot_frame_clear(&self->frame);
    trace_svg_free(self->svg);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

static void cover(Picture *self)
{
    trace_plot_axis_init(&self->frame.x, self->plot->is_log_x);
    trace_plot_axis_init(&self->frame.y, self->plot->is_log_y);
    for (gsize i = 0; i < self->plot->series_count; i++) {
        const TracePlotSeries *series = &self->plot->series[i];

        for (gsize k = 0; k < series->point_count; k++) {
            trace_plot_axis_cover(&self->frame.x, series->points[k].x);
            trace_plot_axis_cover(&self->frame.y, series->points[k].y);
            if (series->band != NULL) {
                trace_plot_axis_cover(&self->frame.y, series->band[k].low);
                trace_plot_axis_cover(&self->frame.y, series->band[k].high);
            }
        }
    }
}

static bool has_names(const TracePlot *plot)
{
    return plot->x_names != NULL && plot->x_names[0] != NULL;
}

static void ready(Picture *self)
{
    if (has_names(self->plot)) {
        trace_plot_axis_ready_names(&self->frame.x, self->plot->x_names);
        self->frame.label_rows = trace_plot_frame_rows(&self->frame);
    } else {
        trace_plot_axis_ready(&self->frame.x);
    }
    trace_plot_axis_ready(&self->frame.y);
}

static double legend_width(const TracePlot *plot)
{
    double width = 0;

    for (gsize i = 0; i < plot->series_count; i++) {
        const char *name = plot->series[i].name;

        width = fmax(width, name != NULL ? LEGEND_GAP + LEGEND_KEY +
                                               trace_svg_text_width(name, WORDS_LETTER)
                                         : 0);
    }
    return width;
}

static void lay_out(Picture *self)
{
    const TracePlot *plot = self->plot;
    double words = fmax(trace_svg_text_width(plot->title, TITLE_LETTER),
                        trace_svg_text_width(plot->y, WORDS_LETTER));
    double legend = legend_width(plot);

    self->left = EDGE + trace_plot_frame_labels(&self->frame) + 10;
    self->top = EDGE + TITLE_HEIGHT + WORDS_HEIGHT;
    self->width = fmax(self->left + AREA_WIDTH + fmax(legend, 10), EDGE + words) + EDGE;
    self->foot = FOOT + trace_plot_frame_rows_height(&self->frame);
    if (plot->note != NULL) {
        self->width = fmax(self->width,
                           2 * EDGE + trace_svg_text_width(plot->note, WORDS_LETTER));
        self->foot += NOTE_HEIGHT;
    }
    self->height = fmax(self->top + AREA_HEIGHT + self->foot,
                        self->top + LEGEND_LINE * (double) plot->series_count) +
                   EDGE / 2;
}

static void style(TraceSvg *svg)
{
    trace_plot_frame_style(svg);
    trace_svg_style(svg, ".plot-line",
                    "fill: none; stroke-width: 2px; stroke-linejoin: round; "
                    "stroke-linecap: round");
    trace_svg_style(svg, ".plot-band", "fill-opacity: 0.16; stroke: none");
    trace_svg_style(svg, ".plot-cell", "fill-opacity: 0.3; stroke: none");
    trace_svg_style(svg, ".plot-mark", "stroke: #ffffff; stroke-width: 0.8px");
}

static bool has_marks(const TracePlotSeries *series)
{
    return series->style == TRACE_PLOT_POINTS || series->style == TRACE_PLOT_CELLS ||
           series->style == TRACE_PLOT_STAIRS || series->point_count == 1 ||
           (series->style == TRACE_PLOT_BOTH && series->point_count <= MARKS_MOST);
}

static bool has_line(const TracePlotSeries *series)
{
    return series->style != TRACE_PLOT_POINTS && series->style != TRACE_PLOT_CELLS &&
           series->point_count > 1;
}

static void draw_line(const Picture *self, gsize index)
{
    const TracePlotSeries *series = &self->plot->series[index];
    const TraceSvgLook look = {.css_class = "plot-line",
                               .stroke = trace_plot_mark_colour(index)};
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint));

    for (gsize i = 0; i < series->point_count; i++) {
        const TraceSvgPoint point = {
            trace_plot_frame_x(&self->frame, series->points[i].x),
            trace_plot_frame_y(&self->frame, series->points[i].y)};

        if (series->style == TRACE_PLOT_STAIRS && i > 0) {
            const TraceSvgPoint corner = {
                point.x, g_array_index(points, TraceSvgPoint, points->len - 1).y};

            g_array_append_val(points, corner);
        }
        g_array_append_val(points, point);
    }
    trace_svg_polyline(self->svg, (const TraceSvgPoint *) (gpointer) points->data,
                       points->len, &look);
}

/* From the first low end along all of them, and back along the high ones. */
static void draw_band(const Picture *self, gsize index)
{
    const TracePlotSeries *series = &self->plot->series[index];
    const gsize count = series->point_count;
    const TraceSvgLook look = {.css_class = "plot-band",
                               .fill = trace_plot_mark_colour(index)};
    g_autofree TraceSvgPoint *points = g_new(TraceSvgPoint, 2 * count);

    for (gsize i = 0; i < count; i++) {
        const double x = trace_plot_frame_x(&self->frame, series->points[i].x);

        points[i] =
            (TraceSvgPoint){x, trace_plot_frame_y(&self->frame, series->band[i].low)};
        points[2 * count - 1 - i] =
            (TraceSvgPoint){x, trace_plot_frame_y(&self->frame, series->band[i].high)};
    }
    trace_svg_polygon(self->svg, points, 2 * count, &look);
}

static char *point_words(const TracePlotSeries *series, const TracePlotPoint *point)
{
    char x[G_ASCII_DTOSTR_BUF_SIZE];
    char y[G_ASCII_DTOSTR_BUF_SIZE];

    (void) g_ascii_formatd(x, sizeof x, "%.6g", point->x);
    (void) g_ascii_formatd(y, sizeof y, "%.6g", point->y);
    return series->name != NULL ? g_strdup_printf("%s: %s, %s", series->name, x, y)
                                : g_strdup_printf("%s, %s", x, y);
}

/* The positions of cells' points along both axes, in pixels. */
static void
find_cells(const Picture *self, TracePlotCells *across, TracePlotCells *down)
{
    trace_plot_cells_init(across, AREA_WIDTH);
    trace_plot_cells_init(down, AREA_HEIGHT);
    for (gsize i = 0; i < self->plot->series_count; i++) {
        const TracePlotSeries *series = &self->plot->series[i];

        for (gsize k = 0; series->style == TRACE_PLOT_CELLS && k < series->point_count;
             k++) {
            trace_plot_cells_add(across,
                                 trace_plot_frame_x(&self->frame, series->points[k].x));
            trace_plot_cells_add(down,
                                 trace_plot_frame_y(&self->frame, series->points[k].y));
        }
    }
    trace_plot_cells_ready(across);
    trace_plot_cells_ready(down);
}

static void draw_cells(const Picture *self, gsize index)
{
    const TracePlotSeries *series = &self->plot->series[index];
    const TraceSvgLook look = {.css_class = "plot-cell",
                               .fill = trace_plot_mark_colour(index)};
    g_auto(TracePlotCells) across = {0};
    g_auto(TracePlotCells) down = {0};

    find_cells(self, &across, &down);
    for (gsize i = 0; i < series->point_count; i++) {
        const TracePlotExtent x = trace_plot_cells_span(
            &across, trace_plot_frame_x(&self->frame, series->points[i].x));
        const TracePlotExtent y = trace_plot_cells_span(
            &down, trace_plot_frame_y(&self->frame, series->points[i].y));

        trace_svg_rect(self->svg, x.from, y.from, x.to - x.from, y.to - y.from, &look);
    }
}

static void draw_series(const Picture *self, gsize index)
{
    const TracePlotSeries *series = &self->plot->series[index];

    trace_svg_open_group(self->svg, 0, 0, "plot-series", series->name);
    if (series->style == TRACE_PLOT_CELLS) {
        draw_cells(self, index);
    }
    if (series->band != NULL && series->point_count > 1) {
        draw_band(self, index);
    }
    if (has_line(series)) {
        draw_line(self, index);
    }
    for (gsize i = 0; has_marks(series) && i < series->point_count; i++) {
        g_autofree char *words = point_words(series, &series->points[i]);

        trace_plot_mark_draw(
            self->svg, index, trace_plot_frame_x(&self->frame, series->points[i].x),
            trace_plot_frame_y(&self->frame, series->points[i].y), words);
    }
    trace_svg_close_group(self->svg);
}

static void draw_legend(const Picture *self)
{
    double y = 8;

    trace_svg_open_group(self->svg, AREA_WIDTH + LEGEND_GAP, 0, "plot-legend", NULL);
    for (gsize i = 0; i < self->plot->series_count; i++) {
        const TracePlotSeries *series = &self->plot->series[i];
        const TraceSvgLook look = {.css_class = "plot-line",
                                   .stroke = trace_plot_mark_colour(i)};

        if (series->name == NULL) {
            continue;
        }
        if (has_line(series)) {
            trace_svg_line(self->svg, 0, y, LEGEND_KEY - 8, y, &look);
        }
        if (has_marks(series)) {
            trace_plot_mark_draw(self->svg, i, (LEGEND_KEY - 8) / 2, y, NULL);
        }
        trace_svg_text(self->svg, LEGEND_KEY, y + 4, TRACE_SVG_START, series->name,
                       TRACE_SVG_CLASS("plot-words"));
        y += LEGEND_LINE;
    }
    trace_svg_close_group(self->svg);
}

static void draw(const Picture *self, bool is_empty)
{
    style(self->svg);
    trace_svg_text(self->svg, EDGE, EDGE + 14, TRACE_SVG_START, self->plot->title,
                   TRACE_SVG_CLASS("plot-title"));
    trace_svg_open_group(self->svg, self->left, self->top, NULL, NULL);
    trace_plot_frame_draw(&self->frame, self->svg, EDGE - self->left);
    for (gsize i = 0; i < self->plot->series_count; i++) {
        draw_series(self, i);
    }
    draw_legend(self);
    if (self->plot->note != NULL) {
        trace_svg_text(self->svg, EDGE - self->left,
                       AREA_HEIGHT + self->foot + EDGE / 2 - 8, TRACE_SVG_START,
                       self->plot->note, TRACE_SVG_CLASS("plot-words"));
    }
    if (is_empty) {
        trace_svg_text(self->svg, AREA_WIDTH / 2, AREA_HEIGHT / 2, TRACE_SVG_MIDDLE,
                       "no points", TRACE_SVG_CLASS("plot-words"));
    }
    trace_svg_close_group(self->svg);
}

static bool is_drawable(const TracePlot *plot)
{
    for (gsize i = 0; i < plot->series_count; i++) {
        for (gsize k = 0; k < plot->series[i].point_count; k++) {
            const TracePlotPoint *point = &plot->series[i].points[k];

            const TracePlotSpan *span =
                plot->series[i].band != NULL ? &plot->series[i].band[k] : NULL;

            if (!trace_plot_axis_takes(point->x, plot->is_log_x) ||
                !trace_plot_axis_takes(point->y, plot->is_log_y) ||
                (span != NULL &&
                 (!trace_plot_axis_takes(span->low, plot->is_log_y) ||
                  !trace_plot_axis_takes(span->high, plot->is_log_y)))) {
                return false;
            }
        }
    }
    return true;
}

char *trace_plot_to_svg(const TracePlot *self)
{
    g_auto(Picture) picture = {.plot = self,
                               .frame = {.width = AREA_WIDTH,
                                         .height = AREA_HEIGHT,
                                         .x_words = self->x,
                                         .y_words = self->y}};
    bool is_empty;

    g_return_val_if_fail(self->title != NULL, NULL);
    g_return_val_if_fail(self->x != NULL && self->y != NULL, NULL);
    g_return_val_if_fail(is_drawable(self), NULL);
    cover(&picture);
    is_empty = picture.frame.x.is_empty;
    ready(&picture);
    lay_out(&picture);
    picture.svg = trace_svg_new(picture.width, picture.height, self->title);
    draw(&picture, is_empty);
    return trace_svg_to_text(picture.svg);
}
