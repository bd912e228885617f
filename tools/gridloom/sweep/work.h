/* Does the runs of a sweep that are not in its database, and puts them there. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/cluster.h"
#include "tools/gridloom/sweep/options.h"
#include "traces/table/sweep_store.h"
#include "workloads/sweep.h"

/* What became of all runs. */
typedef struct {
    guint done;
    guint failed;
    guint lost;
    guint missing;
} CmdSweepTally;

/* What was done this time. */
typedef struct {
    guint run_count;
    double run_seconds;  /* of all processes of runs together */
    double wall_seconds; /* from the first that began to the last that ended */
    bool is_stopped;     /* by Ctrl-C or a request to terminate */
} CmdSweepWork;

/* How many runs there are to do: those that are missing or lost, and with `is_retrying`
 * those that failed. */
guint cmd_sweep_work_count(const WlSweep *sweep,
                           const TraceSweepStore *store,
                           bool is_retrying);

CmdSweepTally cmd_sweep_work_tally(const WlSweep *sweep, const TraceSweepStore *store);

/* Who does what, and where it goes; all borrowed. */
typedef struct {
    const CmdSweepCluster *cluster;
    const WlSweep *sweep;
    TraceSweepStore *store;
    const CmdSweepOptions *options;
    const CmdSweepClusterCalls *stop; /* its is_stopping and gone */
} CmdSweepSite;

/* Runs that are lost are tried once more at the end. Fails where the database cannot be
 * written any more, or no process can be had. */
bool cmd_sweep_work_do(CmdSweepWork *self, const CmdSweepSite *site, GError **error);
