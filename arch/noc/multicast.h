/* Multicasts: one packet that branches over a rectangle of tiles. */
#pragma once

#include <stdint.h>

#include "arch/noc/niu.h"

/* The lines in which the nodes' multicasts wait, and the channels they hold. */
void multicast_open(NiuNoc *noc);
void multicast_close(NiuNoc *noc);

/* Starts it when the node's earlier ones have left, no other node holds a channel of
 * its path, and it has been reserved. It is held until all its tiles have the packet;
 * that of a linked one until the node's next one has come and arrived everywhere too.
 */
void multicast_queue(NiuTransaction *transaction);

/* Its last flit has left. */
void multicast_sent(NiuTransaction *transaction);

/* It has arrived at one of its tiles, which acknowledges it. */
void multicast_arrived(NiuTransaction *transaction, uint32_t node);
