/* From the lowest to the highest number of a column, and the axis that it wants. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/table_plot.h"

/* No numbers where `low` is above `high`. */
typedef struct {
    double low;
    double high;
} PlotSpan;

PlotSpan plot_span_of_nothing(void);
void plot_span_cover(PlotSpan *self, double value);

/* Without its sign; 0 of nothing. */
double plot_span_largest(const PlotSpan *self);

/* Is the axis of column `name` logarithmic? Fails with TRACE_ERROR_READ where it cannot
 * take its numbers. */
bool plot_span_choose_scale(const PlotSpan *self,
                            TraceAxisScale scale,
                            const char *name,
                            bool *is_log,
                            GError **error);
