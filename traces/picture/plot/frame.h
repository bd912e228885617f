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
    guint
        label_rows; /* below the horizontal axis, where labels stand in turn; 0 is 1 */
} TracePlotFrame;

/* Frees the axes, which the owner has initialised. */
void trace_plot_frame_clear(TracePlotFrame *self);

/* Rules for the title of a picture, its words, and the axes. */
void trace_plot_frame_style(TraceSvg *svg);

/* How wide the labels of the vertical axis are. */
double trace_plot_frame_labels(const TracePlotFrame *self);

/* How many rows the labels of the horizontal axis need so as not to run into each
 * other, at most 4; how high those after the first are. */
guint trace_plot_frame_rows(const TracePlotFrame *self);
double trace_plot_frame_rows_height(const TracePlotFrame *self);

/* Where values stand, in pixels from the upper left corner of the area. */
double trace_plot_frame_x(const TracePlotFrame *self, double value);
double trace_plot_frame_y(const TracePlotFrame *self, double value);

/* Draws it with that corner at 0, 0; the name of the vertical axis begins at
 * `words_x`, above it. */
void trace_plot_frame_draw(const TracePlotFrame *self, TraceSvg *svg, double words_x);
