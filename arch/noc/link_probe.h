/* What a watcher sees of links: when they carry flits. */
#pragma once

#include <glib.h>

#include "arch/noc/grid.h"
#include "sim/engine.h"
#include "sim/probe.h"

typedef struct NocLinkProbe NocLinkProbe;

/* Lanes from `first` on, of a grid with a unit for each direction. */
NocLinkProbe *noc_link_probe_new(SimRegion *region, SimLane first, const NocGrid *grid);
void noc_link_probe_free(NocLinkProbe *self); /* accepts NULL */

/* A flit leaves `node` through `port`, which takes its link for this cycle; the node's
 * own port is no link. */
void noc_link_probe_flit(NocLinkProbe *self, uint32_t node, guint port, SimTime now);

/* Hands over what is kept because more may follow: nothing does before the next
 * cycle is over. */
void noc_link_probe_flush(NocLinkProbe *self);
