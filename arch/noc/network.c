/* Builds a network and runs its routers in the cycles that matter. */
#include "arch/noc/network.h"

#include "arch/noc/network_state.h"
#include "sim/narrow.h"

enum {
    REPORT_LINES = 16, /* of a deadlock, at most */
};

static void tick(SimRegion *region, gpointer data);

void noc_network_schedule(NocNetwork *self, SimTime when)
{
    if (self->tick != 0) {
        if (self->tick_time <= when) {
            return;
        }
        (void) sim_region_cancel(self->region, self->tick);
    }
    self->tick_time = when;
    self->tick = sim_region_at(self->region, when, self->key, tick, self);
}

/* Lets inputs of these bits try again to get an output. */
static void wake(NocNetwork *self, uint32_t node, guint port, uint64_t bits)
{
    NocRouter *router = &self->routers[node];
    NocOutput *output = &router->outputs[port];

    noc_output_wake(output, bits);
    if (output->ready != 0) {
        noc_wake_output(self, router, node, port);
    }
}

/* A credit matters to the packet that has the channel, or, if none has, to any that may
 * take it; to all where the pool was used up; and to who may choose, in any case. */
static void take_credits(NocNetwork *self, SimTime now)
{
    NocBatch *batch = noc_line_arrivals(&self->credits, now);
    const NocItem *items = batch->items;
    const guint count = batch->count;
    const guint own = self->port_count - 1;
    const guint pool_most = self->pool_most;
    const bool has_choices = self->choices != NULL;

    for (guint i = 0; i < count; i++) {
        const uint32_t node = items[i].where / NOC_BITS;
        const guint port = items[i].what;
        NocRouter *router = &self->routers[node];
        NocOutput *output = &router->outputs[port];
        NocEnd *end = &router->ends[items[i].where % NOC_BITS];
        const bool is_any = output->pool >= pool_most;

        noc_give_room(output, end);
        if (port == own) {
            noc_set_add(&self->awake_sources, node);
        } else if (output->asleep != 0 || has_choices) {
            wake(self, node, port,
                 is_any || end->owner == NOC_NO_OWNER ? UINT64_MAX
                                                      : UINT64_C(1) << end->owner);
        }
    }
    noc_batch_finish(batch);
}

static void take_releases(NocNetwork *self, SimTime now)
{
    NocBatch *batch = noc_line_arrivals(&self->releases, now);

    for (guint i = 0; i < batch->count; i++) {
        const uint32_t channel = batch->items[i].where;

        noc_end(self, channel)->owner = NOC_NO_OWNER;
        wake(self, channel / NOC_BITS, self->port_of[channel % NOC_BITS], UINT64_MAX);
    }
    noc_batch_finish(batch);
}

static void deliver(NocNetwork *self, SimTime now)
{
    NocBatch *batch = noc_line_arrivals(&self->ejections, now);

    /* By index: a callback may send, and so grow the table of packets. */
    for (guint i = 0; i < batch->count; i++) {
        NocItem item = batch->items[i];

        if (self->ops.arrived != NULL) {
            self->ops.arrived(self->data, item.where, item.what);
        }
        if (--self->packets.packets[item.what].targets == 0) {
            noc_packets_remove(&self->packets, item.what);
            self->pending--;
        }
    }
    noc_batch_finish(batch);
}

static void tick(SimRegion *region, gpointer data)
{
    NocNetwork *self = data;
    SimTime now = sim_region_now(region);
    SimTime next;

    self->tick = 0;
    self->ticked = now;
    if (now >= self->watch_time) {
        self->watch_time = SIM_TIME_NEVER;
        self->watch(self->watch_data, now);
    }
    take_credits(self, now);
    take_releases(self, now);
    noc_inputs_receive(self, now);
    deliver(self, now);
    noc_sources_tick(self, now);
    noc_routers_tick(self, now);
    if (self->config.eject_cycles == 0) {
        deliver(self, now);
    }
    if (self->has_moved || !noc_set_is_empty(&self->awake_routers) ||
        !noc_set_is_empty(&self->awake_sources)) {
        next = now + 1;
    } else {
        next = MIN(noc_line_next(&self->arrivals, now + 1),
                   MIN(noc_line_next(&self->credits, now + 1),
                       MIN(noc_line_next(&self->releases, now + 1),
                           noc_line_next(&self->ejections, now + 1))));
    }
    if (next != SIM_TIME_NEVER) {
        noc_network_schedule(self, next);
    }
    if (SIM_PROBES && G_UNLIKELY(self->links != NULL) && next != now + 1) {
        noc_link_probe_flush(self->links);
    }
}

void noc_network_kick(NocNetwork *self, uint32_t node)
{
    SimTime now = sim_region_now(self->region);

    wake(self, node, self->port_count - 1, UINT64_MAX);
    noc_network_schedule(self, now > self->ticked ? now : now + 1);
}

