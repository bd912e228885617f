/* The marks that tell the series of a plot apart: a colour and a shape each. */
#pragma once

#include <glib.h>

#include "traces/picture/svg.h"

/* A static text. Colours and shapes repeat after some series, with different periods,
 * so that the first 40 series all look different. */
const char *trace_plot_mark_colour(gsize series);

/* The shape of a series, around x, y. `title` may be NULL. */
void trace_plot_mark_draw(
    TraceSvg *svg, gsize series, double x, double y, const char *title);

/* The same with a given look. */
void trace_plot_mark_draw_as(
    TraceSvg *svg, gsize series, double x, double y, const TraceSvgLook *look);

/* Half the width of marks that carry a number, large enough to read it. */
#define TRACE_PLOT_NUMBER_RADIUS 8.0

/* Adds the style rules for numbered marks. */
void trace_plot_number_style(TraceSvg *svg);

/* The numbered mark of a series around x, y: circles and squares in turn, in the
 * colours of other marks. `title` may be NULL. */
void trace_plot_number_draw(
    TraceSvg *svg, gsize series, TraceSvgPoint at, const char *text, const char *title);
