/* Looking at a sweep: pictures, fronts, tables and pages of its runs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/options.h"
#include "traces/table/table.h"
#include "workloads/sweep.h"

/* Before anything runs: do options and file name columns that there are, and can all
 * files be written? `columns` is the table without rows: run, status, error, the axes,
 * and what is recorded. */
bool cmd_sweep_show_check(const CmdSweepOptions *options,
                          const WlSweep *sweep,
                          const TraceTable *columns,
                          GError **error);

/* May something be printed? Not where a file goes to standard output. */
bool cmd_sweep_has_text(const CmdSweepOptions *options);

/* Draws and writes what options and file ask for. */
bool cmd_sweep_show(const CmdSweepOptions *options,
                    const WlSweep *sweep,
                    const TraceTable *table,
                    GError **error);
