/* Goes through a kernel's loop, command by command and packet by packet. */
#include "arch/traffic/commands.h"

#include "arch/error.h"
#include "arch/traffic/tiles.h"
#include "sim/narrow.h"

enum {
    READ_VC = 1,    /* tt-metal's choice */
    WORD_BYTES = 4, /* of a semaphore, and of an inline write */
    BODY_STEPS = 4,
};

/* What a kernel's loop is made of. */
typedef enum {
    STEP_END,
    STEP_READ,
    STEP_WRITE,
    STEP_WORD, /* a flit there, a flit back */
    STEP_MULTICAST,
    STEP_FLAG, /* a multicast that signals */
    STEP_BARRIER,
    STEP_AWAIT,
    STEP_SIGNAL,
    STEP_LEFT,
    STEP_DONE,
    STEP_COUNT,
} Step;

struct ArchCommands {
    const ArchTransferConfig *config;
    const ArchTransferAgent *agent;
    uint64_t packet_bytes;      /* at most */
    SimRatio costs[STEP_COUNT]; /* of the steps that are commands */
    SimRatio plain[STEP_COUNT]; /* of those that set a stateful one's state */
    gsize peer;
    uint64_t index;     /* of the command to this peer */
    gsize step;         /* in the loop's body */
    uint64_t offset;    /* of the packet in the command */
    bool is_known_peer; /* a command to it was issued */
};

/* By operation: the body for the first peer, and for those after it if other. */
static const Step bodies[][2][BODY_STEPS] = {
    [ARCH_TRANSFER_READ] = {{STEP_READ}},
    [ARCH_TRANSFER_WRITE] = {{STEP_WRITE}},
    [ARCH_TRANSFER_INLINE] = {{STEP_WORD}},
    [ARCH_TRANSFER_ATOMIC] = {{STEP_WORD, STEP_BARRIER}},
    [ARCH_TRANSFER_BIDIRECTIONAL] = {{STEP_WRITE, STEP_READ}},
    [ARCH_TRANSFER_PAGE_READ] = {{STEP_READ}},
    [ARCH_TRANSFER_PAGE_WRITE] = {{STEP_WRITE}},
    [ARCH_TRANSFER_MULTICAST] = {{STEP_MULTICAST}},
    [ARCH_TRANSFER_MULTICAST_LINKED] = {{STEP_MULTICAST}},
    [ARCH_TRANSFER_READ_AFTER_WRITE] = {{STEP_WRITE}, {STEP_LEFT, STEP_READ}},
    [ARCH_TRANSFER_WRITE_AFTER_READ] = {{STEP_READ}, {STEP_DONE, STEP_WRITE}},
    [ARCH_TRANSFER_RECEIVE] = {{STEP_WORD, STEP_AWAIT}},
};

/* The same with signals to and from the kernel beside it. */
static const Step signal_bodies[][BODY_STEPS] = {
    [ARCH_TRANSFER_PAGE_READ] = {STEP_READ, STEP_BARRIER, STEP_SIGNAL},
    [ARCH_TRANSFER_PAGE_WRITE] = {STEP_AWAIT, STEP_WRITE, STEP_BARRIER},
    [ARCH_TRANSFER_MULTICAST] = {STEP_AWAIT, STEP_MULTICAST, STEP_FLAG},
    [ARCH_TRANSFER_MULTICAST_LINKED] = {STEP_AWAIT, STEP_MULTICAST, STEP_FLAG},
};

static const ArchActionKind actions[] = {
    [STEP_READ] = ARCH_ACTION_ISSUE,  [STEP_WRITE] = ARCH_ACTION_ISSUE,
    [STEP_WORD] = ARCH_ACTION_ISSUE,  [STEP_MULTICAST] = ARCH_ACTION_ISSUE,
    [STEP_FLAG] = ARCH_ACTION_ISSUE,  [STEP_BARRIER] = ARCH_ACTION_BARRIER,
    [STEP_AWAIT] = ARCH_ACTION_AWAIT, [STEP_SIGNAL] = ARCH_ACTION_SIGNAL,
    [STEP_LEFT] = ARCH_ACTION_LEFT,   [STEP_DONE] = ARCH_ACTION_DONE,
};

static bool is_paged(const ArchTransferConfig *config)
{
    return config->op == ARCH_TRANSFER_PAGE_READ ||
           config->op == ARCH_TRANSFER_PAGE_WRITE;
}

static const char *word_key(const ArchTransferConfig *config, bool is_stateful)
{
    if (config->op != ARCH_TRANSFER_INLINE) {
        return "issue.atomic_cycles";
    }
    if (config->is_posted) {
        return is_stateful ? "issue.inline_posted_stateful_cycles"
                           : "issue.inline_posted_cycles";
    }
    return is_stateful ? "issue.inline_stateful_cycles" : "issue.inline_cycles";
}

