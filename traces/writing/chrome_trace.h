/* Chrome's trace event format: JSON that chrome://tracing, Perfetto and Speedscope
 * open. */
#pragma once

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"

/* One cycle is shown as one nanosecond: time stamps are in microseconds with three
 * decimals. A place is a process and a lane a thread. Slices and stalls (category
 * `stall`) are complete events, marks are instants, and counters are counters. A flow
 * with both ends is an arrow; a mark at its end becomes a slice of one cycle, since
 * arrows lead from slice to slice. */
void trace_chrome_write(const TraceTimeline *timeline, TraceStream *stream);
