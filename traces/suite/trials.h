/* Numbers of a result, and what they are in trials: other runs of the same. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct {
    char *name;      /* its path in the result: "seconds", "metrics.cycles_per_cell" */
    bool is_formula; /* of members, which the user gave; its value may be NaN */
    double value;    /* of the run itself */
    double *trials;  /* of each trial; NaN where that failed or has no such number */
} TraceTrialNumber;

typedef struct {
    GArray *numbers;     /* of TraceTrialNumber; the first is "seconds", the last are
                          * all formulas that the user gave */
    GPtrArray *failures; /* of char, one for each trial: why it failed, or NULL */
    GPtrArray *left_out; /* of char: numbers of the result that trials have not */
} TraceTrials;

/* All numbers of the result of the run itself, and of formulas, a list that ends with
 * NULL or is NULL; room for `count` trials. */
void trace_trials_init(TraceTrials *self,
                       JsonObject *result,
                       const char *const *formulas,
                       guint count);
void trace_trials_clear(TraceTrials *self);

const TraceTrialNumber *trace_trials_number(const TraceTrials *self, guint index);

/* Has `other` the same time, iterations and energy as the result of the run itself, and
 * the same values of formulas? Then other numbers that differ in it are left out. */
bool trace_trials_narrow(TraceTrials *self, JsonObject *result, JsonObject *other);

/* A trial has ended; one that failed leaves why it did in `failures`. */
void trace_trials_keep(TraceTrials *self, guint trial, JsonObject *result);

/* How many trials of from..to - 1 failed, and why the first did; NULL: none. */
guint trace_trials_failed(const TraceTrials *self,
                          guint from,
                          guint to,
                          const char **why);
