/* Runs routers: one flit a cycle through each output and from each input, in turn.
 *
 * An output asks an input that it had to refuse only when a credit, a channel or a kick
 * could have changed that. Most flits follow their header: what they need is known. */
#include "arch/noc/choice.h"
#include "arch/noc/network_state.h"
#include "sim/narrow.h"

/* One cycle of some routers. */
typedef struct {
    NocNetwork *network;
    SimTime now;
    NocItem *arrivals; /* a hop later: where the next one goes */
    NocItem *credits;  /* likewise */
    bool has_declined; /* a packet could have had the output, but has better */
    bool has_moved;    /* a flit */
} Cycle;

/* One output within one cycle. */
typedef struct {
    NocRouter *router;
    NocOutput *output;
    uint32_t node;
    guint out;
    guint flag; /* 1 << out */
} Turn;

/* The dateline bit of the channel beyond the output for what came by `bit`. A packet
 * that changes to other channels on its way (Valiant) starts anew. */
static guint
dateline_bit(const NocNetwork *self, const Turn *turn, guint bit, guint ids)
{
    const NocGrid *grid = self->config.grid;
    const guint in = self->port_of[bit];

    if ((turn->router->crosses & turn->flag) != 0) {
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
        const NocEnd *beyond = &turn->router->ends[beyond_bit];
        const guint is_full = (beyond->owner != NOC_NO_OWNER) | (beyond->held >= room);
        const guint rank =
            (beyond->held * 2U + (id != present)) * NOC_BITS + beyond_bit;

        best = MIN(best, rank | -is_full);
    }
    return best == UINT_MAX ? -1 : sim_i32(best % NOC_BITS);
}

/* The oldest flit of an input has gone through all its outputs. */
static void pass_on(Cycle *cycle, const Turn *turn, NocChannel *input, guint bit)
{
    const uint32_t index = turn->node * NOC_BITS + bit;

    *cycle->credits++ = input->credit;
    input->done = 0;
    input->left--;
    input->count--;
    if (input->left == 0) {
        noc_input_next(cycle->network, index);
    } else if (input->count > 0) {
        noc_input_ask(cycle->network, index);
    }
}

/* The input's oldest flit has gone through the output. Other channels of its port must
 * wait for the next cycle, and so must itself once all outputs have that flit. */
