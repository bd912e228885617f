/* The usual hop: a token that is no control wavelet and moves no switch, in front of
 * the one ring that its color is taken from, goes over a link, into the CE, or both at
 * once; or it waits. It is what router.c would do, in fewer instructions; all other
 * cases are left to that. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/router/visit.h"
#include "arch/wse/watch/watch.h"

/* Whether hops may be usual: nobody watches them, multicasts are atomic, and links and
 * ramps take a wavelet a cycle. */
static inline bool wse_pass_is_possible(const WseRegion *region)
{
    return region->fabric->numbers.is_usual && !wse_is_watched(region);
}

/* Lets the tokens in front of these colors of the PE go on, one color after the other,
 * if they can; those that cannot are due again when they may. Ends before the first one
 * that is not usual. Returns the colors that are left. */
uint32_t wse_pass(WseRegion *region,
                  WsePe *pe,
                  uint32_t number,
                  uint32_t now,
                  uint32_t colors,
                  WseTurn *turn);
