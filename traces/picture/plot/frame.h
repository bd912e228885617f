/* The two axes of a plot with their grid, labels and names. */
#pragma once

#include "traces/picture/plot/axis.h"
#include "traces/picture/svg.h"

typedef struct {
    PlotAxis x;
    PlotAxis y;
    double width; /* of the area between the axes, in pixels */
    double height;
    const char *x_words; /* borrowed */
    const char *y_words;
    guint
        label_rows; /* below the horizontal axis, where labels stand in turn; 0 is 1 */
} PlotFrame;

/* Frees the axes, which the owner has initialised. */
void plot_frame_clear(PlotFrame *self);

/* Rules for the title of a picture, its words, and the axes. */
void plot_frame_style(TraceSvg *svg);

/* How wide the labels of the vertical axis are. */
double plot_frame_labels(const PlotFrame *self);

/* How many rows the labels of the horizontal axis need so as not to run into each
 * other, at most 4; how high those after the first are. */
guint plot_frame_rows(const PlotFrame *self);
double plot_frame_rows_height(const PlotFrame *self);

/* Where values stand, in pixels from the upper left corner of the area. */
double plot_frame_x(const PlotFrame *self, double value);
double plot_frame_y(const PlotFrame *self, double value);

/* Draws it with that corner at 0, 0; the name of the vertical axis begins at
 * `words_x`, above it. */
void plot_frame_draw(const PlotFrame *self, TraceSvg *svg, double words_x);
