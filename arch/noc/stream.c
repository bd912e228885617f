/* Moves flits that follow their header, in the middle of a packet.
 *
 * These are most flits of large packets, and all they change is known: a place beyond
 * the output, a place here, and whose turn it is. They go first, in a loop that calls
 * nothing; whatever else a router has to do in this cycle waits for the second pass.
 * Outputs of a router keep their order, because they share its inputs; those of
 * different routers do not meet within a cycle. */
#include "arch/noc/network_state.h"

/* One pass over all routers. */
typedef struct {
    const NocNetwork *network;
    SimTime now;
    NocItem *arrivals; /* where the next one goes */
    NocItem *credits;  /* likewise */
} Pass;

typedef enum {
    LATER, /* the second pass has to look */
    KEPT,  /* some input wants the output still */
    DONE,
} Verdict;

/* Moves a flit through an output, from the first input in turn that can use it. One
 * for whose flit there is no room sleeps. */
static inline Verdict flow(Pass *pass, NocRouter *router, NocOutput *output)
{
    const guint first = output->turn;
    const guint room = noc_room(pass->network, output);
    const uint64_t served = noc_router_served(router, pass->now);
    uint64_t ready = output->ready;
    uint64_t able = ready & ~served;

    while (able != 0) {
        const guint bit =
            ((guint) __builtin_ctzll(noc_in_turn(able, first)) + first) % NOC_BITS;
        NocChannel *input = &router->channels[bit];
        const guint stream = input->stream;

        if (stream == NOC_NO_STREAM || input->left == 1) {
            output->ready = ready;
            return LATER;
        }
        NocEnd *end = &router->ends[stream];

        if (G_LIKELY(end->held < room)) {
            noc_take_room(output, end);
            *pass->arrivals++ = (NocItem){.where = output->next + stream};
            *pass->credits++ = input->credit;
            ready = noc_output_pass(output, ready, input, bit);
            router->served = served | pass->network->port_bits[bit];
            router->ticked = pass->now;
            break;
        }
        able ^= UINT64_C(1) << bit;
        ready ^= UINT64_C(1) << bit;
        output->asleep |= UINT64_C(1) << bit;
    }
    output->ready = ready;
    return ready != 0 ? KEPT : DONE;
}

/* Serves all outputs of one number, and keeps those that are still wanted. An output
 * behind one that has to wait for the second pass waits as well. */
static inline void serve(Pass *pass, NocNetwork *self, guint out)
{
    NocWanted *wanted = &self->wanted[out];
    uint32_t *nodes = wanted->nodes;
    const guint count = wanted->count;
    guint kept = 0;

    for (guint i = 0; i < count; i++) {
        const uint32_t node = nodes[i];
        NocRouter *router = &self->routers[node];
        const Verdict verdict = G_UNLIKELY(router->later != 0)
                                    ? LATER
                                    : flow(pass, router, &router->outputs[out]);

        if (G_UNLIKELY(verdict == LATER)) {
            router->later |= 1U << out;
            noc_set_add(&self->awake_routers, node);
        }
        router->awake &= ~((verdict == DONE ? 1U : 0U) << out);
        nodes[kept] = node;
        kept += verdict != DONE;
    }
    wanted->count = kept;
}

guint noc_streams_tick(NocNetwork *self,
                       SimTime now,
                       NocItem *arrivals,
                       NocItem *credits)
{
    Pass pass = {.network = self, .now = now, .arrivals = arrivals, .credits = credits};

    for (guint out = 0; out < self->plain_count; out++) {
        serve(&pass, self, out);
    }
    return sim_u32(pass.arrivals - arrivals);
}
