/* Chooses axes for numbers. */
#include "traces/picture/plot/span.h"

#include <math.h>

#include "traces/error.h"
#include "traces/picture/plot/axis.h"

/* Numbers that differ by more than this are drawn on a logarithmic axis. */
#define WIDE 20.0

TracePlotExtent trace_plot_extent_of_nothing(void)
{
    return (TracePlotExtent){HUGE_VAL, -HUGE_VAL};
}

void trace_plot_extent_cover(TracePlotExtent *self, double value)
{
    self->low = fmin(self->low, value);
    self->high = fmax(self->high, value);
}

double trace_plot_extent_largest(const TracePlotExtent *self)
{
    return self->low <= self->high ? fmax(fabs(self->low), fabs(self->high)) : 0;
}

bool trace_plot_extent_choose_scale(const TracePlotExtent *self,
                                    TraceAxisScale scale,
                                    const char *name,
                                    bool *is_log,
                                    GError **error)
{
    const bool is_empty = self->low > self->high;

    *is_log =
        scale == TRACE_AXIS_LOG || (scale == TRACE_AXIS_AUTO && !is_empty &&
                                    self->low > 0 && self->high > WIDE * self->low);
    if (!is_empty && (!trace_plot_axis_takes(self->low, *is_log) ||
                      !trace_plot_axis_takes(self->high, *is_log))) {
        return trace_refuse(error, "%s = %g, an axis takes numbers%s up to 1e300", name,
                            trace_plot_axis_takes(self->low, *is_log) ? self->high
                                                                      : self->low,
                            *is_log ? " above 0," : "");
    }
    return true;
}
