/* The files that the runs of a sweep are made of: its script, what that may require,
 * chips and systems. */
#pragma once

#include <glib.h>

#include "workloads/sweep.h"

typedef struct {
    const char *version; /* of the program */
    const char *library; /* folder of what scripts require; NULL: none */
    /* The path of a "script", a "chip" or a "system"; NULL: fails. The caller frees it.
     */
    char *(*find)(const char *what, const char *name, GError **error);
    const char *const *chips; /* all that there are; ends with NULL */
} WlSweepSources;

/* The version, then a line "FILE digest" for each file; the caller frees it. NULL: a
 * file cannot be found or read. */
char *
wl_sweep_inputs(const WlSweep *sweep, const WlSweepSources *sources, GError **error);
