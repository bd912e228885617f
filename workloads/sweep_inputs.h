/* The input files of a sweep's runs: its script and what it may require, chips and
 * systems. */
#pragma once

#include <glib.h>

#include "workloads/sweep.h"

typedef struct {
    const char *version; /* of the program */
    const char *library; /* folder of modules for scripts; NULL: none */
    /* Finds the path of a "script", a "chip" or a "system"; NULL on failure. The caller
     * frees it. */
    char *(*find)(const char *what, const char *name, GError **error);
    const char *const *chips; /* all known chips; NULL-terminated */
} WlSweepSources;

/* The version, then a line "FILE digest" for each file; the caller frees it. NULL if a
 * file cannot be found or read. */
char *
wl_sweep_inputs(const WlSweep *sweep, const WlSweepSources *sources, GError **error);
