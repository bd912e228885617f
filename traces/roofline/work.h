/* The operations and bytes of a part of a run, from the slices, marks and counters of
 * its trace. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

/* A part of a run. */
typedef struct {
    const char *zone; /* lives as long as the timeline; "": outside of zones; NULL: all
                       */
    SimTime from;
    SimTime to;
    double cycles; /* in which programs ran; of a zone, the mean over its cores */
    double cores;  /* that had programs, a mean over these cycles; or opened the zone */
    double *amounts; /* by counter of the work; NaN: the trace does not say */
    double *busy;    /* by unit of the work: cycles of its lanes, summed over cores */
} TraceWorkPart;

/* What is asked for. */
typedef struct {
    SimTime from;
    SimTime to; /* SIM_TIME_NEVER: until the end */
    bool (*has_core)(gconstpointer data, guint x, guint y); /* NULL: all cores */
    gconstpointer data;
} TraceWorkChoice;

typedef struct {
    const TraceTimeline *timeline; /* borrowed, as `name` */
    const char *name;              /* for messages */
    GArray *programs;              /* of TraceWorkProgram */
    GPtrArray *counters;           /* of const char *: those of the roofs, and flops */
    GPtrArray *units;              /* of const char *: those of cores */
    GHashTable *meanings;          /* argument's name -> counters it adds to */
    double link_bytes;
} TraceWork;

/* A launch: see `work` in traces/doc/traces.md. */
typedef struct {
    SimTime begin;
    SimTime end;
    double cores;
    double cycles;
} TraceWorkProgram;

/* Fails with TRACE_ERROR_LACKS where the trace does not say what was computed where: it
 * is of another program, of several chips, of blocks, or of an older version; with
 * TRACE_ERROR_READ where it is cut off or damaged, so that its result is missing. */
TraceWork *
trace_work_new(const char *name, const TraceTimeline *timeline, GError **error);
void trace_work_free(TraceWork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceWork, trace_work_free)

/* Narrows a choice to what the trace holds. Fails with TRACE_ERROR_READ if nothing is
 * left: no program ran there, or none of the cores had one. */
bool trace_work_narrow(const TraceWork *self, TraceWorkChoice *choice, GError **error);

/* Does it cover all cycles of programs? */
bool trace_work_is_all_time(const TraceWork *self, const TraceWorkChoice *choice);

/* The parts between `bounds`, in order, `count` + 1 of them; what goes across a bound
 * is divided by time. The caller frees the array of TraceWorkPart. */
GArray *trace_work_split(const TraceWork *self,
                         const TraceWorkChoice *choice,
                         const SimTime *bounds,
                         guint count);

/* A part for each zone, in order of their names, the time outside of them last. Bytes
 * over links, which cores share, are NaN. Fails with TRACE_ERROR_READ if no zone was
 * opened. */
GArray *
trace_work_zones(const TraceWork *self, const TraceWorkChoice *choice, GError **error);

/* Bounds of the iterations that the choice holds all of (of SimTime), one more than
 * there are, maybe none: where iterations are marked, else where the zone that each
 * core opens once an iteration begins, without the last one if nothing bounds it; means
 * over cores. Fails with TRACE_ERROR_LACKS if neither is known. */
GArray *trace_work_iterations(const TraceWork *self,
                              const TraceWorkChoice *choice,
                              GError **error);

/* The number of the counter; the number of counters if there is none. */
guint trace_work_counter(const TraceWork *self, const char *name);

/* An empty array of TraceWorkPart, and a part at its end. */
GArray *trace_work_parts_new(void);
TraceWorkPart *trace_work_parts_add(const TraceWork *self, GArray *parts);

/* Are all cores of the run in it? */
bool trace_work_has_all_cores(const TraceWork *self, const TraceWorkChoice *choice);

/* When the first program began, and when the last one ended. */
void trace_work_span(const TraceWork *self, SimTime *first, SimTime *last);

/* Sets the cycles of programs between the part's `from` and `to`, and their cores. */
void trace_work_add_time(const TraceWork *self,
                         const TraceWorkChoice *choice,
                         TraceWorkPart *part);

/* A lane of a link between routers; of a core or PE, or a square of them. */
bool trace_work_is_link(const TraceLane *lane);
bool trace_work_is_of_core(const TraceWork *self, const TraceLane *lane);

/* A lane of a single core or PE that is chosen; and those of them that did anything. */
bool trace_work_has_lane(const TraceWork *self,
                         const TraceWorkChoice *choice,
                         guint32 lane);
guint trace_work_core_count(const TraceWork *self, const TraceWorkChoice *choice);

/* Calls `func` for each amount that the lane's records add to counters, over a span of
 * time, which is empty for a mark. */
typedef void (*TraceWorkFunc)(
    gpointer data, guint counter, SimTime begin, SimTime end, double amount);
void trace_work_each(const TraceWork *self,
                     guint32 lane,
                     TraceWorkFunc func,
                     gpointer data);
