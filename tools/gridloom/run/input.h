/* Reads finished runs that users name. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/progress.h"
#include "traces/reading/run_file.h"

/* Prints the warning of the run's trace. */
void cmd_run_input_warn(const TraceRun *run);

/* Reads a run as step `step` of `step_count`, and prints its warning. Fails as
 * trace_run_read(). */
TraceRun *cmd_run_input_read(
    Progress *progress, guint step, guint step_count, const char *path, GError **error);

/* Are both runs of one workload? */
bool cmd_run_input_check_alike(const TraceRun *a, const TraceRun *b, GError **error);

/* Reads all runs of a NULL-terminated list: an array of TraceRun. Then the last step
 * begins, `last`, of which the caller is to do the work. */
GPtrArray *cmd_run_input_read_all(Progress *progress,
                                  char *const *paths,
                                  const char *last,
                                  GError **error);

/* All results of traces/gpu that can be read: an array of TraceRun. */
GPtrArray *cmd_run_input_measured(void);
