/* Builds a network to order: topology, routing and buffers by choice. */
#include "arch/error.h"
#include "arch/noc.h"
#include "arch/noc/choice.h"
#include "arch/noc/network.h"
#include "sim/narrow.h"
#include "sim/random.h"

enum {
    VC_MAXIMUM = 12, /* five ports of them fit a word of requests */
    BUFFER_MAXIMUM = 4096,
    SIDE_MAXIMUM = 256,
    CYCLES_MAXIMUM = 65536, /* of a hop, an endpoint, a credit */
};

#define GIBIBYTE       0x1p30
#define MEMORY_MAXIMUM (4 * GIBIBYTE) /* of a network's buffers */

struct ArchNoc {
    ArchNocConfig config;
    NocGrid *grid;
    NocNetwork *network;
    ArchNocArriveFunc arrived;
    gpointer arrived_data;
    uint64_t random;
    uint16_t first_ids; /* channels on the way to `via` */
    uint16_t last_ids;  /* channels on the way to the target */
    SimRegion *region;
};

/* The port toward `to` along an axis; where both ways are equal, a random one. */
static uint8_t
choose_port(ArchNoc *self, NocAxis axis, guint from, guint to, guint length)
{
    guint up = noc_grid_steps_up(from, to, length);
    guint down = length - up;
    bool is_up = to > from;

    switch (self->config.topology) {
    case ARCH_NOC_MESH:
        break;
    case ARCH_NOC_TORUS:
        is_up = up < down || (up == down && (sim_random_next(&self->random) & 1) != 0);
        break;
    case ARCH_NOC_WORMHOLE0:
    case ARCH_NOC_WORMHOLE1:
        is_up = self->config.topology == ARCH_NOC_WORMHOLE0;
        break;
    }
    return sim_u8(noc_grid_port(self->grid, axis, is_up));
}

static void
choose_ports(ArchNoc *self, NocPacket *packet, uint32_t node, uint32_t target)
{
    const NocGrid *grid = self->grid;

    packet->ports[NOC_X] =
        choose_port(self, NOC_X, grid->x[node], grid->x[target], grid->width);
    packet->ports[NOC_Y] =
        choose_port(self, NOC_Y, grid->y[node], grid->y[target], grid->height);
}

/* The tree along which a packet goes. */
static uint32_t root_of(const NocPacket *packet)
{
    return GPOINTER_TO_UINT(packet->data);
}

static bool is_broadcast(const NocPacket *packet)
{
    return packet->target == NOC_NODE_NONE;
}

static uint32_t tree_route(const ArchNoc *self, uint32_t node, const NocPacket *packet)
{
    const uint32_t own = 1U << self->grid->local;

    if (is_broadcast(packet)) {
        return arch_noc_trees_outs(self->config.trees, packet->source, node) |
               (node == packet->source ? 0 : own);
    }
    return node == packet->target
               ? own
               : arch_noc_trees_outs(self->config.trees, root_of(packet), node);
}

static uint32_t route(gpointer data, uint32_t node, NocPacket *packet)
{
    ArchNoc *self = data;
    const NocGrid *grid = self->grid;

    if (self->config.routing == ARCH_NOC_TREE) {
        return tree_route(self, node, packet);
    }
    if (packet->via == node) {
        packet->via = NOC_NODE_NONE;
        packet->ids = self->last_ids;
        choose_ports(self, packet, node, packet->target);
    }
    uint32_t target = packet->via != NOC_NODE_NONE ? packet->via : packet->target;

    if (node == target) {
        return 1U << grid->local;
    }
    if (self->config.routing == ARCH_NOC_TABLE) {
        return 1U << arch_noc_routes_port(self->config.routes, node, target);
    }
    const bool needs_x = grid->x[node] != grid->x[target];
    const bool needs_y = grid->y[node] != grid->y[target];
    const bool is_y_first = self->config.routing == ARCH_NOC_YX;

    return 1U << packet->ports[needs_x && !(is_y_first && needs_y) ? NOC_X : NOC_Y];
}

static uint32_t leave_choice(gpointer data G_GNUC_UNUSED,
                             uint32_t node G_GNUC_UNUSED,
                             NocPacket *packet G_GNUC_UNUSED)
{
    return NOC_CHOICE;
}

