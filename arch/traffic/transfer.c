/* Runs transfers: a process per core that pays for each command and polls at the end.
 */
#include "arch/traffic/transfer.h"

#include "arch/noc/handover.h"
#include "arch/noc/recorder.h"
#include "arch/traffic/commands.h"
#include "arch/traffic/start_line.h"
#include "arch/traffic/tiles.h"
#include "sim/compare.h"
#include "sim/narrow.h"
#include "sim/process.h"
#include "sim/semaphore.h"

typedef struct Transfer Transfer;
typedef struct Agent Agent;

typedef enum {
    STEP_NEXT,    /* action */
    STEP_RESERVE, /* a place in the command queue, the cost being paid */
    STEP_WAIT,    /* for a semaphore; then until the core has seen it */
    STEP_OVER,
} Step;

/* All cores of one kernel. */
typedef struct {
    Transfer *transfer;
    const ArchTransferConfig *config;
    ArchStartLine line;
    Agent *agents;
} Kernel;

struct Agent {
    Kernel *kernel;
    ArchCommands *commands;
    ArchStartPlace place;
    SimProcess *process;
    SimSemaphore *done;    /* packets */
    SimSemaphore *left;    /* packets */
    SimSemaphore *signals; /* from the kernel beside */
    ArchAction action;
    GHashTable *orders; /* those under way */
    uint64_t outstanding;
    uint64_t remainder; /* of fractional issue costs, in parts of `parts` */
    uint64_t parts;
    Step step;
    bool is_started;
    bool is_awake; /* has come for the first time */
    SimTime start;
    SimTime end;
};

struct Transfer {
    const ArchTransferConfig *config;
    ArchWormholeNoc *noc;
    SimRegion *region;
    Kernel kernels[2]; /* the second one beside the first */
    guint kernel_count;
    SimTime command_cycles; /* from the core to the network */
    SimTime poll_cycles;
    SimTime zone_cycles; /* of the profiler's zone around the test */
};

/* A command under way. */
typedef struct {
    NocHandover handover;
    Agent *agent;
    bool is_arrival; /* at the start line */
} Order;

static void on_left(gpointer data)
{
    const Order *order = data;

    sim_semaphore_give(order->agent->left, 1);
}

static void on_done(gpointer data)
{
    Order *order = data;

    sim_semaphore_give(order->agent->done, 1);
    g_hash_table_remove(order->agent->orders, order);
}

/* Signals the other kernel's cores at a tile. */
static void signal_tile(const Kernel *self, ArchTile tile)
{
    const Transfer *transfer = self->transfer;
    const Kernel *other = &transfer->kernels[self == &transfer->kernels[0] ? 1 : 0];

    for (gsize i = 0; i < other->config->agent_count; i++) {
        if (arch_tile_is_same(other->config->agents[i].core, tile)) {
            sim_semaphore_give(other->agents[i].signals, 1);
        }
    }
}

static void on_landed(gpointer data, ArchTile at)
{
    const Order *order = data;
    Kernel *kernel = order->agent->kernel;

    if (order->is_arrival) {
        arch_start_line_arrive(&kernel->line, sim_region_now(kernel->transfer->region));
    } else {
        signal_tile(kernel, at);
    }
}

/* False when the process must wait. */
static bool issue(Agent *self)
{
    const Transfer *transfer = self->kernel->transfer;
    g_autofree Order *order = g_new(Order, 1);

    *order = (Order){
        .handover = {.noc = transfer->noc, .command = self->action.command},
        .agent = self,
        .is_arrival = !self->is_started,
    };
    order->handover.command.left = on_left;
    order->handover.command.done = on_done;
    order->handover.command.landed = self->action.is_signal ? on_landed : NULL;
    order->handover.command.data = order;
    if (!noc_handover_issue(&order->handover, transfer->command_cycles,
                            self->process)) {
        return false;
    }
    self->outstanding++;
    g_hash_table_add(self->orders, g_steal_pointer(&order));
    return true;
}

/* Takes what the action waits for; false when the process must wait. */
static bool take(Agent *self)
{
    const bool is_barrier = self->action.kind == ARCH_ACTION_BARRIER;
    const uint64_t amount = is_barrier ? self->outstanding : self->action.amount;
    SimSemaphore *semaphore = self->action.kind == ARCH_ACTION_AWAIT  ? self->signals
                              : self->action.kind == ARCH_ACTION_LEFT ? self->left
                                                                      : self->done;

    if (amount > 0 && !sim_semaphore_take(semaphore, amount, self->process)) {
        return false;
    }
    if (semaphore == self->done) {
        self->outstanding -= amount;
    }
    return true;
}

