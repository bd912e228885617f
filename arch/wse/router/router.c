/* Arbitrates between the rings of a router and sends their tokens on. */
#include "arch/wse/router/router.h"

#include "arch/wse/data/carried.h"
#include "arch/wse/host.h"
#include "arch/wse/router/edge.h"
#include "arch/wse/router/filter.h"
#include "arch/wse/router/hop.h"
#include "arch/wse/router/pass.h"
#include "arch/wse/router/visit.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

/* Outputs for the token in front. */
static uint8_t
targets(const WseRoute *route, const WseColor *color, const WseToken *token)
{
    uint8_t tx =
        color->position == 0 && color->tx != 0 ? color->tx : route->tx[color->position];

    if (token->flags & WSE_TOKEN_CONTROL &&
        wse_control_at(token->data, 0).is_ce_filtered) {
        return tx & (uint8_t) ~(1u << ARCH_WSE_RAMP);
    }
    if (route->filter.kind != ARCH_WSE_FILTER_NONE &&
        !wse_filter_passes(&route->filter, color, token)) {
        return tx & (uint8_t) ~(1u << ARCH_WSE_RAMP);
    }
    return tx;
}

/* Which of these outputs can take the token in front now, and the ways by them. Those
 * that lead over the edge are left out: what goes there is lost. */
static uint8_t
able_outputs(WseRouterVisit *self, guint slot, uint8_t *outputs, WseHop ways[])
{
    bool is_atomic = self->fabric->numbers.is_multicast_atomic;
    uint8_t able = 0;

    for (guint left = *outputs; left != 0; left &= left - 1) {
        guint output = (guint) __builtin_ctz(left);

        if (G_UNLIKELY(output == ARCH_WSE_RAMP &&
                       self->colors[slot].queue == WSE_NO_RING)) {
            if (is_atomic) {
                return 0; /* until an operation binds its queue to the color */
            }
            continue;
        }
        if (G_UNLIKELY(output != ARCH_WSE_RAMP &&
                       self->colors[slot].next[output] == WSE_NO_RING)) {
            if (!wse_router_loses(self, slot, (ArchWseDirection) output)) {
                return 0;
            }
            *outputs &= (uint8_t) ~(1u << output);
            continue;
        }
        ways[output] = wse_hop_to(self, &self->colors[slot], output);
        if (wse_visit_has_space(self, ways[output].ring, ways[output].slots)) {
            able |= sim_u8(1u << output);
        } else if (is_atomic) {
            return 0;
        }
    }
    for (guint left = able; left != 0; left &= left - 1) {
        guint output = (guint) __builtin_ctz(left);

        if (!wse_hop_is_open(self, output)) {
            able &= (uint8_t) ~(1u << output);
            wse_visit_miss_turn(self, slot, output);
        }
    }
    return is_atomic && able != *outputs ? 0 : able;
}

static void send(WseRouterVisit *self,
                 guint slot,
                 uint8_t outputs,
                 const WseHop ways[],
                 const WseToken *token)
{
    WseColor *color = &self->colors[slot];

    if (G_UNLIKELY(token->flags & WSE_TOKEN_PAYLOAD)) {
        wse_carried_hold(self->region, token->data,
                         (guint) __builtin_popcount(outputs));
    }
    for (guint left = outputs; left != 0; left &= left - 1) {
        guint output = (guint) __builtin_ctz(left);
        const WseHop *way = &ways[output];

        self->region->afloat += token->count;
        if (output == ARCH_WSE_RAMP) {
            wse_hop_into_ce(self, color, way, *token);
            self->turn.winner = sim_u8(slot);
        } else {
            WseToken over = *token;

            if (G_UNLIKELY(token->flags & WSE_TOKEN_PAYLOAD)) {
                over.data = wse_carried_over(self->region, token->data, output);
            }
            wse_hop_over_link(self, output, way, over);
        }
    }
    self->turn.taken |= outputs;
}

/* When the last wavelet of the token leaves by these outputs: at the pace of the
 * slowest. */
static uint32_t
last_leaves(const WseRouterVisit *self, const WseToken *token, uint8_t outputs)
{
    const WseNumbers *numbers = &self->fabric->numbers;
    const bool has_link = (outputs & ((1u << WSE_LINKS) - 1)) != 0;
    const bool has_ramp = (outputs & (1u << ARCH_WSE_RAMP)) != 0;
    const uint32_t link = wse_visit_span(numbers->link_interval, token->count);
    const uint32_t ramp = wse_visit_span(numbers->ramp_interval, token->count);
    const uint32_t span = MAX(has_link ? link : 0, has_ramp ? ramp : 0);

    return MAX(token->head + token->span, self->now + MAX(span, token->count - 1u));
}

/* The token in front has gone by all its outputs, its last wavelet at `last`: it
 * leaves, and moves the switch. */
