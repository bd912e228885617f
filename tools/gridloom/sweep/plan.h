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
} CmdSweepPlan;

/* Fails where a formula is none, or a file cannot be found or read. */
bool cmd_sweep_plan_make(CmdSweepPlan *self, const WlSweep *sweep, GError **error);
void cmd_sweep_plan_clear(CmdSweepPlan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdSweepPlan, cmd_sweep_plan_clear)

/* Borrows from the plan. */
TraceSweepHead cmd_sweep_plan_head(const CmdSweepPlan *self);
