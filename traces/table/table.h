/* A table of many runs: their parameters and results. Pictures, pages and CSV files of
 * sweeps are made from it. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct TraceTable TraceTable;

typedef enum {
    TRACE_COLUMN_PARAMETER, /* an axis of the sweep */
    TRACE_COLUMN_METRIC,    /* what was recorded */
    TRACE_COLUMN_STATUS,    /* run, status, error */
} TraceColumnKind;

typedef struct {
    const char *name; /* "tiles", "noc.hop_cycles", "seconds", "status" */
    TraceColumnKind kind;
    bool is_number; /* every cell that is not empty is a number */
} TraceColumn;

TraceTable *trace_table_new(const char *title);
void trace_table_free(TraceTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceTable, trace_table_free)

const char *trace_table_title(const TraceTable *self);

/* Before the first row. Returns its index. */
guint trace_table_add_column(TraceTable *self, const char *name, TraceColumnKind kind);
guint trace_table_column_count(const TraceTable *self);
const TraceColumn *trace_table_column(const TraceTable *self, guint index);
/* -1 where there is none. */
int trace_table_find(const TraceTable *self, const char *name);

/* As many cells as columns, copied; NULL is an empty one. */
void trace_table_add_row(TraceTable *self, const char *const *cells);
guint trace_table_row_count(const TraceTable *self);
const char *trace_table_text(const TraceTable *self, guint row, guint column);
/* NaN where the cell is empty or no number. */
double trace_table_number(const TraceTable *self, guint row, guint column);

/* What is looked for in a column: little of it, or much. */
typedef struct {
    guint column;
    bool is_maximum;
} TraceGoal;

/* Rows that are on the front of two goals: no other row is as good in both and better
 * in one; the best of the first goal comes first. Rows without numbers are left out.
 * The caller frees the array of guint. */
GArray *trace_table_pareto(const TraceTable *self, const TraceGoal goals[2]);
