/* Runs a replay with and without contention, conflicts and feedback. */
#include "arch/traffic/replay_runs.h"

#include <math.h>

/* How one run differs from the others. */
typedef struct {
    bool is_closed_loop;
    bool has_contention;
    bool has_l1_conflicts;
} Mode;

static bool run(const ArchReplayTrace *trace,
                const ArchReplayWatch *watch,
                Mode mode,
                ArchReplayResult *outcome,
                GError **error)
{
    const ArchReplayConfig config = {
        .events = (const ArchReplayEvent *) (gpointer) trace->events->data,
        .count = trace->events->len,
        .agent_count = trace->agent_count,
        .is_closed_loop = mode.is_closed_loop,
        .options = {.has_contention = mode.has_contention,
                    .has_l1_conflicts = mode.has_l1_conflicts,
                    .is_whole = true},
        .monitor = watch->monitor,
        .monitor_data = watch->data,
    };

    if (!arch_replay_run(&config, trace->params, outcome, error)) {
        return false;
    }
    if (watch->ended != NULL) {
        watch->ended(watch->data, outcome->cycles, outcome->events);
    }
    return true;
}

/* The profiler's own cycles do not count. */
static SimTime kernel_cycles(const ArchReplayTrace *trace,
                             const ArchReplayResult *outcome)
{
    const SimTime end = arch_params_uint(trace->params, "issue.trace_end_cycles");

    return outcome->cycles - MIN(outcome->cycles, end);
}

static bool run_for_cycles(const ArchReplayTrace *trace,
                           const ArchReplayWatch *watch,
                           Mode mode,
                           SimTime *cycles,
                           GError **error)
{
    g_auto(ArchReplayResult) outcome = {0};

    if (!run(trace, watch, mode, &outcome, error)) {
        return false;
    }
    *cycles = kernel_cycles(trace, &outcome);
    return true;
}

static double ratio_error(SimTime cycles, SimTime of)
{
    return of > 0 ? (double) cycles / (double) of - 1 : NAN;
}

bool arch_replay_runs_do(ArchReplayRuns *self,
                         const ArchReplayTrace *trace,
                         bool has_l1_conflicts,
                         const ArchReplayWatch *watch,
                         GError **error)
{
    const Mode stamped = {.has_contention = true, .has_l1_conflicts = has_l1_conflicts};
    const Mode closed = {.is_closed_loop = true,
                         .has_contention = true,
                         .has_l1_conflicts = has_l1_conflicts};
    const Mode alone = {.has_l1_conflicts = has_l1_conflicts};
    const Mode without_conflicts = {.has_contention = true};
    SimTime without_cycles;

    *self = (ArchReplayRuns){.recorded_cycles = trace->recorded_cycles};
    if (!run(trace, watch, stamped, &self->outcome, error) ||
        !run_for_cycles(trace, watch, closed, &self->closed_loop_cycles, error) ||
        !run_for_cycles(trace, watch, alone, &self->uncontended_cycles, error) ||
        !run_for_cycles(trace, watch, without_conflicts, &without_cycles, error)) {
        return false;
    }
    self->predicted_cycles = kernel_cycles(trace, &self->outcome);
    self->error = ratio_error(self->predicted_cycles, self->recorded_cycles);
    self->closed_loop_error =
        ratio_error(self->closed_loop_cycles, self->recorded_cycles);
    self->error_without_l1_conflicts =
        ratio_error(without_cycles, self->recorded_cycles);
    self->congestion = ratio_error(self->predicted_cycles, self->uncontended_cycles);
    self->barrier_error =
        self->outcome.barriers->len > 0 ? self->outcome.barrier_error_mean : NAN;
    return true;
}

void arch_replay_runs_clear(ArchReplayRuns *self)
{
    arch_replay_result_clear(&self->outcome);
}

ArchReplayMeans arch_replay_means(const ArchReplayRuns *const *runs, guint count)
{
    ArchReplayMeans means = {0};
    double counted = 0;
    double barriers = 0;

    for (guint i = 0; i < count; i++) {
        const double error = runs[i]->error;
        const double weight = runs[i]->outcome.barriers->len;

        if (weight > 0) {
            barriers += weight;
            means.barrier_error_mean += weight * runs[i]->barrier_error;
        }
        if (isnan(error)) {
            continue;
        }
        counted++;
        means.mean_abs_error += fabs(error);
        means.bias += error;
        means.worst_error =
            fabs(error) > fabs(means.worst_error) ? error : means.worst_error;
        means.closed_loop_mean_abs_error += fabs(runs[i]->closed_loop_error);
        means.mean_abs_error_without_l1_conflicts +=
            fabs(runs[i]->error_without_l1_conflicts);
    }
    means.mean_abs_error /= counted;
    means.bias /= counted;
    means.worst_error = counted > 0 ? means.worst_error : NAN;
    means.closed_loop_mean_abs_error /= counted;
    means.mean_abs_error_without_l1_conflicts /= counted;
    means.barrier_error_mean /= barriers;
    return means;
}
