/* Runs transfers: a process per core that pays for each command and polls at the end.
 */
#include "arch/traffic/transfer.h"

#include "arch/noc/handover.h"
#include "arch/noc/recorder.h"
#include "arch/traffic/commands.h"
#include "sim/compare.h"
#include "sim/narrow.h"
#include "sim/process.h"
#include "sim/semaphore.h"

typedef struct Transfer Transfer;

typedef enum {
    STEP_PAY,     /* the cost of issuing a command */
    STEP_RESERVE, /* a place in the command queue */
    STEP_BARRIER, /* until everything has arrived */
    STEP_POLL,    /* until the core has seen it */
    STEP_DONE,
} Step;

typedef struct {
    Transfer *transfer;
    const ArchTransferAgent *config;
    ArchCommands *commands;
    SimProcess *process;
    SimSemaphore *arrivals;
    ArchNocCommand command;
    GHashTable *orders; /* those under way */
    uint64_t outstanding;
    uint64_t remainder; /* of fractional issue costs */
    Step step;
    bool is_paid;
    SimTime start;
    SimTime end;
} Agent;

struct Transfer {
    const ArchTransferConfig *config;
    ArchWormholeNoc *noc;
    SimRegion *region;
    Agent *agents;
    SimTime command_cycles; /* from the core to the network */
    SimTime poll_cycles;
    SimTime zone_cycles; /* of the profiler's zone around the test */
};

/* A command under way. */
typedef struct {
    NocHandover handover;
    Agent *agent;
} Order;

static void arrive(gpointer data)
{
    Order *order = data;

    sim_semaphore_give(order->agent->arrivals, 1);
    g_hash_table_remove(order->agent->orders, order);
}

/* False when the process must wait. */
static bool issue(Agent *self)
{
    const Transfer *transfer = self->transfer;
    g_autofree Order *order = g_new(Order, 1);

    *order = (Order){
        .handover = {.noc = transfer->noc, .command = self->command},
        .agent = self,
    };
    order->handover.command.done = arrive;
    order->handover.command.data = order;
    if (!noc_handover_issue(&order->handover, transfer->command_cycles,
                            self->process)) {
        return false;
    }
    self->outstanding++;
    g_hash_table_add(self->orders, g_steal_pointer(&order));
    return true;
}

/* Whether a barrier comes now, and whether it is the last thing to do. */
static void after_command(Agent *self)
{
    const bool is_each = self->transfer->config->op == ARCH_TRANSFER_ATOMIC;

    self->step = is_each ? STEP_BARRIER : STEP_PAY;
}

/* One step; false when the process must wait. */
static bool advance(Agent *self)
{
    Transfer *transfer = self->transfer;
    SimRatio cost;

    switch (self->step) {
    case STEP_PAY:
        if (!arch_commands_next(self->commands, &self->command, &cost)) {
            self->step = STEP_BARRIER;
            return true;
        }
        self->step = STEP_RESERVE;
        sim_process_sleep(self->process, sim_ratio_charge(cost, 1, &self->remainder));
        return false;
    case STEP_RESERVE:
        if (!issue(self)) {
            return false;
        }
        after_command(self);
        return true;
    case STEP_BARRIER:
        if (self->outstanding > 0 &&
            !sim_semaphore_take(self->arrivals, self->outstanding, self->process)) {
            return false;
        }
        self->outstanding = 0;
        self->step = STEP_POLL;
        sim_process_sleep(self->process, transfer->poll_cycles);
        return false;
    case STEP_POLL:
        self->step = arch_commands_is_over(self->commands) ? STEP_DONE : STEP_PAY;
        return true;
    case STEP_DONE:
        break;
    }
    return false;
}

static SimProcessStatus resume(SimProcess *process, gpointer data)
{
    Agent *self = data;
    SimRegion *region = sim_process_region(process);

    if (!self->is_paid) {
        self->is_paid = true;
        self->start = sim_region_now(region);
    }
    while (self->step != STEP_DONE) {
        if (!advance(self)) {
            return SIM_PROCESS_BLOCKED;
        }
    }
    self->end = sim_region_now(region) + self->transfer->zone_cycles;
    return SIM_PROCESS_FINISHED;
}

