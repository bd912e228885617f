/* Reads finished runs that users name. */
#pragma once

#include <glib.h>

#include "traces/reading/run_file.h"

/* Prints the warning of the run's trace. */
void cmd_run_input_warn(const TraceRun *run);

/* Reads all runs of a NULL-terminated list and prints their warnings: an array of
 * TraceRun. Fails as trace_run_read(). */
GPtrArray *cmd_run_input_read_all(char *const *paths, GError **error);
