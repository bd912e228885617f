/* The report of a run that has just ended. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/options.h"

/* The pages that the options ask for; the caller frees them. */
GPtrArray *cmd_run_report_paths(const CmdRunOptions *options);

/* Writes them. `json` is the result, `trace` the file of its trace; NULL: none. */
bool cmd_run_report_write(const CmdRunOptions *options,
                          const char *json,
                          const char *trace,
                          GError **error);
