/* Chooses and draws the marks of series. */
#include "traces/picture/plot/mark.h"

#include "traces/picture/palette.h"

#define RADIUS 3.8

enum {
    SHAPE_COUNT = 5,
    CORNERS_MOST = 4,
};

/* Corners around the middle, in radii. */
static const struct {
    gsize count;
    TraceSvgPoint corners[CORNERS_MOST];
} shapes[SHAPE_COUNT - 1] = {
    {4, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}},
    {3, {{0, -1.3}, {1.2, 0.85}, {-1.2, 0.85}}},
    {4, {{0, -1.35}, {1.35, 0}, {0, 1.35}, {-1.35, 0}}},
    {3, {{0, 1.3}, {1.2, -0.85}, {-1.2, -0.85}}},
};

const char *trace_plot_mark_colour(gsize series)
{
    return trace_palette_colour(series);
}

void trace_plot_mark_draw(
    TraceSvg *svg, gsize series, double x, double y, const char *title)
{
    const TraceSvgLook look = {.css_class = "plot-mark",
                               .fill = trace_plot_mark_colour(series),
                               .title = title};

    trace_plot_mark_draw_as(svg, series, x, y, &look);
}

void trace_plot_mark_draw_as(
    TraceSvg *svg, gsize series, double x, double y, const TraceSvgLook *look)
{
    const gsize shape = series % SHAPE_COUNT;
    TraceSvgPoint points[CORNERS_MOST];

    if (shape == 0) {
        trace_svg_circle(svg, x, y, RADIUS, look);
        return;
    }
    for (gsize i = 0; i < shapes[shape - 1].count; i++) {
        points[i].x = x + RADIUS * shapes[shape - 1].corners[i].x;
        points[i].y = y + RADIUS * shapes[shape - 1].corners[i].y;
    }
    trace_svg_polygon(svg, points, shapes[shape - 1].count, look);
}

#define SQUARE 7.2 /* half of its side, for about the area of a circle */
#define BASE   3.4 /* a digit's foot is so far below its middle */

void trace_plot_number_style(TraceSvg *svg)
{
    trace_svg_style(svg, ".plot-number", "stroke: #ffffff; stroke-width: 1px");
    trace_svg_style(svg, ".plot-digit",
                    "font-size: 9.5px; font-weight: 600; fill: #ffffff");
}

void trace_plot_number_draw(
    TraceSvg *svg, gsize series, TraceSvgPoint at, const char *text, const char *title)
{
    const TraceSvgLook look = {.css_class = "plot-number",
                               .fill = trace_plot_mark_colour(series),
                               .title = title};

    if (series % 2 == 0) {
        trace_svg_circle(svg, at.x, at.y, TRACE_PLOT_NUMBER_RADIUS, &look);
    } else {
        trace_svg_rect(svg, at.x - SQUARE, at.y - SQUARE, 2 * SQUARE, 2 * SQUARE,
                       &look);
    }
    trace_svg_text(svg, at.x, at.y + BASE, TRACE_SVG_MIDDLE, text,
                   TRACE_SVG_CLASS("plot-digit"));
}
