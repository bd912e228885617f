/* The items of a timeline by number. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

static inline const TracePlace *trace_place_at(const TraceTimeline *timeline, guint32 i)
{
    return &g_array_index(timeline->places, TracePlace, i);
}

static inline const TraceLane *trace_lane_at(const TraceTimeline *timeline, guint32 i)
{
    return &g_array_index(timeline->lanes, TraceLane, i);
}

static inline const TraceSlice *trace_slice_at(const TraceTimeline *timeline, guint32 i)
{
    return &g_array_index(timeline->slices, TraceSlice, i);
}

static inline const TraceMark *trace_mark_at(const TraceTimeline *timeline, guint32 i)
{
    return &g_array_index(timeline->marks, TraceMark, i);
}

static inline const TraceArgument *trace_argument_at(const TraceTimeline *timeline,
                                                     guint32 i)
{
    return &g_array_index(timeline->arguments, TraceArgument, i);
}

static inline const TraceCounter *trace_counter_at(const TraceTimeline *timeline,
                                                   guint32 i)
{
    return &g_array_index(timeline->counters, TraceCounter, i);
}

static inline const TraceSample *trace_sample_at(const TraceTimeline *timeline,
                                                 guint32 i)
{
    return &g_array_index(timeline->samples, TraceSample, i);
}

static inline const TraceFlow *trace_flow_at(const TraceTimeline *timeline, guint32 i)
{
    return &g_array_index(timeline->flows, TraceFlow, i);
}

/* `time` plus `cycles`, clamped to SIM_TIME_NEVER. */
static inline SimTime trace_time_after(SimTime time, SimTime cycles)
{
    return cycles > SIM_TIME_NEVER - time ? SIM_TIME_NEVER : time + cycles;
}

static inline SimTime trace_slice_cycles(const TraceSlice *slice)
{
    return slice->end > slice->begin ? slice->end - slice->begin : 0;
}

/* One end of a flow: a slice, or a mark, which takes no time. */
typedef struct {
    const char *name;
    guint32 lane;
    SimTime begin;
    SimTime end;
    guint32 first_argument;
    guint32 argument_count;
} TraceFlowEnd;

/* Returns false if the trace lacks either end; there is then nothing to draw. */
bool trace_flow_ends(const TraceTimeline *timeline,
                     guint32 flow,
                     TraceFlowEnd *from,
                     TraceFlowEnd *to);

/* When the flow arrives: never before it began, even if its receiver did. */
SimTime trace_flow_arrival(const TraceFlowEnd *from, const TraceFlowEnd *to);

/* Finds the argument called `name`; false if there is none. */
bool trace_flow_argument(const TraceTimeline *timeline,
                         const TraceFlowEnd *end,
                         const char *name,
                         int64_t *value);

/* "cb=3 pages=2"; the caller frees it. */
char *trace_arguments_text(const TraceTimeline *timeline, guint32 first, guint32 count);

/* Marks the lanes that have slices, marks or counters; the others need not be shown.
 * The caller frees the array. */
bool *trace_timeline_used_lanes(const TraceTimeline *timeline);
