/* A run's trace in Perfetto's format (.pftrace), written during the run. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/probe.h"

/* The version in the first event; readers refuse a higher one. */
#define TRACE_PFTRACE_FORMAT 1

enum {
    TRACE_PFTRACE_ENGINES = 63, /* most engines in one trace */
};

typedef enum {
    TRACE_LEVEL_AUTO,   /* everything on grids of few places, blocks on larger ones */
    TRACE_LEVEL_FULL,   /* every slice */
    TRACE_LEVEL_BLOCKS, /* use of lanes, by time */
} TraceLevel;

/* A rectangle of places: first and last column and row. */
typedef struct {
    guint x;
    guint y;
    guint x_end;
    guint y_end;
} TraceSquare;

/* How much of a run a trace holds. */
typedef struct {
    TraceLevel level;
    const TraceSquare *cores; /* borrowed: full detail for these cores or PEs; for
                                 others nothing, or blocks on large grids */
    guint core_count;         /* 0: no selection */
    SimTime from;             /* the window; `to` of 0: no end */
    SimTime to;
    uint64_t limit_bytes; /* slices stop at this size; 0: no limit */
} TracePftraceConfig;

/* What is known before the run; all is borrowed. */
typedef struct {
    const char *workload;
    const char *chip;
    const char *prefix; /* prefix of the engine's place names: chip0.; NULL: none */
    double clock_hz;
    JsonObject *details; /* free-form: version, parameters ... */
} TracePftraceStart;

/* What is known after the run; all is borrowed. */
typedef struct {
    SimTime cycles;       /* of what the run measured */
    SimTime measured_end; /* when that ended; 0: not known */
    JsonObject *counters;
    JsonObject *result;  /* its `host` is left out, as it differs from run to run; NULL:
                          * the run failed */
    JsonObject *work;    /* programs, and the counters of roofs; NULL: not known */
    const char *failure; /* why the run failed; NULL otherwise */
} TracePftraceEnd;

typedef struct TracePftrace TracePftrace;

/* Writes a draft of `path` (traces/file/draft.h) until finished. The folder of `path`
 * need not exist before that. Fails with TRACE_ERROR_WRITE. */
TracePftrace *
trace_pftrace_new(const char *path, const TracePftraceConfig *config, GError **error);

/* An unfinished trace leaves no file. */
void trace_pftrace_free(TracePftrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TracePftrace, trace_pftrace_free)

/* Begins the trace and watches the engine, which must outlive it. Call it before the
 * first run. */
void trace_pftrace_begin(TracePftrace *self,
                         SimEngine *engine,
                         const TracePftraceStart *start);

/* Watches another engine with the same clock; the names of its places get `prefix`.
 * Call it after the trace has begun and before the engine's first run. */
void trace_pftrace_join(TracePftrace *self, SimEngine *engine, const char *prefix);

/* An activity outside any engine, on the same clock: of the host, or of a link between
 * chips. Activities of one lane come in order of time and do not overlap. Names are
 * copied. */
typedef struct {
    const char *place;
    const char *lane;
    const char *name;
    SimTime begin;
    SimTime end;
    int64_t bytes;    /* negative: none */
    const char *unit; /* of a counter, or NULL */
} TracePftraceDeed;

void trace_pftrace_add(TracePftrace *self, const TracePftraceDeed *deed);

/* The value of that lane's counter `name` from `begin` on. The values of a counter come
 * in order of time. */
void trace_pftrace_count(TracePftrace *self,
                         const TracePftraceDeed *deed,
                         int64_t value);

/* Finishes the trace, after the last run. Fails with TRACE_ERROR_WRITE. */
bool trace_pftrace_finish(TracePftrace *self,
                          const TracePftraceEnd *end,
                          GError **error);

/* The time of the engine that is furthest ahead. */
SimTime trace_pftrace_now(const TracePftrace *self);

/* Slices that end at or after this cycle are missing because the limit was reached;
 * SIM_TIME_NEVER: none are. */
SimTime trace_pftrace_cut(const TracePftrace *self);

/* Whether the use of blocks is missing because the limit was reached. */
bool trace_pftrace_lacks_use(const TracePftrace *self);

/* Whether the run ended before the window began. */
bool trace_pftrace_is_too_late(const TracePftrace *self);

/* Whether cores were selected but the run had none of them. */
bool trace_pftrace_is_off_target(const TracePftrace *self);