static void leave(Cycle *cycle, const Turn *turn, NocChannel *input, guint bit)
{
    const NocNetwork *self = cycle->network;
    const uint64_t flag = UINT64_C(1) << bit;

    turn->output->flits++;
    turn->output->turn = sim_u16((bit + 1) % NOC_BITS);
    turn->output->ready &= ~flag;
    turn->router->served |= self->port_bits[bit];
    cycle->has_moved = true;
    if (SIM_PROBES && G_UNLIKELY(self->links != NULL)) {
        noc_link_probe_flit(self->links, turn->node, turn->out, cycle->now);
    }
    input->done |= sim_u8(turn->flag);
    if (G_LIKELY(input->done == input->outs)) {
        pass_on(cycle, turn, input, bit);
    } else {
        turn->router->served &= ~flag;
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
    NocEnd *way_in = &turn->router->ends[self->own_bit + vc];
    const uint64_t wanted = turn->output->ready | turn->output->asleep;
    guint port = way_in->turn;

    for (guint i = 0; i < self->port_count && way_in->owner == NOC_NO_OWNER; i++) {
        const guint bit = port * self->vc_count + vc;

        port = port + 1 == self->port_count ? 0 : port + 1;
        if ((wanted >> bit & 1) != 0) {
            way_in->owner = sim_u8(bit);
            way_in->turn = sim_u8(port);
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
        if (turn->router->ends[self->own_bit + vc].owner != bit) {
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
    input->owned |= sim_u8(turn->flag);
    if (input->left == 1) {
        if (self->config.takes_in_turn) {
            turn->router->ends[self->own_bit + self->vc_of[bit]].owner = NOC_NO_OWNER;
            noc_output_wake(turn->output, UINT64_MAX);
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
        turn->router->ends[beyond_bit].owner = NOC_NO_OWNER;
        noc_output_wake(turn->output, UINT64_MAX);
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
        input->owned |= sim_u8(turn->flag);
        input->beyond[out] = sim_u8(beyond_bit);
        if (input->outs == turn->flag) {
            input->stream = sim_u16(beyond_bit);
        }
    }
    const guint beyond_bit = input->beyond[out];
    NocEnd *beyond = &turn->router->ends[beyond_bit];

    if (beyond->held >= noc_room(self, turn->output)) {
        return false;
    }
    noc_take_room(turn->output, beyond);
    beyond->owner = sim_u8(bit);
    if (input->left == 1) {
        release(cycle, turn, beyond_bit, is_header);
        pass(self, turn, self->vc_of[beyond_bit], input->packet);
    }
    *cycle->arrivals++ = (NocItem){.where = turn->output->next + beyond_bit,
                                   .what = input->packet * 2 + is_header};
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
            cycle->has_declined = true;
        }
        return false;
    }
    for (guint outs = input->outs & ~turn->flag; outs != 0; outs &= outs - 1) {
        turn->router->outputs[__builtin_ctz(outs)].ready &= ~(UINT64_C(1) << bit);
    }
    input->outs = sim_u8(turn->flag);
    NocPacket *packet = &self->packets.packets[input->packet];
    const guint vc = self->vc_of[beyond_bit];

    packet->ids = sim_u16(1U << vc);
    packet->has_escaped |= vc < self->config.escape_count;
    return true;
}

/* A flit follows its header into the node, and another follows it. */
static void follow_in(Cycle *cycle, const Turn *turn, NocChannel *input, guint bit)
{
    NocNetwork *self = cycle->network;
    NocEndpoint *endpoint = &self->endpoints[turn->node];

    endpoint->eject_free = MAX(endpoint->eject_free, cycle->now * NOC_CYCLE) +
                           eject_cost(self, turn->node, input->packet, false);
    turn->output->ready =
        noc_output_pass(turn->output, turn->output->ready, input, bit);
    *cycle->credits++ = input->credit;
    turn->router->served |= self->port_bits[bit];
    cycle->has_moved = true;
}

/* False if the oldest flit of an input has to wait. */
static bool try_to_leave(Cycle *cycle, const Turn *turn, NocChannel *input, guint bit)
{
    const NocNetwork *self = cycle->network;
    const bool is_own = turn->out == self->port_count - 1;

    if (is_own && input->outs == turn->flag && input->owned != 0 && input->left > 1) {
        follow_in(cycle, turn, input, bit);
        return true;
    }
    if ((G_UNLIKELY(self->choices != NULL) && !settle(cycle, turn, input, bit)) ||
        !(is_own ? eject(cycle, turn, input, bit) : forward(cycle, turn, input, bit))) {
        return false;
    }
    leave(cycle, turn, input, bit);
    return true;
}

/* Gives the output to the first input, in turn, that can use it. False if none can. One
 * that cannot sleeps, unless what it may choose from can change at any time. */
static bool give_away(Cycle *cycle, const Turn *turn)
{
    NocOutput *output = turn->output;
    const guint first = output->turn;
    const uint64_t able = output->ready & ~turn->router->served;

    for (uint64_t left = noc_in_turn(able, first); left != 0; left &= left - 1) {
        const guint bit = ((guint) __builtin_ctzll(left) + first) % NOC_BITS;

        if (try_to_leave(cycle, turn, &turn->router->channels[bit], bit)) {
            return true;
        }
        if (G_LIKELY(cycle->network->choices == NULL)) {
            output->ready ^= UINT64_C(1) << bit;
            output->asleep |= UINT64_C(1) << bit;
        }
    }
    return false;
}

/* Whether a node cannot take a flit in this cycle. */
static inline bool is_resting(const Cycle *cycle, uint32_t node)
{
    return cycle->network->endpoints[node].eject_free >= (cycle->now + 1) * NOC_CYCLE;
}

/* False if the output has nothing to do until a credit, a flit or a kick arrives. */
static bool serve_output(Cycle *cycle, const Turn *turn)
{
    const NocNetwork *self = cycle->network;
    const NocOutput *output = turn->output;
    const bool is_own = turn->out == self->port_count - 1;
    SimTime *link_free =
        is_own || self->links_free == NULL
            ? NULL
            : &self->links_free[turn->node * self->port_count + turn->out];

    if (is_own && is_resting(cycle, turn->node)) {
        return true;
    }
    if (link_free != NULL && *link_free > cycle->now) {
        return true;
    }
    cycle->has_declined = false;
    if (!give_away(cycle, turn)) {
        return (output->ready & turn->router->served) != 0 || cycle->has_declined;
    }
    if (link_free != NULL) {
        *link_free = cycle->now + self->config.link_cycles;
    }
    /* What has a pace keeps the time even for those that sleep. */
    return (is_own || link_free != NULL ? output->ready | output->asleep
                                        : output->ready) != 0;
}

/* What the first pass has left of a router. */
static void serve_router(Cycle *cycle, uint32_t node)
{
    NocNetwork *self = cycle->network;
    NocRouter *router = &self->routers[node];
    const guint plain = (1U << self->plain_count) - 1;
    const guint own = 1U << (self->port_count - 1);
    const guint rest = router->later | (router->awake & ~plain);

    if (rest == own && is_resting(cycle, node)) {
        return;
    }
    router->served = noc_router_served(router, cycle->now);
    router->ticked = cycle->now;
    for (guint outs = rest; outs != 0; outs &= outs - 1) {
        const guint out = (guint) __builtin_ctz(outs);
        const Turn turn = {.router = router,
                           .output = &router->outputs[out],
                           .node = node,
                           .out = out,
                           .flag = 1U << out};

        if (!serve_output(cycle, &turn)) {
            router->awake &= ~(turn.flag & ~plain);
        }
    }
    router->later = 0;
    if ((router->awake & ~plain) == 0) {
        noc_set_remove(&self->awake_routers, node);
    }
}

/* The most flits that can move in this tick. */
static guint count_most(const NocNetwork *self)
{
    guint most = noc_set_count(&self->awake_routers) * self->port_count;

    for (guint out = 0; out < self->plain_count; out++) {
        most += self->wanted[out].count;
    }
    return most;
}

void noc_routers_tick(NocNetwork *self, SimTime now)
{
    const guint most = count_most(self);
    NocBatch *arrivals = noc_line_open(&self->arrivals, now + self->config.hop_cycles);
    NocBatch *credits = noc_line_open(&self->credits, now + self->config.credit_cycles);
    NocItem *first_arrival = noc_batch_reserve(arrivals, most);
    NocItem *first_credit = noc_batch_reserve(credits, most);
    const guint moved = noc_streams_tick(self, now, first_arrival, first_credit);
    const NocSet *set = &self->awake_routers;
    Cycle cycle = {
        .network = self,
        .now = now,
        .arrivals = first_arrival + moved,
        .credits = first_credit + moved,
        .has_moved = moved > 0,
    };

    for (guint word = 0; word < set->word_count; word++) {
        for (uint64_t bits = set->words[word]; bits != 0; bits &= bits - 1) {
            serve_router(&cycle, word * NOC_WORD + (guint) __builtin_ctzll(bits));
        }
    }
    arrivals->count += sim_u32(cycle.arrivals - first_arrival);
    credits->count += sim_u32(cycle.credits - first_credit);
    self->has_moved = cycle.has_moved;
}
