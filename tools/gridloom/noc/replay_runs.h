/* One trace replayed in several ways, and how far that is from what was recorded. */
#pragma once

#include <glib.h>

#include "arch/traffic/replay.h"
#include "tools/gridloom/noc/replay_trace.h"
#include "tools/gridloom/vigil.h"

typedef struct {
    NocReplayTrace *trace;
    ArchReplayResult outcome; /* at the recorded issue times */
    SimTime predicted_cycles; /* from the first event to the kernels' end, as all */
    SimTime closed_loop_cycles;
    SimTime uncontended_cycles;         /* every command alone */
    SimTime without_l1_conflict_cycles; /* without the calibrated costs */
} NocReplayRuns;

/* Takes `trace`. Fails with what the model reports, or when the vigil says so. */
NocReplayRuns *noc_replay_runs_new(NocReplayTrace *trace,
                                   const NocChip *chip,
                                   bool has_l1_conflicts,
                                   Vigil *vigil,
                                   GError **error);
void noc_replay_runs_free(NocReplayRuns *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocReplayRuns, noc_replay_runs_free)

/* cycles / recorded cycles - 1; not a number for a trace that takes no time. */
double noc_replay_runs_error(const NocReplayRuns *self, SimTime cycles);

/* What contention adds: predicted / uncontended - 1. */
double noc_replay_runs_congestion(const NocReplayRuns *self);
