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

/* Where `value` lies: 0 is the low end, 1 the high one. */
double plot_axis_place(const PlotAxis *self, double value);
