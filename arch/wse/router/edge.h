/* The edge of the layout, beyond which nothing is simulated. */
#pragma once

#include <stdbool.h>

#include "arch/wse/router/visit.h"

/* Does the layout end at this output of the router? */
bool wse_router_is_edge(const WseRouterVisit *self, guint output);

/* A wavelet by this route of the router is lost there. */
void wse_router_lose(WseRouterVisit *self, guint slot, ArchWseDirection to);
