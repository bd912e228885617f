/* The database of a sweep: what it begins with, and what came of runs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/progress.h"
#include "traces/table/sweep_store.h"
#include "workloads/sweep_engine.h"

typedef struct {
    const WlSweep *sweep; /* borrowed */
    char *digest;
    char *inputs;      /* files that runs are made of */
    const char **axes; /* lists end with NULL, of borrowed texts */
    const char **metrics;
    TraceSweepStore *store; /* NULL: not open yet */
    Progress *progress;     /* NULL: nothing is told */
    bool *is_reported;      /* of each metric: that a run has none of it */
} CmdSweepStore;

/* Before anything runs. Fails where a formula is none, or a file cannot be found or
 * read. */
bool cmd_sweep_store_plan(CmdSweepStore *self, const WlSweep *sweep, GError **error);
void cmd_sweep_store_clear(CmdSweepStore *self);

/* What the plan says; borrows from it. */
TraceSweepHead cmd_sweep_store_head(const CmdSweepStore *self);

/* Functions of WlSweepKeeper; their data begins with a CmdSweepStore. */
WlSweepStatus cmd_sweep_store_status(gpointer data, guint run);
bool cmd_sweep_store_put(gpointer data, const WlSweepAnswer *answer, GError **error);
void cmd_sweep_store_tell(gpointer data, const WlSweepWork *work);

/* A function of WlSweepRunner. */
char **cmd_sweep_store_metrics(const WlSweep *sweep, const char *result);
