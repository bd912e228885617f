/* Runs a replay with and without contention, conflicts and feedback. */
#include "tools/gridloom/noc/replay_runs.h"

#include <math.h>

/* How one run differs from the others. */
typedef struct {
    bool is_closed_loop;
    bool has_contention;
    bool has_l1_conflicts;
} Mode;

/* What all runs of a trace share. */
typedef struct {
    const CmdNocReplayTrace *trace;
    const CmdNocChip *chip;
    Monitor *monitor;
} Bench;

static bool run(const Bench *self, Mode mode, ArchReplayResult *outcome, GError **error)
{
    const CmdNocReplayTrace *trace = self->trace;
    const ArchReplayConfig config = {
        .events = (const ArchReplayEvent *) (gpointer) trace->events->data,
        .count = trace->events->len,
        .agent_count = trace->agent_count,
        .is_closed_loop = mode.is_closed_loop,
        .options = {.has_contention = mode.has_contention,
                    .has_l1_conflicts = mode.has_l1_conflicts,
                    .is_whole = true},
        .monitor = monitor_observe,
        .monitor_data = self->monitor,
    };

    if (!arch_replay_run(&config, cmd_noc_chip_params(self->chip), outcome, error)) {
        g_prefix_error(error, "%s: ", trace->path);
        return false;
    }
    monitor_end(self->monitor, outcome->cycles, outcome->events);
    return true;
}

/* The profiler's own cycles do not count. */
static SimTime kernel_cycles(const CmdNocChip *chip, const ArchReplayResult *outcome)
{
    const SimTime end =
        arch_params_uint(cmd_noc_chip_params(chip), "issue.trace_end_cycles");

    return outcome->cycles - MIN(outcome->cycles, end);
}

static bool
run_for_cycles(const Bench *self, Mode mode, SimTime *cycles, GError **error)
{
    g_auto(ArchReplayResult) outcome = {0};

    if (!run(self, mode, &outcome, error)) {
        return false;
    }
    *cycles = kernel_cycles(self->chip, &outcome);
    return true;
}

CmdNocReplayRuns *cmd_noc_replay_runs_new(CmdNocReplayTrace *trace,
                                          const CmdNocChip *chip,
                                          bool has_l1_conflicts,
                                          Monitor *monitor,
                                          GError **error)
{
    g_autoptr(CmdNocReplayRuns) self = g_new0(CmdNocReplayRuns, 1);
    const Bench bench = {.trace = trace, .chip = chip, .monitor = monitor};
    const Mode stamped = {.has_contention = true, .has_l1_conflicts = has_l1_conflicts};
    const Mode closed = {.is_closed_loop = true,
                         .has_contention = true,
                         .has_l1_conflicts = has_l1_conflicts};
    const Mode alone = {.has_l1_conflicts = has_l1_conflicts};
    const Mode without_conflicts = {.has_contention = true};

    self->trace = trace;
    if (!run(&bench, stamped, &self->outcome, error) ||
        !run_for_cycles(&bench, closed, &self->closed_loop_cycles, error) ||
        !run_for_cycles(&bench, alone, &self->uncontended_cycles, error) ||
        !run_for_cycles(&bench, without_conflicts, &self->without_l1_conflict_cycles,
                        error)) {
        return NULL;
    }
    self->predicted_cycles = kernel_cycles(chip, &self->outcome);
    return g_steal_pointer(&self);
}

void cmd_noc_replay_runs_free(CmdNocReplayRuns *self)
{
    if (self == NULL) {
        return;
    }
    arch_replay_result_clear(&self->outcome);
    cmd_noc_replay_trace_free(self->trace);
    g_free(self);
}

static double ratio_error(SimTime cycles, SimTime of)
{
    return of > 0 ? (double) cycles / (double) of - 1 : NAN;
}

double cmd_noc_replay_runs_error(const CmdNocReplayRuns *self, SimTime cycles)
{
    return ratio_error(cycles, self->trace->recorded_cycles);
}

double cmd_noc_replay_runs_congestion(const CmdNocReplayRuns *self)
{
    return ratio_error(self->predicted_cycles, self->uncontended_cycles);
}
