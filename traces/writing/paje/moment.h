/* The order of events in a Paje trace. */
#pragma once

#include <glib.h>

#include "sim/time.h"
#include "traces/reading/timeline.h"

/* The order of events at equal times: ends come first. */
typedef enum {
    PAJE_SLICE_END,
    PAJE_STALL_END,
    PAJE_USE_END, /* of a sample */
    PAJE_SAMPLE,
    PAJE_SLICE_BEGIN,
    PAJE_STALL_BEGIN,
    PAJE_SLICE_EVENT, /* a slice that takes no time */
    PAJE_MARK,
    PAJE_FLOW_BEGIN,
    PAJE_FLOW_END,
} PajeWhat;

typedef struct {
    SimTime time;
    PajeWhat what;
    guint32 index;   /* of the slice, mark, sample or flow */
    guint32 counter; /* counter of a sample; else the depth of a slice */
} PajeMoment;

/* All events of the timeline, sorted by time. The caller frees the array of
 * PajeMoment. */
GArray *paje_moments(const TraceTimeline *timeline);
