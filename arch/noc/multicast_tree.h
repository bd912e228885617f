/* The tree of a multicast: which tiles of its rectangle are reached by which links. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/noc/niu.h"

enum {
    MULTICAST_CHANNELS = 2, /* of the multicasts' class on each link: dateline bit */
};

/* Hops from the sender to the farthest tile, along each axis. */
typedef struct {
    guint x;
    guint y;
} MulticastReach;

MulticastReach multicast_tree_reach(const NiuNoc *noc,
                                    const NiuTransaction *transaction);

/* Tiles that receive it. */
guint multicast_tree_targets(const NiuNoc *noc, const NiuTransaction *transaction);

/* The outputs of the tree at `node`, a bit each: along the sender's row, and down every
 * column of the rectangle. */
uint32_t multicast_tree_outs(const NiuNoc *noc,
                             uint32_t node,
                             const NiuTransaction *transaction);

/* All channels of the tree, each after the one that leads to it: (node * ports + port)
 * * MULTICAST_CHANNELS + dateline bit. Those into its tiles are among them: a tile
 * takes one packet of a channel at a time, and two multicasts that each have a tile the
 * other waits for would never end. The caller unrefs the array of uint32_t. */
GArray *multicast_tree_channels(const NiuTransaction *transaction);
