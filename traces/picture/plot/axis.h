/* An axis of a plot: which numbers it covers, and where it carries labels. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    double value;
    char *label; /* NULL on a line between labels */
} PlotTick;

typedef struct {
    bool is_log;
    bool is_empty; /* covers no number yet */
    double low;    /* of the numbers; once it is ready, of the axis */
    double high;
    GArray *ticks; /* of PlotTick, ascending */
} PlotAxis;

void plot_axis_init(PlotAxis *self, bool is_log);
void plot_axis_clear(PlotAxis *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PlotAxis, plot_axis_clear)

/* Can `value` stand on an axis? */
bool plot_axis_takes(double value, bool is_log);

/* Makes it cover `value`, which it takes. */
void plot_axis_cover(PlotAxis *self, double value);

/* All is covered: rounds the ends and sets the ticks. */
void plot_axis_ready(PlotAxis *self);

/* The same for a logarithmic axis that ends right behind its numbers, so that they have
 * all of it. */
void plot_axis_ready_tight(PlotAxis *self);

/* The same for an axis of names, which stand at 1, 2 and so on: a tick for each, and
 * half a step more on both sides. The list ends with NULL and is not empty. */
void plot_axis_ready_names(PlotAxis *self, const char *const *names);

/* Where `value` lies: 0 is the low end, 1 the high one. */
double plot_axis_place(const PlotAxis *self, double value);
