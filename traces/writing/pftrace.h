/* A trace of a run as Perfetto reads it (.pftrace), written while the run goes on. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/probe.h"

/* Of what we write into the first event; readers refuse a higher one. */
#define TRACE_PFTRACE_FORMAT 1

enum {
    TRACE_PFTRACE_ENGINES = 63, /* that a trace can watch */
};

typedef enum {
    TRACE_LEVEL_AUTO,   /* everything on grids of few places, blocks on larger ones */
    TRACE_LEVEL_FULL,   /* every slice */
    TRACE_LEVEL_BLOCKS, /* how much lanes were in use, by time */
} TraceLevel;

/* Places of a grid, first and last column and row. */
typedef struct {
    guint x;
    guint y;
    guint x_end;
    guint y_end;
} TraceSquare;

/* How much of a run a trace holds. */
typedef struct {
    TraceLevel level;
    const TraceSquare *cores; /* borrowed: everything of these cores or PEs, and of
                               * others nothing, or blocks on large grids */
    guint core_count;         /* 0: no such choice */
    SimTime from;             /* the window; `to` of 0: no end */
    SimTime to;
    uint64_t limit_bytes; /* slices end there; 0: no limit */
} TracePftraceConfig;

/* What is known before the run; all is borrowed. */
typedef struct {
    const char *workload;
    const char *chip;
    const char *prefix; /* of the names of the engine's places: chip0.; NULL: none */
    double clock_hz;
    JsonObject *details; /* of the user's choosing: version, parameters ... */
} TracePftraceStart;

/* What is known after it; all is borrowed. */
typedef struct {
    SimTime cycles;
    JsonObject *counters;
    JsonObject *result;  /* its `host` is left out, as it differs from run to run; NULL:
                          * the run failed */
    const char *failure; /* why it did; NULL otherwise */
} TracePftraceEnd;

typedef struct TracePftrace TracePftrace;

/* Writes to `partial`, NULL: `path`.partial, until it is finished; to a device or a
 * pipe at once. The folder of `path` is needed only then. Fails with TRACE_ERROR_WRITE.
 */
TracePftrace *trace_pftrace_new(const char *path,
                                const char *partial,
                                const TracePftraceConfig *config,
                                GError **error);

/* What is not finished leaves no file. */
void trace_pftrace_free(TracePftrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TracePftrace, trace_pftrace_free)

/* The file that it is written to while it is not finished, or NULL. Borrowed. */
const char *trace_pftrace_partial(const TracePftrace *self);

/* Begins the trace and watches the engine, which outlives it. Before the first run. */
void trace_pftrace_begin(TracePftrace *self,
                         SimEngine *engine,
                         const TracePftraceStart *start);

/* Watches a further engine with the same clock; `prefix` is put before the names of its
 * places. After the trace has begun, before the engine's first run. */
void trace_pftrace_join(TracePftrace *self, SimEngine *engine, const char *prefix);

/* Something that no engine does, on the same clock: the host's, a link's between chips.
 * Those of one lane come in the order of time and do not overlap. Names may go. */
typedef struct {
    const char *place;
    const char *lane;
    const char *name;
    SimTime begin;
    SimTime end;
    int64_t bytes;    /* negative: that has none */
    const char *unit; /* of a counter, or NULL */
} TracePftraceDeed;

void trace_pftrace_add(TracePftrace *self, const TracePftraceDeed *deed);

/* The value of such a lane's counter `name` from `begin` on; of one counter in the
 * order of time. */
void trace_pftrace_count(TracePftrace *self,
                         const TracePftraceDeed *deed,
                         int64_t value);

/* After the last run. Fails with TRACE_ERROR_WRITE. */
bool trace_pftrace_finish(TracePftrace *self,
                          const TracePftraceEnd *end,
                          GError **error);

/* Where the engine is that is furthest. */
SimTime trace_pftrace_now(const TracePftrace *self);

/* Slices that end from this cycle on are missing because the limit was reached;
 * SIM_TIME_NEVER: it was not. */
SimTime trace_pftrace_cut(const TracePftrace *self);

/* Whether use of blocks is missing because the limit was reached. */
bool trace_pftrace_lacks_use(const TracePftrace *self);

/* Whether the run has not come to where the window begins. */
bool trace_pftrace_is_too_late(const TracePftrace *self);

/* Whether cores were chosen and the run had none of them. */
bool trace_pftrace_is_off_target(const TracePftrace *self);
