/* A picture of several runs over one of their parameters. */
#pragma once

#include <glib.h>

#include "traces/reading/run_file.h"

/* What is drawn unless somebody says otherwise, in microseconds; and over what, where
 * runs differ in rows and columns. */
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
    const char *title;     /* NULL: one is found */
    const char *over;      /* a parameter, or a formula of a result's numbers */
    const char *quantity;  /* likewise a formula; NULL: TRACE_SCALING_QUANTITY */
    TraceScalingIdeal ideal;
} TraceScaling;

/* The parameters, numbers, in which runs differ, by name: borrowed texts in an array
 * that the caller frees. */
GPtrArray *trace_scaling_parameters(const GPtrArray *runs);

/* An SVG file, which the caller frees: a curve for each workload and chip, both axes
 * logarithmic. Fails with TRACE_ERROR_READ where a run has not these numbers, or none
 * above 0. */
char *trace_scaling_to_svg(const TraceScaling *self, GError **error);
