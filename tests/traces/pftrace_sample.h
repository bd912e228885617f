/* Small traces written by the real writer, for tests of it and of what reads traces. */
#pragma once

#include <glib.h>

#include "sim/probe.h"
#include "traces/writing/pftrace.h"

/* Lanes of the sample's engine: four cores in a square with these units, links, and the
 * bus alone. */
typedef enum {
    SAMPLE_READER,
    SAMPLE_MATH,
    SAMPLE_BUFFERS,
    SAMPLE_ZONES,
    SAMPLE_CORE_UNITS,
} SampleUnit;

typedef struct {
    SimEngine *engine;
    SimLane bus;
    SimLane cores;
    SimLane links; /* units east and south of the network noc0 */
} PftraceSample;

/* Probes what a test wants to be seen, at cycle 100. */
typedef void (*PftraceSampleFunc)(SimRegion *region, const PftraceSample *sample);

SimLane
pftrace_sample_lane(const PftraceSample *self, guint x, guint y, SampleUnit unit);

/* Runs an engine whose event at cycle 100 is `func`, watched by a writer, and returns
 * the trace's bytes. `func` NULL: a bit of everything, see pftrace_sample.c. */
GByteArray *pftrace_sample_write(PftraceSampleFunc func,
                                 const TracePftraceConfig *config);
