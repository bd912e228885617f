/* Errors of a validation's rows, each kind apart: what was fitted, read back or worked
 * out by us is no prediction. */
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
    guint errors; /* judged rows with an error in percent; the members below cover these
                   */
    double mean_error;        /* mean absolute error; NaN if there are none */
    double worst_error;       /* signed; likewise */
    const char *worst_source; /* of that row; NULL for none */
    const char *worst_case;
} TraceSummary;

/* Summarises the rows of one kind (0 calibrated, 1 predicted, 2 read back, 3
 * derived) in one suite, or in all
 * if `suite` is not an index of `suites`. Means and medians count as rows, not as
 * errors. */
TraceSummary
trace_summary_of(const TraceValidation *validation, guint suite, guint kind);

enum {
    TRACE_SUMMARY_KINDS = 4,
};
