/* A picture of latency over the rate of traffic on networks. */
#pragma once

#include <glib.h>

#include "traces/file/csv.h"
#include "traces/reading/run_file.h"

/* Everything is borrowed. */
typedef struct {
    const GPtrArray *runs; /* of TraceRun: results of `noc traffic` at rates */
    const char *title;     /* NULL: one is made up */
    guint columns;         /* of panels, at least 1 */
    /* Points that another program or a network gave, drawn as marks beside curves of
     * the same topology, size, pattern and routing; NULL: none. Its columns have these
     * names, and rate and latency_mean. */
    const TraceCsv *beside;
    const char *beside_name; /* its file; NULL without it */
} TraceLatency;

/* An SVG file, which the caller frees: a curve for each routing, named with the rate
 * from which it is saturated. Of several runs, a panel each. Fails with
 * TRACE_ERROR_READ if a run has no points at rates, or `beside` lacks a column or has
 * words for numbers. */
char *trace_latency_to_svg(const TraceLatency *self, GError **error);
