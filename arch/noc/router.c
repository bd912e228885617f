/* Runs routers: one flit a cycle through each output and from each input, in turn. */
#include <string.h>

#include "arch/noc/choice.h"
#include "arch/noc/network_state.h"
#include "sim/narrow.h"

enum {
    WORD_NODES = NOC_WORD / NOC_OUTPUTS, /* whose outputs share a word of a set */
    PREFETCH_AHEAD = 8,
};

/* One cycle of some routers. */
typedef struct {
    NocNetwork *network;
    SimTime now;
    NocBatch *arrivals; /* a hop later */
    NocBatch *credits;
    uint64_t served[WORD_NODES]; /* inputs that must not send again, a bit each */
    uint32_t declined; /* the output that a packet could have had, but has better */
} Cycle;

/* One output within one cycle. */
typedef struct {
    NocOutput *output;
    NocChannel *channels; /* of its node */
    uint64_t *served;     /* likewise */
    uint32_t node;
    guint out;
    guint flag; /* 1 << out */
} Turn;

/* Finds the way of the packet at the head of an input. */
static void open_way(NocNetwork *self, uint32_t index, NocChannel *input)
{
    NocPacket *packet = &self->packets.packets[input->packet];

    input->left = packet->flits;
    input->outs = sim_u16(self->ops.route(self->data, index / NOC_BITS, packet));
    input->owned = 0;
    if (G_UNLIKELY((input->outs & NOC_CHOICE) != 0)) {
        self->choices[index] = self->ops.choose(self->data, index / NOC_BITS, packet);
        input->outs = self->choices[index].outs | self->choices[index].escape;
    }
}

static void request(NocNetwork *self, uint32_t index, guint outs)
{
    for (; outs != 0; outs &= outs - 1) {
        const uint32_t output =
            index / NOC_BITS * NOC_OUTPUTS + (guint) __builtin_ctz(outs);

        self->outputs[output].requests |= UINT64_C(1) << (index % NOC_BITS);
        noc_set_add(&self->awake_outputs, output);
    }
}

/* The place in a channel's ring. */
static uint32_t *ring_at(const NocNetwork *self, uint32_t index, guint position)
{
    return &self->rings[((gsize) index << self->ring_bits) +
                        (position & (self->ring - 1))];
}

static inline void receive(NocNetwork *self, uint32_t index, uint32_t flit)
{
    NocChannel *input = &self->channels[index];

    if ((flit & 1) != 0) {
        if (input->left == 0) {
            input->packet = flit / 2;
            open_way(self, index, input);
        } else {
            *ring_at(self, index, input->last++) = flit / 2;
        }
    }
    if (input->count++ == 0) {
        request(self, index, input->outs);
    }
}

void noc_router_receive(NocNetwork *self, uint32_t index, uint32_t flit)
{
    receive(self, index, flit);
}

void noc_routers_receive(NocNetwork *self, SimTime now)
{
    NocBatch *batch = noc_line_arrivals(&self->arrivals, now);
    const NocItem *items = batch->items;

    for (guint i = 0; i < batch->count; i++) {
        if (i + PREFETCH_AHEAD < batch->count) {
            __builtin_prefetch(&self->channels[items[i + PREFETCH_AHEAD].where], 1);
        }
        receive(self, items[i].where, items[i].what);
    }
    noc_batch_finish(batch);
}

/* The dateline bit of the channel beyond the output for what came by `bit`. A packet
 * that changes to other channels on its way (Valiant) starts anew. */
static guint
dateline_bit(const NocNetwork *self, const Turn *turn, guint bit, guint ids)
{
    const NocGrid *grid = self->config.grid;
    const guint in = self->port_of[bit];

    if (turn->output->crosses != 0) {
        return 1;
    }
    if (in == grid->local ||
        grid->directions[in].axis != grid->directions[turn->out].axis ||
        (ids >> (self->vc_of[bit] / 2) & 1) == 0) {
        return 0;
    }
    return self->vc_of[bit] % 2;
}

