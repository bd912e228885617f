/* The replay: a process per issuing agent. */
#include "arch/error.h"
#include "arch/noc/recorder.h"
#include "arch/noc_replay.h"
#include "sim/process.h"
#include "sim/semaphore.h"

enum {
    READ_VC = 1,  /* tt-metal's choice for reads, */
    WRITE_VC = 0, /* and for writes */
};

typedef struct Replay Replay;

typedef struct {
    Replay *replay;
    SimProcess *process;
    SimSemaphore *arrivals;
    GArray *events; /* of ArchReplayEvent */
    guint position;
    uint64_t outstanding;
    SimTime last_arrival;
    int64_t shift; /* predicted less recorded time, since the last barrier */
    bool is_issuing;
} Agent;

struct Replay {
    const ArchReplayConfig *config;
    ArchWormholeNoc *noc;
    SimRegion *region;
    Agent *agents;
    SimTime stamp_cycles;   /* from a stamp to the command */
    SimTime barrier_cycles; /* from the last data to the barrier's stamp */
    SimTime last;
    guint barrier_count;
    double barrier_error;
};

static void arrive(gpointer data)
{
    Agent *self = data;

    self->last_arrival = sim_region_now(self->replay->region);
    sim_semaphore_give(self->arrivals, 1);
}

static void issue(Agent *self, const ArchReplayEvent *event)
{
    ArchNocCommand command = {
        .op = event->kind == ARCH_REPLAY_READ ? ARCH_NOC_READ : ARCH_NOC_WRITE,
        .noc = event->noc,
        .vc = event->kind == ARCH_REPLAY_READ ? READ_VC : WRITE_VC,
        .from = event->from,
        .to = event->to,
        .bytes = event->bytes,
        .done = arrive,
        .data = self,
    };

    arch_wormhole_noc_issue(self->replay->noc, &command);
    self->outstanding++;
}

static void note_time(Agent *self, SimTime time)
{
    self->replay->last = MAX(self->replay->last, time);
}

static SimTime expected(const Agent *self, SimTime recorded)
{
    return (SimTime) ((int64_t) recorded + self->shift);
}

static void end_barrier(Agent *self, const ArchReplayEvent *event)
{
    Replay *replay = self->replay;
    SimTime now = sim_region_now(replay->region);
    SimTime end = MAX(now, self->last_arrival + replay->barrier_cycles);

    replay->barrier_count++;
    replay->barrier_error +=
        ABS((double) end - (double) event->time) / (double) MAX(event->time, 1);
    note_time(self, end);
    if (replay->config->is_closed_loop) {
        self->shift = (int64_t) end - (int64_t) event->time;
    }
}

/* Sleeps until `when`; false if that is now. */
static bool sleep_until(Agent *self, SimTime when)
{
    SimTime now = sim_region_now(self->replay->region);

    if (when <= now) {
        return false;
    }
    sim_process_sleep(self->process, when - now);
    return true;
}

/* True when the event is dealt with. */
static bool handle(Agent *self, const ArchReplayEvent *event)
{
    SimTime time = expected(self, event->time);

    switch (event->kind) {
    case ARCH_REPLAY_READ:
    case ARCH_REPLAY_WRITE:
        if (sleep_until(self, time + self->replay->stamp_cycles)) {
            return false;
        }
        issue(self, event);
        break;
    case ARCH_REPLAY_BARRIER_START:
        if (sleep_until(self, time)) {
            return false;
        }
        break;
    case ARCH_REPLAY_BARRIER_END:
        if (self->outstanding > 0 &&
            !sim_semaphore_take(self->arrivals, self->outstanding, self->process)) {
            return false;
        }
        self->outstanding = 0;
        end_barrier(self, event);
        return true;
    case ARCH_REPLAY_OTHER:
        break;
    }
    note_time(self, time);
    return true;
}

static SimProcessStatus resume(SimProcess *process, gpointer data)
{
    Agent *self = data;

    (void) process;
    while (self->position < self->events->len) {
        if (!handle(self,
                    &g_array_index(self->events, ArchReplayEvent, self->position))) {
            return SIM_PROCESS_BLOCKED;
        }
        self->position++;
    }
    return SIM_PROCESS_FINISHED;
}

