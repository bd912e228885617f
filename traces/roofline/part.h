/* Parts of a run as runs of their own: the result of a window, of some cores, of a
 * zone, and the path of its iterations. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/time.h"
#include "traces/reading/run_file.h"

typedef enum {
    TRACE_PART_WHOLE,
    TRACE_PART_ZONE,      /* a run for each zone, too */
    TRACE_PART_ITERATION, /* with the path of its iterations */
} TracePartBy;

enum {
    TRACE_PART_STEPS = 512, /* most steps of a path: more iterations are joined */
    TRACE_PART_ZONES = 48,  /* most zones of a trace */
};

/* What is asked of a trace. */
typedef struct {
    SimTime from;
    SimTime to; /* SIM_TIME_NEVER: until the end */
    bool (*has_core)(gconstpointer data, guint x, guint y); /* NULL: all cores */
    gconstpointer data;
    TracePartBy by;
} TracePartQuery;

/* Runs (of TraceRun) whose results are those of the part: `counters`, `roofs` with what
 * was achieved, `seconds` of programs and `busy` come from the trace, and `part` says
 * what they cover:
 *   from, to: cycles; cores; zone, if it is of one, "none" for the time outside of all;
 *   share: of the run's operations; is_all: it is the run; is_all_time: of all cycles;
 *   idle_zones, of the first if zones are asked for: those without operations, which
 *   have no run: zone, and time, their share of the time of cores.
 * The first is the whole of what was asked for, and has the timeline. Its `path`, if
 * asked for, has a step for each iteration: iteration, last (the same unless several
 * are joined), from, to, rate, and achieved by roof. Takes the timeline
 * of `run` if it succeeds. The caller frees the array. Fails as trace_work_new(),
 * trace_work_narrow(), trace_work_zones() and trace_work_iterations(). */
GPtrArray *trace_part_runs(TraceRun *run, const TracePartQuery *query, GError **error);

/* Where the slices of a whole trace add up to something else than its result says: one
 * line, which the caller frees. NULL: they agree, or it is a part of a run. */
char *trace_part_difference(const TraceRun *whole, const TraceRun *part);

/* ", zone spmv", ", cycles 100:200"; "" for a result of a whole run. The caller frees
 * it. */
char *trace_part_suffix(JsonObject *result);