/* The bit of the channel beyond the output for a packet that came by `bit`: of those it
 * may use the one with the fewest flits, rather its present one; -1 if none is free. */
static int
choose_channel(const NocNetwork *self, const Turn *turn, guint bit, guint ids)
{
    const guint shift = self->config.has_dateline ? 1 : 0;
    const guint dateline =
        self->config.has_dateline ? dateline_bit(self, turn, bit, ids) : 0;
    const guint present = self->vc_of[bit] >> shift;
    const guint room = noc_room(self, turn->output);
    const guint first = turn->out * self->vc_count + dateline;
    guint best = UINT_MAX;

    /* The least of all ranks, without branches, which could not be foreseen. */
    for (; ids != 0; ids &= ids - 1) {
        const guint id = (guint) __builtin_ctz(ids);
        const guint beyond_bit = first + (id << shift);
        const NocChannel *beyond = &turn->channels[beyond_bit];
        const guint is_full = (beyond->is_taken != 0) | (beyond->held >= room);
        const guint rank =
            (beyond->held * 2U + (id != present)) * NOC_BITS + beyond_bit;

        best = MIN(best, rank | -is_full);
    }
    return best == UINT_MAX ? -1 : sim_i32(best % NOC_BITS);
}

/* The oldest flit of an input has gone through all its outputs. */
static void pass_on(Cycle *cycle, const Turn *turn, NocChannel *input, guint bit)
{
    NocNetwork *self = cycle->network;
    const uint32_t index = turn->node * NOC_BITS + bit;
    const NocOutput *port =
        &self->outputs[turn->node * NOC_OUTPUTS + self->port_of[bit]];

    noc_batch_add(cycle->credits, port->previous + bit, 0);
    input->done = 0;
    input->left--;
    if (--input->count > 0) {
        if (input->left == 0) {
            input->packet = *ring_at(self, index, input->first++);
            open_way(self, index, input);
        }
        request(self, index, input->outs);
    }
}

/* The input's oldest flit has gone through the output. Other channels of its port must
 * wait for the next cycle, and so must itself once all outputs have that flit. */
static void leave(Cycle *cycle, const Turn *turn, NocChannel *input, guint bit)
{
    const uint64_t flag = UINT64_C(1) << bit;

    turn->output->flits++;
    if (SIM_PROBES && G_UNLIKELY(cycle->network->links != NULL)) {
        noc_link_probe_flit(cycle->network->links, turn->node, turn->out, cycle->now);
    }
    turn->output->turn = sim_u16((bit + 1) % NOC_BITS);
    turn->output->requests &= ~flag;
    *turn->served |= cycle->network->port_bits[bit];
    input->done |= sim_u16(turn->flag);
    if (G_LIKELY(input->done == input->outs)) {
        pass_on(cycle, turn, input, bit);
    } else {
        *turn->served &= ~flag;
    }
}

static uint32_t
eject_cost(const NocNetwork *self, uint32_t node, uint32_t packet, bool is_header)
{
    return self->ops.cost == NULL || is_header
               ? NOC_CYCLE
               : self->ops.cost(self->data, node, &self->packets.packets[packet], true);
}

/* A node takes one packet at a time through each of its channels. Gives channel `vc` to
 * the next port, in turn, that has a packet for it: with a turn of its own, or what
 * goes through other channels would decide whose turn it is. */
static void grant_way_in(const NocNetwork *self, const Turn *turn, guint vc)
{
    NocChannel *way_in = &turn->channels[self->own_bit + vc];
    guint port = way_in->turn;

    for (guint i = 0; i < self->port_count && way_in->is_taken == 0; i++) {
        const guint bit = port * self->vc_count + vc;

        port = port + 1 == self->port_count ? 0 : port + 1;
        if ((turn->output->requests >> bit & 1) != 0) {
            way_in->is_taken = 1;
            way_in->turn = sim_u8(port);
            turn->channels[bit].has_way_in = 1;
        }
    }
}

