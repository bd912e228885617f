/* The report of a run that has just ended. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/options.h"

/* The pages that the options ask for; the caller frees them. */
GPtrArray *run_report_paths(const RunOptions *options);

/* Writes them. `json` is the result, `trace` the file of its trace; NULL: none. */
bool run_report_write(const RunOptions *options,
                      const char *json,
                      const char *trace,
                      GError **error);
