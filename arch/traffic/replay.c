/* Replays traces with a process per issuing agent. Where events keep their recorded
 * times, the ends of barriers are computed afterwards. */
#include "arch/traffic/replay.h"

#include <string.h>

#include "arch/error.h"
#include "arch/noc/recorder.h"
#include "sim/process.h"

enum {
    READ_VC = 1,  /* tt-metal's choice for reads, */
    WRITE_VC = 0, /* and for writes */
    NOCS = 2,
    WAITS = 4, /* bits of ArchReplayWaits */
};

typedef struct Replay Replay;
typedef struct Agent Agent;

/* An event, and what became of its command. */
typedef struct {
    const ArchReplayEvent *event;
    Agent *agent;
    SimTime times[WAITS]; /* when what barriers wait for happened */
} Ticket;

struct Agent {
    Replay *replay;
    SimProcess *process;
    GPtrArray *tickets; /* of Ticket, by time */
    guint position;
    guint outstanding[NOCS][WAITS];
    SimTime last[NOCS][WAITS];      /* the latest that happened */
    const ArchReplayEvent *awaited; /* the barrier it waits at, or NULL */
    SimTime barrier_start;
    SimTime earliest; /* an end that was not recorded: nothing comes before it */
    int64_t shift;    /* predicted less recorded time, since the last barrier */
};

struct Replay {
    const ArchReplayConfig *config;
    ArchWormholeNoc *noc;
    SimRegion *region;
    Agent *agents;
    Ticket *tickets;        /* by event */
    SimTime stamp_cycles;   /* from a stamp to the command */
    SimTime barrier_cycles; /* from the last data to the barrier's stamp */
    SimTime poll_cycles;    /* likewise, to what follows a barrier without one */
    SimTime last;
    GArray *barriers; /* of ArchReplayBarrier */
};

/* What commands are to the network, and which barriers wait for them, of
 * ArchReplayWaits; 0: it is no command. */
static const struct {
    ArchNocOp op;
    guint waits;
} kinds[ARCH_REPLAY_OTHER + 1] = {
    [ARCH_REPLAY_READ] = {ARCH_NOC_READ, ARCH_REPLAY_READS},
    [ARCH_REPLAY_WRITE] = {ARCH_NOC_WRITE, ARCH_REPLAY_WRITES | ARCH_REPLAY_FLUSH},
    [ARCH_REPLAY_INLINE] = {ARCH_NOC_ATOMIC, ARCH_REPLAY_WRITES | ARCH_REPLAY_FLUSH},
    [ARCH_REPLAY_MULTICAST] = {ARCH_NOC_MULTICAST,
                               ARCH_REPLAY_WRITES | ARCH_REPLAY_FLUSH},
    [ARCH_REPLAY_ATOMIC] = {ARCH_NOC_ATOMIC, ARCH_REPLAY_ATOMICS},
};

/* Everything that a barrier waits for has happened. */
static bool is_over(const Agent *self, const ArchReplayEvent *barrier)
{
    for (guint i = 0; i < WAITS; i++) {
        if ((barrier->waits >> i & 1) != 0 && self->outstanding[barrier->noc][i] > 0) {
            return false;
        }
    }
    return true;
}

static void happen(Ticket *ticket, guint waits)
{
    Agent *self = ticket->agent;
    const guint noc = ticket->event->noc;

    for (guint i = 0; i < WAITS; i++) {
        if ((waits >> i & 1) != 0) {
            ticket->times[i] = sim_region_now(self->replay->region);
            self->last[noc][i] = ticket->times[i];
            self->outstanding[noc][i]--;
        }
    }
    if (self->awaited != NULL && is_over(self, self->awaited)) {
        self->awaited = NULL;
        sim_process_wake(self->process);
    }
}

static void leave(gpointer data)
{
    Ticket *ticket = data;

    happen(ticket, kinds[ticket->event->kind].waits & ARCH_REPLAY_FLUSH);
}

static void arrive(gpointer data)
{
    Ticket *ticket = data;

    happen(ticket, kinds[ticket->event->kind].waits & ~(guint) ARCH_REPLAY_FLUSH);
}

static void issue(Agent *self, Ticket *ticket)
{
    const ArchReplayEvent *event = ticket->event;
    const guint waits = kinds[event->kind].waits;
    ArchNocCommand command = {
        .op = kinds[event->kind].op,
        .noc = event->noc,
        .vc = event->kind == ARCH_REPLAY_READ ? READ_VC : WRITE_VC,
        .from = event->from,
        .to = event->to,
        .corner = event->corner,
        .bytes = event->bytes,
        .left = leave,
        .done = arrive,
        .data = ticket,
    };

    for (guint i = 0; i < WAITS; i++) {
        self->outstanding[event->noc][i] += waits >> i & 1;
    }
    arch_wormhole_noc_issue(self->replay->noc, &command);
}