/* Whether the packet at the head of an input may come in now. */
static bool
may_enter(Cycle *cycle, const Turn *turn, const NocChannel *input, guint bit)
{
    const NocNetwork *self = cycle->network;
    const guint vc = self->vc_of[bit];

    if (self->config.takes_in_turn) {
        grant_way_in(self, turn, vc);
        if (input->has_way_in == 0) {
            return false;
        }
    }
    return self->ops.accept == NULL ||
           self->ops.accept(self->data, turn->node, input->packet, vc);
}

/* A packet's last flit goes through the output. */
static void pass(const NocNetwork *self, const Turn *turn, guint vc, uint32_t packet)
{
    if (self->ops.passed != NULL) {
        self->ops.passed(self->data, turn->node, turn->out, vc, packet);
    }
}

/* False if the node does not let the packet in. */
static bool eject(Cycle *cycle, const Turn *turn, NocChannel *input, guint bit)
{
    NocNetwork *self = cycle->network;
    NocEndpoint *endpoint = &self->endpoints[turn->node];
    const uint32_t packet = input->packet;
    const bool is_header = (input->owned & turn->flag) == 0;

    if (is_header && !may_enter(cycle, turn, input, bit)) {
        return false;
    }
    endpoint->eject_free = MAX(endpoint->eject_free, cycle->now * NOC_CYCLE) +
                           eject_cost(self, turn->node, packet, is_header);
    input->owned |= sim_u16(turn->flag);
    if (input->left == 1) {
        if (self->config.takes_in_turn) {
            input->has_way_in = 0;
            turn->channels[self->own_bit + self->vc_of[bit]].is_taken = 0;
        }
        pass(self, turn, self->vc_of[bit], packet);
        noc_line_send(&self->ejections, cycle->now + self->config.eject_cycles,
                      turn->node, packet);
    }
    return true;
}

/* The packet's last flit goes to a channel, which another may have after a gap. One
 * that is but a header does not take it. */
static void release(Cycle *cycle, const Turn *turn, guint beyond_bit, bool is_header)
{
    NocNetwork *self = cycle->network;

    if (self->config.gap_cycles == 0 || is_header) {
        turn->channels[beyond_bit].is_taken = 0;
    } else {
        noc_line_send(&self->releases, cycle->now + self->config.gap_cycles + 1,
                      turn->node * NOC_BITS + beyond_bit, 0);
    }
}

/* False if there is no channel for the packet or no room for the flit. */
static bool forward(Cycle *cycle, const Turn *turn, NocChannel *input, guint bit)
{
    NocNetwork *self = cycle->network;
    const guint out = turn->out;
    const bool is_header = (input->owned & turn->flag) == 0;

    if (is_header) {
        NocPacket *packet = &self->packets.packets[input->packet];
        const int beyond_bit = choose_channel(self, turn, bit, packet->ids);

        if (beyond_bit < 0) {
            return false;
        }
        packet->hops++;
        input->owned |= sim_u16(turn->flag);
        input->beyond[out] = sim_u8(beyond_bit);
    }
    const guint beyond_bit = input->beyond[out];
    NocChannel *beyond = &turn->channels[beyond_bit];

    if (beyond->held >= noc_room(self, turn->output)) {
        return false;
    }
    noc_take_room(turn->output, beyond);
    beyond->is_taken = 1;
    if (input->left == 1) {
        release(cycle, turn, beyond_bit, is_header);
        pass(self, turn, self->vc_of[beyond_bit], input->packet);
    }
    noc_batch_add(cycle->arrivals, turn->output->next + beyond_bit,
                  input->packet * 2 + is_header);
    return true;
}

/* Whether the packet at an input goes on through the output. One that has the choice
 * then asks for no other output, and has one channel to go by. */
