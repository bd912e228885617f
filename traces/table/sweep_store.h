/* The database of a sweep: a row for each run that is over, whoever did it.
 *
 * Tables: sweep(key, value) says what it is of; runs(run, status, error, a column for
 * each axis and for all that is recorded); timing(run, worker, wall_seconds). Every row
 * is a transaction: however the process ends, what was put is there. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/table/table.h"

typedef struct TraceSweepStore TraceSweepStore;

typedef enum {
    TRACE_RUN_MISSING,
    TRACE_RUN_DONE,
    TRACE_RUN_FAILED, /* it ended with an error */
    TRACE_RUN_LOST,   /* its process was killed; nobody knows what would have come */
} TraceRunStatus;

/* What a database is of. Lists end with NULL. */
typedef struct {
    const char *title;
    const char *version; /* of the program */
    const char *digest;  /* of all runs, and of what is recorded */
    const char *inputs;  /* files that runs are made of, and their digests: lines */
    const char *const *axes;
    const char *const *metrics;
    guint run_count;
} TraceSweepHead;

/* A run that is over. Texts that are numbers are kept as numbers; NULL is nothing. */
typedef struct {
    guint run;
    TraceRunStatus status;
    const char *error;
    const char *const *values;  /* of all axes */
    const char *const *metrics; /* of all that is recorded; NULL: nothing of it */
    const char *worker;
    double wall_seconds;
} TraceSweepRow;

/* Makes the database, or opens it where there is one; nobody else can until it is
 * freed, other than to read. Fails with TRACE_ERROR_WRITE where the file cannot be
 * written or is being written by somebody, and with TRACE_ERROR_READ where it holds
 * something else. */
TraceSweepStore *
trace_sweep_store_open(const char *path, const TraceSweepHead *head, GError **error);
void trace_sweep_store_free(TraceSweepStore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceSweepStore, trace_sweep_store_free)

/* The file that has changed since its first run, as head.inputs has it; NULL: none. */
const char *trace_sweep_store_changed(const TraceSweepStore *self);

TraceRunStatus trace_sweep_store_status(const TraceSweepStore *self, guint run);

/* Is the file still under its name, so that somebody will find what was put? */
bool trace_sweep_store_is_there(const TraceSweepStore *self);

/* Adds a row, or replaces it. Fails with TRACE_ERROR_WRITE, also where the file is no
 * longer there; what was put before stays. */
bool trace_sweep_store_put(TraceSweepStore *self,
                           const TraceSweepRow *row,
                           GError **error);

/* All rows by their runs; the columns are run, status, error, the axes, and what is
 * recorded. The caller frees it. */
TraceTable *trace_sweep_store_table(TraceSweepStore *self, GError **error);

/* The same columns without rows, without a database. */
TraceTable *trace_sweep_store_columns(const TraceSweepHead *head);
