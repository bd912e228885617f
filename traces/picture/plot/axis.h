/* An axis of a plot: which numbers it covers, and where it carries labels. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    double value;
    char *label; /* NULL on a line between labels */
} TracePlotTick;

typedef struct {
    bool is_log;
    bool is_empty; /* covers no number yet */
    double low;    /* of the numbers; once it is ready, of the axis */
    double high;
    GArray *ticks; /* of TracePlotTick, ascending */
} TracePlotAxis;

void trace_plot_axis_init(TracePlotAxis *self, bool is_log);
void trace_plot_axis_clear(TracePlotAxis *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TracePlotAxis, trace_plot_axis_clear)

/* Can `value` stand on an axis? */
bool trace_plot_axis_takes(double value, bool is_log);

/* Makes it cover `value`, which it takes. */
void trace_plot_axis_cover(TracePlotAxis *self, double value);

/* All is covered: rounds the ends and sets the ticks. */
void trace_plot_axis_ready(TracePlotAxis *self);

/* The same for a logarithmic axis that ends right behind its numbers, so that they have
 * all of it. */
void trace_plot_axis_ready_tight(TracePlotAxis *self);

/* The same for an axis of names, which stand at 1, 2 and so on: a tick for each, and
 * half a step more on both sides. The list ends with NULL and is not empty. */
void trace_plot_axis_ready_names(TracePlotAxis *self, const char *const *names);

/* Where `value` lies: 0 is the low end, 1 the high one. */
double trace_plot_axis_place(const TracePlotAxis *self, double value);
