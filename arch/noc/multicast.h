/* Multicasts: one packet that branches over a rectangle of tiles, and the tree of
 * links that reach them. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/noc/niu.h"

/* Makes the queues of waiting multicasts and the table of channels they hold. */
void noc_multicast_open(NocNiuNoc *noc);
void noc_multicast_close(NocNiuNoc *noc);

/* Starts the multicast once the node's earlier ones have left and its tree is reserved.
 * Each channel is held until the packet's last flit has passed it. A linked multicast
 * leaves the tree to the node's next one. */
void noc_multicast_queue(NocNiuTransaction *transaction);

/* Its last flit has left. */
void noc_multicast_sent(NocNiuTransaction *transaction);

/* Its last flit leaves `node` through `out` by the channel with that dateline bit. */
void noc_multicast_passed(const NocNiuTransaction *transaction,
                          uint32_t node,
                          guint out,
                          guint bit);

/* The multicast has arrived at one of its tiles, which acknowledges it. */
void noc_multicast_arrived(NocNiuTransaction *transaction, uint32_t node);

/* The outputs of the tree at `node`, a bit each: along the sender's row, and down every
 * column of the rectangle. */
uint32_t noc_multicast_tree_outs(const NocNiuNoc *noc,
                                 uint32_t node,
                                 const NocNiuTransaction *transaction);
