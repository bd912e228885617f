/* Traces made in memory, for tests of what reads them. */
#pragma once

#include "traces/reading/timeline.h"

typedef struct {
    guint columns;
    guint rows;
    guint slices;       /* of each lane that computes */
    guint64 cycles;     /* that a slice and the wait behind it take, about */
    const char *marker; /* put into names; NULL for nothing */
} SampleShape;

/* A timeline as the reader would make one: cores with reader, math (with zones in it),
 * pack and buffers, whose slices alternate with waits; flows from one core's reader to
 * marks of the next; a buffer's fill; links of a network with use by time; and pcie
 * alone. The same shape gives the same timeline. */
TraceTimeline *sample_timeline_new(const SampleShape *shape);
