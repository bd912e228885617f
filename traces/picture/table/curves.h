/* The runs of a table as curves: one for each value of a column, with the median where
 * several runs share an x. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/plot.h"
#include "traces/table/table.h"

typedef struct {
    char *name;     /* the value; NULL if there is only one curve */
    GArray *rows;   /* of guint */
    GArray *points; /* of TracePlotPoint, ascending in x, each x once */
    GArray *band;   /* of TracePlotSpan, one for each point */
    bool has_band;  /* at least one span is not empty */
    bool is_cloud;  /* every row has its own x because something else was varied, up and
                       down: a line would join unrelated points */
} TableCurve;

typedef struct {
    GPtrArray
        *curves; /* of TableCurve: numbers ascending, words in order of appearance */
    GPtrArray *x_names; /* words along the axis, at 1, 2 and so on; NULL for numbers */
    guint left_out;     /* rows that are not done or have no number */
} TableCurves;

/* `by` is -1 for a single curve. A numeric `by` with more than TRACE_TABLE_VALUES_MOST
 * values is put into ranges. */
void table_curves_init(
    TableCurves *self, const TraceTable *table, guint x, int by, guint y);
/* Extends bands from the least of column `low` to the most of column `high`, the
 * interval of each row, where they hold numbers. */
void table_curves_widen(
    TableCurves *self, const TraceTable *table, guint x, guint low, guint high);
void table_curves_clear(TableCurves *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TableCurves, table_curves_clear)

const TableCurve *table_curves_at(const TableCurves *self, guint index);

/* The x values of all curves, each once, ascending. The caller frees the array of
 * double. */
GArray *table_curves_places(const TableCurves *self);