static void
leave(WseRouterVisit *self, guint slot, guint origin, WseRing *ring, uint32_t last)
{
    const WseRoute *route = &self->routes[slot];
    WseColor *color = &self->colors[slot];
    const WseToken token = *wse_ring_front(ring, self->slots);

    color->sent = 0;
    if (route->filter.kind != ARCH_WSE_FILTER_NONE) {
        wse_filter_count(&route->filter, color, &token);
    }
    if (G_UNLIKELY(token.flags & WSE_TOKEN_PAYLOAD)) {
        wse_carried_drop(self->region, token.data);
    }
    self->region->afloat -= token.count;
    wse_hop_leave(self, route, origin, ring, last + self->fabric->numbers.link_credit);
    if (token.flags & (WSE_TOKEN_CONTROL | WSE_TOKEN_ADVANCE)) {
        wse_switch_move(self, slot, &token);
        self->again = MIN(self->again, self->now + 1);
    } else if (ring->count > 0) {
        uint32_t head = wse_ring_front_time(ring, self->slots);

        self->again = MIN(self->again, MAX(head, self->now + 1));
    }
}

/* What goes where is seen before it goes. Out of the way of those whom nobody watches.
 */
static G_GNUC_NO_INLINE void show(const WseRouterVisit *self,
                                  guint slot,
                                  guint origin,
                                  guint able,
                                  const WseHop ways[])
{
    const WseColor *color = &self->colors[slot];
    const WseToken *token =
        wse_ring_front(&self->rings[color->rings[origin]], self->slots);
    const WseRouted routed = {
        .slot = slot,
        .origin = origin,
        .targets = targets(&self->routes[slot], color, token),
        .count = token->count,
        .trail = wse_watch_trail(self->region, self->number, token),
    };

    if (routed.targets == 0) {
        wse_watch_drop(self, &routed);
    }
    for (guint left = able; left != 0; left &= left - 1) {
        guint output = (guint) __builtin_ctz(left);

        wse_watch_send(self, &routed, output, ways[output].number,
                       wse_ring_back(ways[output].ring, ways[output].slots));
    }
}

/* The token in front of the ring goes wherever it has to, or waits; true if it left. */
static bool route_token(WseRouterVisit *self, guint slot, guint origin, WseRing *ring)
{
    const WseRoute *route = &self->routes[slot];
    WseColor *color = &self->colors[slot];
    WseToken token = *wse_ring_front(ring, self->slots);

    if (G_UNLIKELY(route->host == ARCH_WSE_HOST_TAKES)) {
        if (!wse_host_accept(self, slot, &token)) {
            return false;
        }
        leave(self, slot, origin, ring, last_leaves(self, &token, 1u << ARCH_WSE_RAMP));
        return true;
    }
    uint8_t outputs = targets(route, color, &token) & (uint8_t) ~color->sent;
    WseHop ways[ARCH_WSE_DIRECTIONS] = {{0}};
    uint8_t able = able_outputs(self, slot, &outputs, ways);

    if (wse_is_watched(self->region)) {
        show(self, slot, origin, able, ways);
    }
    if (able == 0 && outputs != 0) {
        return false;
    }
    const uint32_t last = last_leaves(self, &token, outputs);

    if (able != 0) {
        token.span = last - self->now;
        if (token.flags & WSE_TOKEN_CONTROL) {
            token.data = wse_switch_popped(route, color, token.data);
        }
        token.flags &= (uint16_t) ~WSE_TOKEN_ADVANCE;
        send(self, slot, able, ways, &token);
    }
    if (able == outputs) {
        leave(self, slot, origin, ring, last);
        return true;
    }
    color->sent |= able;
    return false;
}

/* A token of the ring arrives in this cycle. */
static bool has_arrival(const WseRouterVisit *self, const WseRing *ring)
{
    for (guint i = 0; i < ring->count; i++) {
        if (*wse_slot_time(self->slots, wse_ring_place(ring, i)) == self->now) {
            return true;
        }
    }
    return false;
}

/* Several origins at once: they may not collide, not even behind others that wait. */
static guint choose_origin(WseRouterVisit *self, guint slot, uint8_t rx)
{
    guint chosen = ARCH_WSE_DIRECTIONS;
    guint arrived = ARCH_WSE_DIRECTIONS;
    uint32_t oldest = WSE_NEVER;

    for (guint left = rx; left != 0; left &= left - 1) {
        guint origin = (guint) __builtin_ctz(left);
        uint8_t at = self->colors[slot].rings[origin];

        if (at == WSE_NO_RING || self->rings[at].count == 0) {
            continue;
        }
        uint32_t head = wse_ring_front_time(&self->rings[at], self->slots);
        bool is_arrival = has_arrival(self, &self->rings[at]);

        if (is_arrival && arrived != ARCH_WSE_DIRECTIONS) {
            wse_region_fail(self->region, self->number,
                            "two wavelets of color %u arrived in cycle %u, from %s and "
                            "from %s, and the router takes both",
                            self->routes[slot].color, self->now,
                            arch_wse_direction_name((ArchWseDirection) arrived),
                            arch_wse_direction_name((ArchWseDirection) origin));
        }
        if (is_arrival) {
            arrived = origin;
        }
        if (head < oldest) {
            oldest = head;
            chosen = origin;
        }
    }
    return chosen;
}

