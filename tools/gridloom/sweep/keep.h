/* Puts what came of the runs of a sweep into its database. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/progress.h"
#include "traces/table/sweep_store.h"
#include "workloads/sweep_engine.h"

typedef struct {
    const WlSweep *sweep;   /* borrowed */
    TraceSweepStore *store; /* NULL: not open yet */
    Progress *progress;     /* NULL: nothing is told */
    bool *is_reported;      /* of each metric: that a run has none of it */
} CmdSweepKeep;

void cmd_sweep_keep_clear(CmdSweepKeep *self);

/* Functions of WlSweepKeeper; their data begins with a CmdSweepKeep. */
WlSweepStatus cmd_sweep_keep_status(gpointer data, guint run);
bool cmd_sweep_keep_put(gpointer data, const WlSweepAnswer *answer, GError **error);
void cmd_sweep_keep_tell(gpointer data, const WlSweepWork *work);

/* A function of WlSweepRunner. */
char **cmd_sweep_keep_metrics(const WlSweep *sweep, const char *result);
