/* The critical path of a run: from its end back through what each part waited for, to
 * its beginning. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

typedef enum {
    TRACE_STEP_WORK,   /* the lane did something */
    TRACE_STEP_WAIT,   /* the lane waited, and others did not do it sooner */
    TRACE_STEP_LAUNCH, /* no lane did anything: the host started programs */
} TraceStepKind;

/* A part of the path. Texts are the timeline's. */
typedef struct {
    SimTime begin;
    SimTime end; /* where the next step begins */
    TraceStepKind kind;
    guint32 lane;     /* TRACE_NONE: the host */
    guint32 by;       /* who ended the wait: the step before is there; TRACE_NONE: not a
                         wait, or nobody known */
    const char *name; /* of the operation, or the reason of the wait */
    const char *file; /* of the script, where the call that waits is; NULL: unknown */
    guint line;
    int64_t bank; /* of DRAM that was waited for; -1: none */
} TraceStep;

typedef struct {
    GArray *steps; /* of TraceStep, by time; each begins where the one before ends */
    SimTime begin;
    SimTime end; /* the run's cycles later */
} TracePath;

/* The path through the region that the run measured: its steps add up to the cycles of
 * the result. Fails with TRACE_ERROR_LACKS, if the trace does not say who waited for
 * whom: it has no result, holds use by time, leaves out cores or cycles, or is of a
 * chip that does not record it. `name` is for messages. */
TracePath *
trace_path_find(const TraceTimeline *timeline, const char *name, GError **error);
/* At most `most` lanes, those with most cycles of the path, in the timeline's order.
 * The caller frees the array of guint32. */
GArray *trace_path_lanes(const TracePath *self, guint most);
void trace_path_free(TracePath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TracePath, trace_path_free)
