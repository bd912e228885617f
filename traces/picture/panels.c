/* Draws panels of lines and points. */
#include "traces/picture/panels.h"

#include <math.h>

#include "traces/picture/plot/frame.h"
#include "traces/picture/plot/mark.h"
#include "traces/picture/svg.h"

/* Lengths in pixels. */
#define EDGE         20.0
#define TITLE_HEIGHT 34.0
#define AREA_WIDTH   430.0
#define AREA_HEIGHT  270.0
#define LEFT         58.0 /* of a panel: labels of its vertical axis */
#define RIGHT        26.0
#define HEAD         28.0 /* of a panel: its title */
#define LEGEND       24.0
#define WORDS        26.0 /* the name of the vertical axis */
#define FOOT         58.0 /* numbers and name of the horizontal axis */
#define NOTE         22.0
#define KEY          22.0 /* of the legend, with the gap behind it */
#define GAP          18.0
#define LETTER       6.4 /* width of one, about */
#define BOLD         7.8
#define TITLE_LETTER 9.2

typedef struct {
    double width; /* of a panel with all around it */
    double height;
    double foot; /* of the notes below all */
    gsize row_count;
} Layout;

static double series_width(const TracePanelSeries *series)
{
    return series->name != NULL ? KEY + trace_svg_text_width(series->name, LETTER) + GAP
                                : 0;
}

static double legend_width(const TracePanel *panel)
{
    double width = 0;

    for (gsize i = 0; i < panel->series_count; i++) {
        width += series_width(&panel->series[i]);
    }
    return width;
}

static double panel_width(const TracePanel *panel)
{
    const double note =
        panel->note != NULL ? trace_svg_text_width(panel->note, LETTER) : 0;

    return fmax(fmax(LEFT + AREA_WIDTH, fmax(legend_width(panel), note)),
                trace_svg_text_width(panel->title, BOLD)) +
           RIGHT;
}

static Layout lay_out(const TracePanels *self)
{
    Layout layout = {.row_count = (self->panel_count + self->column_count - 1) /
                                  self->column_count,
                     .height = HEAD + LEGEND + WORDS + AREA_HEIGHT + FOOT + NOTE};

    for (gsize i = 0; i < self->panel_count; i++) {
        layout.width = fmax(layout.width, panel_width(&self->panels[i]));
    }
    for (const char *const *note = self->notes; note != NULL && *note != NULL; note++) {
        layout.foot += NOTE;
    }
    return layout;
}

static double words_width(const TracePanels *self)
{
    double width = trace_svg_text_width(self->title, TITLE_LETTER);

    for (const char *const *note = self->notes; note != NULL && *note != NULL; note++) {
        width = fmax(width, trace_svg_text_width(*note, LETTER));
    }
    return width;
}

static void frame_init(TracePlotFrame *frame, const TracePanel *panel)
{
    *frame = (TracePlotFrame){.width = AREA_WIDTH,
                              .height = AREA_HEIGHT,
                              .x_words = panel->x,
                              .y_words = panel->y};
    trace_plot_axis_init(&frame->x, panel->is_log);
    trace_plot_axis_init(&frame->y, panel->is_log);
    for (gsize i = 0; i < panel->series_count; i++) {
        for (gsize k = 0; k < panel->series[i].point_count; k++) {
            trace_plot_axis_cover(&frame->x, panel->series[i].points[k].x);
            trace_plot_axis_cover(&frame->y, panel->series[i].points[k].y);
        }
    }
    trace_plot_axis_ready(&frame->x);
    trace_plot_axis_ready(&frame->y);
}

static TraceSvgPoint place(const TracePlotFrame *frame, const TracePlotPoint *point)
{
    return (TraceSvgPoint){trace_plot_frame_x(frame, point->x),
                           trace_plot_frame_y(frame, point->y)};
}

static void
draw_line(TraceSvg *svg, const TracePlotFrame *frame, const TracePanelSeries *series)
{
    const TraceSvgLook look = {.css_class = "panels-line",
                               .stroke = trace_plot_mark_colour(series->colour)};
    g_autofree TraceSvgPoint *points = g_new(TraceSvgPoint, series->point_count);

    for (gsize i = 0; i < series->point_count; i++) {
        points[i] = place(frame, &series->points[i]);
    }
    trace_svg_polyline(svg, points, series->point_count, &look);
}

static void
draw_numbers(TraceSvg *svg, const TracePlotFrame *frame, const TracePanelSeries *series)
{
    for (gsize i = 0; i < series->point_count; i++) {
        const TracePlotPoint *point = &series->points[i];
        g_autofree char *text =
            g_strdup_printf("%" G_GSIZE_FORMAT, i + MAX(series->first, 1));
        g_autofree char *title = g_strdup_printf(
            "%s, %s: %.6g, %.6g", series->name != NULL ? series->name : "point", text,
            point->x, point->y);

        trace_plot_number_draw(svg, series->colour, place(frame, point), text, title);
    }
}