/* The next action: at the start line, of the kernel, and a barrier at its end unless
 * it ends with one. */
static ArchAction next_action(Agent *self, SimTime now)
{
    ArchAction action;

    if (!self->is_started) {
        action = arch_start_place_next(&self->place, now);
        if (action.kind != ARCH_ACTION_END) {
            return action;
        }
        self->is_started = true;
        self->start = now;
    }
    action = arch_commands_next(self->commands);
    if (action.kind == ARCH_ACTION_END && self->action.kind != ARCH_ACTION_BARRIER) {
        action.kind = ARCH_ACTION_BARRIER;
    }
    return action;
}

/* Whole cycles of issuing the command; fractions add up while they are of one kind. */
static SimTime charge(Agent *self)
{
    const SimRatio cost = self->action.cost;

    if (cost.den != self->parts) {
        self->parts = cost.den;
        self->remainder = 0;
    }
    return sim_ratio_charge(cost, 1, &self->remainder);
}

/* Begins an action; false when the process must wait. */
static bool begin(Agent *self)
{
    SimRegion *region = self->kernel->transfer->region;

    self->action = next_action(self, sim_region_now(region));
    switch (self->action.kind) {
    case ARCH_ACTION_ISSUE:
        self->step = STEP_RESERVE;
        sim_process_sleep(self->process, charge(self));
        return false;
    case ARCH_ACTION_SIGNAL:
        signal_tile(self->kernel, self->place.core);
        return true;
    case ARCH_ACTION_END:
        self->step = STEP_OVER;
        return true;
    case ARCH_ACTION_BARRIER:
    case ARCH_ACTION_AWAIT:
    case ARCH_ACTION_LEFT:
    case ARCH_ACTION_DONE:
        self->step = STEP_WAIT;
        break;
    }
    return true;
}

/* One step; false when the process must wait. */
static bool advance(Agent *self)
{
    switch (self->step) {
    case STEP_NEXT:
        return begin(self);
    case STEP_RESERVE:
        if (!issue(self)) {
            return false;
        }
        self->step = STEP_NEXT;
        return true;
    case STEP_WAIT:
        if (take(self)) {
            self->step = STEP_NEXT;
            sim_process_sleep(self->process, self->kernel->transfer->poll_cycles);
        }
        return false;
    case STEP_OVER:
        break;
    }
    return false;
}

static SimProcessStatus resume(SimProcess *process, gpointer data)
{
    Agent *self = data;
    SimRegion *region = sim_process_region(process);

    if (!self->is_awake) {
        self->is_awake = true;
        self->start = sim_region_now(region);
    }
    while (self->step != STEP_OVER) {
        if (!advance(self)) {
            return SIM_PROCESS_BLOCKED;
        }
    }
    self->end = sim_region_now(region) + self->kernel->transfer->zone_cycles;
    return SIM_PROCESS_FINISHED;
}

static bool
make_agent(Kernel *kernel, gsize index, const ArchParams *params, GError **error)
{
    const Transfer *transfer = kernel->transfer;
    const ArchTransferAgent *config = &kernel->config->agents[index];
    const bool is_second = kernel == &transfer->kernels[1];
    g_autofree char *name = g_strdup_printf("core[%u,%u]%s", config->core.x,
                                            config->core.y, is_second ? ".beside" : "");
    Agent *self = &kernel->agents[index];

    self->kernel = kernel;
    self->place = (ArchStartPlace){.line = &kernel->line, .core = config->core};
    self->is_started = transfer->config->start == ARCH_TRANSFER_AT_ONCE;
    self->commands =
        arch_commands_new(kernel->config, config, params, transfer->noc, error);
    if (self->commands == NULL) {
        return false;
    }
    self->done = sim_semaphore_new(name, 0);
    self->left = sim_semaphore_new(name, 0);
    self->signals = sim_semaphore_new(name, 0);
    self->orders = g_hash_table_new_full(g_direct_hash, g_direct_equal, g_free, NULL);
    self->process =
        sim_process_new(transfer->region, sim_key(sim_u32(index) + 1, is_second), name,
                        SIM_PROCESS_WORKER, resume, self);
    sim_process_start(self->process, transfer->config->start_skew_cycles * index);
    return true;
}