/* When something recorded happens. */
static SimTime expected(Agent *self, SimTime recorded)
{
    const int64_t time = (int64_t) recorded + self->shift;

    if (time < (int64_t) self->earliest) {
        self->shift += (int64_t) self->earliest - time;
        return self->earliest;
    }
    return (SimTime) time;
}

/* When a barrier ends that began at `start` and takes `cycles` to see the last of what
 * it waits for. */
static SimTime
end_of(const Agent *self, const ArchReplayEvent *barrier, SimTime start, SimTime cycles)
{
    SimTime end = start;

    for (guint i = 0; i < WAITS; i++) {
        const SimTime last = self->last[barrier->noc][i];

        if ((barrier->waits >> i & 1) != 0 && last > 0) {
            end = MAX(end, last + cycles);
        }
    }
    return end;
}

static void end_barrier(Agent *self, const ArchReplayEvent *event)
{
    Replay *replay = self->replay;
    ArchReplayBarrier barrier = {
        .agent = event->agent,
        .recorded = event->time,
        .predicted = end_of(self, event, self->barrier_start, replay->barrier_cycles),
    };

    g_array_append_val(replay->barriers, barrier);
    replay->last = MAX(replay->last, barrier.predicted);
    if (replay->config->is_closed_loop) {
        self->shift = (int64_t) barrier.predicted - (int64_t) event->time;
    }
}

