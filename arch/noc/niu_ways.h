/* The ways of packets between the tiles of a chip: its topology, and its routing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/noc/niu.h"

/* Checks noc.topology and noc.routing: a known word, or a file of routes that is
 * attached and fits. Fails with ARCH_ERROR_INVALID. */
bool noc_niu_ways_check(const ArchParams *params, GError **error);

/* Makes the grid of a network, and says which of its channels are whose. */
void noc_niu_ways_open(NocNiuNoc *noc, const ArchParams *params);

/* Sets the directions in which a packet goes where both are possible. */
void noc_niu_ways_begin(const NocNiuNoc *noc, NocPacket *packet);

/* The outputs, a bit each, through which a packet to one tile leaves `node`. */
uint32_t
noc_niu_ways_outs(const NocNiuNoc *noc, uint32_t node, const NocPacket *packet);

/* Links between two tiles, on the way that packets take. */
guint noc_niu_ways_hops(const NocNiuNoc *noc, uint32_t from, uint32_t to);