static void audit(gpointer data, GPtrArray *lines)
{
    const NocNetwork *self = data;
    const NocGrid *grid = self->config.grid;

    if (self->pending == 0) {
        return;
    }
    g_ptr_array_add(lines, g_strdup_printf("%s: %" G_GUINT64_FORMAT
                                           " packets have not arrived",
                                           self->config.name, self->pending));
    for (uint32_t i = 0, told = 0;
         i < grid->node_count * NOC_BITS && told < REPORT_LINES; i++) {
        uint32_t node = i / NOC_BITS;
        guint in = self->port_of[i % NOC_BITS];
        const NocChannel *channel = noc_channel(self, i);
        const NocPacket *packet;

        if (channel->count == 0) {
            continue;
        }
        packet = &self->packets.packets[channel->packet];
        g_autofree char *target =
            packet->target == NOC_NODE_NONE
                ? g_strdup("several")
                : g_strdup_printf("%u,%u", grid->x[packet->target],
                                  grid->y[packet->target]);

        g_ptr_array_add(
            lines,
            g_strdup_printf("%s[%u,%u].%s vc %u: %u flits, first for %s",
                            self->config.name, grid->x[node], grid->y[node],
                            in == grid->local ? "inject" : grid->directions[in].name,
                            self->vc_of[i % NOC_BITS], channel->count, target));
        told++;
    }
}

/* A ring holds a power of two of flits, at least those of a channel. */
static guint ring_bits_of(const NocNetworkConfig *config)
{
    guint bits = 0;

    while ((1U << bits) < config->vc_flits) {
        bits++;
    }
    return bits;
}

uint64_t noc_network_bytes(const NocNetworkConfig *config)
{
    const uint64_t of_channel =
        sizeof(NocInjection) + (sizeof(uint32_t) << ring_bits_of(config));

    return config->grid->node_count *
           (NOC_BITS * of_channel + sizeof(NocRouter) + sizeof(NocEndpoint) +
            config->queue_count * sizeof(NocQueue));
}

static void allocate(NocNetwork *self)
{
    const gsize nodes = self->config.grid->node_count;

    self->routers = g_new0(NocRouter, nodes);
    for (guint port = 0; port < self->port_count; port++) {
        self->wanted[port].nodes = g_new0(uint32_t, nodes + 1);
    }
    self->rings = g_new0(uint32_t, nodes * NOC_BITS * self->ring);
    self->endpoints = g_new0(NocEndpoint, nodes);
    self->queues = g_new0(NocQueue, nodes * self->config.queue_count);
    self->injections = g_new0(NocInjection, nodes * NOC_BITS);
    if (self->ops.choose != NULL) {
        self->choices = g_new0(NocChoice, nodes * NOC_BITS);
    }
    noc_set_init(&self->awake_routers, nodes);
    noc_set_init(&self->awake_sources, nodes);
}

/* An output to the input of the same number at the next node, whose credits return. */
static void connect_port(NocNetwork *self, uint32_t node, guint port)
{
    const NocGrid *grid = self->config.grid;
    NocRouter *router = &self->routers[node];
    const guint is_crossing = noc_grid_crosses_dateline(grid, node, port) ? 1 : 0;
    const uint32_t previous =
        port == grid->local ? node : grid->previous[node * grid->port_count + port];

    router->crosses |= is_crossing << port;
    router->outputs[port].next = grid->next[node * grid->port_count + port] * NOC_BITS;
    for (guint vc = 0; vc < self->vc_count; vc++) {
        const guint bit = port * self->vc_count + vc;

        router->ends[bit].owner = NOC_NO_OWNER;
        router->channels[bit].credit =
            (NocItem){.where = previous * NOC_BITS + bit, .what = port};
    }
}

static void connect_ports(NocNetwork *self)
{
    const NocGrid *grid = self->config.grid;

    for (uint32_t node = 0; node < grid->node_count; node++) {
        for (guint port = 0; port < grid->port_count; port++) {
            connect_port(self, node, port);
        }
    }
}

/* Outputs to other nodes that can pass a flit in every cycle; none where an observer or
 * a choice needs all flits in order. */
static guint count_plain(const NocNetwork *self)
{
    const bool is_plain =
        self->choices == NULL && self->links_free == NULL && self->links == NULL;

    return is_plain ? self->port_count - 1 : 0;
}

void noc_network_choose_passes(NocNetwork *self, guint plain_count)
{
    self->plain_count = plain_count;
    for (guint port = 0; port < self->port_count; port++) {
        self->wanted[port].count = 0;
    }
    for (uint32_t node = 0; node < self->config.grid->node_count; node++) {
        guint outs = self->routers[node].awake;

        for (self->routers[node].awake = 0; outs != 0; outs &= outs - 1) {
            noc_wake_output(self, &self->routers[node], node,
                            (guint) __builtin_ctz(outs));
        }
    }
}

