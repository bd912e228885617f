/* The tree of a multicast: which tiles of its rectangle are reached by which links. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/noc/niu.h"

enum {
    NOC_MULTICAST_CHANNELS =
        2, /* of the multicasts' class on each link: dateline bit */
};

/* Hops from the sender to the farthest tile, along each axis. */
typedef struct {
    guint x;
    guint y;
} NocMulticastReach;

NocMulticastReach noc_multicast_tree_reach(const NocNiuNoc *noc,
                                           const NocNiuTransaction *transaction);

/* Tiles that receive it. */
guint noc_multicast_tree_targets(const NocNiuNoc *noc,
                                 const NocNiuTransaction *transaction);

/* The outputs of the tree at `node`, a bit each: along the sender's row, and down every
 * column of the rectangle. */
uint32_t noc_multicast_tree_outs(const NocNiuNoc *noc,
                                 uint32_t node,
                                 const NocNiuTransaction *transaction);

/* All channels of the tree, each after the one that leads to it: (node * ports + port)
 * * NOC_MULTICAST_CHANNELS + dateline bit. Those into its tiles are among them: a tile
 * takes one packet of a channel at a time, and two multicasts that each have a tile the
 * other waits for would never end. The caller unrefs the array of uint32_t. */
GArray *noc_multicast_tree_channels(const NocNiuTransaction *transaction);
