/* The edge of the layout, beyond which nothing is simulated. */
#pragma once

#include <stdbool.h>

#include "arch/wse/router/visit.h"

/* Whether a wavelet by this route of the router is lost over the edge. Where there is
 * none, the run fails: nobody takes it. */
bool wse_router_loses(WseRouterVisit *self, guint slot, ArchWseDirection to);

/* Forgets what the region has lost, if that was after this cycle. */
void wse_edge_end_at(WseRegion *region, uint32_t last);
