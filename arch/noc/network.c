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

static void take_credits(NocNetwork *self, SimTime now)
{
    NocBatch *batch = noc_line_arrivals(&self->credits, now);

    for (guint i = 0; i < batch->count; i++) {
        uint32_t channel = batch->items[i].where;
        uint32_t node = channel / NOC_BITS;
        guint port = self->port_of[channel % NOC_BITS];
        NocOutput *output = &self->outputs[node * NOC_OUTPUTS + port];
        bool is_own = port == self->port_count - 1;
        bool is_wanted = (port != self->port_count - 1) & (output->requests != 0);

        noc_give_room(output, &self->channels[channel]);
        noc_set_add_if(&self->awake_sources, node, is_own);
        noc_set_add_if(&self->awake_outputs, node * NOC_OUTPUTS + port, is_wanted);
    }
    noc_batch_finish(batch);
}

static void take_releases(NocNetwork *self, SimTime now)
{
    NocBatch *batch = noc_line_arrivals(&self->releases, now);

    for (guint i = 0; i < batch->count; i++) {
        const uint32_t channel = batch->items[i].where;
        const uint32_t output =
            channel / NOC_BITS * NOC_OUTPUTS + self->port_of[channel % NOC_BITS];

        self->channels[channel].is_taken = 0;
        noc_set_add_if(&self->awake_outputs, output,
                       self->outputs[output].requests != 0);
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
    noc_routers_receive(self, now);
    deliver(self, now);
    noc_sources_tick(self, now);
    noc_routers_tick(self, now);
    if (self->config.eject_cycles == 0) {
        deliver(self, now);
    }
    if (self->has_moved || !noc_set_is_empty(&self->awake_outputs) ||
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
    uint32_t output = node * NOC_OUTPUTS + self->port_count - 1;

    noc_set_add_if(&self->awake_outputs, output, self->outputs[output].requests != 0);
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
        const NocPacket *packet;

        if (self->channels[i].count == 0) {
            continue;
        }
        packet = &self->packets.packets[self->channels[i].packet];
        g_autofree char *target =
            packet->target == NOC_NODE_NONE
                ? g_strdup("several")
                : g_strdup_printf("%u,%u", grid->x[packet->target],
                                  grid->y[packet->target]);

        g_ptr_array_add(
            lines, g_strdup_printf(
                       "%s[%u,%u].%s vc %u: %u flits, first for %s", self->config.name,
                       grid->x[node], grid->y[node],
                       in == grid->local ? "inject" : grid->directions[in].name,
                       self->vc_of[i % NOC_BITS], self->channels[i].count, target));
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
    const uint64_t of_channel = sizeof(NocChannel) + sizeof(NocInjection) +
                                (sizeof(uint32_t) << ring_bits_of(config));

    return config->grid->node_count *
           (NOC_BITS * of_channel + NOC_OUTPUTS * sizeof(NocOutput) +
            sizeof(NocEndpoint) + config->queue_count * sizeof(NocQueue));
}

static void allocate(NocNetwork *self)
{
    const gsize nodes = self->config.grid->node_count;

    self->channels = g_new0(NocChannel, nodes * NOC_BITS);
    self->rings = g_new0(uint32_t, nodes * NOC_BITS * self->ring);
    self->outputs = g_new0(NocOutput, nodes * NOC_OUTPUTS);
    self->endpoints = g_new0(NocEndpoint, nodes);
    self->queues = g_new0(NocQueue, nodes * self->config.queue_count);
    self->injections = g_new0(NocInjection, nodes * NOC_BITS);
    if (self->ops.choose != NULL) {
        self->choices = g_new0(NocChoice, nodes * NOC_BITS);
    }
    noc_set_init(&self->awake_outputs, nodes * NOC_OUTPUTS);
    noc_set_init(&self->awake_sources, nodes);
}

static void connect_ports(NocNetwork *self)
{
    const NocGrid *grid = self->config.grid;

    for (uint32_t node = 0; node < grid->node_count; node++) {
        for (guint port = 0; port < grid->port_count; port++) {
            NocOutput *output = &self->outputs[node * NOC_OUTPUTS + port];

            output->crosses = noc_grid_crosses_dateline(grid, node, port);
            output->next = grid->next[node * grid->port_count + port] * NOC_BITS;
            output->previous =
                (port == grid->local ? node
                                     : grid->previous[node * grid->port_count + port]) *
                NOC_BITS;
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
        self->links_free = g_new0(SimTime, (gsize) grid->node_count * NOC_OUTPUTS);
    }
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
    g_free(self->channels);
    g_free(self->rings);
    g_free(self->choices);
    g_free(self->outputs);
    g_free(self->links_free);
    g_free(self->endpoints);
    g_free(self->queues);
    g_free(self->injections);
    noc_set_clear(&self->awake_outputs);
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
}

SimTime noc_network_quiet_since(const NocNetwork *self)
{
    return self->ticked == SIM_TIME_NEVER ? 0 : self->ticked + 1;
}

guint noc_network_room(const NocNetwork *self, uint32_t node, guint port)
{
    const NocChannel *channels =
        &self->channels[(gsize) node * NOC_BITS + (gsize) port * self->vc_count];
    guint room = 0;

    for (guint vc = self->config.escape_count; vc < self->vc_count; vc++) {
        room += self->config.vc_flits - channels[vc].held;
    }
    return room;
}

uint64_t noc_network_flits(const NocNetwork *self, uint32_t node, guint port)
{
    return self->outputs[node * NOC_OUTPUTS + port].flits;
}

uint64_t noc_network_flit_hops(const NocNetwork *self)
{
    const NocGrid *grid = self->config.grid;
    uint64_t sum = 0;

    for (uint32_t node = 0; node < grid->node_count; node++) {
        for (guint port = 0; port < grid->local; port++) {
            sum += self->outputs[node * NOC_OUTPUTS + port].flits;
        }
    }
    return sum;
}
