/* Looking at a sweep: pictures, fronts, tables and pages of its runs, and what came of
 * it, for people and as JSON. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/options.h"
#include "traces/table/table.h"
#include "workloads/sweep_engine.h"

/* "seconds,-rate" of --pareto: a column of which less is better, one of which more is,
 * as trace_goal_read() has them. Fails with G_OPTION_ERROR, and as that. */
bool cmd_sweep_goals_parse(const char *text,
                           const TraceTable *table,
                           TraceGoal goals[2],
                           GError **error);

/* Before anything runs: do options and file name columns that there are, and can all
 * files be written? `columns` is the table without rows: run, status, error, the axes,
 * and what is recorded. */
bool cmd_sweep_show_check(const CmdSweepOptions *options,
                          const WlSweep *sweep,
                          const TraceTable *columns,
                          GError **error);

/* Draws and writes what options and file ask for: of --out sweep.csv, sweep.html, a
 * picture for each of the file's list (1_seconds_over_tiles_by_system.svg), and
 * front.svg where it asks for a front. */
bool cmd_sweep_show(const CmdSweepOptions *options,
                    const WlSweep *sweep,
                    const TraceTable *table,
                    GError **error);

typedef struct {
    const CmdSweepOptions *options;
    const WlSweep *sweep;
    WlSweepTally tally;
    WlSweepWork work;
    guint rank_count;
    double wall_seconds; /* of the whole command */
} CmdSweepResult;

/* Prints and writes it, as the options say. */
bool cmd_sweep_show_result(const CmdSweepResult *self, GError **error);

/* The first runs, and how many there are. */
void cmd_sweep_show_plan(const WlSweep *sweep);
