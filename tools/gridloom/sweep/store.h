/* The database of a sweep: its head, and the rows of its runs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/progress.h"
#include "traces/table/sweep_store.h"
#include "workloads/sweep_engine.h"

typedef struct {
    const WlSweep *sweep; /* borrowed */
    char *digest;
    char *inputs;      /* the runs' input files */
    const char **axes; /* NULL-terminated lists of borrowed texts */
    const char **metrics;
    TraceSweepStore *store; /* NULL: not open yet */
    Progress *progress;     /* NULL: no progress is shown */
    bool *is_reported;      /* for each metric: a run without it was reported */
} CmdSweepStore;

/* Plans the database before anything runs. Fails if a formula is malformed, or a file
 * cannot be found or read. */
bool cmd_sweep_store_plan(CmdSweepStore *self, const WlSweep *sweep, GError **error);
void cmd_sweep_store_clear(CmdSweepStore *self);

/* The head according to the plan; borrows from it. */
TraceSweepHead cmd_sweep_store_head(const CmdSweepStore *self);

/* Functions of WlSweepKeeper; their data begins with a CmdSweepStore. */
WlSweepStatus cmd_sweep_store_status(gpointer data, guint run);
bool cmd_sweep_store_put(gpointer data, const WlSweepAnswer *answer, GError **error);
void cmd_sweep_store_tell(gpointer data, const WlSweepWork *work);

/* A function of WlSweepRunner. */
char **cmd_sweep_store_metrics(const WlSweep *sweep, const char *result);
