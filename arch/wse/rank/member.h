/* How a PE gets into its rank, and out of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/rank/planes.h"
#include "arch/wse/rank/rank.h"
#include "arch/wse/region.h"
#include "sim/narrow.h"

/* A PE, found everywhere. */
typedef struct {
    WseRegion *region;
    const WseFit *fits; /* by kind */
    WseRank *rank;
    guint lane;
    uint32_t number;
} WseMember;

/* The neighbour over a link; its rank is NULL where the wafer ends. */
WseMember wse_member_beside(const WseMember *self, guint link);

static inline bool wse_member_is_in_step(const WseMember *self)
{
    return wse_planes_have(self->rank->in_step, self->lane);
}

/* Brings a PE into step from cycle `now` on, whose visit before that is over, if what
 * it does next is usual. It leaves at `alarm`, WSE_NEVER or not. */
bool wse_member_join(const WseMember *self, uint32_t now, uint32_t *alarm);

/* Writes what became of it, at the beginning of cycle `now`, into its block, for who
 * looks there. */
void wse_member_show(const WseMember *self, uint32_t now);

/* The same, at the beginning of cycle `when`, and it is not in step any more. It is
 * visited when its CE can go on and when wavelets get there; and then, if the visits of
 * that cycle are still to come. */
void wse_member_leave(const WseMember *self, uint32_t now, uint32_t when);

/* Steps that a microthread has before its last, which is not usual. */
static inline guint wse_member_steps(const WseThread *self)
{
    const guint left = sim_u32(self->length - self->done);

    return (left + self->usual - 1) / self->usual - 1;
}

/* Whether another token can be put into a ring of a PE that is not in step, then. */
static inline bool
wse_member_has_room(const WseRing *self, const WseToken *slots, uint32_t when)
{
    return self->count < self->depth && wse_ring_back_time(self, slots) <= when;
}
