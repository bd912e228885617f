/* The files of --in and --save. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/options.h"
#include "workloads/outcome.h"
#include "workloads/script.h"

/* Tells the script about its files. Fails as wl_script_set_file(). */
bool cmd_run_arrays_name(const CmdRunOptions *options,
                         WlScript *script,
                         GError **error);

/* Can all arrays be written? No two files are the same one. */
bool cmd_run_arrays_check(const CmdRunOptions *options, GError **error);

/* Writes what the script saved. */
bool cmd_run_arrays_write(const WlScript *script,
                          const WlOutcome *outcome,
                          GError **error);

/* Appends the paths of those files, which the array owns. */
void cmd_run_arrays_list(const WlScript *script, GPtrArray *paths);
