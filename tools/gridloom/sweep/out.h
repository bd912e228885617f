/* The files of `gridloom sweep --out` and `--html`. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/table/table.h"
#include "workloads/sweep.h"

/* Can the folder be written? Makes it where it is not there. */
bool cmd_sweep_out_check(const char *folder, GError **error);

/* Writes everything: sweep.csv, sweep.html, a picture for each of the file's list
 * (1_seconds_over_tiles_by_system.svg), and front.svg where it asks for a front. */
bool cmd_sweep_out_write(const char *folder,
                         const WlSweep *sweep,
                         const TraceTable *table,
                         GError **error);

/* Writes the page alone: the table, a scatter plot, its front and parallel coordinates.
 */
bool cmd_sweep_out_page(const char *path,
                        const WlSweep *sweep,
                        const TraceTable *table,
                        GError **error);
