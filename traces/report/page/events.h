/* What happened on the lanes of a trace, packed. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/reading/timeline.h"
#include "traces/report/page/cut.h"
#include "traces/report/page/table.h"

typedef struct {
    const TraceTimeline *timeline;
    TraceReportCut cut;
    TraceReportTable *strings;
    TraceReportTable *shapes; /* rows: name, depth of a slice or whether a mark is a
                               * stall, names of arguments */
    guint32 *slices; /* by slice: its number on the page, TRACE_NONE: left out */
    guint32 *marks;
} TraceReportEvents;

void trace_report_events_init(TraceReportEvents *self,
                              const TraceTimeline *timeline,
                              const TraceReportCut *cut,
                              TraceReportTable *strings,
                              TraceReportTable *shapes);
void trace_report_events_clear(TraceReportEvents *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceReportEvents, trace_report_events_clear)

/* Each in base64; the caller frees it. Times are from the one before it, first from the
 * timeline's begin. */

/* Of each lane: how many, then of each begin, cycles, shape, arguments with sign. */
char *trace_report_events_slices(TraceReportEvents *self);
/* The same: at, cycles, shape, arguments. */
char *trace_report_events_marks(TraceReportEvents *self);
/* Of each counter that is none of use: how many, then of each time and value. */
char *trace_report_events_samples(const TraceReportEvents *self);
/* Of each that has both ends, after slices and marks: 2 * number of where it begins,
 * and 1 more if that is a mark; then the same of its end. */
char *trace_report_events_flows(const TraceReportEvents *self);
