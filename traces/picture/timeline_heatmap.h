/* Heat maps of a timeline: how busy places and links were, or how long they waited. */
#pragma once

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

typedef enum {
    TRACE_HEAT_BUSY,   /* places, by their busiest unit */
    TRACE_HEAT_STALLS, /* places, by their most stalled unit */
    TRACE_HEAT_LINKS,  /* links between places */
} TraceHeatBy;

/* Everything is borrowed. */
typedef struct {
    const TraceTimeline *timeline;
    const char *title;
    TraceHeatBy by;
    const char *unit; /* only this unit of each place; NULL: as above */
    SimTime begin;    /* the window; trimmed to the span of the values shown */
    SimTime end;
    guint window_count; /* the number of small pictures of equal parts of the window; 0
                           to 16 */
} TraceTimelineHeatmap;

/* An SVG file; the caller frees it. On large grids, a square is the mean of several
 * places. Fails with TRACE_ERROR_LACKS if the timeline has nothing to show. */
char *trace_timeline_heatmap_to_svg(const TraceTimelineHeatmap *self, GError **error);
