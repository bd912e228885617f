/* The state of a router: its channels, their holders, and who wants which output. */
#pragma once

#include <stdint.h>

#include "arch/noc/grid.h"
#include "arch/noc/line.h"
#include "sim/narrow.h"
#include "sim/time.h"

enum {
    NOC_BITS = 64, /* a channel is node * 64 + bit, bit = port * vc_count + vc */
    NOC_NO_STREAM = UINT16_MAX,
    NOC_NO_OWNER = UINT8_MAX,
};

/* Fields that change with every flit are 16 bits wide, not 8: stores through byte types
 * may alias any pointer, which then has to be read again. */

/* A channel at an input, half a cache line: its flits and the packet that passes. */
typedef struct {
    NocItem credit;  /* what a flit sends back: the channel, and its port */
    uint32_t packet; /* the one that passes */
    uint32_t left;   /* its flits that have not yet left; 0: none passes */
    uint16_t count;  /* flits here, of it and of those behind it */
    uint16_t stream; /* the bit of the channel beyond by which its header has gone, if
                      * it has one output, to another node; else NOC_NO_STREAM */
    uint16_t first;  /* packets behind it lie in its ring, from here */
    uint16_t last;   /* to before here */
    uint8_t outs;    /* outputs of the packet, a bit each */
    uint8_t done;    /* outputs that already have the oldest flit */
    uint8_t owned;   /* outputs where it has a channel */
    uint8_t beyond[NOC_PORTS_MAXIMUM]; /* bits of those channels */
} NocChannel;

_Static_assert(sizeof(NocChannel) == 32, "two channels fill a cache line");

/* The near end of a channel, at the output where it begins; at the node's own port: of
 * the way from the node into its router, and of the one back. */
typedef struct {
    uint16_t held; /* flits beyond; the node's own port: injected ones */
    uint8_t owner; /* bit of the input whose packet has it; NOC_NO_OWNER: none */
    uint8_t turn;  /* the node's own port: the input port whose turn it is */
} NocEnd;

typedef struct {
    uint64_t ready;  /* inputs of the router that want it, a bit each */
    uint64_t asleep; /* others that do, but have to wait for something to change */
    uint64_t flits;  /* that have left */
    uint32_t next;   /* first channel of the node beyond */
    uint16_t turn;   /* the input whose turn it is */
    uint16_t pool;   /* shared flits in use beyond it */
} NocOutput;

_Static_assert(sizeof(NocOutput) == 32, "two outputs fill a cache line");

typedef struct {
    NocOutput outputs[NOC_PORTS_MAXIMUM];
    SimTime ticked;        /* the cycle that `served` is of */
    uint64_t served;       /* inputs that must not send again in it, a bit each */
    uint32_t awake;        /* outputs that may have something to do, a bit each */
    uint32_t later;        /* of these, those that wait for the second pass */
    uint32_t crosses;      /* outputs whose links lie at the dateline, a bit each */
    NocEnd ends[NOC_BITS]; /* by bit, at the output of its port */
    NocChannel channels[NOC_BITS]; /* by bit, at the input of its port */
} NocRouter;

/* The inputs that must not send again in this cycle. */
static inline uint64_t noc_router_served(const NocRouter *self, SimTime now)
{
    return self->ticked == now ? self->served : 0;
}

/* Lets inputs of these bits that wait for an output try again. */
static inline void noc_output_wake(NocOutput *self, uint64_t bits)
{
    const uint64_t woken = self->asleep & bits;

    self->ready |= woken;
    self->asleep ^= woken;
}

static inline void noc_take_room(NocOutput *output, NocEnd *end)
{
    output->pool = sim_u16(output->pool + (end->held > 0));
    end->held++;
}

static inline void noc_give_room(NocOutput *output, NocEnd *end)
{
    end->held--;
    output->pool = sim_u16(output->pool - (end->held > 0));
}

/* A flit in the middle of a packet goes from an input through an output, which `ready`
 * inputs want before; returns those that do so after it. */
static inline uint64_t
noc_output_pass(NocOutput *self, uint64_t ready, NocChannel *input, guint bit)
{
    input->count--;
    input->left--;
    ready &= ~((uint64_t) (input->count == 0) << bit);
    self->flits++;
    self->turn = sim_u16((bit + 1) % NOC_BITS);
    return ready;
}

/* Rotates `bits` so that bit `turn` comes first, for round-robin. */
static inline uint64_t noc_in_turn(uint64_t bits, guint turn)
{
    return bits >> turn | bits << (-turn % NOC_BITS);
}
