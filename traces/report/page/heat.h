/* How busy lanes were over time. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/reading/timeline.h"

/* An object with these members. The caller frees it.
 *
 * begin, end: the span in which anything happens on places with coordinates, else the
 *     timeline's;
 * bins: the number of equal parts of that span;
 * busy, stalled: for each lane and bin, the share of the bin in which the lane was
 *     busy or stalled, 0 to 255, in base64; a 0 is followed by the length of its run.
 */
JsonObject *trace_report_heat_new(const TraceTimeline *timeline);