static bool
check(const ArchReplayConfig *config, const ArchWormholeNoc *noc, GError **error)
{
    for (gsize i = 0; i < config->count; i++) {
        const ArchReplayEvent *event = &config->events[i];
        const ArchTile tiles[] = {event->from, event->to};

        if (event->agent >= config->agent_count || event->noc > 1) {
            g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                        "event %" G_GSIZE_FORMAT
                        ": agent %u of %u, noc %u, allowed is noc 0..1",
                        i, event->agent, config->agent_count, event->noc);
            return false;
        }
        for (gsize j = 0; j < G_N_ELEMENTS(tiles); j++) {
            if (tiles[j].x >= arch_wormhole_noc_width(noc) ||
                tiles[j].y >= arch_wormhole_noc_height(noc)) {
                g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                            "event %" G_GSIZE_FORMAT ": tile %u,%u, the grid has 0..%u,"
                            "0..%u",
                            i, tiles[j].x, tiles[j].y, arch_wormhole_noc_width(noc) - 1,
                            arch_wormhole_noc_height(noc) - 1);
                return false;
            }
        }
    }
    return true;
}

static void make_agents(Replay *self)
{
    const ArchReplayConfig *config = self->config;

    self->agents = g_new0(Agent, config->agent_count);
    for (guint i = 0; i < config->agent_count; i++) {
        Agent *agent = &self->agents[i];
        g_autofree char *name = g_strdup_printf("agent %u", i);

        agent->replay = self;
        agent->events = g_array_new(FALSE, FALSE, sizeof(ArchReplayEvent));
        agent->arrivals = sim_semaphore_new(name, 0);
        agent->process = sim_process_new(self->region, sim_key(i + 1, 0), name,
                                         SIM_PROCESS_WORKER, resume, agent);
        sim_process_start(agent->process, 0);
    }
    for (gsize i = 0; i < config->count; i++) {
        g_array_append_val(self->agents[config->events[i].agent].events,
                           config->events[i]);
    }
}

static void free_agents(Replay *self)
{
    for (guint i = 0; i < self->config->agent_count; i++) {
        sim_process_free(self->agents[i].process);
        sim_semaphore_free(self->agents[i].arrivals);
        g_array_unref(self->agents[i].events);
    }
    g_free(self->agents);
}

static void fill_result(const Replay *self, ArchReplayResult *result)
{
    *result = (ArchReplayResult){
        .cycles = self->last,
        .barrier_count = self->barrier_count,
        .barrier_error_mean =
            self->barrier_count > 0 ? self->barrier_error / self->barrier_count : 0,
    };
    for (guint noc = 0; noc < G_N_ELEMENTS(result->links); noc++) {
        result->links[noc] = arch_wormhole_noc_links(self->noc, noc);
    }
}

void arch_replay_result_clear(ArchReplayResult *self)
{
    for (guint noc = 0; noc < G_N_ELEMENTS(self->links); noc++) {
        g_clear_pointer(&self->links[noc], g_array_unref);
    }
    arch_noc_windows_clear(&self->windows);
}

bool arch_replay_run(const ArchReplayConfig *config,
                     const ArchParams *params,
                     ArchReplayResult *result,
                     GError **error)
{
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(ArchWormholeNoc) noc =
        arch_wormhole_noc_new(region, sim_key(UINT32_MAX, 0), params, config->options);
    g_autoptr(NocRecorder) recorder = noc_recorder_new(noc);
    Replay replay = {
        .config = config,
        .noc = noc,
        .region = region,
        .stamp_cycles = arch_params_uint(params, "issue.trace_stamp_cycles") +
                        arch_params_uint(params, "niu.command_cycles"),
        .barrier_cycles = arch_params_uint(params, "issue.trace_barrier_cycles"),
    };
    bool is_done;

    if (!check(config, noc, error)) {
        return false;
    }
    sim_engine_set_monitor(engine, config->monitor, config->monitor_data);
    make_agents(&replay);
    is_done = sim_engine_run(engine, SIM_TIME_NEVER, error);
    if (is_done) {
        fill_result(&replay, result);
        result->events = sim_engine_events(engine);
        result->windows = noc_recorder_finish(recorder, result->cycles);
    }
    free_agents(&replay);
    return is_done;
}