/* What a table allows a packet. */
static NocChoice
table_choice(const ArchNoc *self, uint32_t node, const NocPacket *packet)
{
    const ArchNocRoutes *routes = self->config.routes;
    const NocGrid *grid = self->grid;
    const char *names[NOC_PORTS_MAXIMUM] = {NULL};
    guint free_flits[NOC_PORTS_MAXIMUM] = {0};
    NocChoice choice = {0};

    if (node == packet->target) {
        return (NocChoice){.outs = sim_u8(1U << grid->local)};
    }
    if (arch_noc_routes_has_escape(routes)) {
        choice.escape =
            sim_u8(1U << arch_noc_routes_port(routes, node, packet->target));
    }
    if (packet->has_escaped != 0) {
        return choice;
    }
    const guint outs = arch_noc_routes_allowed(routes, node, packet->target);

    choice.outs = sim_u8(outs);
    if ((outs & (outs - 1)) != 0) {
        for (guint port = 0; port < grid->local; port++) {
            names[port] = grid->directions[port].name;
            free_flits[port] = noc_network_room(self->network, node, port);
        }
        choice.outs = sim_u8(
            arch_noc_routes_choose(routes, &(ArchNocHop){.node = node,
                                                         .target = packet->target,
                                                         .outs = outs,
                                                         .names = names,
                                                         .free_flits = free_flits}));
    }
    return choice;
}

static NocChoice choose(gpointer data, uint32_t node, NocPacket *packet)
{
    const ArchNoc *self = data;

    if (self->config.routing == ARCH_NOC_TABLE) {
        return table_choice(self, node, packet);
    }
    return self->config.routing == ARCH_NOC_WEST_FIRST
               ? noc_choice_west_first(self->grid, node, packet)
               : noc_choice_adaptive(self->grid, node, packet);
}

static void arrive(gpointer data, uint32_t node, uint32_t index)
{
    ArchNoc *self = data;
    const NocPacket *packet = noc_network_packet(self->network, index);

    if (self->arrived != NULL) {
        ArchNocDelivery delivery = {
            .source = packet->source,
            .target = node,
            .flits = packet->flits,
            .root = root_of(packet),
            /* Of a broadcast the packet counts the hops of all branches. */
            .hops = is_broadcast(packet)
                        ? arch_noc_trees_depth(self->config.trees, packet->source, node)
                        : packet->hops,
            .created = packet->created,
            .arrived = sim_region_now(self->region),
        };

        self->arrived(self->arrived_data, &delivery);
    }
}

static bool refuse(GError **error, const char *what, guint value, guint low, guint high)
{
    return arch_refuse(error, "%s = %u, allowed is %u..%u", what, value, low, high);
}

/* Routing that a user wrote has no dateline: it is checked for rings. */
static bool is_compiled(const ArchNocConfig *config)
{
    return config->routing == ARCH_NOC_TABLE || config->routing == ARCH_NOC_TREE;
}

/* Packets choose among outputs by what waits there. Rings are no matter to them: who
 * passes their ends takes another channel for escape. */
static bool has_choice(const ArchNocConfig *config)
{
    return config->routing == ARCH_NOC_WEST_FIRST ||
           config->routing == ARCH_NOC_ADAPTIVE ||
           (config->routing == ARCH_NOC_TABLE &&
            arch_noc_routes_has_choice(config->routes));
}

/* Channels for escape alone. */
static guint escape_count(const ArchNocConfig *config)
{
    if (config->routing == ARCH_NOC_ADAPTIVE) {
        return config->topology != ARCH_NOC_MESH ? 2 : 1;
    }
    return config->routing == ARCH_NOC_TABLE && has_choice(config) &&
                   arch_noc_routes_has_escape(config->routes)
               ? 1
               : 0;
}

static bool has_dateline(const ArchNocConfig *config)
{
    return config->topology != ARCH_NOC_MESH && !is_compiled(config) &&
           !has_choice(config);
}

static guint minimum_vcs(const ArchNocConfig *config)
{
    if (has_choice(config)) {
        return escape_count(config) + 1;
    }
    const guint least = has_dateline(config) ? 2 : 1;

    return config->routing == ARCH_NOC_VALIANT ? 2 * least : least;
}

