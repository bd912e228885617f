/* Views of a sweep: pictures, fronts, tables and pages of its runs, and a summary for
 * people and as JSON. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/options.h"
#include "traces/table/table.h"
#include "workloads/sweep_engine.h"

/* Parses "seconds,-rate" of --pareto: two goals of trace_goal_read(), to minimise or,
 * with -, to maximise. Fails with G_OPTION_ERROR or as that function. */
bool cmd_sweep_goals_parse(const char *text,
                           const TraceTable *table,
                           TraceGoal goals[2],
                           GError **error);

/* Before anything runs: do options and file name existing columns, and can all files be
 * written? `columns` is the table without rows: run, status, error, the axes, and the
 * recorded values. */
bool cmd_sweep_show_check(const CmdSweepOptions *options,
                          const WlSweep *sweep,
                          const TraceTable *columns,
                          GError **error);

/* Draws and writes what options and file ask for. --out gets sweep.csv, sweep.html,
 * each picture of the file's list (1_seconds_over_tiles_by_system.svg), and front.svg
 * if a front is asked for. */
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

/* Prints and writes the result, as the options say. */
bool cmd_sweep_show_result(const CmdSweepResult *self, GError **error);

/* Prints the first runs and their number. */
void cmd_sweep_show_plan(const WlSweep *sweep);
