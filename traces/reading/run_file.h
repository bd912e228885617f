/* The files of a finished run: its result and, if there is one, its trace. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/reading/timeline.h"

typedef struct {
    char *name;              /* as it was given */
    JsonObject *result;      /* of a trace cut off: what was known before the run */
    bool is_whole;           /* it is a result, and not only a beginning */
    TraceTimeline *timeline; /* NULL: there is no trace */
} TraceRun;

/* Reads a trace, a result object, or a folder with result.json, trace.pftrace or both.
 * Fails with TRACE_ERROR_READ. */
TraceRun *trace_run_read(const char *path, GError **error);

/* A run of the text of a result object and of a trace, which it takes and which may be
 * NULL. `name` is for messages, too. Fails with TRACE_ERROR_READ. */
TraceRun *trace_run_new(const char *name,
                        const char *text,
                        TraceTimeline *timeline,
                        GError **error);
void trace_run_free(TraceRun *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceRun, trace_run_free)

/* An empty array that frees the TraceRuns which are put into it. */
GPtrArray *trace_runs_new(void);
