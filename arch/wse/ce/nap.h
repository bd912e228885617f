/* Naps of compute elements. Where all that one has to do until a wavelet comes concerns
 * nobody else, nobody visits it: what it would have done by then it does when one has
 * come, cycle by cycle, or when the run is over. */
#pragma once

#include "arch/wse/ce/visit.h"

/* Whether it is worth asking for a nap. */
static inline bool wse_nap_is_near(const WseVisit *self)
{
    return self->pe->inputs == 0 && self->fabric->may_nap &&
           self->region->ranks == NULL;
}

/* Lets the CE nap after its turn, if it can. Else it is to be visited. */
bool wse_nap_begin(WseVisit *self);

/* The cycle of the next turn after this one, if no wavelet comes before. */
static inline uint32_t wse_nap_next(const WseVisit *self)
{
    return self->pe->issue_free > self->now ? self->pe->issue_free : self->again;
}
