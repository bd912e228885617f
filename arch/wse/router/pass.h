/* The usual hop: a token that is no control wavelet and moves no switch, in front of
 * the one ring that its color is taken from, goes over a link, into the CE, or both at
 * once; or it waits. It is what router.c would do, in fewer instructions; all other
 * cases are left to that. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/wse/router/visit.h"
#include "arch/wse/watch/watch.h"

/* Whether hops of this visit may be usual: nobody watches them, multicasts are atomic,
 * and links and ramps take a wavelet a cycle. */
static inline bool wse_pass_is_possible(const WseRouterVisit *self)
{
    return self->fabric->numbers.is_usual && !wse_is_watched(self->region);
}

/* Lets the token in front of the color go on, if it can. If not, `again` says when it
 * may. Returns false for what is not usual; then nothing has changed. */
bool wse_pass(WseRouterVisit *self, guint slot);
