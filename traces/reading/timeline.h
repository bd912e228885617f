/* A run as its trace shows it: lanes with slices and stalls, counters, flows, and the
 * run's result. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/time.h"

#define TRACE_NONE UINT32_MAX

/* Where something happens: core[3,4], or a square of places, pe[0:15,16:31]. */
typedef struct {
    const char *name;
    const char *kind; /* core, noc0, pe */
    bool has_place;
    guint x;
    guint y;
    guint x_end; /* the last column and row: x, y where it is no square */
    guint y_end;
} TracePlace;

typedef struct {
    const char *name; /* core[3,4].math */
    const char *unit; /* math; "" where the place is the lane */
    guint32 place;
    guint32 first_slice; /* its slices, by time */
    guint32 slice_count;
    guint32 first_mark; /* its stalls and marks, by time */
    guint32 mark_count;
} TraceLane;

typedef struct {
    const char *name;
    int64_t value;
} TraceArgument;

typedef struct {
    const char *name; /* of the operation */
    SimTime begin;
    SimTime end; /* of one that is cut off: where the trace ends */
    guint32 lane;
    guint32 depth; /* 0, or how many slices it lies in */
    guint32 first_argument;
    guint32 argument_count;
} TraceSlice;

/* Something at one time; a stall says for how long the lane then stood still. */
typedef struct {
    const char *name; /* the reason, of a stall */
    SimTime at;
    SimTime cycles; /* 0 for what is no stall */
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
    guint32 lane;     /* of the lane that it belongs to */
    SimTime width; /* of a counter of use: each value is that of so many cycles; else 0
                    */
    guint32 first_sample;
    guint32 sample_count;
} TraceCounter;

/* From what has it first to what ends it; an end is a slice or a mark. */
typedef struct {
    uint64_t id;
    bool is_from_mark;
    bool is_to_mark;
    guint32 from; /* TRACE_NONE: the trace does not have that end */
    guint32 to;
} TraceFlow;

/* Arrays are of the types above. */
typedef struct {
    GArray *places;
    GArray *lanes; /* by process and thread, those of a place side by side */
    GArray *slices;
    GArray *marks;
    GArray *arguments;
    GArray *counters; /* by lane */
    GArray *samples;
    GArray *flows;
    SimTime begin; /* of the first thing in it */
    SimTime end;
    double clock_hz;
    JsonObject *start;  /* what was known before the run: workload, chip, parameters;
                         * NULL in a trace of another program */
    JsonObject *result; /* the run's result without `host`; NULL in a trace cut off */
    char *warning;      /* NULL, or what is missing of it (cut off, damaged, its limit
                         * reached, a run that failed), in one line */
    GStringChunk *strings;
} TraceTimeline;

/* An empty one. */
TraceTimeline *trace_timeline_new(void);

/* Fails with TRACE_ERROR_READ: no such file, no trace, a newer version, too large. */
TraceTimeline *trace_timeline_read(const char *path, GError **error);
/* The same of bytes; `name` is for messages. */
TraceTimeline *
trace_timeline_parse(const char *name, const guint8 *bytes, gsize size, GError **error);
void trace_timeline_free(TraceTimeline *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceTimeline, trace_timeline_free)
