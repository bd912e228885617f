/* Sends usual tokens on. */
#include "arch/wse/router/pass.h"

#include "arch/wse/data/carried.h"
#include "arch/wse/router/hop.h"
#include "sim/narrow.h"

enum {
    COLORS = 32, /* bits of what is due */
};

/* A visit of which nobody else knows, so that the host's registers can hold it. */
typedef struct {
    WseRegion *region;
    const WseNumbers *numbers;
    WsePe *pe;
    WseColor *colors;
    WseRing *rings;
    WseToken *slots;
    uint32_t number;
    uint32_t now;
    uint32_t again; /* when the color can move next */
} Passing;

/* The end of a token's way. */
typedef struct {
    WseRing *ring;
    WseToken *slots;
} Way;

G_ALWAYS_INLINE static inline bool is_free(Passing *self, uint32_t when)
{
    if (when > self->now) {
        self->again = MIN(self->again, when);
        return false;
    }
    return true;
}

/* Whether the ring can take another token now. */
G_ALWAYS_INLINE static inline bool has_space(Passing *self, const Way *way)
{
    if (way->ring->count == way->ring->depth) {
        way->ring->waiting = WSE_SENDER;
        return false;
    }
    return is_free(self, wse_ring_back_time(way->ring, way->slots));
}

/* The way over its link. */
G_ALWAYS_INLINE static inline Way way_over(const Passing *self, const WseColor *color)
{
    const gssize stride = self->region->strides[color->link];
    WseRing *rings = (WseRing *) (gpointer) ((char *) self->rings + stride);
    WseToken *slots = (WseToken *) (gpointer) ((char *) self->slots + stride);

    return (Way){&rings[color->over], slots};
}

/* The way into the CE. */
G_ALWAYS_INLINE static inline Way way_into(const Passing *self, const WseColor *color)
{
    return (Way){&self->rings[color->into], self->slots};
}

/* A copy of the token gets to the end of the way, from where it goes on at `head`. */
G_ALWAYS_INLINE static inline void
put(const Way *way, const WseToken *token, uint32_t head, uint32_t span)
{
    const WseToken copy = {
        .head = head,
        .span = span,
        .count = token->count,
        .flags = token->flags,
        .data = token->data,
    };

    wse_ring_push(way->ring, way->slots, &copy);
}

G_ALWAYS_INLINE static inline void send_over(const Passing *self,
                                             guint link,
                                             const Way *way,
                                             const WseToken *token,
                                             uint32_t span)
{
    WseRegion *region = self->region;
    WsePe *to = (WsePe *) (gpointer) ((char *) self->pe + region->strides[link]);
    const uint32_t head = self->now + self->numbers->hop;
    const uint32_t due = 1u << way->ring->slot;

    put(way, token, head, span);
    self->pe->link_free[link] = self->now + token->count;
    region->link_wavelets += token->count;
    to->pending |= due;
    wse_region_wake_pe(region, to, self->number + region->steps[link], self->now, head,
                       due);
}

G_ALWAYS_INLINE static inline void send_into(const Passing *self,
                                             const WseColor *color,
                                             const Way *way,
                                             const WseToken *token,
                                             uint32_t span)
{
    WsePe *pe = self->pe;
    const uint32_t head = self->now + self->numbers->ramp_in;
    const uint32_t when = head + (color->is_eager ? 0 : span);

    put(way, token, head, span);
    pe->ramp_in_free = self->now + token->count;
    pe->inputs |= sim_u8(1u << color->queue & UINT8_MAX);
    wse_region_wake_ce(self->region, pe, self->number, self->now, when);
}

/* The token's payload has as many references as outputs, instead of its own. */
static void share(const WseRegion *region, const WseToken *token, const WseColor *color)
{
    const guint count = (guint) __builtin_popcount(color->outputs);

    if (count == 0) {
        wse_carried_drop(region, token->data);
    } else if (count > 1) {
        wse_carried_hold(region, token->data, count - 1);
    }
}

/* Somebody waits for the slot of the color's ring that is empty from `when` on. */
static G_GNUC_NO_INLINE void
tell(WseRegion *region, uint32_t number, uint32_t now, guint slot, uint32_t when)
{
    const WseBlock *parts = &region->fabric->block;
    WsePe *pe = wse_region_pe(region, number);
    const WseColor *color = &wse_pe_colors(pe, parts)[slot];
    WseRing *ring = &wse_pe_rings(pe, parts)[color->from];
    guint origin = 0;

    while (color->rings[origin] != color->from) {
        origin++;
    }
    if (origin == ARCH_WSE_RAMP) {
        wse_hop_tell_queues(region, number, now, ring->waiting, when);
    } else {
        const WseRoute *routes =
            wse_kind_routes(wse_region_kind(region, pe), pe, parts);

        wse_hop_tell(region, number, now, &routes[slot], origin, when);
    }
    ring->waiting = 0;
}

/* Whether the outputs of the color are free of other tokens; if not, another color may
 * have taken them in this visit. */
G_ALWAYS_INLINE static inline bool
are_free(Passing *self, guint slot, const WseColor *color, WseTurn *turn)
{
    const bool is_link_free =
        color->over == WSE_NO_RING || is_free(self, self->pe->link_free[color->link]);
    const bool is_ramp_free =
        color->into == WSE_NO_RING || is_free(self, self->pe->ramp_in_free);

    if (is_link_free && is_ramp_free) {
        return true;
    }
    const guint missed = (is_link_free ? 0 : 1u << color->link) |
                         (is_ramp_free ? 0 : 1u << ARCH_WSE_RAMP);

    if ((missed & turn->taken) != 0 && turn->loser == WSE_NO_RING) {
        turn->loser = sim_u8(slot);
    }
    return false;
}

