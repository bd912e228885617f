/* Chooses the part of a trace that fits on a page. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/reading/timeline.h"

/* Events that begin before `time` are shown, on places with x and y below `edge`. */
typedef struct {
    SimTime time; /* SIM_TIME_NEVER: at any time */
    guint edge;   /* G_MAXUINT: on all places */
} TraceReportCut;

/* A cut that shows at most `limit` slices, marks and counter values together: all
 * places for some of the time if that keeps at least half of the slices, else some
 * places for all of the time. Counters of use do not count. */
TraceReportCut trace_report_cut_find(const TraceTimeline *timeline, guint limit);

/* Whether any part of a lane is shown. */
bool trace_report_cut_has(const TraceReportCut *self,
                          const TraceTimeline *timeline,
                          const TraceLane *lane);

/* Whether each value of the counter covers a span of time. */
bool trace_report_cut_is_use(const TraceCounter *counter);
