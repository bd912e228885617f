/* The report and the heat map of a run that has just ended. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/options.h"

/* Before the run: can the heat map be drawn that the options ask for? */
bool cmd_run_page_check(const CmdRunOptions *options, GError **error);

/* The reports that the options ask for; the caller frees them. */
GPtrArray *cmd_run_page_reports(const CmdRunOptions *options);

/* Writes them and the heat map. `json` is the result, `trace` the file of its trace;
 * NULL: none. */
bool cmd_run_page_write(const CmdRunOptions *options,
                        const char *json,
                        const char *trace,
                        GError **error);
