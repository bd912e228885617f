/* One trace replayed in several ways, and how far that is from what was recorded. */
#pragma once

#include <glib.h>

#include "arch/traffic/replay.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/replay_trace.h"

typedef struct {
    CmdNocReplayTrace *trace;
    ArchReplayResult outcome; /* at the recorded issue times */
    SimTime predicted_cycles; /* from the first event to the kernels' end, as all */
    SimTime closed_loop_cycles;
    SimTime uncontended_cycles;         /* every command alone */
    SimTime without_l1_conflict_cycles; /* without the calibrated costs */
} CmdNocReplayRuns;

/* Takes `trace`. Fails with what the model reports, or when the monitor says so. */
CmdNocReplayRuns *cmd_noc_replay_runs_new(CmdNocReplayTrace *trace,
                                          const CmdNocChip *chip,
                                          bool has_l1_conflicts,
                                          Monitor *monitor,
                                          GError **error);
void cmd_noc_replay_runs_free(CmdNocReplayRuns *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdNocReplayRuns, cmd_noc_replay_runs_free)

/* cycles / recorded cycles - 1; not a number for a trace that takes no time. */
double cmd_noc_replay_runs_error(const CmdNocReplayRuns *self, SimTime cycles);

/* What contention adds: predicted / uncontended - 1. */
double cmd_noc_replay_runs_congestion(const CmdNocReplayRuns *self);
