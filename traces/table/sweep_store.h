/* The database of a sweep: a row for each finished run, whoever made it.
 *
 * Tables: sweep(key, value) describes the sweep; runs(run, status, error, a column for
 * each axis and each recorded value); timing(run, worker, wall_seconds). Every row is a
 * transaction: rows that were put survive however the process ends. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/table/table.h"

typedef struct TraceSweepStore TraceSweepStore;

typedef enum {
    TRACE_RUN_MISSING,
    TRACE_RUN_DONE,
    TRACE_RUN_FAILED, /* it ended with an error */
    TRACE_RUN_LOST,   /* its process was killed; the outcome is unknown */
} TraceRunStatus;

/* The sweep that a database belongs to. Lists end with NULL. */
typedef struct {
    const char *title;
    const char *version; /* of the program */
    const char *digest;  /* of all runs and recorded values */
    const char *inputs;  /* the runs' input files and their digests, one per line */
    const char *const *axes;
    const char *const *metrics;
    guint run_count;
} TraceSweepHead;

/* A finished run. Texts that are numbers are stored as numbers; NULL is stored as
 * null. */
typedef struct {
    guint run;
    TraceRunStatus status;
    const char *error;
    const char *const *values;  /* one per axis */
    const char *const *metrics; /* one per recorded value; NULL: none */
    const char *worker;
    double wall_seconds;
} TraceSweepRow;

/* Opens the database, or creates it. Others can only read it until it is freed. Fails
 * with TRACE_ERROR_WRITE if the file cannot be written or another process writes it,
 * and with TRACE_ERROR_READ if it holds something else. */
TraceSweepStore *
trace_sweep_store_open(const char *path, const TraceSweepHead *head, GError **error);
void trace_sweep_store_free(TraceSweepStore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceSweepStore, trace_sweep_store_free)

/* The input file that has changed since the first run, by head.inputs; NULL: none. */
const char *trace_sweep_store_changed(const TraceSweepStore *self);

TraceRunStatus trace_sweep_store_status(const TraceSweepStore *self, guint run);

/* Does the path still name this file, so that readers will find the rows? */
bool trace_sweep_store_is_there(const TraceSweepStore *self);

/* Adds or replaces a row. Fails with TRACE_ERROR_WRITE, also if the file was removed;
 * earlier rows stay. */
bool trace_sweep_store_put(TraceSweepStore *self,
                           const TraceSweepRow *row,
                           GError **error);

/* All rows, sorted by run. The columns are run, status, error, the axes, and the
 * recorded values. The caller frees it. */
TraceTable *trace_sweep_store_table(TraceSweepStore *self, GError **error);

/* The same columns without rows; needs no database. */
TraceTable *trace_sweep_store_columns(const TraceSweepHead *head);
