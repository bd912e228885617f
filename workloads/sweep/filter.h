/* The filter of a sweep: the Lua function that leaves points out. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/sandbox/sandbox.h"
#include "workloads/sweep/runs.h"

typedef struct {
    const GArray *axes;  /* of SweepAxis */
    const GArray *fixed; /* of SweepAxis with one value each */
} SweepNames;

/* Asks the function at the top of the sandbox's stack about every point, and keeps
 * those of which it says true. It gets a table of all values by their names. Fails as
 * sandbox_call(), and with WL_ERROR_FIT where none is left. */
bool sweep_filter(WlSandbox *sandbox,
                  const SweepNames *names,
                  SweepRuns *runs,
                  GError **error);
