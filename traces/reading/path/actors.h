/* Lanes that do things and wait: RISC-Vs, units, the threads of PEs; and what they did
 * up to a time. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/reading/timeline.h"

typedef struct {
    const TraceTimeline *timeline;
    GArray *lanes;       /* of guint32: those that act, in order */
    GHashTable *by_name; /* lane and 1, by its name */
    bool is_wafer;
} TraceActors;

/* What a lane did or waited for. */
typedef struct {
    SimTime begin;
    SimTime end;
    bool is_stall;
    const char *name;
    guint32 first_argument;
    guint32 argument_count;
} ActorRecord;

TraceActors *trace_actors_new(const TraceTimeline *timeline);
void trace_actors_free(TraceActors *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceActors, trace_actors_free)

/* The last record of the lane that begins before `before`; false: there is none. */
bool trace_actor_last(const TraceActors *self,
                      guint32 lane,
                      SimTime before,
                      ActorRecord *record);

/* The lane `unit` of the same place; TRACE_NONE: there is none. */
guint32 trace_actor_beside(const TraceActors *self, guint32 lane, const char *unit);

/* Of all lanes, or those of the place of `of`, unless that is TRACE_NONE: the one whose
 * work goes on until the latest time that is not after `until`, and that time. Returns
 * TRACE_NONE if none did anything before. */
guint32
trace_actor_latest(const TraceActors *self, guint32 of, SimTime until, SimTime *end);

/* Cycles of the lane's stalls between `begin` and `end`. */
SimTime
trace_actor_stalled(const TraceActors *self, guint32 lane, SimTime begin, SimTime end);

/* What the arguments of a record say of who ended its wait. */
typedef struct {
    guint32 lane; /* TRACE_NONE: nobody, or one that the trace lacks */
    SimTime at;
    bool is_missing; /* somebody, whom the trace lacks */
    SimTime fed;     /* when data came that an operation waited for; 0: not said */
    SimTime credits; /* cycles that it waited for space */
    const char *file;
    guint line;
    int64_t bank;
} TraceCause;

/* Of a record of `lane`. */
TraceCause
trace_cause_read(const TraceActors *self, guint32 lane, const ActorRecord *record);
