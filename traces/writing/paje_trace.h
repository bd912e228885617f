/* Paje traces, which ViTE and pajeng open. */
#pragma once

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"

/* Time stamps are cycles. A container of type Place holds those of its lanes. A lane
 * has pushed and popped states for operations and for stalls, named `stall REASON`;
 * events for what takes no time; a variable for each kind of counter; and links for
 * flows with both ends. The field Arguments is an extension of Paje. */
void trace_paje_write(const TraceTimeline *timeline, TraceStream *stream);
