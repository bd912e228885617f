/* The busiest of several groups of lanes. */
#pragma once

#include <glib.h>

#include "traces/reading/lane_use.h"
#include "traces/reading/timeline.h"

/* The group of a lane, a text that lives as long as the timeline; NULL: in none. */
typedef const char *(*TraceGroupFunc)(gpointer data, const TraceLane *lane);

/* The group with the most cycles of this use, of several the first by name; NULL where
 * no group has any. */
const char *trace_busiest(const TraceTimeline *timeline,
                          TraceUse use,
                          TraceGroupFunc group,
                          gpointer data);
