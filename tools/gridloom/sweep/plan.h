/* What a sweep will do, before it does it: the head of its database, and files that its
 * runs are made of. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/table/sweep_store.h"
#include "workloads/sweep.h"

typedef struct {
    const WlSweep *sweep; /* borrowed */
    char *digest;
    char *inputs;
    const char **axes; /* lists end with NULL, of borrowed texts */
    const char **metrics;
} SweepPlan;

/* Fails where a formula is none, or a file cannot be found or read. */
bool sweep_plan_make(SweepPlan *self, const WlSweep *sweep, GError **error);
void sweep_plan_clear(SweepPlan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SweepPlan, sweep_plan_clear)

/* Borrows from the plan. */
TraceSweepHead sweep_plan_head(const SweepPlan *self);
