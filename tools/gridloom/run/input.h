/* Runs that are over, as users give them to commands. */
#pragma once

#include <glib.h>

#include "traces/reading/run_file.h"

/* Complains of what the run's trace warns of. */
void cmd_run_input_warn(const TraceRun *run);

/* Reads all of a list that ends with NULL, with their warnings: an array of TraceRun.
 * Fails as trace_run_read(). */
GPtrArray *cmd_run_input_read_all(char *const *paths, GError **error);