static void
draw_marks(TraceSvg *svg, const TracePlotFrame *frame, const TracePanelSeries *series)
{
    for (gsize i = 0; i < series->point_count; i++) {
        const TracePlotPoint *point = &series->points[i];
        const TraceSvgPoint at = place(frame, point);
        g_autofree char *title = g_strdup_printf(
            "%s: %.6g, %.6g", series->name != NULL ? series->name : "point", point->x,
            point->y);

        trace_plot_mark_draw(svg, series->colour, at.x, at.y, title);
    }
}

static void
draw_points(TraceSvg *svg, const TracePlotFrame *frame, const TracePanelSeries *series)
{
    if (series->is_plain) {
        draw_marks(svg, frame, series);
    } else {
        draw_numbers(svg, frame, series);
    }
}

static void draw_key(TraceSvg *svg, const TracePanelSeries *series, double x)
{
    const TraceSvgLook line = {.css_class = "panels-line",
                               .stroke = trace_plot_mark_colour(series->colour)};
    const double middle = x + TRACE_PLOT_NUMBER_RADIUS;

    if (series->is_line) {
        trace_svg_line(svg, x, 0, x + 2 * TRACE_PLOT_NUMBER_RADIUS, 0, &line);
    } else if (series->is_plain) {
        trace_plot_mark_draw(svg, series->colour, middle, 0, NULL);
    } else {
        trace_plot_number_draw(svg, series->colour, (TraceSvgPoint){middle, 0}, "t",
                               NULL);
    }
}

static void draw_legend(TraceSvg *svg, const TracePanel *panel)
{
    double x = 0;

    for (gsize i = 0; i < panel->series_count; i++) {
        const TracePanelSeries *series = &panel->series[i];

        if (series->name == NULL) {
            continue;
        }
        draw_key(svg, series, x);
        trace_svg_text(svg, x + KEY, 4, TRACE_SVG_START, series->name,
                       TRACE_SVG_CLASS("plot-words"));
        x += series_width(series);
    }
}

static void draw_panel(TraceSvg *svg, const TracePanel *panel, double x, double y)
{
    TracePlotFrame frame;

    frame_init(&frame, panel);
    trace_svg_open_group(svg, x, y, "panels-panel", NULL);
    trace_svg_text(svg, 0, HEAD / 2, TRACE_SVG_START, panel->title,
                   TRACE_SVG_CLASS("panels-heading"));
    trace_svg_open_group(svg, 0, HEAD + LEGEND / 2, NULL, NULL);
    draw_legend(svg, panel);
    trace_svg_close_group(svg);
    trace_svg_open_group(svg, LEFT, HEAD + LEGEND + WORDS, NULL, NULL);
    trace_plot_frame_draw(&frame, svg, -LEFT);
    for (gsize i = 0; i < panel->series_count; i++) {
        if (panel->series[i].is_line) {
            draw_line(svg, &frame, &panel->series[i]);
        }
    }
    for (gsize i = 0; i < panel->series_count; i++) {
        if (!panel->series[i].is_line) {
            draw_points(svg, &frame, &panel->series[i]);
        }
    }
    trace_svg_close_group(svg);
    if (panel->note != NULL) {
        trace_svg_text(svg, 0, HEAD + LEGEND + WORDS + AREA_HEIGHT + FOOT + NOTE / 4,
                       TRACE_SVG_START, panel->note, TRACE_SVG_CLASS("panels-note"));
    }
    trace_svg_close_group(svg);
    trace_plot_frame_clear(&frame);
}

static void draw(const TracePanels *self, TraceSvg *svg, const Layout *layout)
{
    double y = EDGE + TITLE_HEIGHT;

    trace_plot_frame_style(svg);
    trace_plot_number_style(svg);
    trace_svg_style(svg, ".panels-heading",
                    "font-size: 13px; font-weight: 600; fill: #35363c");
    trace_svg_style(svg, ".panels-note", "font-size: 12px; fill: #55565d");
    trace_svg_style(svg, ".panels-line",
                    "fill: none; stroke-width: 2px; stroke-linejoin: round");
    trace_svg_text(svg, EDGE, EDGE + 14, TRACE_SVG_START, self->title,
                   TRACE_SVG_CLASS("plot-title"));
    for (gsize i = 0; i < self->panel_count; i++) {
        const gsize column = i % self->column_count;
        const gsize row = i / self->column_count;

        draw_panel(svg, &self->panels[i], EDGE + layout->width * (double) column,
                   y + layout->height * (double) row);
    }
    y += layout->height * (double) layout->row_count + NOTE / 2;
    for (const char *const *note = self->notes; note != NULL && *note != NULL; note++) {
        trace_svg_text(svg, EDGE, y, TRACE_SVG_START, *note,
                       TRACE_SVG_CLASS("panels-note"));
        y += NOTE;
    }
}

char *trace_panels_to_svg(const TracePanels *self)
{
    const Layout layout = lay_out(self);
    const double width =
        fmax(layout.width * (double) MIN(self->column_count, self->panel_count),
             words_width(self)) +
        2 * EDGE;
    g_autoptr(TraceSvg) svg =
        trace_svg_new(width,
                      EDGE + TITLE_HEIGHT + layout.height * (double) layout.row_count +
                          layout.foot + EDGE / 2,
                      self->title);

    draw(self, svg, &layout);
    return trace_svg_to_text(svg);
}
