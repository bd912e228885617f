/* Draws marks that carry a number. */
#include "traces/picture/plot/number.h"

#include "traces/picture/plot/mark.h"

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
