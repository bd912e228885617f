/* Runs inputs: flits arrive, and the packet at the head of a channel asks for its way.
 */
#include "arch/noc/network_state.h"
#include "sim/narrow.h"

/* Finds the way of the packet at the head of an input. */
static void open_way(NocNetwork *self, uint32_t index, NocChannel *input)
{
    NocPacket *packet = &self->packets.packets[input->packet];
    const uint32_t outs = self->ops.route(self->data, index / NOC_BITS, packet);

    input->left = packet->flits;
    input->outs = sim_u8(outs);
    input->owned = 0;
    input->stream = NOC_NO_STREAM;
    if (G_UNLIKELY((outs & NOC_CHOICE) != 0)) {
        self->choices[index] = self->ops.choose(self->data, index / NOC_BITS, packet);
        input->outs = self->choices[index].outs | self->choices[index].escape;
    }
}

static inline void ask(NocNetwork *self, uint32_t index, guint outs)
{
    const uint32_t node = index / NOC_BITS;
    NocRouter *router = &self->routers[node];

    do {
        const guint out = (guint) __builtin_ctz(outs);

        router->outputs[out].ready |= UINT64_C(1) << index % NOC_BITS;
        noc_wake_output(self, router, node, out);
        outs &= outs - 1;
    } while (G_UNLIKELY(outs != 0));
}

void noc_input_ask(NocNetwork *self, uint32_t index)
{
    ask(self, index, noc_channel(self, index)->outs);
}

/* The place in a channel's ring. */
static uint32_t *ring_at(const NocNetwork *self, uint32_t index, guint position)
{
    return &self->rings[((gsize) index << self->ring_bits) +
                        (position & (self->ring - 1))];
}

void noc_input_next(NocNetwork *self, uint32_t index)
{
    NocChannel *input = noc_channel(self, index);

    if (input->count > 0) {
        input->packet = *ring_at(self, index, input->first++);
        open_way(self, index, input);
        ask(self, index, input->outs);
    }
}

static inline void receive(NocNetwork *self, uint32_t index, uint32_t flit)
{
    NocChannel *input = noc_channel(self, index);

    if (G_UNLIKELY((flit & 1) != 0)) {
        if (input->left == 0) {
            input->packet = flit / 2;
            open_way(self, index, input);
        } else {
            *ring_at(self, index, input->last++) = flit / 2;
        }
    }
    if (input->count++ == 0) {
        ask(self, index, input->outs);
    }
}

void noc_input_receive(NocNetwork *self, uint32_t index, uint32_t flit)
{
    receive(self, index, flit);
}

void noc_inputs_receive(NocNetwork *self, SimTime now)
{
    NocBatch *batch = noc_line_arrivals(&self->arrivals, now);
    const NocItem *items = batch->items;
    const guint count = batch->count;

    for (guint i = 0; i < count; i++) {
        receive(self, items[i].where, items[i].what);
    }
    noc_batch_finish(batch);
}
