/* One color of one router: from the program's settings to the router's actions. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/wse/layout.h"

/* Fails with ARCH_ERROR_INVALID and what is wrong, without the place. */
bool wse_route_make(const ArchParams *params,
                    guint color,
                    const ArchWseColorConfig *config,
                    WseRoute *route,
                    GError **error);

/* Completes the positions: what one does not name is as in the one before, or as in
 * position 0. */
void wse_route_resolve(WseRoute *self,
                       const ArchWsePosition *positions,
                       bool is_cumulative);

/* All directions it sends to in any position. */
uint8_t wse_route_outputs(const WseRoute *self);

/* For hash tables. */
guint wse_route_hash(gconstpointer route);
gboolean wse_route_equal(gconstpointer one, gconstpointer two);
