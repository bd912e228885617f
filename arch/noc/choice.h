/* A packet's choice among several outputs of a router, and the rules that give it. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/noc/grid.h"
#include "arch/noc/network.h"

enum {
    NOC_CHOICE_NONE = -1,      /* no channel is free */
    NOC_CHOICE_ELSEWHERE = -2, /* one beyond another output is better */
};

/* The bit of the channel beyond output `out` that the packet at the head of the input
 * channel `index` takes now, or one of the above. It goes where a channel is free and
 * the fewest flits wait; by its escape channel only if no other is free.
 *
 * Beside an escape a packet gets a channel only if that is empty or has room for all of
 * it. Otherwise its head could wait behind a packet that waits for its own tail: no
 * head would then be where it can reach the escape (Duato, 1993; Ma, Enright Jerger and
 * Wang, "Whole packet forwarding", 2012). */
int noc_choice_channel(const NocNetwork *self, uint32_t index, guint out);

/* Any shortest way, in the directions of packet->ports. The escape goes along x first,
 * by channel 0 as long as it still has to pass the end of a ring, then by channel 1; on
 * a mesh always by channel 0. */
NocChoice
noc_choice_adaptive(const NocGrid *grid, uint32_t node, const NocPacket *packet);

/* To the west first, then any shortest way. On a mesh no ring can close, as no packet
 * turns to the west (Glass and Ni, 1992): it needs no escape. */
NocChoice
noc_choice_west_first(const NocGrid *grid, uint32_t node, const NocPacket *packet);
