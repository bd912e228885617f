/* The files of a finished run: its result and, if there is one, its trace. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/reading/timeline.h"

typedef struct {
    char *name;         /* as the user gave it */
    JsonObject *result; /* for a trace that is cut off: what was known before the run */
    bool is_whole;      /* `result` is complete */
    TraceTimeline *timeline; /* NULL: no trace */
} TraceRun;

/* Reads a trace, a result object, or a folder with result.json, trace.pftrace or both.
 * Fails with TRACE_ERROR_READ. */
TraceRun *trace_run_read(const char *path, GError **error);
TraceRun *
trace_run_read_watched(const char *path, const TraceWatch *watch, GError **error);

/* A run from the text of a result object and a trace, which may be NULL; takes the
 * trace. `name` is also used in messages. Fails with TRACE_ERROR_READ. */
TraceRun *trace_run_new(const char *name,
                        const char *text,
                        TraceTimeline *timeline,
                        GError **error);
void trace_run_free(TraceRun *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceRun, trace_run_free)

/* An empty array of TraceRun that frees its elements. */
GPtrArray *trace_runs_new(void);

/* A run's name taken from its file: without folder and extension. The caller frees
 * it. */
char *trace_run_short_name(const char *path);

/* "dot on wormhole_n300, cores 4 of 56"; the caller frees it. */
char *trace_run_title(const TraceRun *self);