/* The token in front of the ring leaves, its last wavelet at `last`. */
G_ALWAYS_INLINE static inline void
leave(Passing *self, guint slot, WseRing *ring, uint32_t last)
{
    const uint32_t empty = last + self->numbers->link_credit;

    wse_ring_pop(ring, self->slots, empty);
    if (ring->waiting != 0) {
        tell(self->region, self->number, self->now, slot, empty);
    }
    const uint32_t head = wse_ring_front_time(ring, self->slots);

    self->again = ring->count > 0 ? MAX(head, self->now + 1) : WSE_NEVER;
}

/* Copies of the token go over the link and into the CE, as the color has these ways. */
G_ALWAYS_INLINE static inline void send(const Passing *self,
                                        const WseColor *color,
                                        const Way *over,
                                        const Way *into,
                                        const WseToken *token,
                                        uint32_t span)
{
    const bool is_over = color->over != WSE_NO_RING;
    const bool is_in = color->into != WSE_NO_RING;

    self->region->afloat += token->count * ((uint64_t) is_over + is_in) - token->count;
    if (is_over) {
        WseToken copy = *token;

        if (token->flags != 0) {
            copy.data = wse_carried_over(self->region, token->data, color->link);
        }
        send_over(self, color->link, over, &copy, span);
    }
    if (is_in) {
        send_into(self, color, into, token, span);
    }
    if (token->flags != 0) {
        share(self->region, token, color);
    }
}

/* Lets this token in front of the color go on, if it can. */
G_ALWAYS_INLINE static inline void pass_token(
    Passing *self, guint slot, WseRing *ring, const WseToken *token, WseTurn *turn)
{
    const WseColor *color = &self->colors[slot];
    Way over = {0};
    Way into = {0};

    if (color->over != WSE_NO_RING) {
        over = way_over(self, color);
        if (!has_space(self, &over)) {
            return;
        }
    }
    if (color->into != WSE_NO_RING) {
        into = way_into(self, color);
        if (!has_space(self, &into)) {
            return;
        }
    }
    if (!are_free(self, slot, color, turn)) {
        return;
    }
    const uint32_t last = MAX(token->head + token->span, self->now + token->count - 1);

    send(self, color, &over, &into, token, last - self->now);
    turn->winner = color->into != WSE_NO_RING ? sim_u8(slot & UINT8_MAX) : turn->winner;
    turn->taken |= color->outputs;
    leave(self, slot, ring, last);
}

/* Lets the token in front of the color go on, if it can. Returns false for what is not
 * usual; then nothing has changed. */
G_ALWAYS_INLINE static inline bool pass(Passing *self, guint slot, WseTurn *turn)
{
    const WseColor *color = &self->colors[slot];

    if (color->from == WSE_NO_RING) {
        return false;
    }
    WseRing *ring = &self->rings[color->from];

    if (ring->count == 0) {
        return false;
    }
    const uint32_t head = wse_ring_front_time(ring, self->slots);

    if (G_LIKELY(ring->special == 0)) {
        if (is_free(self, head)) {
            pass_token(self, slot, ring, &(WseToken){.head = head, .count = 1}, turn);
        }
        return true;
    }
    const WseToken *token = wse_ring_front(ring, self->slots);

    if ((token->flags & ~WSE_TOKEN_PAYLOAD) != 0) {
        return false;
    }
    if (is_free(self, head)) {
        pass_token(self, slot, ring, token, turn);
    }
    return true;
}

/* These bits, turned to the right. */
static uint32_t turned(uint32_t bits, guint by)
{
    return bits >> by | bits << (COLORS - by) % COLORS;
}

uint32_t wse_pass(WseRegion *region,
                  WsePe *pe,
                  uint32_t number,
                  uint32_t now,
                  uint32_t colors,
                  WseTurn *turn)
{
    const WseBlock *parts = &region->fabric->block;
    Passing self = {
        .region = region,
        .numbers = &region->fabric->numbers,
        .pe = pe,
        .colors = wse_pe_colors(pe, parts),
        .rings = wse_pe_rings(pe, parts),
        .slots = wse_pe_slots(pe, parts),
        .number = number,
        .now = now,
    };
    const guint first = pe->first_color;
    WseTurn own = *turn;
    uint32_t next = 0; /* colors that are due again in the next cycle */
    uint32_t left = turned(colors, first); /* those from the first one on come first */

    for (; left != 0; left &= left - 1) {
        const guint slot = (first + (guint) __builtin_ctz(left)) % COLORS;

        self.again = WSE_NEVER;
        if (G_UNLIKELY(!pass(&self, slot, &own))) {
            break;
        }
        if (G_LIKELY(self.again == now + 1)) {
            next |= 1u << slot;
        } else if (self.again != WSE_NEVER) {
            wse_region_wake_pe(region, pe, number, now, self.again, 1u << slot);
        }
    }
    if (next != 0) {
        wse_region_wake_pe(region, pe, number, now, now + 1, next);
    }
    *turn = own;
    return turned(left, (COLORS - first) % COLORS);
}