static bool settle(Cycle *cycle, const Turn *turn, NocChannel *input, guint bit)
{
    const NocNetwork *self = cycle->network;
    int beyond_bit;

    if ((input->owned & turn->flag) != 0 || turn->out == self->port_count - 1) {
        return true;
    }
    beyond_bit = noc_choice_channel(self, turn->node * NOC_BITS + bit, turn->out);
    if (beyond_bit < 0) {
        if (beyond_bit == NOC_CHOICE_ELSEWHERE) {
            cycle->declined = turn->node * NOC_OUTPUTS + turn->out;
        }
        return false;
    }
    for (guint outs = input->outs & ~turn->flag; outs != 0; outs &= outs - 1) {
        self->outputs[turn->node * NOC_OUTPUTS + (guint) __builtin_ctz(outs)]
            .requests &= ~(UINT64_C(1) << bit);
    }
    input->outs = sim_u16(turn->flag);
    NocPacket *packet = &self->packets.packets[input->packet];
    const guint vc = self->vc_of[beyond_bit];

    packet->ids = sim_u16(1U << vc);
    packet->has_escaped |= vc < self->config.escape_count;
    return true;
}

/* Gives the output to the first input, in turn, that can use it. False if none can,
 * until a credit, a flit or a kick arrives. */
static bool serve_output(Cycle *cycle, uint32_t index)
{
    NocNetwork *self = cycle->network;
    const uint32_t node = index / NOC_OUTPUTS;
    const Turn turn = {
        .output = &self->outputs[index],
        .channels = &self->channels[(gsize) node * NOC_BITS],
        .served = &cycle->served[node % WORD_NODES],
        .node = node,
        .out = index % NOC_OUTPUTS,
        .flag = 1U << index % NOC_OUTPUTS,
    };
    const uint64_t able = turn.output->requests & ~*turn.served;
    const guint first = turn.output->turn;
    const bool is_own = turn.out == self->port_count - 1;

    if (is_own && self->endpoints[node].eject_free >= (cycle->now + 1) * NOC_CYCLE) {
        return true;
    }
    if (G_UNLIKELY(self->links_free != NULL) && self->links_free[index] > cycle->now) {
        return true;
    }
    for (uint64_t left = noc_in_turn(able, first); left != 0; left &= left - 1) {
        const guint bit = ((guint) __builtin_ctzll(left) + first) % NOC_BITS;
        NocChannel *input = &turn.channels[bit];

        if (G_UNLIKELY(self->choices != NULL) && !settle(cycle, &turn, input, bit)) {
            continue;
        }
        if (is_own ? eject(cycle, &turn, input, bit)
                   : forward(cycle, &turn, input, bit)) {
            leave(cycle, &turn, input, bit);
            self->has_moved = true;
            if (G_UNLIKELY(self->links_free != NULL) && !is_own) {
                self->links_free[index] = cycle->now + self->config.link_cycles;
            }
            return turn.output->requests != 0;
        }
    }
    return able != turn.output->requests || cycle->declined == index;
}

void noc_routers_tick(NocNetwork *self, SimTime now)
{
    NocSet *awake = &self->awake_outputs;
    Cycle cycle = {
        .network = self,
        .now = now,
        .arrivals = noc_line_open(&self->arrivals, now + self->config.hop_cycles),
        .credits = noc_line_open(&self->credits, now + self->config.credit_cycles),
        .declined = UINT32_MAX,
    };

    self->has_moved = false;
    for (guint word = 0; word < awake->word_count; word++) {
        uint64_t *here = &awake->words[word];

        if (*here == 0) {
            continue;
        }
        memset(cycle.served, 0, sizeof cycle.served);
        for (uint64_t bits = *here; bits != 0; bits &= bits - 1) {
            const guint bit = (guint) __builtin_ctzll(bits);
            const bool is_asleep = !serve_output(&cycle, word * NOC_WORD + bit);

            *here &= ~((uint64_t) is_asleep << bit);
        }
    }
}
