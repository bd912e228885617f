/* The two axes of a plot with their grid, labels and names. */
#pragma once

#include "traces/picture/plot/axis.h"
#include "traces/picture/svg.h"

typedef struct {
    TracePlotAxis x;
    TracePlotAxis y;
    double width; /* of the area between the axes, in pixels */
    double height;
    const char *x_words; /* borrowed */
    const char *y_words;
    guint label_rows; /* below the horizontal axis, for labels in turn; 0 means 1 */
} TracePlotFrame;

/* Frees the axes, which the owner initialised. */
void trace_plot_frame_clear(TracePlotFrame *self);

/* Adds the style rules for the title, the words and the axes of a picture. */
void trace_plot_frame_style(TraceSvg *svg);

/* The width of the labels of the vertical axis. */
double trace_plot_frame_labels(const TracePlotFrame *self);

/* The number of rows, at most 4, that the labels of the horizontal axis need to stay
 * apart; and the height of the rows after the first. */
guint trace_plot_frame_rows(const TracePlotFrame *self);
double trace_plot_frame_rows_height(const TracePlotFrame *self);

/* The position of a value, in pixels from the upper left corner of the area. */
double trace_plot_frame_x(const TracePlotFrame *self, double value);
double trace_plot_frame_y(const TracePlotFrame *self, double value);

/* Draws the frame with that corner at 0, 0. The name of the vertical axis begins at
 * `words_x`, above the axis. */
void trace_plot_frame_draw(const TracePlotFrame *self, TraceSvg *svg, double words_x);