/* Notes when an event happens; what it waits for has happened. */
static void settle(Agent *self, const ArchReplayEvent *event)
{
    Replay *replay = self->replay;

    if (event->kind == ARCH_REPLAY_BARRIER_END) {
        end_barrier(self, event);
        return;
    }
    const SimTime time = expected(self, event->time);

    self->barrier_start = time;
    replay->last = MAX(replay->last, time);
    if (event->kind == ARCH_REPLAY_BARRIER && replay->config->is_closed_loop) {
        self->earliest = end_of(self, event, time, replay->poll_cycles);
        replay->last = MAX(replay->last, self->earliest);
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

/* False if the barrier is over. */
static bool wait_at(Agent *self, const ArchReplayEvent *barrier)
{
    if (is_over(self, barrier)) {
        return false;
    }
    self->awaited = barrier;
    sim_process_wait(self->process, "commands that a barrier waits for");
    return true;
}

/* True when the event is dealt with. */
static bool handle(Agent *self, Ticket *ticket)
{
    const ArchReplayEvent *event = ticket->event;
    const bool is_closed_loop = self->replay->config->is_closed_loop;

    if (kinds[event->kind].waits != 0) {
        if (sleep_until(self,
                        expected(self, event->time) + self->replay->stamp_cycles)) {
            return false;
        }
        issue(self, ticket);
    }
    if (!is_closed_loop) {
        return true;
    }
    if (event->kind == ARCH_REPLAY_BARRIER &&
        sleep_until(self, expected(self, event->time))) {
        return false;
    }
    if ((event->kind == ARCH_REPLAY_BARRIER ||
         event->kind == ARCH_REPLAY_BARRIER_END) &&
        wait_at(self, event)) {
        return false;
    }
    settle(self, event);
    return true;
}

static SimProcessStatus resume(SimProcess *process, gpointer data)
{
    Agent *self = data;

    (void) process;
    while (self->position < self->tickets->len) {
        if (!handle(self, g_ptr_array_index(self->tickets, self->position))) {
            return SIM_PROCESS_BLOCKED;
        }
        self->position++;
    }
    return SIM_PROCESS_FINISHED;
}

/* After a run in which nothing waited: a barrier sees what was issued before it. */
static void settle_all(Agent *self)
{
    memset(self->last, 0, sizeof(self->last));
    for (guint i = 0; i < self->tickets->len; i++) {
        const Ticket *ticket = g_ptr_array_index(self->tickets, i);
        SimTime *last = self->last[ticket->event->noc];

        for (guint j = 0; j < WAITS; j++) {
            last[j] = MAX(last[j], ticket->times[j]);
        }
        settle(self, ticket->event);
    }
}

static bool check_receivers(const ArchReplayEvent *event,
                            gsize index,
                            const ArchWormholeNoc *noc,
                            GError **error)
{
    const ArchNocCommand command = {.noc = event->noc,
                                    .from = event->from,
                                    .to = event->to,
                                    .corner = event->corner};

    if (event->kind == ARCH_REPLAY_MULTICAST &&
        arch_wormhole_noc_receivers(noc, &command) == 0) {
        return arch_refuse(error,
                           "event %" G_GSIZE_FORMAT
                           ": a multicast to %u,%u to %u,%u reaches no Tensix tile but "
                           "perhaps its sender",
                           index, event->to.x, event->to.y, event->corner.x,
                           event->corner.y);
    }
    return true;
}

static bool
check(const ArchReplayConfig *config, const ArchWormholeNoc *noc, GError **error)
{
    for (gsize i = 0; i < config->count; i++) {
        const ArchReplayEvent *event = &config->events[i];
        const ArchTile tiles[] = {event->from, event->to, event->corner};

        if (event->agent >= config->agent_count || event->noc > 1) {
            return arch_refuse(error,
                               "event %" G_GSIZE_FORMAT
                               ": agent %u of %u, noc %u, allowed is noc 0..1",
                               i, event->agent, config->agent_count, event->noc);
        }
        for (gsize j = 0; j < G_N_ELEMENTS(tiles); j++) {
            if (tiles[j].x >= arch_wormhole_noc_width(noc) ||
                tiles[j].y >= arch_wormhole_noc_height(noc)) {
                return arch_refuse(
                    error,
                    "event %" G_GSIZE_FORMAT ": tile %u,%u, the grid has 0..%u,"
                    "0..%u",
                    i, tiles[j].x, tiles[j].y, arch_wormhole_noc_width(noc) - 1,
                    arch_wormhole_noc_height(noc) - 1);
            }
        }
        if (!check_receivers(event, i, noc, error)) {
            return false;
        }
    }
    return true;
}

static void make_agents(Replay *self)
{
    const ArchReplayConfig *config = self->config;

    self->agents = g_new0(Agent, config->agent_count);
    self->tickets = g_new0(Ticket, config->count);
    for (guint i = 0; i < config->agent_count; i++) {
        Agent *agent = &self->agents[i];
        g_autofree char *name = g_strdup_printf("agent %u", i);

        agent->replay = self;
        agent->tickets = g_ptr_array_new();
        agent->process = sim_process_new(self->region, sim_key(i + 1, 0), name,
                                         SIM_PROCESS_WORKER, resume, agent);
        sim_process_start(agent->process, 0);
    }
    for (gsize i = 0; i < config->count; i++) {
        const ArchReplayEvent *event = &config->events[i];

        self->tickets[i] =
            (Ticket){.event = event, .agent = &self->agents[event->agent]};
        g_ptr_array_add(self->tickets[i].agent->tickets, &self->tickets[i]);
    }
}

static void free_agents(Replay *self)
{
    for (guint i = 0; i < self->config->agent_count; i++) {
        sim_process_free(self->agents[i].process);
        g_ptr_array_unref(self->agents[i].tickets);
    }
    g_free(self->agents);
    g_free(self->tickets);
    g_clear_pointer(&self->barriers, g_array_unref);
}

static int compare_barriers(gconstpointer a, gconstpointer b)
{
    const ArchReplayBarrier *left = a;
    const ArchReplayBarrier *right = b;

    if (left->agent != right->agent) {
        return left->agent < right->agent ? -1 : 1;
    }
    return left->recorded < right->recorded ? -1 : left->recorded > right->recorded;
}

static double mean_error(const GArray *barriers)
{
    double sum = 0;

    for (guint i = 0; i < barriers->len; i++) {
        const ArchReplayBarrier *barrier =
            &g_array_index(barriers, ArchReplayBarrier, i);
        const double recorded = (double) barrier->recorded;

        sum += ABS((double) barrier->predicted - recorded) / MAX(recorded, 1);
    }
    return barriers->len > 0 ? sum / barriers->len : 0;
}

static void fill_result(Replay *self, ArchReplayResult *result)
{
    for (guint i = 0; i < self->config->agent_count && !self->config->is_closed_loop;
         i++) {
        settle_all(&self->agents[i]);
    }
    g_array_sort(self->barriers, compare_barriers);
    *result = (ArchReplayResult){
        .cycles = self->last,
        .barrier_error_mean = mean_error(self->barriers),
        .barriers = g_array_ref(self->barriers),
    };
    for (guint noc = 0; noc < G_N_ELEMENTS(result->links); noc++) {
        result->links[noc] = arch_wormhole_noc_links(self->noc, noc);
    }
}

void arch_replay_result_clear(ArchReplayResult *self)
{
    g_clear_pointer(&self->barriers, g_array_unref);
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
    g_autoptr(ArchWormholeNoc) noc = arch_wormhole_noc_new(
        region, sim_key(UINT32_MAX, 0), params, config->options, error);
    if (noc == NULL) {
        return false;
    }
    g_autoptr(NocRecorder) recorder = noc_recorder_new(noc);
    Replay replay = {
        .config = config,
        .noc = noc,
        .region = region,
        .stamp_cycles = arch_params_uint(params, "issue.trace_stamp_cycles") +
                        arch_params_uint(params, "niu.command_cycles"),
        .barrier_cycles = arch_params_uint(params, "issue.trace_barrier_cycles"),
        .poll_cycles = arch_params_uint(params, "issue.barrier_poll_cycles"),
        .barriers = g_array_new(FALSE, FALSE, sizeof(ArchReplayBarrier)),
    };
    bool is_done;

    if (!check(config, noc, error)) {
        g_array_unref(replay.barriers);
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
