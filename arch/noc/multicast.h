/* Multicasts: one packet that branches over a rectangle of tiles, and the tree of
 * links that reach them. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/noc/niu.h"

/* The lines in which the nodes' multicasts wait, and the channels they hold. */
void noc_multicast_open(NocNiuNoc *noc);
void noc_multicast_close(NocNiuNoc *noc);

/* Starts it when the node's earlier ones have left, no other node holds a channel of
 * its path, and it has been reserved. It is held until all its tiles have the packet;
 * that of a linked one until the node's next one has come and arrived everywhere too.
 */
void noc_multicast_queue(NocNiuTransaction *transaction);

/* Its last flit has left. */
void noc_multicast_sent(NocNiuTransaction *transaction);

/* It has arrived at one of its tiles, which acknowledges it. */
void noc_multicast_arrived(NocNiuTransaction *transaction, uint32_t node);

/* The outputs of the tree at `node`, a bit each: along the sender's row, and down every
 * column of the rectangle. */
uint32_t noc_multicast_tree_outs(const NocNiuNoc *noc,
                                 uint32_t node,
                                 const NocNiuTransaction *transaction);
