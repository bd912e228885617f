/* The page of a sweep. */
#pragma once

#include <glib.h>

#include "traces/table/table.h"
#include "workloads/sweep.h"

/* HTML as that of report/page.h: the table, a scatter plot, its front and parallel
 * coordinates. The caller frees it. */
char *cmd_sweep_page_new(const WlSweep *sweep, const TraceTable *table);
