/* Cells of a plot along one axis: from half way to the point before to half way to the
 * next. */
#pragma once

#include <glib.h>

typedef struct {
    GArray *places; /* of double: where points stand, rising, each once */
    double length;  /* of the axis, in pixels */
} PlotCells;

typedef struct {
    double from;
    double to;
} PlotSpan;

void plot_cells_init(PlotCells *self, double length);
void plot_cells_clear(PlotCells *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PlotCells, plot_cells_clear)

/* A point stands here; then, once, all have been said. */
void plot_cells_add(PlotCells *self, double place);
void plot_cells_ready(PlotCells *self);

/* The cell of a point; that at an end is as wide on its other side, within the axis. A
 * single one has all of it. */
PlotSpan plot_cells_span(const PlotCells *self, double place);
