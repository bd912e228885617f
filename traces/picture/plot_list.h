/* The series of a plot, added one by one; names and points are copied. */
#pragma once

#include <glib.h>

#include "traces/picture/plot.h"

typedef struct TracePlotList TracePlotList;

TracePlotList *trace_plot_list_new(void);
void trace_plot_list_free(TracePlotList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TracePlotList, trace_plot_list_free)

/* Begins a series; points that follow belong to it. The name is formatted as by
 * printf(), NULL for none. */
void trace_plot_list_series(TracePlotList *self,
                            TracePlotStyle style,
                            const char *name,
                            ...) G_GNUC_PRINTF(3, 4);
void trace_plot_list_add(TracePlotList *self, double x, double y);

/* The same with a span; either all points of a series have one, or none. */
void trace_plot_list_add_span(
    TracePlotList *self, double x, double y, double low, double high);

/* Draws the plot with the added series by `draw`: trace_plot_to_svg() or
 * trace_plot_to_text(). */
char *trace_plot_list_draw(const TracePlotList *self,
                           const TracePlot *plot,
                           char *(*draw)(const TracePlot *) );
