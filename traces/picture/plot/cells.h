/* Cells of a plot along one axis, each from half way to the previous point to half way
 * to the next. */
#pragma once

#include <glib.h>

typedef struct {
    GArray *places; /* of double: where points stand, rising, each once */
    double length;  /* of the axis, in pixels */
} TracePlotCells;

typedef struct {
    double from;
    double to;
} TracePlotExtent;

void trace_plot_cells_init(TracePlotCells *self, double length);
void trace_plot_cells_clear(TracePlotCells *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TracePlotCells, trace_plot_cells_clear)

/* A point stands here; then, once, all have been said. */
void trace_plot_cells_add(TracePlotCells *self, double place);
void trace_plot_cells_ready(TracePlotCells *self);

/* The cell of a point; that at an end is as wide on its other side, within the axis. A
 * single one has all of it. */
TracePlotExtent trace_plot_cells_span(const TracePlotCells *self, double place);
