/* The lanes and the span of time that a picture of a timeline shows. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

typedef struct {
    char *const *units; /* NULL-terminated; NULL: all */
    /* Is the core at x, y shown? NULL: the first active cores are. */
    bool (*has_core)(gconstpointer data, guint x, guint y);
    gconstpointer data;
} TraceTimelineChoice;

/* The lanes that were active at any time of the run, even if idle in the window: an
 * array of guint32 that the caller frees. */
GArray *trace_timeline_choose(const TraceTimelineChoice *self,
                              const TraceTimeline *timeline);

/* The span in which the lanes are active; the whole timeline if they never are. */
void trace_timeline_span(const TraceTimeline *timeline,
                         const GArray *lanes,
                         SimTime *from,
                         SimTime *to);
