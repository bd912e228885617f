/* How long lanes were busy or stalled in a window of a timeline. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

/* The group of a lane, as a text that lives as long as the timeline; NULL: no group. */
typedef const char *(*TraceGroupFunc)(gpointer data, const TraceLane *lane);

typedef enum {
    TRACE_USE_BUSY,
    TRACE_USE_STALLED,
} TraceUse;

/* Called with the cycles that a lane was in use within one span of time. For a square
 * of places, `cycles` is the sum over all of them. */
typedef void (*TraceUseFunc)(
    gpointer data, guint32 lane, SimTime begin, SimTime end, double cycles);

/* Calls `func` for every span of use of every lane. Use comes from outermost slices,
 * from stalls, and from counters of use. */
void trace_lane_use_each(const TraceTimeline *timeline,
                         TraceUse use,
                         TraceUseFunc func,
                         gpointer data);

/* The share of a span's cycles that lies in from..to, if they are spread evenly. */
double trace_lane_use_within(
    SimTime begin, SimTime end, double cycles, SimTime from, SimTime to);

/* Extends from..to to cover all use of the lanes marked in `is_shown`. */
void trace_lane_use_span(const TraceTimeline *timeline,
                         TraceUse use,
                         const bool *is_shown,
                         SimTime *from,
                         SimTime *to);

/* The group with the most cycles of this use; in a tie, the first by name. NULL if no
 * group has any. */
const char *trace_busiest(const TraceTimeline *timeline,
                          TraceUse use,
                          TraceGroupFunc group,
                          gpointer data);
