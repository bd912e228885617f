/* Sources: packets wait in lines, get a channel, and go in flit by flit, in turn. */
#include "arch/noc/network_state.h"

static void queue_push(NocQueue *self, uint32_t packet)
{
    if (self->count == self->capacity) {
        guint capacity = self->capacity == 0 ? 4 : self->capacity * 2;
        uint32_t *packets = g_new(uint32_t, capacity);

        for (guint i = 0; i < self->count; i++) {
            packets[i] = self->packets[(self->first + i) & (self->capacity - 1)];
        }
        g_free(self->packets);
        self->packets = packets;
        self->first = 0;
        self->capacity = capacity;
    }
    self->packets[(self->first + self->count++) & (self->capacity - 1)] = packet;
}

static uint32_t queue_pop(NocQueue *self)
{
    uint32_t packet = self->packets[self->first];

    self->first = (self->first + 1) & (self->capacity - 1);
    self->count--;
    return packet;
}

uint32_t noc_network_send(NocNetwork *self, const NocPacket *packet)
{
    SimTime now = sim_region_now(self->region);
    uint32_t index = noc_packets_add(&self->packets, packet);
    uint32_t node = packet->source;

    self->packets.packets[index].created = now;
    self->packets.packets[index].hops = 0;
    self->pending++;
    queue_push(&self->queues[node * self->config.queue_count + packet->queue], index);
    noc_wake(self->is_source_awake, node);
    noc_network_schedule(
        self, now > self->ticked || self->ticked == SIM_TIME_NEVER ? now : now + 1);
    return index;
}

guint noc_network_waiting(const NocNetwork *self, uint32_t node, guint queue)
{
    return self->queues[node * self->config.queue_count + queue].count;
}

/* A channel of the node's own port. */
static uint32_t own_channel(const NocNetwork *self, uint32_t node, guint vc)
{
    return node * NOC_BITS + (self->port_count - 1) * self->vc_count + vc;
}

static bool has_room(const NocNetwork *self, uint32_t node, guint vc)
{
    return noc_has_room(self, &self->routers[node], self->port_count - 1,
                        &self->channels[own_channel(self, node, vc)]);
}

/* The free channel with the fewest flits that the packet may use, or -1. */
static int choose_channel(const NocNetwork *self, uint32_t node, uint32_t packet)
{
    const guint shift = self->config.has_dateline ? 1 : 0;
    guint fewest = UINT_MAX;
    int best = -1;

    for (guint ids = self->packets.packets[packet].ids; ids != 0; ids &= ids - 1) {
        guint vc = (guint) __builtin_ctz(ids) << shift;
        guint held = self->channels[own_channel(self, node, vc)].held;

        if ((self->injecting[node] >> vc & 1) == 0 && has_room(self, node, vc) &&
            held < fewest) {
            best = (int) vc;
            fewest = held;
        }
    }
    return best;
}

static void begin_packets(NocNetwork *self, uint32_t node)
{
    for (guint i = 0; i < self->config.queue_count; i++) {
        NocQueue *queue = &self->queues[node * self->config.queue_count + i];
        int vc;

        while (queue->count > 0 &&
               !(self->config.is_serial && self->injecting[node] != 0) &&
               (vc = choose_channel(self, node, queue->packets[queue->first])) >= 0) {
            self->injections[own_channel(self, node, (guint) vc)] =
                (NocInjection){.packet = queue_pop(queue)};
            self->injecting[node] |= UINT64_C(1) << vc;
        }
    }
}

static void inject(NocNetwork *self, uint32_t node, guint vc, SimTime now)
{
    const uint32_t index = own_channel(self, node, vc);
    NocInjection *injection = &self->injections[index];
    const uint32_t packet = injection->packet;
    const uint32_t cost =
        self->ops.cost == NULL || injection->sent == 0
            ? NOC_CYCLE
            : self->ops.cost(self->data, node, &self->packets.packets[packet], false);
    const bool is_tail = ++injection->sent == self->packets.packets[packet].flits;
    const uint32_t flit = packet * 2 + (is_tail ? 1 : 0);

    noc_take_room(&self->routers[node], self->port_count - 1, &self->channels[index]);
    self->inject_free[node] = MAX(self->inject_free[node], now * NOC_CYCLE) + cost;
    self->inject_turn[node] = (uint16_t) (vc + 1 == self->vc_count ? 0 : vc + 1);
    if (self->config.inject_cycles == 0) {
        noc_router_receive(self, index, flit);
    } else {
        noc_line_send(&self->arrivals, now + self->config.inject_cycles, index, flit);
    }
    if (is_tail) {
        self->injecting[node] &= ~(UINT64_C(1) << vc);
        if (self->ops.sent != NULL) {
            self->ops.sent(self->data, node, packet);
        }
    }
}

/* One flit, from the first channel in turn that has room; false if none has. */
static bool inject_in_turn(NocNetwork *self, uint32_t node, SimTime now)
{
    const uint64_t all = self->injecting[node];
    const uint64_t from_turn = all & (UINT64_MAX << self->inject_turn[node]);
    uint64_t rounds[] = {from_turn, all & ~from_turn};

    for (guint i = 0; i < G_N_ELEMENTS(rounds); i++) {
        for (; rounds[i] != 0; rounds[i] &= rounds[i] - 1) {
            guint vc = (guint) __builtin_ctzll(rounds[i]);

            if (has_room(self, node, vc)) {
                inject(self, node, vc, now);
                return true;
            }
        }
    }
    return false;
}

static void tick_source(NocNetwork *self, uint32_t node, SimTime now)
{
    if (self->inject_free[node] >= (now + 1) * NOC_CYCLE) {
        return;
    }
    begin_packets(self, node);
    /* Asleep until a credit returns or another packet is sent. */
    if (!inject_in_turn(self, node, now)) {
        noc_sleep(self->is_source_awake, node);
    }
}

void noc_sources_tick(NocNetwork *self, SimTime now)
{
    for (guint word = 0; word < self->awake_words; word++) {
        for (uint64_t bits = self->is_source_awake[word]; bits != 0; bits &= bits - 1) {
            tick_source(self, word * 64 + (guint) __builtin_ctzll(bits), now);
        }
    }
}
