/* Runs a replay with and without contention, conflicts and feedback. */
#include "arch/traffic/replay_runs.h"

#include <math.h>

#include "arch/error.h"

enum {
    WORD_BYTES = 4, /* of an inline write, whose size the profiler may leave out */
};

void arch_replay_trace_init(ArchReplayTrace *self,
                            const ArchParams *params,
                            const ArchTiles *tiles)
{
    *self = (ArchReplayTrace){
        .events = g_array_new(FALSE, FALSE, sizeof(ArchReplayEvent)),
        .params = params,
        .tiles = tiles,
        .packet_bytes = arch_params_uint(params, "noc.payload_limit_flits") *
                        arch_params_uint(params, "noc.flit_bytes"),
        .agents = g_hash_table_new(NULL, NULL),
    };
}

void arch_replay_trace_clear(ArchReplayTrace *self)
{
    g_clear_pointer(&self->events, g_array_unref);
    g_clear_pointer(&self->agents, g_hash_table_unref);
}

/* Events of one processor of one core follow each other. */
static guint agent_of(ArchReplayTrace *self, ArchTile core, guint processor)
{
    const guint node = core.x + self->tiles->width * core.y;
    gpointer key =
        GUINT_TO_POINTER(processor * self->tiles->width * self->tiles->height + node);
    guint agent = GPOINTER_TO_UINT(g_hash_table_lookup(self->agents, key));

    if (agent == 0) {
        agent = ++self->agent_count;
        g_hash_table_insert(self->agents, key, GUINT_TO_POINTER(agent));
    }
    return agent - 1;
}

static bool
check_tile(const ArchReplayTrace *self, ArchTile tile, bool is_target, GError **error)
{
    const char *chip = arch_params_name(self->params);

    if (!arch_tiles_contain(self->tiles, tile)) {
        return arch_refuse(error, "tile %u,%u, %s has 0..%u,0..%u", tile.x, tile.y,
                           chip, self->tiles->width - 1, self->tiles->height - 1);
    }
    /* Which rows are harvested differs from chip to chip. */
    if (is_target && arch_tiles_kind(self->tiles, tile) == ARCH_TILE_OTHER) {
        return arch_refuse(error, "tile %u,%u of %s has no memory to read or write",
                           tile.x, tile.y, chip);
    }
    return true;
}

static uint64_t bytes_of(const ArchReplayEvent *event)
{
    if (event->kind == ARCH_REPLAY_INLINE || event->kind == ARCH_REPLAY_ATOMIC) {
        return WORD_BYTES;
    }
    return event->kind == ARCH_REPLAY_READ || event->kind == ARCH_REPLAY_WRITE ||
                   event->kind == ARCH_REPLAY_MULTICAST
               ? event->bytes
               : 0;
}

static void add_packets(ArchReplayTrace *self, ArchReplayEvent event)
{
    uint64_t left = event.bytes;

    do {
        event.bytes = MIN(left, self->packet_bytes);
        left -= event.bytes;
        g_array_append_val(self->events, event);
    } while (left > 0);
}

bool arch_replay_trace_add(ArchReplayTrace *self,
                           ArchReplayEvent event,
                           guint processor,
                           GError **error)
{
    const bool is_multicast = event.kind == ARCH_REPLAY_MULTICAST;

    event.bytes = bytes_of(&event);
    if (!check_tile(self, event.from, false, error) ||
        (event.bytes > 0 && !check_tile(self, event.to, !is_multicast, error)) ||
        (is_multicast && !check_tile(self, event.corner, false, error))) {
        return false;
    }
    event.agent = agent_of(self, event.from, processor);
    event.to = event.bytes > 0 ? event.to : event.from;
    event.corner = is_multicast ? event.corner : event.from;
    add_packets(self, event);
    return true;
}

void arch_replay_trace_end(ArchReplayTrace *self, SimTime last)
{
    SimTime latest = 0;

    for (guint i = 0; i < self->events->len; i++) {
        latest = MAX(latest, g_array_index(self->events, ArchReplayEvent, i).time);
    }
    /* An event of an unknown type may be the last one: then it ends the trace. */
    if (latest < last) {
        add_packets(self, (ArchReplayEvent){.kind = ARCH_REPLAY_OTHER,
                                            .agent = self->agent_count++,
                                            .time = last});
    }
    self->recorded_cycles =
        last - MIN(last, arch_params_uint(self->params, "issue.trace_end_cycles"));
}

uint64_t arch_replay_trace_bytes(const ArchReplayTrace *self)
{
    uint64_t bytes = 0;

    for (guint i = 0; i < self->events->len; i++) {
        bytes += g_array_index(self->events, ArchReplayEvent, i).bytes;
    }
    return bytes;
}

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