/* Every way is there and arrives: what a packet finds on its way is never unset. */
static bool check_routes(const ArchNocConfig *config, GError **error)
{
    if (config->routes == NULL || !arch_noc_routes_fit(config->routes, config->topology,
                                                       config->width, config->height)) {
        return arch_refuse(
            error, "a table of routes for this topology of %ux%u nodes is needed",
            config->width, config->height);
    }
    return arch_noc_routes_check(config->routes, true, error);
}

static bool check_trees(const ArchNocConfig *config, GError **error)
{
    return (config->trees != NULL && arch_noc_trees_is_checked(config->trees) &&
            arch_noc_trees_fit(config->trees, config->topology, config->width,
                               config->height)) ||
           arch_refuse(error,
                       "checked trees for this topology of %ux%u nodes are needed",
                       config->width, config->height);
}

static bool check(const ArchNocConfig *config, GError **error)
{
    if (config->routing == ARCH_NOC_TABLE && !check_routes(config, error)) {
        return false;
    }
    const guint least = minimum_vcs(config);

    if (config->width < 1 || config->width > SIDE_MAXIMUM) {
        return refuse(error, "width", config->width, 1, SIDE_MAXIMUM);
    }
    if (config->height < 1 || config->height > SIDE_MAXIMUM) {
        return refuse(error, "height", config->height, 1, SIDE_MAXIMUM);
    }
    if (config->vc_count < least || config->vc_count > VC_MAXIMUM) {
        return refuse(error, "virtual channels", config->vc_count, least, VC_MAXIMUM);
    }
    if (!has_choice(config) && config->vc_count % least != 0) {
        return arch_refuse(error, "virtual channels = %u, allowed is a multiple of %u",
                           config->vc_count, least);
    }
    if (config->buffer_flits < 1 || config->buffer_flits > BUFFER_MAXIMUM) {
        return refuse(error, "buffer flits", config->buffer_flits, 1, BUFFER_MAXIMUM);
    }
    if (config->hop_cycles < 1 || config->hop_cycles > CYCLES_MAXIMUM ||
        config->credit_cycles < 1 || config->credit_cycles > CYCLES_MAXIMUM ||
        config->endpoint_cycles > CYCLES_MAXIMUM) {
        return arch_refuse(error,
                           "hop and credit cycles are 1..%d, endpoint cycles 0..%d",
                           CYCLES_MAXIMUM, CYCLES_MAXIMUM);
    }
    if (config->routing == ARCH_NOC_WEST_FIRST && config->topology != ARCH_NOC_MESH) {
        return arch_refuse(error, "routing west_first is for a mesh: packets that go "
                                  "around a ring can wait for each other");
    }
    return config->routing != ARCH_NOC_TREE || check_trees(config, error);
}

/* Buffers that no machine has room for are refused before they are made. */
static bool check_memory(const NocNetworkConfig *network, GError **error)
{
    const uint64_t bytes = noc_network_bytes(network);

    return (double) bytes <= MEMORY_MAXIMUM ||
           arch_refuse(
               error,
               "buffer flits = %u on %ux%u nodes take %.1f GiB of memory, allowed "
               "are at most %.0f GiB",
               network->vc_flits, network->grid->width, network->grid->height,
               (double) bytes / GIBIBYTE, MEMORY_MAXIMUM / GIBIBYTE);
}

ArchNoc *
arch_noc_new(SimRegion *region, SimKey key, const ArchNocConfig *config, GError **error)
{
    static const NocEndpointOps fixed = {.route = route, .arrived = arrive};
    static const NocEndpointOps chosen = {
        .route = leave_choice, .choose = choose, .arrived = arrive};
    g_autoptr(ArchNoc) self = NULL;

    if (!check(config, error)) {
        return NULL;
    }
    self = g_new0(ArchNoc, 1);
    self->config = *config;
    self->region = region;
    self->random = config->seed;
    self->grid = noc_grid_new(config->topology, config->width, config->height);

    const guint ids = config->vc_count / (has_dateline(config) ? 2 : 1);
    const guint half = config->routing == ARCH_NOC_VALIANT ? ids / 2 : 0;
    NocNetworkConfig network = {
        .grid = self->grid,
        .id_count = ids,
        .has_dateline = has_dateline(config),
        .escape_count = escape_count(config),
        .vc_flits = config->buffer_flits,
        .is_serial = true,
        .queue_count = 1,
        .hop_cycles = config->hop_cycles,
        .inject_cycles = config->endpoint_cycles / 2,
        .eject_cycles = config->endpoint_cycles - config->endpoint_cycles / 2,
        .credit_cycles = config->credit_cycles,
        .name = "noc",
    };

    self->first_ids = sim_u16((1U << half) - 1);
    self->last_ids = sim_u16(((1U << ids) - 1) & ~((1U << half) - 1));
    if (!check_memory(&network, error)) {
        return NULL;
    }
    self->network = noc_network_new(region, key, &network,
                                    has_choice(config) ? &chosen : &fixed, self);
    return g_steal_pointer(&self);
}

