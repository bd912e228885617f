/* Lines that tell another program how far a run is: one JSON object each. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/run.h"

typedef struct CmdRunLooks CmdRunLooks;

/* Opens a file or a pipe that somebody reads. Sets `self` to NULL if there is no path.
 * Fails with G_FILE_ERROR. */
bool cmd_run_looks_new(CmdRunLooks **self, const char *path, GError **error);
void cmd_run_looks_free(CmdRunLooks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdRunLooks, cmd_run_looks_free)

/* Writes a line, ten times a second at most. If the reader of a pipe has gone, ends the
 * process, or asks its watchdog to stop the run. */
void cmd_run_looks_add(CmdRunLooks *self, const WlProgress *look);
