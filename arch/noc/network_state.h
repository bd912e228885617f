/* The inside of a network: its buffers, their holders, and the flits in flight. */
#pragma once

#include "arch/noc/line.h"
#include "arch/noc/network.h"
#include "arch/noc/router.h"
#include "arch/noc/set.h"
#include "sim/narrow.h"

/* A line of packets that wait at a node. */
typedef struct {
    uint32_t *packets;
    guint first;
    guint count;
    guint capacity; /* a power of two, or 0 */
} NocQueue;

/* What a node is injecting through one channel. */
typedef struct {
    uint32_t packet; /* or NOC_PACKET_NONE */
    uint32_t sent;   /* flits */
} NocInjection;

/* The ways between a node and its router. */
typedef struct {
    uint64_t inject_free; /* when the next flit can go in, in NOC_CYCLE parts */
    uint64_t eject_free;  /* when the next flit can come out, likewise */
    uint64_t injecting;   /* channels with a packet, a bit each */
    uint64_t awaited;     /* those that the first packets of its queues may use */
    uint32_t turn;        /* the channel whose turn it is */
} NocEndpoint;

/* Outputs of one number that some input wants, in no order. */
typedef struct {
    uint32_t *nodes;
    guint count;
} NocWanted;

struct NocNetwork {
    NocNetworkConfig config;
    NocEndpointOps ops;
    gpointer data;
    SimRegion *region;
    SimKey key;
    guint port_count;
    guint vc_count;    /* per port */
    guint bit_count;   /* port_count * vc_count, at most NOC_BITS */
    guint own_bit;     /* the first one of the node's own port */
    guint ring;        /* packets a ring can hold, a power of two */
    guint ring_bits;   /* its exponent */
    guint plain_count; /* outputs, from the first, that the first pass serves */
    guint pool_most;   /* shared flits of an output; more than there are if no pool */
    NocPackets packets;
    uint64_t pending;
    NocRouter *routers;                  /* by node */
    NocWanted wanted[NOC_PORTS_MAXIMUM]; /* of outputs below plain_count */
    uint32_t *rings;                     /* [channel][ring]: packets */
    NocChoice *choices;                  /* by channel; NULL: packets have no choice */
    SimTime *links_free;          /* [node][port]: its next flit's time; NULL: any */
    NocEndpoint *endpoints;       /* by node */
    NocQueue *queues;             /* [node][queue] */
    NocInjection *injections;     /* by channel of the node's own port */
    NocSet awake_routers;         /* for the second pass */
    NocSet awake_sources;         /* nodes */
    bool has_moved;               /* a flit passed a router in the last tick */
    uint64_t port_bits[NOC_BITS]; /* all channels of the same port, a bit each */
    uint16_t port_of[NOC_BITS];
    uint16_t vc_of[NOC_BITS];
    NocLine arrivals;  /* where: input channel; what: packet * 2 + is header */
    NocLine credits;   /* where: a channel's end; what: its port */
    NocLine releases;  /* where: an end that another packet may have */
    NocLine ejections; /* where: node; what: packet */
    SimTime ticked;    /* the cycle of the last tick */
    SimEvent tick;
    SimTime tick_time;
    SimTime watch_time;
    NocWatchFunc watch;
    gpointer watch_data;
    NocLinkProbe *links; /* NULL: nobody watches them */
};

/* One cycle of all sources or routers that have something to do. */
void noc_sources_tick(NocNetwork *self, SimTime now);
void noc_routers_tick(NocNetwork *self, SimTime now);

/* The first pass of all routers, for the flits in the middle of packets. Puts what goes
 * to other nodes where `arrivals` and `credits` point; returns how many flits moved. */
guint noc_streams_tick(NocNetwork *self,
                       SimTime now,
                       NocItem *arrivals,
                       NocItem *credits);

/* Lets the first pass serve that many outputs of each router, from the first on, and
 * the second pass the others. Call it between ticks. */
void noc_network_choose_passes(NocNetwork *self, guint plain_count);

/* Receives the flits that arrive at input channels now, or one flit. */
void noc_inputs_receive(NocNetwork *self, SimTime now);
void noc_input_receive(NocNetwork *self, uint32_t index, uint32_t flit);

/* The packet at the head of an input asks for its outputs again, with its next flit; or
 * the next packet, if there is one, comes to the head and asks. */
void noc_input_ask(NocNetwork *self, uint32_t index);
void noc_input_next(NocNetwork *self, uint32_t index);

/* A SimAuditFunc for self-checks: credits are conserved. */
void noc_network_check(gpointer data, GPtrArray *lines);

/* Calls the network at the next cycle at which something can happen. */
void noc_network_schedule(NocNetwork *self, SimTime when);

static inline NocChannel *noc_channel(const NocNetwork *self, uint32_t index)
{
    return &self->routers[index / NOC_BITS].channels[index % NOC_BITS];
}

static inline NocEnd *noc_end(const NocNetwork *self, uint32_t index)
{
    return &self->routers[index / NOC_BITS].ends[index % NOC_BITS];
}

/* Flits that a channel beyond an output may hold: one if the pool is used up. */
static inline guint noc_room(const NocNetwork *self, const NocOutput *output)
{
    return output->pool < self->pool_most ? self->config.vc_flits : 1;
}

/* An output may have something to do in the next tick. */
static inline void
noc_wake_output(NocNetwork *self, NocRouter *router, uint32_t node, guint out)
{
    const guint flag = 1U << out;

    if (G_LIKELY(out < self->plain_count)) {
        NocWanted *wanted = &self->wanted[out];

        wanted->nodes[wanted->count] = node;
        wanted->count += (router->awake & flag) == 0;
    } else {
        noc_set_add(&self->awake_routers, node);
    }
    router->awake |= flag;
}
