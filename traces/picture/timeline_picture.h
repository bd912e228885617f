/* A picture of what lanes did in a window of time. */
#pragma once

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/path.h"
#include "traces/reading/timeline.h"

/* Everything is borrowed. */
typedef struct {
    const TraceTimeline *timeline;
    const char *title;
    const guint32 *lanes; /* from top to bottom; lanes of a place are adjacent */
    gsize lane_count;
    SimTime begin; /* the window: begin < end */
    SimTime end;
    const TracePath *path; /* drawn over the lanes; NULL: none */
    guint least_width;     /* pixels, below which events are merged; 0 is 1 */
} TraceTimelinePicture;

/* An SVG file; the caller frees it. Each lane is a row: operations in colours, which
 * the legend names, longest first; stalls hatched; names where there is room; use of
 * blocks as columns. Events narrower than `least_width` are merged with their
 * neighbours: the height is then their share of the time. Flows between lanes are
 * lines, unless there are too many to see anything. */
char *trace_timeline_picture_to_svg(const TraceTimelinePicture *self);
