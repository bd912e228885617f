/* Marks of a picture that carry a number, large enough to read it. */
#pragma once

#include <glib.h>

#include "traces/picture/svg.h"

/* Half of a mark's width. */
#define TRACE_PLOT_NUMBER_RADIUS 8.0

/* Rules for the marks. */
void trace_plot_number_style(TraceSvg *svg);

/* The mark of a series around x, y: circles and squares in turn, of the colours of
 * other marks. `title` may be NULL. */
void trace_plot_number_draw(
    TraceSvg *svg, gsize series, TraceSvgPoint at, const char *text, const char *title);