static bool make_agents(Transfer *self, const ArchParams *params, GError **error)
{
    const ArchTransferConfig *config = self->config;

    for (gsize i = 0; i < config->agent_count; i++) {
        Agent *agent = &self->agents[i];
        const ArchTile core = config->agents[i].core;
        g_autofree char *name = g_strdup_printf("core[%u,%u]", core.x, core.y);

        agent->transfer = self;
        agent->config = &config->agents[i];
        agent->commands =
            arch_commands_new(config, agent->config, params, self->noc, error);
        if (agent->commands == NULL) {
            return false;
        }
        agent->arrivals = sim_semaphore_new(name, 0);
        agent->orders =
            g_hash_table_new_full(g_direct_hash, g_direct_equal, g_free, NULL);
        agent->process = sim_process_new(self->region, sim_key(sim_u32(i) + 1, 0), name,
                                         SIM_PROCESS_WORKER, resume, agent);
        sim_process_start(agent->process, config->start_skew_cycles * i);
    }
    return true;
}

static void free_agents(Transfer *self)
{
    for (gsize i = 0; i < self->config->agent_count; i++) {
        sim_process_free(self->agents[i].process);
        sim_semaphore_free(self->agents[i].arrivals);
        arch_commands_free(self->agents[i].commands);
        g_clear_pointer(&self->agents[i].orders, g_hash_table_unref);
    }
    g_free(self->agents);
}

static void fill_result(const Transfer *self, ArchTransferResult *result)
{
    *result = (ArchTransferResult){
        .cycles = g_array_new(FALSE, FALSE, sizeof(SimTime)),
    };
    for (gsize i = 0; i < self->config->agent_count; i++) {
        SimTime cycles = self->agents[i].end - self->agents[i].start;

        g_array_append_val(result->cycles, cycles);
        result->total = MAX(result->total, self->agents[i].end);
    }
    for (guint noc = 0; noc < G_N_ELEMENTS(result->links); noc++) {
        result->links[noc] = arch_wormhole_noc_links(self->noc, noc);
    }
}

void arch_transfer_result_clear(ArchTransferResult *self)
{
    g_clear_pointer(&self->cycles, g_array_unref);
    for (guint noc = 0; noc < G_N_ELEMENTS(self->links); noc++) {
        g_clear_pointer(&self->links[noc], g_array_unref);
    }
    arch_noc_windows_clear(&self->windows);
}

double arch_transfer_median(const ArchTransferResult *self)
{
    g_autoptr(GArray) sorted = g_array_copy(self->cycles);
    guint middle = sorted->len / 2;

    g_array_sort(sorted, sim_compare_times);
    if (sorted->len % 2 == 1) {
        return (double) g_array_index(sorted, SimTime, middle);
    }
    return ((double) g_array_index(sorted, SimTime, middle - 1) +
            (double) g_array_index(sorted, SimTime, middle)) /
           2;
}

bool arch_transfer_run(const ArchTransferConfig *config,
                       const ArchParams *params,
                       ArchTransferResult *result,
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
    Transfer transfer = {
        .config = config,
        .noc = noc,
        .region = region,
        .agents = g_new0(Agent, config->agent_count),
        .command_cycles = arch_params_uint(params, "niu.command_cycles"),
        .poll_cycles = arch_params_uint(params, "issue.barrier_poll_cycles"),
        .zone_cycles = arch_params_uint(params, "issue.profiler_zone_cycles"),
    };
    bool is_done;

    sim_engine_set_monitor(engine, config->monitor, config->monitor_data);
    is_done = make_agents(&transfer, params, error) &&
              sim_engine_run(engine, SIM_TIME_NEVER, error);
    if (is_done) {
        fill_result(&transfer, result);
        result->events = sim_engine_events(engine);
        result->windows = noc_recorder_finish(recorder, result->total);
    }
    free_agents(&transfer);
    return is_done;
}