NocNetwork *noc_network_new(SimRegion *region,
                            SimKey key,
                            const NocNetworkConfig *config,
                            const NocEndpointOps *ops,
                            gpointer data)
{
    NocNetwork *self = g_new0(NocNetwork, 1);
    const NocGrid *grid = config->grid;

    self->config = *config;
    self->ops = *ops;
    self->data = data;
    self->region = region;
    self->key = key;
    self->ticked = SIM_TIME_NEVER;
    self->watch_time = SIM_TIME_NEVER;
    self->port_count = grid->port_count;
    self->vc_count = config->id_count * (config->has_dateline ? 2 : 1);
    self->bit_count = self->port_count * self->vc_count;
    self->own_bit = grid->local * self->vc_count;
    g_assert(self->bit_count <= G_N_ELEMENTS(self->port_of));
    self->ring_bits = ring_bits_of(config);
    self->ring = 1U << self->ring_bits;
    self->pool_most = config->pool_flits == 0 ? UINT_MAX : config->pool_flits;
    allocate(self);
    noc_packets_init(&self->packets);
    for (guint bit = 0; bit < self->bit_count; bit++) {
        self->port_of[bit] = sim_u16(bit / self->vc_count);
        self->vc_of[bit] = sim_u16(bit % self->vc_count);
        self->port_bits[bit] = ((UINT64_C(1) << self->vc_count) - 1)
                               << (bit - self->vc_of[bit]);
    }
    connect_ports(self);
    if (config->link_cycles > 1) {
        self->links_free = g_new0(SimTime, (gsize) grid->node_count * grid->port_count);
    }
    noc_network_choose_passes(self, count_plain(self));
    noc_line_init(&self->arrivals, MAX(config->hop_cycles, config->inject_cycles));
    noc_line_init(&self->credits, config->credit_cycles);
    noc_line_init(&self->releases, config->gap_cycles + 1);
    noc_line_init(&self->ejections, config->eject_cycles);
    sim_engine_add_audit(sim_region_engine(region), audit, self);
    sim_engine_add_check(sim_region_engine(region), noc_network_check, self);
    return self;
}

void noc_network_free(NocNetwork *self)
{
    if (self == NULL) {
        return;
    }
    sim_engine_remove_audit(sim_region_engine(self->region), audit, self);
    sim_engine_remove_check(sim_region_engine(self->region), noc_network_check, self);
    if (self->tick != 0) {
        (void) sim_region_cancel(self->region, self->tick);
    }
    for (gsize i = 0;
         i < (gsize) self->config.grid->node_count * self->config.queue_count; i++) {
        g_free(self->queues[i].packets);
    }
    noc_packets_clear(&self->packets);
    noc_line_clear(&self->arrivals);
    noc_line_clear(&self->credits);
    noc_line_clear(&self->releases);
    noc_line_clear(&self->ejections);
    g_free(self->routers);
    for (guint port = 0; port < self->port_count; port++) {
        g_free(self->wanted[port].nodes);
    }
    g_free(self->rings);
    g_free(self->choices);
    g_free(self->links_free);
    g_free(self->endpoints);
    g_free(self->queues);
    g_free(self->injections);
    noc_set_clear(&self->awake_routers);
    noc_set_clear(&self->awake_sources);
    noc_link_probe_free(self->links);
    g_free(self);
}

NocPacket *noc_network_packet(NocNetwork *self, uint32_t packet)
{
    return &self->packets.packets[packet];
}

uint64_t noc_network_pending(const NocNetwork *self)
{
    return self->pending;
}

void noc_network_watch(NocNetwork *self, SimTime when, NocWatchFunc func, gpointer data)
{
    self->watch_time = when;
    self->watch = func;
    self->watch_data = data;
}

void noc_network_show_links(NocNetwork *self, SimLane first)
{
    g_clear_pointer(&self->links, noc_link_probe_free);
    if (SIM_PROBES && sim_region_is_watched(self->region)) {
        self->links = noc_link_probe_new(self->region, first, self->config.grid);
    }
    noc_network_choose_passes(self, count_plain(self));
}

SimTime noc_network_quiet_since(const NocNetwork *self)
{
    return self->ticked == SIM_TIME_NEVER ? 0 : self->ticked + 1;
}

guint noc_network_room(const NocNetwork *self, uint32_t node, guint port)
{
    const NocEnd *ends = self->routers[node].ends + (gsize) port * self->vc_count;
    guint room = 0;

    for (guint vc = self->config.escape_count; vc < self->vc_count; vc++) {
        room += self->config.vc_flits - ends[vc].held;
    }
    return room;
}

uint64_t noc_network_flits(const NocNetwork *self, uint32_t node, guint port)
{
    return self->routers[node].outputs[port].flits;
}

uint64_t noc_network_flit_hops(const NocNetwork *self)
{
    const NocGrid *grid = self->config.grid;
    uint64_t sum = 0;

    for (uint32_t node = 0; node < grid->node_count; node++) {
        for (guint port = 0; port < grid->local; port++) {
            sum += self->routers[node].outputs[port].flits;
        }
    }
    return sum;
}
