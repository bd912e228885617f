/* Multicasts: one packet that branches over a rectangle of tiles. */
#pragma once

#include <stdint.h>

#include "arch/noc/niu.h"

/* The outputs of the tree at `node`: along the sender's row, and down every column of
 * the rectangle. */
uint32_t
multicast_route(const NiuNoc *noc, uint32_t node, const NiuTransaction *transaction);

/* Starts it when the node's earlier ones have left: after its path is reserved. */
void multicast_queue(NiuTransaction *transaction);

/* Its last flit has left. */
void multicast_sent(NiuTransaction *transaction);

/* It has arrived at one of its tiles, which acknowledges it. */
void multicast_arrived(NiuTransaction *transaction, uint32_t node);