static bool make_kernels(Transfer *self, const ArchParams *params, GError **error)
{
    const ArchTransferConfig *config = self->config;

    for (; config != NULL && self->kernel_count < G_N_ELEMENTS(self->kernels);
         config = config->beside) {
        Kernel *kernel = &self->kernels[self->kernel_count++];

        *kernel = (Kernel){.transfer = self,
                           .config = config,
                           .agents = g_new0(Agent, config->agent_count)};
        arch_start_line_init(&kernel->line, config, params, self->noc);
        for (gsize i = 0; i < config->agent_count; i++) {
            if (!make_agent(kernel, i, params, error)) {
                return false;
            }
        }
    }
    return true;
}

static void free_kernel(Kernel *self)
{
    for (gsize i = 0; i < self->config->agent_count; i++) {
        Agent *agent = &self->agents[i];

        sim_process_free(agent->process);
        sim_semaphore_free(agent->done);
        sim_semaphore_free(agent->left);
        sim_semaphore_free(agent->signals);
        arch_commands_free(agent->commands);
        g_clear_pointer(&agent->orders, g_hash_table_unref);
    }
    g_free(self->agents);
}

static GArray *cycles_of(const Kernel *self)
{
    GArray *cycles = g_array_new(FALSE, FALSE, sizeof(SimTime));

    for (gsize i = 0; i < self->config->agent_count; i++) {
        const SimTime duration = self->agents[i].end - self->agents[i].start;

        g_array_append_val(cycles, duration);
    }
    return cycles;
}

static SimTime first_start(const Kernel *self)
{
    SimTime start = SIM_TIME_NEVER;

    for (gsize i = 0; i < self->config->agent_count; i++) {
        start = MIN(start, self->agents[i].start);
    }
    return start;
}

static SimTime last_end(const Kernel *self)
{
    SimTime end = 0;

    for (gsize i = 0; i < self->config->agent_count; i++) {
        end = MAX(end, self->agents[i].end);
    }
    return end;
}

static void
fill_result(const Transfer *self, NocRecorder *recorder, ArchTransferResult *result)
{
    SimTime start = SIM_TIME_NEVER;
    SimTime end = 0;

    *result = (ArchTransferResult){
        .cycles = cycles_of(&self->kernels[0]),
        .beside = self->kernel_count > 1 ? cycles_of(&self->kernels[1]) : NULL,
    };
    for (guint k = 0; k < self->kernel_count; k++) {
        const Kernel *kernel = &self->kernels[k];

        result->spans[k] = last_end(kernel) - first_start(kernel);
        start = MIN(start, first_start(kernel));
        end = MAX(end, last_end(kernel));
    }
    result->total = end - start;
    result->windows = noc_recorder_finish(recorder, end);
    for (guint noc = 0; noc < G_N_ELEMENTS(result->links); noc++) {
        result->links[noc] = arch_wormhole_noc_links(self->noc, noc);
    }
}

void arch_transfer_result_clear(ArchTransferResult *self)
{
    g_clear_pointer(&self->cycles, g_array_unref);
    g_clear_pointer(&self->beside, g_array_unref);
    for (guint noc = 0; noc < G_N_ELEMENTS(self->links); noc++) {
        g_clear_pointer(&self->links[noc], g_array_unref);
    }
    arch_noc_windows_clear(&self->windows);
}

static double median_of(GArray *cycles)
{
    g_autoptr(GArray) sorted = g_array_copy(cycles);
    guint middle = sorted->len / 2;

    g_array_sort(sorted, sim_compare_times);
    if (sorted->len % 2 == 1) {
        return (double) g_array_index(sorted, SimTime, middle);
    }
    return ((double) g_array_index(sorted, SimTime, middle - 1) +
            (double) g_array_index(sorted, SimTime, middle)) /
           2;
}

double arch_transfer_median(const ArchTransferResult *self)
{
    return median_of(self->cycles);
}

double arch_transfer_median_beside(const ArchTransferResult *self)
{
    return median_of(self->beside);
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
        .command_cycles = arch_params_uint(params, "niu.command_cycles"),
        .poll_cycles = arch_params_uint(params, "issue.barrier_poll_cycles"),
        .zone_cycles = arch_params_uint(params, "issue.profiler_zone_cycles"),
    };
    bool is_done;

    sim_engine_set_monitor(engine, config->monitor, config->monitor_data);
    is_done = make_kernels(&transfer, params, error) &&
              sim_engine_run(engine, SIM_TIME_NEVER, error);
    if (is_done) {
        fill_result(&transfer, recorder, result);
        result->events = sim_engine_events(engine);
    }
    for (guint k = 0; k < transfer.kernel_count; k++) {
        free_kernel(&transfer.kernels[k]);
    }
    return is_done;
}
