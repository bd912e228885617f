/* What a watcher sees of links: when they carry flits. */
#pragma once

#include <glib.h>

#include "arch/noc/grid.h"
#include "sim/engine.h"
#include "sim/probe.h"

typedef struct LinkProbe LinkProbe;

/* Lanes from `first` on, of a grid with a unit for each direction. */
LinkProbe *link_probe_new(SimRegion *region, SimLane first, const NocGrid *grid);
void link_probe_free(LinkProbe *self); /* accepts NULL */

/* A flit leaves `node` through `port`, which takes its link for this cycle; the node's
 * own port is no link. */
void link_probe_flit(LinkProbe *self, uint32_t node, guint port, SimTime now);

/* Hands over what is kept because more may follow: nothing does before the next
 * cycle is over. */
void link_probe_flush(LinkProbe *self);
