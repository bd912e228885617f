/* The heat map of a run that has just ended. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/options.h"

/* Before the run: can what the options ask for be drawn? */
bool cmd_run_heatmap_check(const CmdRunOptions *options, GError **error);

/* Draws it where the options ask for one: links; where none is in use, how busy cores
 * were. `trace` is the file of the run's trace. */
bool cmd_run_heatmap_write(const CmdRunOptions *options,
                           const char *trace,
                           GError **error);
