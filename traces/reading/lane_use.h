/* How long lanes worked or stalled in any window of a timeline. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

/* The group of a lane, a text that lives as long as the timeline; NULL: in none. */
typedef const char *(*TraceGroupFunc)(gpointer data, const TraceLane *lane);

typedef enum {
    TRACE_USE_BUSY,
    TRACE_USE_STALLED,
} TraceUse;

/* Called with the cycles of use of a lane that lie in one piece of time; those of a
 * square of places are their sum. */
typedef void (*TraceUseFunc)(
    gpointer data, guint32 lane, SimTime begin, SimTime end, double cycles);

/* All pieces of use of all lanes, from slices that lie in
 * no other, from stalls, and from counters of use. */
void trace_lane_use_each(const TraceTimeline *timeline,
                         TraceUse use,
                         TraceUseFunc func,
                         gpointer data);

/* What of the cycles of a piece lies in from..to, were they even over it. */
double trace_lane_use_within(
    SimTime begin, SimTime end, double cycles, SimTime from, SimTime to);

/* Makes from..to cover all use of the lanes that `is_shown` says. */
void trace_lane_use_span(const TraceTimeline *timeline,
                         TraceUse use,
                         const bool *is_shown,
                         SimTime *from,
                         SimTime *to);

/* The group with the most cycles of this use, of several the first by name; NULL where
 * no group has any. */
const char *trace_busiest(const TraceTimeline *timeline,
                          TraceUse use,
                          TraceGroupFunc group,
                          gpointer data);
