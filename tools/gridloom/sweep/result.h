/* What came of a sweep, for people and as JSON. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/options.h"
#include "workloads/sweep_engine.h"

typedef struct {
    const CmdSweepOptions *options;
    const WlSweep *sweep;
    WlSweepTally tally;
    WlSweepWork work;
    guint rank_count;
    double wall_seconds; /* of the whole command */
} CmdSweepResult;

/* Prints and writes it, as the options say. */
bool cmd_sweep_result_report(const CmdSweepResult *self, GError **error);

/* The first runs, and how many there are. */
void cmd_sweep_result_print_plan(const WlSweep *sweep);