void arch_noc_free(ArchNoc *self)
{
    if (self != NULL) {
        noc_network_free(self->network);
        noc_grid_free(self->grid);
        g_free(self);
    }
}

uint64_t arch_noc_pending(const ArchNoc *self)
{
    return noc_network_pending(self->network);
}

uint64_t arch_noc_flit_hops(const ArchNoc *self)
{
    return noc_network_flit_hops(self->network);
}

guint arch_noc_link_count(const ArchNoc *self)
{
    return noc_grid_link_count(self->grid);
}

ArchNocLink arch_noc_link(const ArchNoc *self, guint index)
{
    uint32_t node = self->grid->links[index] / self->grid->port_count;
    guint port = self->grid->links[index] % self->grid->port_count;

    return (ArchNocLink){
        .from = node,
        .to = self->grid->next[self->grid->links[index]],
        .direction = self->grid->directions[port].name,
        .flits = noc_network_flits(self->network, node, port),
    };
}

void arch_noc_on_arrival(ArchNoc *self, ArchNocArriveFunc func, gpointer data)
{
    self->arrived = func;
    self->arrived_data = data;
}

void arch_noc_send(ArchNoc *self, uint32_t source, uint32_t target, guint flits)
{
    NocPacket packet = {
        .source = source,
        .target = target,
        .via = NOC_NODE_NONE,
        .flits = flits,
        .ids = self->last_ids,
        .targets = 1,
    };

    g_return_if_fail(source < self->grid->node_count &&
                     target < self->grid->node_count && flits >= 1);
    g_return_if_fail(self->config.routing != ARCH_NOC_TREE);
    if (self->config.routing == ARCH_NOC_VALIANT) {
        packet.via = sim_u32(sim_random_next(&self->random) % self->grid->node_count);
        packet.ids = self->first_ids;
    }
    choose_ports(self, &packet, source,
                 packet.via != NOC_NODE_NONE ? packet.via : target);
    (void) noc_network_send(self->network, &packet);
}

void arch_noc_broadcast(ArchNoc *self, uint32_t root, guint flits)
{
    const ArchNocTrees *trees = self->config.trees;

    g_return_if_fail(self->config.routing == ARCH_NOC_TREE &&
                     arch_noc_trees_use(trees) == ARCH_NOC_DOWNWARD &&
                     arch_noc_trees_has(trees, root));
    g_return_if_fail(self->grid->node_count > 1 && flits >= 1);
    NocPacket packet = {
        .source = root,
        .target = NOC_NODE_NONE,
        .via = NOC_NODE_NONE,
        .flits = flits,
        .ids = sim_u16(1U << root % self->config.vc_count),
        .targets = sim_u16(self->grid->node_count - 1),
        .data = GUINT_TO_POINTER(root),
    };

    (void) noc_network_send(self->network, &packet);
}

void arch_noc_send_up(ArchNoc *self, uint32_t root, uint32_t node, guint flits)
{
    const ArchNocTrees *trees = self->config.trees;

    g_return_if_fail(self->config.routing == ARCH_NOC_TREE &&
                     arch_noc_trees_use(trees) == ARCH_NOC_UPWARD &&
                     arch_noc_trees_has(trees, root));
    g_return_if_fail(node < self->grid->node_count && node != root && flits >= 1);
    NocPacket packet = {
        .source = node,
        .target = arch_noc_trees_parent(trees, root, node),
        .via = NOC_NODE_NONE,
        .flits = flits,
        .ids = self->last_ids,
        .targets = 1,
        .data = GUINT_TO_POINTER(root),
    };

    (void) noc_network_send(self->network, &packet);
}
