/* What came of a sweep, for people and as JSON. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/options.h"
#include "tools/gridloom/sweep/work.h"
#include "workloads/sweep.h"

typedef struct {
    const SweepOptions *options;
    const WlSweep *sweep;
    SweepTally tally;
    SweepWork work;
    guint rank_count;
    double wall_seconds; /* of the whole command */
} SweepResult;

/* Prints and writes it, as the options say. */
bool sweep_result_report(const SweepResult *self, GError **error);

/* The first runs, and how many there are. */
void sweep_result_print_plan(const WlSweep *sweep);
