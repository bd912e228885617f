/* Multicasts: one packet that branches over a rectangle of tiles, and the tree of
 * links that reach them. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/noc/niu.h"

/* Makes the queues of waiting multicasts and the table of channels they hold. */
void noc_multicast_open(NocNiuNoc *noc);
void noc_multicast_close(NocNiuNoc *noc);

/* Starts the multicast once the node's earlier ones have left and its path is reserved,
 * which requires that no other node holds a channel of it. The path is held until all
 * tiles have the packet. A linked multicast holds it until the node's next one has
 * arrived everywhere too. */
void noc_multicast_queue(NocNiuTransaction *transaction);

/* Its last flit has left. */
void noc_multicast_sent(NocNiuTransaction *transaction);

/* The multicast has arrived at one of its tiles, which acknowledges it. */
void noc_multicast_arrived(NocNiuTransaction *transaction, uint32_t node);

/* The outputs of the tree at `node`, a bit each: along the sender's row, and down every
 * column of the rectangle. */
uint32_t noc_multicast_tree_outs(const NocNiuNoc *noc,
                                 uint32_t node,
                                 const NocNiuTransaction *transaction);
