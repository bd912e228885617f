/* The routes of every PE while a layout is put together: by color, a number of a route
 * per PE, equal routes once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/layout.h"

typedef struct WseRouting WseRouting;

WseRouting *wse_routing_new(guint columns, guint rows);
void wse_routing_free(WseRouting *self);

/* Gives every PE of `tiles`, which lie in the rectangle, this route of its color in
 * place of what it had. False when there are too many different ones. */
bool wse_routing_set(WseRouting *self, ArchWseTiles tiles, const WseRoute *route);

/* Which class of routers each PE has, `router_of`, and what that does, `routers`.
 * Classes are numbered in the order in which they appear, row by row. PEs of different
 * programs that change a route as they run have different ones. False when there are
 * too many. */
bool wse_routing_classify(const WseRouting *self,
                          const GPtrArray *programs,
                          const uint16_t *program_of,
                          uint16_t *router_of,
                          GArray *routers);
