/* Sends usual tokens on. */
#include "arch/wse/router/pass.h"

#include "arch/wse/router/hop.h"
#include "sim/narrow.h"

enum {
    LINKS = (1 << WSE_LINKS) - 1, /* of outputs */
};

/* The way over a link that leads somewhere. */
static WseHop way_over(const WseRouterVisit *self, const WseColor *color, guint link)
{
    const gssize stride = self->region->strides[link];
    WseRing *rings = (WseRing *) (gpointer) ((char *) self->rings + stride);
    WseToken *slots = (WseToken *) (gpointer) ((char *) self->slots + stride);
    WseRing *ring = &rings[color->next[link]];

    return (WseHop){
        .pe = (WsePe *) (gpointer) ((char *) self->pe + stride),
        .number = wse_region_neighbour(self->region, self->number, link),
        .ring = ring,
        .slot = wse_ring_back(ring, slots),
    };
}

/* The way into the CE. */
static WseHop way_into(const WseRouterVisit *self, const WseColor *color)
{
    WseRing *ring = &self->rings[self->kind->input_rings[color->queue]];

    return (WseHop){self->pe, self->number, ring, wse_ring_back(ring, self->slots)};
}

/* A copy of the token gets to the end of the way, from where it goes on at `head`. */
static void put(WseRouterVisit *self,
                const WseHop *way,
                const WseToken *token,
                uint32_t head,
                uint32_t span)
{
    way->slot->head = head;
    way->slot->span = span;
    way->slot->count = token->count;
    way->slot->flags = token->flags;
    way->slot->data = token->data;
    way->ring->count++;
    self->region->afloat += token->count;
}

static void send_over(WseRouterVisit *self,
                      guint link,
                      const WseHop *way,
                      const WseToken *token,
                      uint32_t span)
{
    const uint32_t head = self->now + self->fabric->numbers.hop;
    const uint32_t due = 1u << way->ring->slot;

    put(self, way, token, head, span);
    self->pe->link_free[link] = self->now + token->count;
    self->region->link_wavelets += token->count;
    way->pe->pending |= due;
    wse_region_wake(self->region, way->number, self->now, head, due);
}

static void send_into(WseRouterVisit *self,
                      guint queue,
                      const WseHop *way,
                      const WseToken *token,
                      uint32_t span)
{
    const uint32_t head = self->now + self->fabric->numbers.ramp_in;
    const bool is_eager = (self->kind->eager_inputs >> queue & 1) != 0;

    put(self, way, token, head, span);
    self->pe->ramp_in_free = self->now + token->count;
    self->pe->inputs |= sim_u8(1u << queue);
    wse_region_wake_ce(self->region, self->number, self->now,
                       head + (is_eager ? 0 : span));
}

/* Whether an output is free; if not, another color may have taken it in this visit. */
static bool is_free(WseRouterVisit *self, guint slot, guint output, uint32_t when)
{
    if (wse_visit_is_free(self, when)) {
        return true;
    }
    wse_visit_miss_turn(self, slot, output);
    return false;
}

/* As many references to the token's payload as outputs, instead of its own. */
static void share(const WseRouterVisit *self, const WseToken *token, guint outputs)
{
    WsePayloads *payloads = wse_region_payloads(self->region, token->data);
    const guint count = (guint) __builtin_popcount(outputs);

    if (count == 0) {
        wse_payloads_drop(payloads, token->data);
    } else if (count > 1) {
        wse_payloads_hold(payloads, token->data, count - 1);
    }
}

/* Whether the color is taken from one ring, and goes over this link at most and into
 * the CE, where it is awaited. */
static bool is_plain(const WseColor *color, guint links, guint link)
{
    const bool is_in = color->outputs >> ARCH_WSE_RAMP != 0;

    return color->origin != WSE_NO_RING && (links & (links - 1)) == 0 &&
           (links == 0 || color->next[link] != WSE_NO_RING) &&
           (!is_in || color->queue != WSE_NO_RING);
}

bool wse_pass(WseRouterVisit *self, guint slot)
{
    const WseColor *color = &self->colors[slot];
    const guint links = color->outputs & LINKS;
    const guint link = links == 0 ? 0 : (guint) __builtin_ctz(links);
    const bool is_in = color->outputs >> ARCH_WSE_RAMP != 0;
    WseHop over = {0};
    WseHop into = {0};

    if (!is_plain(color, links, link)) {
        return false;
    }
    WseRing *ring = &self->rings[color->rings[color->origin]];
    const WseToken *token = wse_ring_front(ring, self->slots);

    if (ring->count == 0 || (token->flags & ~WSE_TOKEN_PAYLOAD) != 0) {
        return false;
    }
    if (!wse_visit_is_free(self, token->head)) {
        return true;
    }
    if (links != 0) {
        over = way_over(self, color, link);
        if (!wse_visit_has_space(self, over.ring, over.slot)) {
            return true;
        }
    }
    if (is_in) {
        into = way_into(self, color);
        if (!wse_visit_has_space(self, into.ring, into.slot)) {
            return true;
        }
    }
    const bool is_over_free =
        links == 0 || is_free(self, slot, link, self->pe->link_free[link]);
    const bool is_into_free =
        !is_in || is_free(self, slot, ARCH_WSE_RAMP, self->pe->ramp_in_free);

    if (!is_over_free || !is_into_free) {
        return true;
    }
    if (token->flags != 0) {
        share(self, token, color->outputs);
    }
    const uint32_t last = MAX(token->head + token->span, self->now + token->count - 1);

    if (links != 0) {
        send_over(self, link, &over, token, last - self->now);
    }
    if (is_in) {
        send_into(self, color->queue, &into, token, last - self->now);
        self->winner = sim_u8(slot);
    }
    self->taken |= color->outputs;
    self->region->afloat -= token->count;
    wse_hop_leave(self, &self->routes[slot], color->origin, ring,
                  last + self->fabric->numbers.link_credit);
    if (ring->count > 0) {
        const uint32_t head = wse_ring_front(ring, self->slots)->head;

        self->again = MIN(self->again, MAX(head, self->now + 1));
    }
    return true;
}
