/* Packets in flight, as routers and endpoints see them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/noc/grid.h"
#include "sim/time.h"

#define NOC_PACKET_NONE UINT32_MAX

typedef struct {
    uint32_t source;
    uint32_t target;
    uint32_t via;        /* node to pass first, or NOC_NODE_NONE */
    uint32_t flits;      /* header included */
    uint16_t ids;        /* virtual channels it may use, a bit each */
    uint8_t queue;       /* injection queue of its source */
    uint8_t ports[2];    /* [axis]: its direction where both are possible */
    uint8_t has_escaped; /* by a channel for escape, on its way */
    uint16_t hops;       /* links passed so far */
    uint16_t targets;    /* nodes that still wait for it: 1, or more for a multicast */
    SimTime created;
    gpointer data; /* the sender's */
    uint32_t next_free;
} NocPacket;

typedef struct {
    NocPacket *packets;
    uint32_t count;
    uint32_t capacity;
    uint32_t first_free;
} NocPackets;

void noc_packets_init(NocPackets *self);
void noc_packets_clear(NocPackets *self);

/* Adds a copy of `packet` and returns its index. Pointers into the table become
 * invalid. */
uint32_t noc_packets_add(NocPackets *self, const NocPacket *packet);
void noc_packets_remove(NocPackets *self, uint32_t index);
