/* How far off the rows of a validation are, calibrated and predicted ones apart. */
#pragma once

#include <glib.h>

#include "traces/suite/validation.h"

/* Rows of one kind, of one suite or of all. */
typedef struct {
    const char *suite; /* "all" */
    const char *kind;
    guint rows;
    guint passed;
    guint failed;
    guint unjudged; /* simulated, without a tolerance */
    guint unrun;    /* left out, or without data */
    guint errors;   /* judged rows whose error is in percent: those that follow count */
    double mean_error;        /* of their sizes; not a number where there are none */
    double worst_error;       /* with its sign; likewise */
    const char *worst_source; /* of that row; NULL for none */
    const char *worst_case;
} TraceSummary;

/* Of a suite, an index of `suites` or beyond them for all, and a kind: 0 calibrated, 1
 * predicted. Means and medians count as rows, not as errors. */
TraceSummary
trace_summary_of(const TraceValidation *validation, guint suite, guint kind);

enum {
    TRACE_SUMMARY_KINDS = 2,
};
