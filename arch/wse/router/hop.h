/* A hop: where a token goes from a router, and when it gets there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/router/visit.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

/* The destination of a token at one output. */
typedef struct {
    WsePe *pe;
    uint32_t number;
    WseRing *ring;
    WseToken *slots; /* of that PE */
} WseHop;

/* The hop through this output into the ring behind it. */
static inline WseHop
wse_hop_to(const WseRouterVisit *self, const WseColor *color, guint output)
{
    WseHop hop = {.pe = self->pe, .number = self->number, .slots = self->slots};

    if (output == ARCH_WSE_RAMP) {
        hop.ring = &self->rings[self->kind->input_rings[color->queue]];
        return hop;
    }
    const WseBlock *parts = &self->fabric->block;

    hop.number = wse_region_neighbour(self->region, self->number, output);
    hop.pe = wse_region_pe(self->region, hop.number);
    hop.ring = &wse_pe_rings(hop.pe, parts)[color->next[output]];
    hop.slots = wse_pe_slots(hop.pe, parts);
    return hop;
}

/* Whether the output is free of other tokens. */
static inline bool wse_hop_is_open(WseRouterVisit *self, guint output)
{
    return wse_visit_is_free(self, output == ARCH_WSE_RAMP
                                       ? self->pe->ramp_in_free
                                       : self->pe->link_free[output]);
}

/* Through the ramp into the CE: it arrives ramp_in cycles from now. */
static inline void wse_hop_into_ce(WseRouterVisit *self,
                                   const WseColor *color,
                                   const WseHop *hop,
                                   WseToken token)
{
    const WseNumbers *numbers = &self->fabric->numbers;

    token.head = self->now + numbers->ramp_in;
    wse_ring_push(hop->ring, hop->slots, &token);
    self->pe->inputs |= sim_u8(1u << color->queue);
    self->pe->ramp_in_free =
        self->now +
        wse_visit_cycles(numbers->ramp_interval, token.count, &self->pe->ramp_in_parts);
    bool is_whole = !(self->kind->eager_inputs & (1u << color->queue));

    wse_region_wake_ce(self->region, self->pe, self->number, self->now,
                       token.head + (is_whole ? token.span : 0));
}

/* Over a link to the next router: the first wavelet arrives a hop from now, and the
 * link is taken for as many intervals as there are wavelets. */
static inline void
wse_hop_over_link(WseRouterVisit *self, guint link, const WseHop *hop, WseToken token)
{
    const WseNumbers *numbers = &self->fabric->numbers;

    token.head = self->now + numbers->hop;
    wse_ring_push(hop->ring, hop->slots, &token);
    self->pe->link_free[link] =
        self->now + wse_visit_cycles(numbers->link_interval, token.count,
                                     &self->pe->link_parts[link]);
    self->region->link_wavelets += token.count;
    hop->pe->pending |= 1u << hop->ring->slot;
    wse_region_wake(self->region, hop->number, self->now, token.head,
                    1u << hop->ring->slot);
}

/* The router before has an empty slot from `when` on, and was waiting for it. */
static inline void wse_hop_tell(WseRegion *region,
                                uint32_t number,
                                uint32_t now,
                                const WseRoute *route,
                                guint origin,
                                uint32_t when)
{
    uint32_t before = wse_region_neighbour(region, number, origin);
    const WseKind *kind = wse_region_kind(region, wse_region_pe(region, before));

    wse_region_wake(region, before, now, when,
                    1u << kind->router->slots[wse_route_arrival(route, origin)]);
}

/* The same for output queues of the PE itself. */
static inline void wse_hop_tell_queues(
    WseRegion *region, uint32_t number, uint32_t now, guint waiting, uint32_t when)
{
    WsePe *pe = wse_region_pe(region, number);

    pe->outputs |= sim_u8(waiting & ~(guint) WSE_SENDER);
    wse_region_wake_pe(region, pe, number, now, when, WSE_DUE_OUTPUTS);
}

/* The token in front of the ring of `origin` has gone; who fills it may do so again. */
static inline void wse_hop_leave(WseRouterVisit *self,
                                 const WseRoute *route,
                                 guint origin,
                                 WseRing *ring,
                                 uint32_t when)
{
    const guint waiting = ring->waiting;

    wse_ring_pop(ring, self->slots, when);
    ring->waiting = 0;
    if (waiting == 0) {
        return;
    }
    if (origin == ARCH_WSE_RAMP) {
        wse_hop_tell_queues(self->region, self->number, self->now, waiting, when);
    } else {
        wse_hop_tell(self->region, self->number, self->now, route, origin, when);
    }
}
