/* The extent of a column of numbers, and the axis that fits it. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/table_plot.h"

/* Empty if `low` is above `high`. */
typedef struct {
    double low;
    double high;
} TracePlotExtent;

TracePlotExtent trace_plot_extent_of_nothing(void);
void trace_plot_extent_cover(TracePlotExtent *self, double value);

/* The largest absolute value; 0 if empty. */
double trace_plot_extent_largest(const TracePlotExtent *self);

/* Is the axis of column `name` logarithmic? Fails with TRACE_ERROR_READ if such an axis
 * cannot show the numbers. */
bool trace_plot_extent_choose_scale(const TracePlotExtent *self,
                                    TraceAxisScale scale,
                                    const char *name,
                                    bool *is_log,
                                    GError **error);
