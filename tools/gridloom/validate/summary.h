/* How far off the rows of a validation are, calibrated and predicted ones apart. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/validate/result.h"

/* Rows of one kind, of one suite or of all. */
typedef struct {
    guint rows;
    guint passed;
    guint failed;
    guint unjudged; /* simulated, without a tolerance */
    guint unrun;    /* left out, or without data */
    guint errors;   /* judged rows whose error is in percent: those that follow count */
    double mean_error;        /* of their sizes; not a number where there are none */
    double worst_error;       /* with its sign; likewise */
    const ValidateRow *worst; /* NULL for none */
} ValidateSummary;

/* `suite` is NULL for all. Means and medians count as rows, not as errors. */
ValidateSummary validate_summary(const ValidateResult *result,
                                 const ValidateSuite *suite,
                                 TraceReferenceKind kind);

/* By suite, and all of them, and by kind; the caller has it. */
JsonObject *validate_summary_object(const ValidateResult *result);

/* A table for people. */
void validate_summary_print(const ValidateResult *result);
