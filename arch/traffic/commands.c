/* Splits the transfers of a core into packets. */
#include "arch/traffic/commands.h"

#include "arch/error.h"
#include "arch/traffic/tiles.h"
#include "sim/narrow.h"

struct ArchCommands {
    const ArchTransferConfig *config;
    const ArchTransferAgent *agent;
    uint64_t packet_bytes; /* at most */
    const uint64_t *view_columns;
    const uint64_t *view_rows;
    gsize view_count;
    SimRatio cost;
    SimRatio read_cost;  /* of the read in a bidirectional pair */
    SimRatio plain_cost; /* of the command that sets a stateful one's state */
    gsize peer;
    uint64_t index;  /* of the command to this peer */
    uint64_t offset; /* of the packet in the command */
    bool is_read_next;
    bool is_new_peer;
};

enum {
    READ_VC = 1, /* tt-metal's choice */
};

static const char *cost_key(const ArchTransferConfig *config, bool is_stateful)
{
    switch (config->op) {
    case ARCH_TRANSFER_READ:
        return is_stateful          ? "issue.read_stateful_cycles"
               : config->is_old_api ? "issue.read_old_api_cycles"
                                    : "issue.read_cycles";
    case ARCH_TRANSFER_BIDIRECTIONAL:
    case ARCH_TRANSFER_WRITE:
        return is_stateful ? "issue.write_stateful_cycles" : "issue.write_cycles";
    case ARCH_TRANSFER_INLINE:
        if (config->is_posted) {
            return is_stateful ? "issue.inline_posted_stateful_cycles"
                               : "issue.inline_posted_cycles";
        }
        return is_stateful ? "issue.inline_stateful_cycles" : "issue.inline_cycles";
    case ARCH_TRANSFER_ATOMIC:
        return "issue.atomic_cycles";
    case ARCH_TRANSFER_PAGE_READ:
        return "issue.page_read_cycles";
    case ARCH_TRANSFER_PAGE_WRITE:
        return "issue.page_write_cycles";
    case ARCH_TRANSFER_MULTICAST:
    case ARCH_TRANSFER_MULTICAST_LINKED:
        return "issue.multicast_cycles";
    }
    return NULL;
}

static bool is_paged(const ArchTransferConfig *config)
{
    return config->op == ARCH_TRANSFER_PAGE_READ ||
           config->op == ARCH_TRANSFER_PAGE_WRITE;
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
    return (config->count >= 1 && config->noc <= 1 && config->vc <= 3) ||
           arch_refuse(error,
                       "count = %" G_GUINT64_FORMAT
                       ", noc = %u, vc = %u, allowed are at "
                       "least 1, 0..1 and 0..3",
                       config->count, config->noc, config->vc);
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
    self->view_columns =
        arch_params_list(params, "dram.view_columns", &self->view_count);
    self->view_rows = arch_params_list(params, "dram.view_rows", &self->view_count);
    self->cost = arch_params_ratio(params, cost_key(config, config->is_stateful));
    self->read_cost = arch_params_ratio(
        params, config->is_old_api ? "issue.read_old_api_cycles" : "issue.read_cycles");
    self->plain_cost = arch_params_ratio(params, cost_key(config, false));
    return check(self, noc, error) ? g_steal_pointer(&self) : NULL;
}

void arch_commands_free(ArchCommands *self)
{
    g_free(self);
}

bool arch_commands_is_over(const ArchCommands *self)
{
    return self->peer == self->agent->peer_count;
}

static ArchNocOp op_of(const ArchCommands *self)
{
    static const ArchNocOp ops[][2] = {
        [ARCH_TRANSFER_READ] = {ARCH_NOC_READ, ARCH_NOC_READ},
        [ARCH_TRANSFER_WRITE] = {ARCH_NOC_WRITE, ARCH_NOC_WRITE_POSTED},
        [ARCH_TRANSFER_INLINE] = {ARCH_NOC_ATOMIC, ARCH_NOC_ATOMIC_POSTED},
        [ARCH_TRANSFER_ATOMIC] = {ARCH_NOC_ATOMIC, ARCH_NOC_ATOMIC_POSTED},
        [ARCH_TRANSFER_BIDIRECTIONAL] = {ARCH_NOC_WRITE, ARCH_NOC_WRITE},
        [ARCH_TRANSFER_PAGE_READ] = {ARCH_NOC_READ, ARCH_NOC_READ},
        [ARCH_TRANSFER_PAGE_WRITE] = {ARCH_NOC_WRITE, ARCH_NOC_WRITE_POSTED},
        [ARCH_TRANSFER_MULTICAST] = {ARCH_NOC_MULTICAST, ARCH_NOC_MULTICAST},
        [ARCH_TRANSFER_MULTICAST_LINKED] = {ARCH_NOC_MULTICAST, ARCH_NOC_MULTICAST},
    };

    return self->is_read_next ? ARCH_NOC_READ
                              : ops[self->config->op][self->config->is_posted];
}

static ArchTile peer_of(const ArchCommands *self)
{
    if (is_paged(self->config)) {
        gsize view = self->index % self->view_count;

        return (ArchTile){.x = sim_u32(self->view_columns[view]),
                          .y = sim_u32(self->view_rows[view])};
    }
    return self->agent->peers[self->peer];
}

/* Moves on to the next packet, command, peer. */
static void step(ArchCommands *self, uint64_t bytes)
{
    self->offset += bytes;
    if (self->offset < self->config->bytes) {
        return;
    }
    self->offset = 0;
    if (self->config->op == ARCH_TRANSFER_BIDIRECTIONAL) {
        self->is_read_next = !self->is_read_next;
        if (self->is_read_next) {
            return;
        }
    }
    if (++self->index == self->config->count) {
        self->index = 0;
        self->peer++;
        self->is_new_peer = true;
    }
}

/* Its path stays reserved for the packet after it: those of all commands but the last
 * do. */
static bool is_linked(const ArchCommands *self)
{
    return self->config->op == ARCH_TRANSFER_MULTICAST_LINKED &&
           self->index + 1 < self->config->count;
}

bool arch_commands_next(ArchCommands *self, ArchNocCommand *command, SimRatio *cost)
{
    const ArchTransferConfig *config = self->config;
    uint64_t bytes = MIN(config->bytes - self->offset, self->packet_bytes);

    if (arch_commands_is_over(self)) {
        return false;
    }
    *command = (ArchNocCommand){
        .op = op_of(self),
        .noc = config->noc,
        .vc = self->is_read_next ? READ_VC : config->vc,
        .from = self->agent->core,
        .to = peer_of(self),
        .bytes = bytes,
        .corner = config->corner,
        .is_loopback = config->is_loopback,
        .is_linked = is_linked(self),
    };
    *cost = self->is_read_next ? self->read_cost : self->cost;
    /* The state holds the peer: it is set anew for each but the first, which is set
     * before the measurement. */
    if (self->is_new_peer && config->is_stateful) {
        cost->num += self->plain_cost.num * cost->den / self->plain_cost.den;
    }
    self->is_new_peer = false;
    step(self, bytes);
    return true;
}
