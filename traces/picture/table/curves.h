/* The runs of a table as curves: one for each value of a column, medians where several
 * share a place. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/plot.h"
#include "traces/table/table.h"

typedef struct {
    char *name;     /* of the value; NULL where there is one curve only */
    GArray *rows;   /* of guint */
    GArray *points; /* of TracePlotPoint, ascending in x, each x once */
    GArray *band;   /* of TracePlotSpan, one for each point */
    bool has_band;  /* any of them is wider than nothing */
    bool is_cloud;  /* every x is another one because something else was varied, up and
                     * down: a line would join what does not belong together */
} TableCurve;

typedef struct {
    GPtrArray *curves;  /* of TableCurve: numbers ascending, words as they came */
    GPtrArray *x_names; /* words along the axis, at 1, 2 and so on; NULL for numbers */
    guint left_out;     /* rows that are not done, or have no number */
} TableCurves;

/* `by` is -1 for one curve of all. Numbers of `by` with more than
 * TRACE_TABLE_VALUES_MOST values are put into ranges. */
void table_curves_init(
    TableCurves *self, const TraceTable *table, guint x, int by, guint y);
/* Bands reach from the least of one column to the most of another, where they have
 * numbers: intervals of each row. */
void table_curves_widen(
    TableCurves *self, const TraceTable *table, guint x, guint low, guint high);
void table_curves_clear(TableCurves *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TableCurves, table_curves_clear)

const TableCurve *table_curves_at(const TableCurves *self, guint index);

/* All x of all curves, each once, ascending; the caller frees the array of double. */
GArray *table_curves_places(const TableCurves *self);