static void forget_if_empty(WseRouterVisit *self, guint slot)
{
    for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
        uint8_t at = self->colors[slot].rings[i];

        if (at != WSE_NO_RING && self->rings[at].count > 0) {
            return;
        }
    }
    self->pe->pending &= ~(1u << slot);
}

static void poll_color(WseRouterVisit *self, guint slot)
{
    const WseColor *color = &self->colors[slot];
    const WseRoute *route = &self->routes[slot];
    uint8_t rx =
        color->position == 0 && color->rx != 0 ? color->rx : route->rx[color->position];
    bool is_one = (rx & (rx - 1)) == 0;
    guint origin = G_LIKELY(is_one && rx != 0) ? (guint) __builtin_ctz(rx)
                                               : choose_origin(self, slot, rx);

    if (color->is_torn_down) {
        return;
    }
    WseRing *ring =
        origin == ARCH_WSE_DIRECTIONS ? NULL : &self->rings[color->rings[origin]];

    if (ring == NULL || ring->count == 0) {
        forget_if_empty(self, slot);
        return;
    }
    if (wse_visit_is_free(self, wse_ring_front_time(ring, self->slots))) {
        if (route_token(self, slot, origin, ring) && !is_one) {
            self->again = MIN(self->again, self->now + 1);
        }
    }
}

/* The color after the one that got the ramp is asked first in the next cycle; where
 * none did, one that lost a link to another. The one after the last is none, and the
 * first is asked after that. */
static void choose_first(const WseRegion *region, WsePe *pe, const WseTurn *turn)
{
    if (region->fabric->numbers.is_lowest_color_first) {
        return;
    }
    const guint loser = turn->loser != WSE_NO_RING ? turn->loser : pe->first_color;
    const guint first = turn->winner != WSE_NO_RING ? turn->winner + 1u : loser;

    pe->first_color = sim_u8(first & UINT8_MAX);
}

static void poll_colors(WseRouterVisit *self, uint32_t due)
{
    uint32_t above = UINT32_MAX << self->pe->first_color;
    uint32_t parts[] = {due & above, due & ~above};

    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        for (uint32_t left = parts[i]; left != 0; left &= left - 1) {
            guint slot = (guint) __builtin_ctz(left);

            self->again = WSE_NEVER;
            if (G_UNLIKELY(self->routes[slot].host != ARCH_WSE_NO_HOST)) {
                wse_host_feed(self, slot);
                poll_color(self, slot);
                wse_host_look_again(self, slot);
            } else {
                poll_color(self, slot);
            }
            if (self->again != WSE_NEVER) {
                wse_region_wake(self->region, self->number, self->now, self->again,
                                1u << slot);
            }
        }
    }
}

/* Moves tokens of these colors, after the usual ones had their turn. */
static G_GNUC_NO_INLINE void poll_unusual(WseRegion *region,
                                          WsePe *pe,
                                          uint32_t number,
                                          uint32_t now,
                                          uint32_t colors,
                                          WseTurn turn)
{
    const WseBlock *parts = &region->fabric->block;
    WseRouterVisit visit = {
        .region = region,
        .fabric = region->fabric,
        .pe = pe,
        .kind = wse_region_kind(region, pe),
        .colors = wse_pe_colors(pe, parts),
        .routes = wse_kind_routes(wse_region_kind(region, pe), pe, parts),
        .rings = wse_pe_rings(pe, parts),
        .slots = wse_pe_slots(pe, parts),
        .number = number,
        .now = now,
        .turn = turn,
    };

    poll_colors(&visit, colors);
    choose_first(region, pe, &visit.turn);
}

void wse_router_poll(
    WseRegion *region, WsePe *pe, uint32_t number, uint32_t now, uint32_t due)
{
    uint32_t colors = due & pe->pending;
    bool has_outputs = (due & WSE_DUE_OUTPUTS) != 0 && pe->outputs != 0;

    WseTurn turn = {.winner = WSE_NO_RING, .loser = WSE_NO_RING};

    if (G_LIKELY(colors != 0 && wse_pass_is_possible(region))) {
        colors = wse_pass(region, pe, number, now, colors, &turn);
        if (colors == 0) {
            choose_first(region, pe, &turn);
        }
    }
    if (G_UNLIKELY(colors != 0)) {
        poll_unusual(region, pe, number, now, colors, turn);
    }
    if (has_outputs) {
        wse_ramp_poll(region, pe, number, now);
    }
}
