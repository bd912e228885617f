/* Timelines as text, for tests that compare them. */
#pragma once

#include "traces/reading/timeline.h"

/* One line for each lane with its slices (name@begin-end/depth), stalls and marks, and
 * for each counter and flow; the caller frees it. */
char *timeline_text(const TraceTimeline *timeline);
