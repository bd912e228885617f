/* The marks that tell the series of a plot apart: a colour and a shape each. */
#pragma once

#include <glib.h>

#include "traces/picture/svg.h"

/* Borrowed, for ever. Colours and shapes begin again after some series, colours sooner,
 * so that no two of the first 40 look the same. */
const char *trace_plot_mark_colour(gsize series);

/* The shape of a series, around x, y. `title` may be NULL. */
void trace_plot_mark_draw(
    TraceSvg *svg, gsize series, double x, double y, const char *title);

/* The same with a look of one's own. */
void trace_plot_mark_draw_as(
    TraceSvg *svg, gsize series, double x, double y, const TraceSvgLook *look);

/* Marks that carry a number, large enough to read it; half of their width. */
#define TRACE_PLOT_NUMBER_RADIUS 8.0

/* Rules for the marks. */
void trace_plot_number_style(TraceSvg *svg);

/* The mark of a series around x, y: circles and squares in turn, of the colours of
 * other marks. `title` may be NULL. */
void trace_plot_number_draw(
    TraceSvg *svg, gsize series, TraceSvgPoint at, const char *text, const char *title);
