/* Routers: one flit a cycle through each output and from each input, in turn. */
#include "arch/noc/network_state.h"

/* What became of an output's wish to send. */
typedef enum {
    ROUTER_GRANTED,
    ROUTER_LATER,   /* try again next cycle */
    ROUTER_BLOCKED, /* until a credit, a flit or a kick arrives */
} Verdict;

/* One router within one cycle. */
typedef struct {
    NocNetwork *network;
    NocRouter *router;
    NocChannel *channels; /* of this node */
    uint32_t node;
    SimTime now;
    guint busy[NOC_PORTS_MAXIMUM]; /* inputs that have sent: 1 + bit while their flit
                                      may go through further outputs, else INPUT_DONE */
} Cycle;

#define INPUT_DONE UINT_MAX

/* Finds the way of the packet at the head of an input. */
static void open_way(NocNetwork *self, uint32_t node, uint32_t index)
{
    NocChannel *input = &self->channels[index];
    NocPacket *packet = &self->packets.packets[input->flit / 2];

    input->outs = (uint16_t) self->ops.route(self->data, node, packet);
    input->done = 0;
    input->owned = 0;
}

static void request(NocRouter *router, guint outs, guint bit)
{
    router->wanted |= (uint16_t) outs;
    for (; outs != 0; outs &= outs - 1) {
        router->requests[__builtin_ctz(outs)] |= UINT64_C(1) << bit;
    }
}

void noc_router_receive(NocNetwork *self, uint32_t index, uint32_t flit)
{
    NocChannel *input = &self->channels[index];
    uint32_t node = index / NOC_BITS;

    self->flits[((gsize) index << self->ring_bits) +
                ((input->first + (guint) input->count) & (self->ring - 1))] = flit;
    if (input->count++ == 0) {
        input->flit = flit;
        if (input->outs == 0) {
            open_way(self, node, index);
        }
        request(&self->routers[node], input->outs, index % NOC_BITS);
        noc_wake(self->is_router_awake, node);
    }
}

/* The dateline bit of the channel beyond `out` for what came by `bit`. A packet that
 * changes to other channels on its way (Valiant) starts anew. */
static guint dateline_bit(const Cycle *cycle, guint bit, guint out, guint ids)
{
    const NocNetwork *self = cycle->network;
    const NocGrid *grid = self->config.grid;
    const guint in = self->port_of[bit];

    if ((cycle->router->crosses >> out & 1) != 0) {
        return 1;
    }
    if (in == grid->local || grid->directions[in].axis != grid->directions[out].axis ||
        (ids >> (self->vc_of[bit] / 2) & 1) == 0) {
        return 0;
    }
    return self->vc_of[bit] % 2;
}

/* The channel beyond `out` for a packet that came by `bit`: of those it may use the one
 * with the fewest flits, rather its present one; -1 when none is free. */
static int choose_channel(const Cycle *cycle, guint bit, guint out, guint ids)
{
    const NocNetwork *self = cycle->network;
    const bool has_dateline = self->config.has_dateline;
    const guint shift = has_dateline ? 1 : 0;
    const guint dateline = has_dateline ? dateline_bit(cycle, bit, out, ids) : 0;
    const guint present = self->vc_of[bit] >> shift;
    guint fewest = UINT_MAX;
    int best = -1;

    for (; ids != 0; ids &= ids - 1) {
        guint id = (guint) __builtin_ctz(ids);
        guint vc = (id << shift) + dateline;
        const NocChannel *beyond = &cycle->channels[out * self->vc_count + vc];

        if (beyond->is_taken == 0 && noc_has_room(self, cycle->router, out, beyond) &&
            (beyond->held < fewest || (beyond->held == fewest && id == present))) {
            best = (int) vc;
            fewest = beyond->held;
        }
    }
    return best;
}

/* The oldest flit of an input has gone through all its outputs. */
static void pass_on(const Cycle *cycle, guint bit)
{
    NocNetwork *self = cycle->network;
    NocChannel *input = &cycle->channels[bit];
    const uint32_t index = cycle->node * NOC_BITS + bit;
    const bool is_tail = (input->flit & 1) != 0;
    const uint32_t upstream = cycle->router->previous[self->port_of[bit]];

    input->first = (uint16_t) ((input->first + 1U) & (self->ring - 1));
    input->count--;
    input->done = 0;
    noc_line_send(&self->credits, cycle->now + self->config.credit_cycles,
                  upstream * NOC_BITS + bit, 0);
    if (is_tail) {
        input->outs = 0;
    }
    if (input->count > 0) {
        input->flit = self->flits[((gsize) index << self->ring_bits) + input->first];
        if (is_tail) {
            open_way(self, cycle->node, index);
        }
        request(cycle->router, input->outs, bit);
    }
}

/* The input's oldest flit has gone through `out`. */
static void leave(Cycle *cycle, guint bit, guint out)
{
    NocChannel *input = &cycle->channels[bit];
    NocRouter *router = cycle->router;
    const guint in = cycle->network->port_of[bit];

    router->turn[out] = (uint16_t) (bit + 1 == cycle->network->bit_count ? 0 : bit + 1);
    router->requests[out] &= ~(UINT64_C(1) << bit);
    if (router->requests[out] == 0) {
        router->wanted &= (uint16_t) ~(1U << out);
    }
    input->done |= (uint16_t) (1U << out);
    if (input->done == input->outs) {
        cycle->busy[in] = INPUT_DONE;
        pass_on(cycle, bit);
    } else {
        cycle->busy[in] = bit + 1;
    }
}

