/* A table of many runs: their parameters and results. Pictures, pages and CSV files of
 * sweeps are made from it. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct TraceTable TraceTable;

typedef enum {
    TRACE_COLUMN_PARAMETER, /* an axis of the sweep */
    TRACE_COLUMN_METRIC,    /* a recorded value */
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

/* The column of the cycles that runs have spent in the unattributed constant. */
#define TRACE_TABLE_UNATTRIBUTED "unattributed_cycles"

/* The title, or the table's where it is NULL; where that column says so followed by ",
 * incl. unattributed constant" or ", some runs incl. ...". The caller frees it. */
char *trace_table_marked_title(const TraceTable *self, const char *title);

/* Adds a column, before the first row. Returns its index. */
guint trace_table_add_column(TraceTable *self, const char *name, TraceColumnKind kind);
guint trace_table_column_count(const TraceTable *self);
const TraceColumn *trace_table_column(const TraceTable *self, guint index);
/* The index of a column by name; -1 if there is none. */
int trace_table_find(const TraceTable *self, const char *name);

/* Adds a row with one cell per column, copied; NULL is an empty cell. */
void trace_table_add_row(TraceTable *self, const char *const *cells);
guint trace_table_row_count(const TraceTable *self);
const char *trace_table_text(const TraceTable *self, guint row, guint column);
/* NaN if the cell is empty or not a number. */
double trace_table_number(const TraceTable *self, guint row, guint column);

/* A column to minimise or maximise. */
typedef struct {
    guint column;
    bool is_maximum;
} TraceGoal;

/* The rows on the Pareto front of two goals: no other row is at least as good in both
 * and better in one. The best by the first goal comes first. Rows without numbers are
 * left out. The caller frees the array of guint. */
GArray *trace_table_pareto(const TraceTable *self, const TraceGoal goals[2]);

/* RFC 4180 with LF: a line of column names, then a line per row; an empty cell is an
 * empty field. "-" is standard output. Fails with TRACE_ERROR_WRITE. */
bool trace_table_write_csv(const TraceTable *self, const char *path, GError **error);
