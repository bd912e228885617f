/* The inside of a network: its buffers, their holders, and the flits in flight. */
#pragma once

#include "arch/noc/line.h"
#include "arch/noc/network.h"
#include "arch/noc/set.h"
#include "sim/narrow.h"

/* Small fields are 16 bits wide, not 8, but where they are written rarely: stores
 * through byte types may alias any pointer, which then has to be read again. */

/* A channel, half a cache line: at an input, its flits and the packet that passes; at
 * the output of the same number, the state of the channel beyond. */
typedef struct {
    uint32_t packet; /* the one that passes */
    uint32_t left;   /* its flits that have not yet left; 0: none passes */
    uint16_t count;  /* flits here, of it and of those behind it */
    uint16_t first;  /* packets behind it lie in its ring, from here */
    uint16_t last;   /* to before here */
    uint16_t outs;   /* outputs of the packet, a bit each */
    uint16_t done;   /* outputs that already have the oldest flit */
    uint16_t owned;  /* outputs where it has a channel */
    uint8_t beyond[NOC_PORTS_MAXIMUM]; /* bits of those channels */
    uint16_t held;     /* flits beyond the output; the node's own port: injected ones */
    uint16_t is_taken; /* the channel beyond the output, or of the node, has a packet */
    uint8_t has_way_in; /* the packet that passes has the node's channel */
    uint8_t turn;       /* the node's own port: the input port whose turn it is */
} NocChannel;

_Static_assert(sizeof(NocChannel) == 32, "two channels fill a cache line");

/* An output of a router. */
typedef struct {
    uint64_t requests; /* inputs of its router that want it, a bit each */
    uint64_t flits;    /* that have left */
    uint32_t next;     /* first channel of the node beyond */
    uint32_t previous; /* of the node whose output of this number leads here */
    uint16_t turn;     /* the input whose turn it is */
    uint16_t pool;     /* shared flits in use beyond it */
    uint16_t crosses;  /* its link lies at the dateline */
} NocOutput;

_Static_assert(sizeof(NocOutput) == 32, "two outputs fill a cache line");

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
    uint32_t turn;        /* the channel whose turn it is */
} NocEndpoint;

enum {
    NOC_BITS = 64,   /* a channel is node * 64 + bit, bit = port * vc_count + vc */
    NOC_OUTPUTS = 8, /* an output is node * 8 + port */
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
    guint own_bit;   /* the first one of the node's own port */
    guint ring;      /* packets a ring can hold, a power of two */
    guint ring_bits; /* its exponent */
    NocPackets packets;
    uint64_t pending;
    NocChannel *channels;
    uint32_t *rings;              /* [channel][ring]: packets */
    NocChoice *choices;           /* by channel; NULL: packets have no choice */
    NocOutput *outputs;           /* [node][NOC_OUTPUTS] */
    SimTime *links_free;          /* likewise: its next flit's time; NULL: any */
    NocEndpoint *endpoints;       /* by node */
    NocQueue *queues;             /* [node][queue] */
    NocInjection *injections;     /* by channel of the node's own port */
    NocSet awake_outputs;         /* outputs that may serve one of their requests */
    NocSet awake_sources;         /* nodes */
    bool has_moved;               /* a flit passed a router in the last tick */
    uint64_t port_bits[NOC_BITS]; /* all channels of the same port, a bit each */
    uint16_t port_of[NOC_BITS];
    uint16_t vc_of[NOC_BITS];
    NocLine arrivals;  /* where: input channel; what: packet * 2 + is header */
    NocLine credits;   /* where: output channel */
    NocLine releases;  /* likewise, that another packet may have */
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
/* Receives the flits that arrive at input channels now, or one flit. */
void noc_routers_receive(NocNetwork *self, SimTime now);
void noc_router_receive(NocNetwork *self, uint32_t index, uint32_t flit);

/* A SimAuditFunc for self-checks: credits are conserved. */
void noc_network_check(gpointer data, GPtrArray *lines);

/* Calls the network at the next cycle at which something can happen. */
void noc_network_schedule(NocNetwork *self, SimTime when);

/* Flits that a channel beyond an output may hold: one if the pool is used up. */
static inline guint noc_room(const NocNetwork *self, const NocOutput *output)
{
    return self->config.pool_flits == 0 || output->pool < self->config.pool_flits
               ? self->config.vc_flits
               : 1;
}

static inline void noc_take_room(NocOutput *output, NocChannel *channel)
{
    output->pool = sim_u16(output->pool + (channel->held > 0));
    channel->held++;
}

static inline void noc_give_room(NocOutput *output, NocChannel *channel)
{
    channel->held--;
    output->pool = sim_u16(output->pool - (channel->held > 0));
}

/* Rotates `bits` so that bit `turn` comes first, for round-robin. */
static inline uint64_t noc_in_turn(uint64_t bits, guint turn)
{
    return bits >> turn | bits << (-turn % NOC_BITS);
}
