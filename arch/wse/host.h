/* Streams between the host and the routers of PEs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/router/visit.h"

bool wse_host_send(WseFabric *fabric,
                   const ArchWseStream *stream,
                   const uint32_t *words,
                   GError **error);
bool wse_host_expect(WseFabric *fabric, const ArchWseStream *stream, GError **error);
bool wse_host_take(const WseFabric *fabric,
                   const ArchWseStream *stream,
                   uint32_t *words,
                   GError **error);

/* Before the router looks at a color of the host's: the next word comes, if it can. */
void wse_host_feed(WseRouterVisit *visit, guint slot);

/* After that: when to look again. */
void wse_host_look_again(WseRouterVisit *visit, guint slot);

/* Whether another wavelet for the host may enter the router: as many as there is space
 * for while the host takes some, and a few that wait for it. */
bool wse_host_lets_in(const WseFabric *fabric,
                      uint32_t pe,
                      guint slot,
                      const WseRing *ring);

/* Whether the host takes a wavelet from the PE now, which is then its own. */
bool wse_host_accept(WseRouterVisit *visit, guint slot, const WseToken *token);

/* Wavelets of a PE that have yet to move; `color` is one of theirs. */
guint wse_host_left(const WseRegion *region, uint32_t pe, guint *color);
