/* Heat maps of a timeline: how busy places and links were, or how long they waited. */
#pragma once

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

typedef enum {
    TRACE_HEAT_BUSY,   /* places, by the unit that works most */
    TRACE_HEAT_STALLS, /* places, by the unit that stands still longest */
    TRACE_HEAT_LINKS,  /* links between places */
} TraceHeatBy;

/* Everything is borrowed. */
typedef struct {
    const TraceTimeline *timeline;
    const char *title;
    TraceHeatBy by;
    const char *unit; /* this one of each place; NULL: as above */
    SimTime begin;    /* the window; it is cut to where what is shown happens */
    SimTime end;
    guint window_count; /* small pictures of parts of it, all of the same length; 0 to
                           16 */
} TraceTimelineHeatmap;

/* An SVG file; the caller frees it. Of large grids a square is the mean of several
 * places. Fails with TRACE_ERROR_LACKS where the timeline has nothing to show. */
char *trace_timeline_heatmap_to_svg(const TraceTimelineHeatmap *self, GError **error);
