/* Two goals of a sweep on a command line: --pareto A,B. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/table/table.h"

/* "seconds,-rate": a column of which less is better, one of which more is; "max:rate"
 * and "min:seconds" say the same. Fails with G_OPTION_ERROR, and with TRACE_ERROR_READ
 * where there is no such column, or it holds words. */
bool cmd_sweep_goals_parse(const char *text,
                           const TraceTable *table,
                           TraceGoal goals[2],
                           GError **error);

/* One of them, as a sweep's file has it. */
bool cmd_sweep_goal_parse(const char *text,
                          const TraceTable *table,
                          TraceGoal *goal,
                          GError **error);

/* Prints the front: a line for each run with what was varied and both numbers. */
void cmd_sweep_goals_print(const TraceTable *table, const TraceGoal goals[2]);