static const char *
cost_key(const ArchTransferConfig *config, Step step, bool is_stateful)
{
    if (step == STEP_READ) {
        return is_paged(config)     ? "issue.page_read_cycles"
               : is_stateful        ? "issue.read_stateful_cycles"
               : config->is_old_api ? "issue.read_old_api_cycles"
                                    : "issue.read_cycles";
    }
    if (step == STEP_WRITE) {
        return is_paged(config) ? "issue.page_write_cycles"
               : is_stateful    ? "issue.write_stateful_cycles"
                                : "issue.write_cycles";
    }
    return step == STEP_WORD ? word_key(config, is_stateful) : "issue.multicast_cycles";
}

static void read_costs(ArchCommands *self, const ArchParams *params)
{
    const ArchTransferConfig *config = self->config;

    for (Step step = STEP_READ; step <= STEP_FLAG; step++) {
        const char *key = cost_key(config, step, config->is_stateful);

        self->costs[step] = config->issue_cycles.num > 0
                                ? config->issue_cycles
                                : arch_params_ratio(params, key);
        self->plain[step] = arch_params_ratio(params, cost_key(config, step, false));
    }
}

static bool is_multicast(const ArchTransferConfig *config)
{
    return config->op == ARCH_TRANSFER_MULTICAST ||
           config->op == ARCH_TRANSFER_MULTICAST_LINKED;
}

static bool
check_tile(const ArchWormholeNoc *noc, ArchTile tile, bool is_core, GError **error)
{
    if (tile.x >= arch_wormhole_noc_width(noc) ||
        tile.y >= arch_wormhole_noc_height(noc)) {
        return arch_refuse(error, "tile %u,%u is off the grid, which has 0..%u,0..%u",
                           tile.x, tile.y, arch_wormhole_noc_width(noc) - 1,
                           arch_wormhole_noc_height(noc) - 1);
    }
    ArchTileKind kind = arch_wormhole_noc_tile(noc, tile);

    if (kind == ARCH_TILE_OTHER || (is_core && kind != ARCH_TILE_TENSIX)) {
        return arch_refuse(error, "tile %u,%u is no %s", tile.x, tile.y,
                           is_core ? "Tensix tile" : "tile with memory");
    }
    return true;
}

static bool check_numbers(const ArchTransferConfig *config, GError **error)
{
    const guint last_vc = config->vc + MAX(config->vc_count, 1) - 1;

    return (config->count >= 1 && config->noc <= 1 && last_vc <= 3) ||
           arch_refuse(error,
                       "count = %" G_GUINT64_FORMAT
                       ", noc = %u, vc = %u, allowed are at "
                       "least 1, 0..1 and 0..3",
                       config->count, config->noc, last_vc);
}

/* Somebody receives it. */
static bool check_rectangle(const ArchCommands *self, ArchTile start, GError **error)
{
    const ArchTile core = self->agent->core;

    if (arch_tile_is_same(start, core) &&
        arch_tile_is_same(self->config->corner, core) && !self->config->is_loopback) {
        return arch_refuse(error,
                           "tile %u,%u multicasts to itself only, which needs loopback",
                           core.x, core.y);
    }
    return true;
}

static bool check(const ArchCommands *self, const ArchWormholeNoc *noc, GError **error)
{
    if (!check_numbers(self->config, error) ||
        !check_tile(noc, self->agent->core, true, error)) {
        return false;
    }
    for (gsize i = 0; i < self->agent->peer_count; i++) {
        const ArchTile peer = self->agent->peers[i];

        if (!check_tile(noc, peer, is_multicast(self->config), error) ||
            (is_multicast(self->config) && !check_rectangle(self, peer, error))) {
            return false;
        }
    }
    return !is_multicast(self->config) ||
           check_tile(noc, self->config->corner, true, error);
}

ArchCommands *arch_commands_new(const ArchTransferConfig *config,
                                const ArchTransferAgent *agent,
                                const ArchParams *params,
                                const ArchWormholeNoc *noc,
                                GError **error)
{
    g_autoptr(ArchCommands) self = g_new0(ArchCommands, 1);

    self->config = config;
    self->agent = agent;
    self->packet_bytes = arch_params_uint(params, "noc.payload_limit_flits") *
                         arch_params_uint(params, "noc.flit_bytes");
    read_costs(self, params);
    return check(self, noc, error) ? g_steal_pointer(&self) : NULL;
}

void arch_commands_free(ArchCommands *self)
{
    g_free(self);
}

static bool is_over(const ArchCommands *self)
{
    return self->peer == self->agent->peer_count;
}

static bool has_signals(const ArchTransferConfig *config)
{
    return config->await_count > 0 || config->is_chained;
}

