/* A timeline as one table of text, for spreadsheets and scripts. */
#pragma once

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"

/* RFC 4180 with a header and LF line ends. A row is a slice, a stall, a mark, a counter
 * sample or a flow. A `use` sample counts cycles of use between begin and end; a
 * `counter` sample holds from begin until the next one.
 *
 *   record,lane,kind,x,y,unit,name,begin,end,cycles,value,depth,to_lane,arguments
 *
 * Times are cycles. A flow has its sender's lane and operation, and its number as
 * value. Arguments are name=value, separated by spaces. For a square of places, x and y
 * are from:to. Fields that do not apply are empty. */
void trace_timeline_csv_write(const TraceTimeline *timeline, TraceStream *stream);
