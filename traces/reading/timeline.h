/* A run as recorded in its trace: lanes with slices and stalls, counters, flows, and
 * the run's result. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/time.h"

#define TRACE_NONE UINT32_MAX

/* A location: core[3,4], or a square of places, pe[0:15,16:31]. */
typedef struct {
    const char *name;
    const char *kind; /* core, noc0, pe */
    bool has_place;
    guint x;
    guint y;
    guint x_end; /* the last column and row; x and y unless it is a square */
    guint y_end;
} TracePlace;

typedef struct {
    const char *name; /* core[3,4].math */
    const char *unit; /* math; "" if the place itself is the lane */
    guint32 place;
    guint32 first_slice; /* its slices, sorted by time */
    guint32 slice_count;
    guint32 first_mark; /* its stalls and marks, sorted by time */
    guint32 mark_count;
} TraceLane;

typedef struct {
    const char *name;
    int64_t value;
} TraceArgument;

typedef struct {
    const char *name; /* of the operation */
    SimTime begin;
    SimTime end; /* if cut off: the end of the trace */
    guint32 lane;
    guint32 depth; /* the number of slices around it */
    guint32 first_argument;
    guint32 argument_count;
} TraceSlice;

/* An event at one time; a stall also says how long the lane then stood still. */
typedef struct {
    const char *name; /* for a stall, the reason */
    SimTime at;
    SimTime cycles; /* 0 unless it is a stall */
    guint32 lane;
    bool is_stall;
    guint32 first_argument;
    guint32 argument_count;
} TraceMark;

typedef struct {
    SimTime at;
    int64_t value; /* from then on */
} TraceSample;

typedef struct {
    const char *name; /* cb 3, in flight, busy */
    const char *unit; /* pages, bytes */
    guint32 lane;     /* the lane it belongs to */
    SimTime width; /* for a counter of use, the cycles that each value covers; else 0 */
    guint32 first_sample;
    guint32 sample_count;
} TraceCounter;

/* A flow from its first event to its last; each end is a slice or a mark. */
typedef struct {
    uint64_t id;
    bool is_from_mark;
    bool is_to_mark;
    guint32 from; /* TRACE_NONE: the trace lacks that end */
    guint32 to;
} TraceFlow;

/* The arrays hold the types above. */
typedef struct {
    GArray *places;
    GArray *lanes; /* by process and thread; the lanes of a place are adjacent */
    GArray *slices;
    GArray *marks;
    GArray *arguments;
    GArray *counters; /* by lane */
    GArray *samples;
    GArray *flows;
    SimTime begin; /* the earliest time in the trace */
    SimTime end;
    double clock_hz;
    SimTime measured_end; /* of the region that the result's cycles are of; 0: not known
                           */
    bool is_part;         /* of the run's cycles, by --trace-window */
    JsonObject *start;    /* what was known before the run: workload, chip, parameters;
                             NULL in a trace written by another program */
    JsonObject
        *result; /* the run's result without `host`; NULL if the trace is cut off */
    JsonObject *work; /* of the whole run: when programs ran, and the counters of roofs;
                         NULL: not known */
    SimTime from;     /* the part of the run that it holds; `to` and `cut` are */
    SimTime to;       /* SIM_TIME_NEVER if there is no end */
    SimTime cut;      /* slices that end from then on are missing */
    char *cores;      /* the chosen ones, as in --trace-cores; NULL: all */
    char *warning;    /* NULL, or one line that says why it is incomplete (cut off,
                         damaged, limit reached, failed run) */
    GStringChunk *strings;
} TraceTimeline;

/* An empty timeline. */
TraceTimeline *trace_timeline_new(void);

/* Who waits for a file hears now and then how much of it has been read: 0..1. */
typedef struct {
    void (*tell)(gpointer data, double share);
    gpointer data;
} TraceWatch;

/* Fails with TRACE_ERROR_READ if the file is missing, not a trace, of a newer version,
 * or too large. `watch` may be NULL. */
TraceTimeline *
trace_timeline_read(const char *path, const TraceWatch *watch, GError **error);
/* The same for bytes in memory; `name` is for messages. */
TraceTimeline *
trace_timeline_parse(const char *name, const guint8 *bytes, gsize size, GError **error);
void trace_timeline_free(TraceTimeline *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceTimeline, trace_timeline_free)
