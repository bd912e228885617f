/* Which part of a trace fits on a page. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/reading/timeline.h"

/* What begins before `time` is shown, on places with x and y below `edge`. */
typedef struct {
    SimTime time; /* SIM_TIME_NEVER: at any time */
    guint edge;   /* G_MAXUINT: on all places */
} TraceReportCut;

/* So that at most `limit` slices, as many marks, and as many values of counters are
 * shown: all places for some time where that holds half of the slices or more, else
 * some places for all of the time. Counters of use do not count. */
TraceReportCut trace_report_cut_find(const TraceTimeline *timeline, guint limit);

/* Whether any of a lane is shown. */
bool trace_report_cut_has(const TraceReportCut *self,
                          const TraceTimeline *timeline,
                          const TraceLane *lane);

/* Whether a counter's values are of spans of time. */
bool trace_report_cut_is_use(const TraceCounter *counter);
