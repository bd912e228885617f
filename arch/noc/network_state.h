/* Inside of a network: its buffers, who holds what, and what is on its way. */
#pragma once

#include "arch/noc/line.h"
#include "arch/noc/network.h"

/* Small fields are 16 bits wide, not 8: stores through byte types may alias anything,
 * and the compiler would have to read all pointers again after each. */

/* A channel, half a cache line: at an input the flits that have arrived and the packet
 * that passes; at the output of the same number what is known of the channel beyond it.
 */
typedef struct {
    uint32_t flit;  /* the oldest one, at hand */
    uint16_t first; /* position of the oldest flit in its ring */
    uint16_t count;
    uint16_t outs;  /* outputs of the packet that passes, a bit each; 0: none yet */
    uint16_t done;  /* outputs that have the oldest flit already */
    uint16_t owned; /* outputs where it has a channel */
    uint16_t out_vc[NOC_PORTS_MAXIMUM];
    uint16_t held;     /* flits beyond the output; the node's own port: injected ones */
    uint16_t is_taken; /* the channel beyond the output has a packet */
    uint16_t unused[2];
} NocChannel;

_Static_assert(sizeof(NocChannel) == 32, "two channels fill a cache line");

typedef struct {
    uint64_t requests[NOC_PORTS_MAXIMUM]; /* inputs that want an output, a bit each */
    uint16_t turn[NOC_PORTS_MAXIMUM];     /* the input whose turn it is */
    uint16_t pool[NOC_PORTS_MAXIMUM];     /* shared flits in use beyond an output */
    uint16_t wanted;                      /* outputs that have requests, a bit each */
    uint16_t crosses;                     /* outputs whose link lies at the dateline */
    uint32_t next[NOC_PORTS_MAXIMUM];     /* the node beyond an output */
    uint32_t previous[NOC_PORTS_MAXIMUM]; /* the node before an input */
    uint64_t link_flits[NOC_PORTS_MAXIMUM];
    uint64_t eject_free; /* when the node can take the next flit, in NOC_CYCLE parts */
} NocRouter;

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

/* A channel's index is node * 64 + bit, where bit = port * vc_count + vc. */
enum {
    NOC_BITS = 64,
};

struct NocNetwork {
    NocNetworkConfig config;
    NocEndpointOps ops;
    gpointer data;
    SimRegion *region;
    SimKey key;
    guint port_count;
    guint vc_count;  /* per port */
    guint bit_count; /* port_count * vc_count, at most NOC_BITS */
    guint ring;      /* flits a channel's ring can hold, a power of two */
    guint ring_bits; /* its exponent */
    NocPackets packets;
    uint64_t pending;
    uint64_t flit_hops;
    NocChannel *channels;
    uint32_t *flits; /* [channel][ring]: packet * 2 + is tail */
    NocRouter *routers;
    /* By node. */
    uint64_t *inject_free;
    uint64_t *injecting; /* channels with a packet, a bit each */
    uint16_t *inject_turn;
    NocQueue *queues;          /* [node][queue] */
    NocInjection *injections;  /* by channel of the node's own port */
    uint64_t *is_router_awake; /* bits */
    uint64_t *is_source_awake; /* bits */
    guint awake_words;
    uint16_t port_of[NOC_BITS];
    uint16_t vc_of[NOC_BITS];
    NocLine arrivals;  /* where: input channel; what: flit */
    NocLine credits;   /* where: output channel */
    NocLine ejections; /* where: node; what: packet */
    SimTime ticked;    /* the cycle of the last tick */
    SimEvent tick;
    SimTime tick_time;
    SimTime watch_time;
    NocWatchFunc watch;
    gpointer watch_data;
};

/* One cycle of all sources that have something to inject. */
void noc_sources_tick(NocNetwork *self, SimTime now);

/* One cycle of all routers that have something to do. */
void noc_routers_tick(NocNetwork *self, SimTime now);

/* A flit reaches an input channel. */
void noc_router_receive(NocNetwork *self, uint32_t index, uint32_t flit);

/* Calls the network at the next cycle at which something can happen. */
void noc_network_schedule(NocNetwork *self, SimTime when);

static inline void noc_wake(uint64_t *bits, uint32_t node)
{
    bits[node / 64] |= UINT64_C(1) << (node % 64);
}

static inline void noc_sleep(uint64_t *bits, uint32_t node)
{
    bits[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

/* Is there room for another flit beyond an output's channel? */
static inline bool noc_has_room(const NocNetwork *self,
                                const NocRouter *router,
                                guint out,
                                const NocChannel *channel)
{
    if (channel->held >= self->config.vc_flits) {
        return false;
    }
    return channel->held == 0 || self->config.pool_flits == 0 ||
           router->pool[out] < self->config.pool_flits;
}

static inline void noc_take_room(NocRouter *router, guint out, NocChannel *channel)
{
    if (++channel->held > 1) {
        router->pool[out]++;
    }
}

static inline void noc_give_room(NocRouter *router, guint out, NocChannel *channel)
{
    if (--channel->held > 0) {
        router->pool[out]--;
    }
}
