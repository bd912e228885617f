/* The words of `gridloom run` for a run of a sweep. */
#pragma once

#include <glib.h>

#include "workloads/sweep.h"

/* `limit_seconds` is NULL for no limit. The caller frees them. */
char **cmd_sweep_words(const WlSweep *sweep, guint run, const char *limit_seconds);

/* The same for a run that is checked and not done. */
char **cmd_sweep_words_to_check(const WlSweep *sweep, guint run);

/* The command line, as a shell takes it; the caller frees it. */
char *cmd_sweep_words_line(const WlSweep *sweep, guint run);

/* What is varied alone, "tiles=4 system=n300"; the caller frees it. */
char *cmd_sweep_words_point(const WlSweep *sweep, guint run);
