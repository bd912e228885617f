/* A timeline as one table of text, for spreadsheets and scripts. */
#pragma once

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"

/* RFC 4180 with a header and lines that end in LF. A row is a slice, a stall, a mark, a
 * sample of a counter (`use`: so many cycles of those between begin and end; `counter`:
 * the value from begin on, until the next) or a flow:
 *
 *   record,lane,kind,x,y,unit,name,begin,end,cycles,value,depth,to_lane,arguments
 *
 * Times are cycles. A flow has its sender's lane and operation, and its number as
 * value. Arguments are name=value with spaces between them. Of a square of places x and
 * y are from:to. What a record does not have is empty. */
void trace_timeline_csv_write(const TraceTimeline *timeline, TraceStream *stream);
