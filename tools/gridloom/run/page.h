/* The report and the heat map of a finished run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/options.h"

/* Before the run: can the requested heat map be drawn? */
bool cmd_run_page_check(const CmdRunOptions *options, GError **error);

/* The names of the requested reports; the caller frees them. */
GPtrArray *cmd_run_page_reports(const CmdRunOptions *options);

/* Writes the reports and the heat map. `json` is the result, `trace` the file of its
 * trace; NULL: none. */
bool cmd_run_page_write(const CmdRunOptions *options,
                        const char *json,
                        const char *trace,
                        GError **error);
