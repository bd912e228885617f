/* Packs the events on a trace's lanes for a report page. */
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
    TraceReportTable *shapes; /* rows: name; a slice's depth, or whether a mark is a
                                 stall; names of arguments */
    guint32 *slices; /* for each slice, its number on the page; TRACE_NONE: left out */
    guint32 *marks;
} TraceReportEvents;

void trace_report_events_init(TraceReportEvents *self,
                              const TraceTimeline *timeline,
                              const TraceReportCut *cut,
                              TraceReportTable *strings,
                              TraceReportTable *shapes);
void trace_report_events_clear(TraceReportEvents *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceReportEvents, trace_report_events_clear)

/* Each function returns base64, which the caller frees. A time is the difference to the
 * one before it; the first is relative to the timeline's begin. */

/* For each lane the number of slices; for each slice begin, cycles, shape and signed
 * arguments. */
char *trace_report_events_slices(TraceReportEvents *self);
/* The same for marks: at, cycles, shape, arguments. */
char *trace_report_events_marks(TraceReportEvents *self);
/* For each counter, except counters of use: the number of samples; for each sample time
 * and value. */
char *trace_report_events_samples(const TraceReportEvents *self);
/* For each flow with both ends, after slices and marks: twice the number of the event
 * where it begins, plus 1 if that is a mark; then the same for its end. */
char *trace_report_events_flows(const TraceReportEvents *self);
