/* A visit to one router: the state that router.c, switch.c and ramp.c share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/wake.h"
#include "sim/narrow.h"

/* Who got what in a visit. */
typedef struct {
    uint8_t taken;  /* outputs that got a token */
    uint8_t winner; /* slot of the color that got the ramp, or WSE_NO_RING */
    uint8_t loser;  /* slot of a color that lost its outputs to others, likewise */
} WseTurn;

typedef struct {
    WseRegion *region;
    const WseFabric *fabric;
    WsePe *pe;
    const WseKind *kind;
    WseColor *colors;
    const WseRoute *routes;
    WseRing *rings;
    WseToken *slots;
    uint32_t number;
    uint32_t now;
    uint32_t again; /* when the visited color or queue can move next */
    WseTurn turn;
} WseRouterVisit;

static inline bool wse_visit_is_free(WseRouterVisit *self, uint32_t when)
{
    if (when <= self->now) {
        return true;
    }
    self->again = MIN(self->again, when);
    return false;
}

/* Whether the ring, which has places in these slots, can take another token now. */
static inline bool
wse_visit_has_space(WseRouterVisit *self, WseRing *ring, const WseToken *slots)
{
    if (ring->count == ring->depth) {
        ring->waiting = WSE_SENDER;
        return false;
    }
    return wse_visit_is_free(self, wse_ring_back_time(ring, slots));
}

/* Cycles for which so many wavelets take a link or a ramp. Parts of a cycle add up in
 * `parts`, in units of the interval's denominator. */
static inline uint32_t
wse_visit_cycles(SimRatio interval, uint32_t count, uint32_t *parts)
{
    if (G_LIKELY(interval.den == 1)) {
        return count * sim_u32(interval.num);
    }
    uint64_t remainder = *parts;
    uint64_t cycles = sim_ratio_charge(interval, count, &remainder);

    *parts = sim_u32(remainder);
    return sim_u32(cycles);
}

/* Cycles from the first of so many wavelets to the last. */
static inline uint32_t wse_visit_span(SimRatio interval, uint32_t count)
{
    return G_LIKELY(count == 1) ? 0
                                : sim_u32((count - 1) * interval.num / interval.den);
}

/* The output is not free: another color may have taken it in this visit. */
static inline void wse_visit_miss_turn(WseRouterVisit *self, guint slot, guint output)
{
    if (self->turn.taken & (1u << output) && self->turn.loser == WSE_NO_RING) {
        self->turn.loser = sim_u8(slot);
    }
}

/* Gives the ramp to one of the output queues of a PE, in turn. */
void wse_ramp_poll(WseRegion *region, WsePe *pe, uint32_t number, uint32_t now);

/* Moves the switch after a token has left: a control wavelet, or the last wavelet of a
 * sender that advances the switch. */
void wse_switch_move(WseRouterVisit *self, guint slot, const WseToken *token);

/* The payload with which a control wavelet moves on. */
uint32_t
wse_switch_popped(const WseRoute *route, const WseColor *color, uint32_t payload);
