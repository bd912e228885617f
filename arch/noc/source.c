/* Runs sources: packets queue, get a channel, and enter flit by flit, in turn. */
#include "arch/noc/network_state.h"
#include "sim/narrow.h"

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

/* Channels of the node's own port that a packet may use, a bit each. */
static uint64_t channels_of(const NocNetwork *self, uint32_t packet)
{
    const guint shift = self->config.has_dateline ? 1 : 0;
    uint64_t channels = 0;

    for (guint ids = self->packets.packets[packet].ids; ids != 0; ids &= ids - 1) {
        channels |= UINT64_C(1) << ((guint) __builtin_ctz(ids) << shift);
    }
    return channels;
}

uint32_t noc_network_send(NocNetwork *self, const NocPacket *packet)
{
    SimTime now = sim_region_now(self->region);
    uint32_t index = noc_packets_add(&self->packets, packet);
    uint32_t node = packet->source;

    self->packets.packets[index].created = now;
    self->packets.packets[index].hops = 0;
    self->pending++;
    NocQueue *queue = &self->queues[node * self->config.queue_count + packet->queue];

    if (queue->count == 0) {
        self->endpoints[node].awaited |= channels_of(self, index);
    }
    queue_push(queue, index);
    noc_set_add(&self->awake_sources, node);
    noc_network_schedule(
        self, now > self->ticked || self->ticked == SIM_TIME_NEVER ? now : now + 1);
    return index;
}

/* A channel of the node's own port. */
static uint32_t own_channel(const NocNetwork *self, uint32_t node, guint vc)
{
    return node * NOC_BITS + self->own_bit + vc;
}

static NocOutput *own_output(const NocNetwork *self, uint32_t node)
{
    return &self->routers[node].outputs[self->port_count - 1];
}

/* The free channel with the fewest flits that the packet may use, or -1. */
static int choose_channel(const NocNetwork *self, uint32_t node, uint32_t packet)
{
    const guint shift = self->config.has_dateline ? 1 : 0;
    const guint room = noc_room(self, own_output(self, node));
    const NocEnd *ends = &self->routers[node].ends[self->own_bit];
    guint best = UINT_MAX;

    for (guint ids = self->packets.packets[packet].ids; ids != 0; ids &= ids - 1) {
        const guint vc = (guint) __builtin_ctz(ids) << shift;
        const guint held = ends[vc].held;
        const guint is_full =
            (self->endpoints[node].injecting >> vc & 1) | (held >= room);

        best = MIN(best, (held * NOC_BITS + vc) | -is_full);
    }
    return best == UINT_MAX ? -1 : sim_i32(best % NOC_BITS);
}

static bool may_begin(const NocNetwork *self, const NocEndpoint *source)
{
    return !self->config.is_serial || source->injecting == 0;
}

static void begin_packets(NocNetwork *self, uint32_t node)
{
    NocEndpoint *source = &self->endpoints[node];

    source->awaited = 0;
    for (guint i = 0; i < self->config.queue_count; i++) {
        NocQueue *queue = &self->queues[node * self->config.queue_count + i];
        int vc;

        while (queue->count > 0 && may_begin(self, source) &&
               (vc = choose_channel(self, node, queue->packets[queue->first])) >= 0) {
            self->injections[own_channel(self, node, sim_u32(vc))] =
                (NocInjection){.packet = queue_pop(queue)};
            source->injecting |= UINT64_C(1) << vc;
        }
        if (queue->count > 0) {
            source->awaited |= channels_of(self, queue->packets[queue->first]);
        }
    }
}

static void inject(NocNetwork *self, uint32_t node, guint vc, SimTime now)
{
    const uint32_t index = own_channel(self, node, vc);
    const uint64_t flag = UINT64_C(1) << vc;
    NocEndpoint *source = &self->endpoints[node];
    NocInjection *injection = &self->injections[index];
    const uint32_t packet = injection->packet;
    const uint32_t cost =
        self->ops.cost == NULL || injection->sent == 0
            ? NOC_CYCLE
            : self->ops.cost(self->data, node, &self->packets.packets[packet], false);
    const uint32_t flit = packet * 2 + (injection->sent == 0 ? 1 : 0);
    const bool is_tail = ++injection->sent == self->packets.packets[packet].flits;

    noc_take_room(own_output(self, node), noc_end(self, index));
    source->inject_free = MAX(source->inject_free, now * NOC_CYCLE) + cost;
    source->turn = (vc + 1) % NOC_BITS;
    if (self->config.inject_cycles == 0) {
        noc_input_receive(self, index, flit);
    } else {
        noc_line_send(&self->arrivals, now + self->config.inject_cycles, index, flit);
    }
    if (is_tail) {
        source->injecting &= ~flag;
        if (self->ops.sent != NULL) {
            self->ops.sent(self->data, node, packet);
        }
    }
}

/* One flit, from the first channel in turn that has room; false if none has. */
static bool inject_in_turn(NocNetwork *self, uint32_t node, SimTime now)
{
    const NocEndpoint *source = &self->endpoints[node];
    const NocEnd *ends = &self->routers[node].ends[self->own_bit];
    const guint room = noc_room(self, own_output(self, node));
    const guint first = source->turn;

    for (uint64_t left = noc_in_turn(source->injecting, first); left != 0;
         left &= left - 1) {
        const guint vc = ((guint) __builtin_ctzll(left) + first) % NOC_BITS;

        if (ends[vc].held < room) {
            inject(self, node, vc, now);
            return true;
        }
    }
    return false;
}

static void tick_source(NocNetwork *self, uint32_t node, SimTime now)
{
    const NocEndpoint *source = &self->endpoints[node];

    if (source->inject_free >= (now + 1) * NOC_CYCLE) {
        return;
    }
    if ((source->awaited & ~source->injecting) != 0 && may_begin(self, source)) {
        begin_packets(self, node);
    }
    /* Asleep until a credit returns or another packet is sent. */
    if (!inject_in_turn(self, node, now)) {
        noc_set_remove(&self->awake_sources, node);
    }
}

void noc_sources_tick(NocNetwork *self, SimTime now)
{
    NocSet *awake = &self->awake_sources;

    for (guint word = 0; word < awake->word_count; word++) {
        for (uint64_t bits = awake->words[word]; bits != 0; bits &= bits - 1) {
            tick_source(self, word * NOC_WORD + (uint32_t) __builtin_ctzll(bits), now);
        }
    }
}
