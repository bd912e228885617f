/* Whether the runs of a sweep can be done, asked before any is. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/cluster.h"
#include "workloads/sweep.h"

/* Tries every value of every axis (of many some, the first and the last among them) in
 * a run that is checked and not done; a value is wrong that nothing goes with. `stop`
 * is for CmdSweepClusterCalls. Fails with what the first of them complains of. True,
 * too, where it was stopped. */
bool cmd_sweep_check(const CmdSweepCluster *cluster,
                     const WlSweep *sweep,
                     const CmdSweepClusterCalls *stop,
                     GError **error);
