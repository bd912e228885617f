/* Which pictures of a sweep there are to draw. */
#pragma once

#include <glib.h>

#include "tools/gridloom/sweep/options.h"
#include "traces/picture/table_plot.h"
#include "traces/table/table.h"
#include "workloads/sweep.h"

/* That of the file's list with this index. Texts are borrowed of sweep and table. */
TraceTablePlot
cmd_sweep_plot_of_file(const WlSweep *sweep, const TraceTable *table, guint index);

/* That of --plot, --by and --y: where the file's list has one of the same columns, with
 * its axes and title. */
TraceTablePlot cmd_sweep_plot_of_line(const CmdSweepOptions *options,
                                      const WlSweep *sweep,
                                      const TraceTable *table);
