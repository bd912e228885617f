/* The numbers of a result and their values in trials, which are further runs of the
 * same workload. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct {
    char *name;      /* its path in the result: "seconds", "metrics.cycles_per_cell" */
    bool is_formula; /* a formula given by the user; its value may be NaN */
    double value;    /* of the run itself */
    double *trials;  /* one per trial; NaN if it failed or lacks the number */
} TraceTrialNumber;

typedef struct {
    GArray *numbers; /* of TraceTrialNumber; "seconds" comes first, the user's formulas
                        last */
    GPtrArray *failures; /* of char, one per trial: why it failed, or NULL */
    GPtrArray *left_out; /* of char: numbers of the result that are not in trials */
} TraceTrials;

/* Takes all numbers from the result of the run itself, and the values of `formulas`, a
 * NULL-terminated list or NULL. Makes room for `count` trials. */
void trace_trials_init(TraceTrials *self,
                       JsonObject *result,
                       const char *const *formulas,
                       guint count);
void trace_trials_clear(TraceTrials *self);

const TraceTrialNumber *trace_trials_number(const TraceTrials *self, guint index);

/* Does `other` have the same time, iterations, energy and formula values as the result
 * of the run itself? If so, leaves out the other numbers that differ. */
bool trace_trials_narrow(TraceTrials *self, JsonObject *result, JsonObject *other);

/* Stores the result of a trial. A failed trial's reason goes to `failures` instead. */
void trace_trials_keep(TraceTrials *self, guint trial, JsonObject *result);

/* The number of failed trials in from..to - 1; `why` gets the first reason, or NULL. */
guint trace_trials_failed(const TraceTrials *self,
                          guint from,
                          guint to,
                          const char **why);
