/* Paje traces, which ViTE and pajeng open. */
#pragma once

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"

/* Stamps are cycles. A container of type Place holds those of its lanes. A lane has
 * states, pushed and popped: operations, and stalls called `stall REASON`; events for
 * what takes no time; a variable for each kind of counter; links for flows of which
 * both ends are there. The field Arguments is more than Paje asks for. */
void trace_paje_write(const TraceTimeline *timeline, TraceStream *stream);
