/* A picture of what lanes did in a window of time. */
#pragma once

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

/* Everything is borrowed. */
typedef struct {
    const TraceTimeline *timeline;
    const char *title;
    const guint32 *lanes; /* from top to bottom, those of a place together */
    gsize lane_count;
    SimTime begin; /* the window: begin < end */
    SimTime end;
} TraceTimelinePicture;

/* An SVG file; the caller frees it. A row for each lane: operations in colours, which
 * the legend names, those that take longest first; stalls hatched; names where there is
 * room for them; use of blocks as columns. What is narrower than a pixel is put
 * together with its neighbours: the height is then the part of the time that it took.
 * Flows between the lanes are lines, unless there are too many to see anything. */
char *trace_timeline_picture_to_svg(const TraceTimelinePicture *self);
