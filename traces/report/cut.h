/* How much of a trace fits on a page. */
#pragma once

#include <glib.h>

#include "traces/timeline.h"

/* The time before which at most `limit` slices, as many marks, and as many values of
 * counters begin; SIM_TIME_NEVER where all do. Counters of use do not count. */
SimTime report_cut_find(const TraceTimeline *timeline, guint limit);

/* Whether a counter's values are of spans of time. */
bool report_cut_is_use(const TraceCounter *counter);
