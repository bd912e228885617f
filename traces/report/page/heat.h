/* How busy lanes were, by time. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/reading/timeline.h"

/* begin, end: from when to when anything happens on places with coordinates, or the
 * timeline's; bins: so many spans of equal length between them; busy and stalled: of
 * each lane and bin 0 to 255, what part of it the lane was busy or stood still, in
 * base64, where a 0 is followed by how many there are. The caller frees it. */
JsonObject *trace_report_heat_new(const TraceTimeline *timeline);