static uint32_t
eject_cost(const NocNetwork *self, uint32_t node, uint32_t packet, bool is_header)
{
    return self->ops.cost == NULL || is_header
               ? NOC_CYCLE
               : self->ops.cost(self->data, node, &self->packets.packets[packet], true);
}

static Verdict eject(Cycle *cycle, guint bit, guint out)
{
    NocNetwork *self = cycle->network;
    NocChannel *input = &cycle->channels[bit];
    NocRouter *router = cycle->router;
    const uint32_t flit = input->flit;
    const bool is_header = (input->owned >> out & 1) == 0;

    if (router->eject_free >= (cycle->now + 1) * NOC_CYCLE) {
        return ROUTER_LATER;
    }
    if (is_header) {
        if (self->ops.accept != NULL &&
            !self->ops.accept(self->data, cycle->node, flit / 2, self->vc_of[bit])) {
            return ROUTER_BLOCKED;
        }
        input->owned |= (uint16_t) (1U << out);
    }
    router->eject_free = MAX(router->eject_free, cycle->now * NOC_CYCLE) +
                         eject_cost(self, cycle->node, flit / 2, is_header);
    router->link_flits[out]++;
    if ((flit & 1) != 0) {
        noc_line_send(&self->ejections, cycle->now + self->config.eject_cycles,
                      cycle->node, flit / 2);
    }
    return ROUTER_GRANTED;
}

static Verdict forward(Cycle *cycle, guint bit, guint out)
{
    NocNetwork *self = cycle->network;
    NocChannel *input = &cycle->channels[bit];
    NocRouter *router = cycle->router;
    const uint32_t flit = input->flit;
    NocChannel *beyond;

    if ((input->owned >> out & 1) == 0) {
        NocPacket *packet = &self->packets.packets[flit / 2];
        int vc = choose_channel(cycle, bit, out, packet->ids);

        if (vc < 0) {
            return ROUTER_BLOCKED;
        }
        input->owned |= (uint16_t) (1U << out);
        input->out_vc[out] = (uint16_t) vc;
        cycle->channels[out * self->vc_count + (guint) vc].is_taken = 1;
        packet->hops++;
    }
    const guint beyond_bit = out * self->vc_count + input->out_vc[out];

    beyond = &cycle->channels[beyond_bit];
    if (!noc_has_room(self, router, out, beyond)) {
        return ROUTER_BLOCKED;
    }
    noc_take_room(router, out, beyond);
    noc_line_send(&self->arrivals, cycle->now + self->config.hop_cycles,
                  router->next[out] * NOC_BITS + beyond_bit, flit);
    router->link_flits[out]++;
    self->flit_hops++;
    if ((flit & 1) != 0) {
        beyond->is_taken = 0;
    }
    return ROUTER_GRANTED;
}

static Verdict try_input(Cycle *cycle, guint bit, guint out)
{
    const guint busy = cycle->busy[cycle->network->port_of[bit]];

    if (busy != 0 && busy != bit + 1) {
        return ROUTER_LATER;
    }
    return out == cycle->network->port_count - 1 ? eject(cycle, bit, out)
                                                 : forward(cycle, bit, out);
}

/* Gives the output to the first input, in turn, that can use it. */
static Verdict serve_output(Cycle *cycle, guint out)
{
    const uint64_t requests = cycle->router->requests[out];
    const uint64_t from_turn = requests & (UINT64_MAX << cycle->router->turn[out]);
    uint64_t left = from_turn != 0 ? from_turn : requests;
    uint64_t later = requests & ~left;
    Verdict best = ROUTER_BLOCKED;

    do {
        guint bit = (guint) __builtin_ctzll(left);
        Verdict verdict = try_input(cycle, bit, out);

        if (verdict == ROUTER_GRANTED) {
            leave(cycle, bit, out);
            return ROUTER_GRANTED;
        }
        best = MIN(best, verdict);
        left &= left - 1;
        if (left == 0) {
            left = later;
            later = 0;
        }
    } while (left != 0);
    return best;
}

static void tick_router(NocNetwork *self, uint32_t node, SimTime now)
{
    Cycle cycle = {
        .network = self,
        .router = &self->routers[node],
        .channels = &self->channels[(gsize) node * NOC_BITS],
        .node = node,
        .now = now,
    };
    bool is_idle = true;

    for (guint wanted = cycle.router->wanted; wanted != 0; wanted &= wanted - 1) {
        if (serve_output(&cycle, (guint) __builtin_ctz(wanted)) != ROUTER_BLOCKED) {
            is_idle = false;
        }
    }
    if (is_idle) {
        noc_sleep(self->is_router_awake, node);
    }
}

void noc_routers_tick(NocNetwork *self, SimTime now)
{
    for (guint word = 0; word < self->awake_words; word++) {
        for (uint64_t bits = self->is_router_awake[word]; bits != 0; bits &= bits - 1) {
            tick_router(self, word * 64 + (guint) __builtin_ctzll(bits), now);
        }
    }
}
