/* An axis of a plot: its range and its labels. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    double value;
    char *label; /* NULL for a line between labels */
} TracePlotTick;

typedef struct {
    bool is_log;
    bool is_empty;    /* covers no number yet */
    bool is_doubling; /* all numbers are 1, 2, 4, 8 and so on, up to a million */
    double low;       /* of the numbers; after ready(), of the axis */
    double high;
    GArray *ticks; /* of TracePlotTick, ascending */
} TracePlotAxis;

void trace_plot_axis_init(TracePlotAxis *self, bool is_log);
void trace_plot_axis_clear(TracePlotAxis *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TracePlotAxis, trace_plot_axis_clear)

/* Can an axis show `value`? */
bool trace_plot_axis_takes(double value, bool is_log);

/* Extends the axis to cover `value`, which it must be able to show. */
void trace_plot_axis_cover(TracePlotAxis *self, double value);

/* Rounds the ends and sets the ticks, after all values are covered. Labels are numbers
 * as people write them: 20, 5 k, 1.5 M, 2e-6; on a logarithmic axis of 1, 2, 4 and 8,
 * exactly these. */
void trace_plot_axis_ready(TracePlotAxis *self);

/* The same for a logarithmic axis that ends right at its numbers, so that they fill
 * it. */
void trace_plot_axis_ready_tight(TracePlotAxis *self);

/* The same for an axis of names, which stand at 1, 2 and so on: a tick for each, and
 * half a step more on both sides. The list is NULL-terminated and not empty. */
void trace_plot_axis_ready_names(TracePlotAxis *self, const char *const *names);

/* The position of `value`: 0 is the low end, 1 the high end. */
double trace_plot_axis_place(const TracePlotAxis *self, double value);