static const Step *body_of(const ArchCommands *self)
{
    const ArchTransferOp op = self->config->op;
    const bool is_other = self->peer > 0 && bodies[op][1][0] != STEP_END;

    return op != ARCH_TRANSFER_RECEIVE && has_signals(self->config)
               ? signal_bodies[op]
               : bodies[op][is_other];
}

static ArchNocOp op_of(const ArchCommands *self, Step step)
{
    static const ArchNocOp ops[][2] = {
        [STEP_READ] = {ARCH_NOC_READ, ARCH_NOC_READ},
        [STEP_WRITE] = {ARCH_NOC_WRITE, ARCH_NOC_WRITE_POSTED},
        [STEP_WORD] = {ARCH_NOC_ATOMIC, ARCH_NOC_ATOMIC_POSTED},
        [STEP_MULTICAST] = {ARCH_NOC_MULTICAST, ARCH_NOC_MULTICAST},
        [STEP_FLAG] = {ARCH_NOC_MULTICAST, ARCH_NOC_MULTICAST},
    };

    return ops[step][self->config->is_posted];
}

/* The reads of a kernel that writes too are on tt-metal's usual channel. */
static guint vc_of(const ArchCommands *self, Step step)
{
    const ArchTransferConfig *config = self->config;
    const bool is_reader =
        config->op == ARCH_TRANSFER_READ || config->op == ARCH_TRANSFER_PAGE_READ;

    if (step == STEP_READ && !is_reader) {
        return READ_VC;
    }
    return config->vc + sim_u32(self->index % MAX(config->vc_count, 1));
}

static ArchTile peer_of(const ArchCommands *self)
{
    const gsize peer =
        self->config->is_by_turns ? self->index % self->agent->peer_count : self->peer;

    return self->agent->peers[peer];
}

static uint64_t bytes_of(const ArchCommands *self, Step step)
{
    return step == STEP_FLAG || step == STEP_WORD ? WORD_BYTES : self->config->bytes;
}

/* Moves on to the next command, or peer. */
static void next_command(ArchCommands *self)
{
    const bool is_last_peer = self->config->is_by_turns;

    self->step = 0;
    if (++self->index == self->config->count) {
        self->index = 0;
        self->peer = is_last_peer ? self->agent->peer_count : self->peer + 1;
        self->is_known_peer = false;
    }
}

/* Moves on to the next packet, step, command. */
static void advance(ArchCommands *self, Step step, uint64_t bytes)
{
    self->offset += bytes;
    if (bytes > 0 && self->offset < bytes_of(self, step)) {
        return;
    }
    self->offset = 0;
    self->step++;
    if (self->step == BODY_STEPS || body_of(self)[self->step] == STEP_END) {
        next_command(self);
    }
}

/* Its path stays reserved for the packet after it: those of all commands but the last
 * do. */
static bool is_linked(const ArchCommands *self)
{
    return self->config->op == ARCH_TRANSFER_MULTICAST_LINKED &&
           self->index + 1 < self->config->count;
}

/* What turning to this peer costs, with the first command to it: the kernel's own code,
 * and the state, which holds the peer. That of the first one is set before the
 * measurement. */
static void add_peer_cost(const ArchCommands *self, Step step, SimRatio *cost)
{
    const SimRatio own = self->config->peer_cycles;
    const SimRatio plain = self->plain[step];

    if (own.num > 0) {
        cost->num += own.num * cost->den / own.den;
    }
    if (self->config->is_stateful && self->peer > 0) {
        cost->num += plain.num * cost->den / plain.den;
    }
}

static void fill_command(ArchCommands *self, Step step, ArchAction *action)
{
    const ArchTransferConfig *config = self->config;

    action->command = (ArchNocCommand){
        .op = op_of(self, step),
        .noc = config->noc,
        .vc = vc_of(self, step),
        .from = self->agent->core,
        .to = peer_of(self),
        .bytes = MIN(bytes_of(self, step) - self->offset, self->packet_bytes),
        .corner = config->corner,
        .is_loopback = config->is_loopback,
        .is_linked = is_linked(self),
    };
    action->is_signal = step == STEP_FLAG || config->op == ARCH_TRANSFER_RECEIVE;
    action->cost = self->costs[step];
    if (!self->is_known_peer) {
        add_peer_cost(self, step, &action->cost);
    }
    self->is_known_peer = true;
}

ArchAction arch_commands_next(ArchCommands *self)
{
    ArchAction action = {.kind = ARCH_ACTION_END};

    if (is_over(self)) {
        return action;
    }
    const Step step = body_of(self)[self->step];

    action.kind = actions[step];
    action.amount =
        action.kind == ARCH_ACTION_AWAIT
            ? MAX(self->config->await_count, 1)
            : (self->config->bytes + self->packet_bytes - 1) / self->packet_bytes;
    if (action.kind == ARCH_ACTION_ISSUE) {
        fill_command(self, step, &action);
    }
    advance(self, step, action.command.bytes);
    return action;
}
