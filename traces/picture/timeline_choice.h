/* Which lanes of a timeline a picture shows, and from when to when. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

typedef struct {
    char *const *units; /* ends with NULL; NULL: all */
    /* Is a core at x, y shown? NULL: the first ones that did anything. */
    bool (*has_core)(gconstpointer data, guint x, guint y);
    gconstpointer data;
} TraceTimelineChoice;

/* Lanes that did anything in the whole run, an array of guint32 that the caller frees:
 * one that rests in the window is shown all the same. */
GArray *trace_timeline_choose(const TraceTimelineChoice *self,
                              const TraceTimeline *timeline);

/* Where lanes begin and end to do something; the whole timeline where they do not. */
void trace_timeline_span(const TraceTimeline *timeline,
                         const GArray *lanes,
                         SimTime *from,
                         SimTime *to);
