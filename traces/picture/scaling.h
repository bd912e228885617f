/* A picture of several runs over one of their parameters. */
#pragma once

#include <glib.h>

#include "traces/reading/run_file.h"

/* The defaults: time in microseconds, over the product of rows and columns if runs
 * differ in them. */
#define TRACE_SCALING_QUANTITY "seconds_per_iteration"
#define TRACE_SCALING_CORES    "parameters.rows*parameters.cols"

typedef enum {
    TRACE_SCALING_INVERSE, /* twice as many, half the time */
    TRACE_SCALING_FLAT,    /* twice as many do twice as much in the same time */
    TRACE_SCALING_NONE,
} TraceScalingIdeal;

/* Everything is borrowed. */
typedef struct {
    const GPtrArray *runs; /* of TraceRun */
    const char *title;     /* NULL: one is made up */
    const char *over;      /* a parameter, or a formula of a result's numbers */
    const char *quantity;  /* a formula, too; NULL: TRACE_SCALING_QUANTITY */
    TraceScalingIdeal ideal;
} TraceScaling;

/* The numeric parameters in which runs differ, sorted by name: borrowed texts in an
 * array that the caller frees. */
GPtrArray *trace_scaling_parameters(const GPtrArray *runs);

/* An SVG file, which the caller frees: a curve for each workload and chip on
 * logarithmic axes. Fails with TRACE_ERROR_READ if a run lacks these numbers, or has
 * none above 0. */
char *trace_scaling_to_svg(const TraceScaling *self, GError **error);
