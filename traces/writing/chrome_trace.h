/* Chrome's trace event format: JSON that chrome://tracing, Perfetto and Speedscope
 * open. */
#pragma once

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"

/* One cycle is shown as one nanosecond: stamps are in microseconds, with three digits
 * behind the point. A place is a process and a lane a thread; slices and stalls (of
 * category `stall`) are complete events, marks are instants, and counters count. A flow
 * of which both ends are there is an arrow; a mark at its end is a slice of one cycle,
 * since arrows lead from slice to slice. */
void trace_chrome_write(const TraceTimeline *timeline, TraceStream *stream);
