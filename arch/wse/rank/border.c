/* Carries tokens and the knowledge of room between ranks and blocks. */
#include "arch/wse/rank/border.h"

#include "arch/wse/wake.h"
#include "sim/narrow.h"

enum {
    COLORS_DUE = (1 << WSE_COLORS) - 1,
};

static const WseBlock *parts_of(const WseMember *self)
{
    return &self->region->fabric->block;
}

static WsePe *pe_of(const WseMember *self)
{
    return wse_region_pe(self->region, self->number);
}

/* The place in the rank of a ring of the PE. */
static guint place_of(const WseMember *self, guint ring)
{
    return self->rank->place[self->fits[pe_of(self)->kind].keys[ring]];
}

static bool has_room(const WseMember *self, guint ring)
{
    return wse_planes_have(self->rank->rings.room[place_of(self, ring)], self->lane);
}

/* The ring of a PE in step looks as if it were empty, or full. */
static void pretend(const WseBorderRing *self)
{
    WseRing *ring = self->ring;

    ring->front = sim_u16(ring->end - ring->depth);
    ring->back = ring->front;
    ring->count = has_room(self->to, self->index) ? 0 : ring->depth;
    ring->special = 0;
    ring->waiting = 0;
    *wse_slot_time(wse_pe_slots(pe_of(self->to), parts_of(self->to)), ring->back) = 0;
}

/* Rings of the neighbour over a link to which these colors lead. */
static void open_link(WseBorder *self, const WseMember *member, guint link)
{
    const WseColor *colors = wse_pe_colors(pe_of(member), parts_of(member));
    const WseMember *to = &self->to[link];
    WseRing *rings = wse_pe_rings(pe_of(to), parts_of(to));

    for (uint32_t left = self->colors; left != 0; left &= left - 1) {
        const guint index = colors[__builtin_ctz(left)].next[link];

        if (index != WSE_NO_RING) {
            WseBorderRing *ring = &self->rings[self->count++];

            *ring = (WseBorderRing){&rings[index], to, index};
            pretend(ring);
        }
    }
}

void wse_border_open(WseBorder *self, const WseMember *member, uint32_t colors)
{
    self->count = 0;
    self->colors = colors;
    for (guint link = 0; link < WSE_LINKS; link++) {
        WseMember *to = &self->to[link];

        *to = wse_member_beside(member, link);
        if (to->rank != NULL && wse_member_is_in_step(to)) {
            open_link(self, member, link);
        }
    }
}

/* What has come into a ring that looked empty. */
static void receive(const WseBorderRing *self, GArray *surprises)
{
    const WseMember *to = self->to;

    if (self->ring->count == 0 || !has_room(to, self->index)) {
        return;
    }
    if (self->ring->special == 0) {
        to->rank->rings.coming[place_of(to, self->index)] |= UINT64_C(1) << to->lane;
    } else {
        const WseSurprise surprise = {
            .number = to->number,
            .ring = sim_u8(self->index),
            .token = *wse_ring_front(self->ring, wse_pe_slots(pe_of(to), parts_of(to))),
        };

        g_array_append_val(surprises, surprise);
    }
}

/* Whether the ring of this PE can be sent to in the next cycle. */
static void show_room(const WseMember *self, guint ring, uint32_t next)
{
    const WseRing *rings = wse_pe_rings(pe_of(self), parts_of(self));
    const WseToken *slots = wse_pe_slots(pe_of(self), parts_of(self));
    const uint64_t lane = UINT64_C(1) << self->lane;
    const guint place = place_of(self, ring);

    if (place != WSE_RANK_NONE) {
        uint64_t *open = &self->rank->rings.open[place];

        *open = wse_member_has_room(&rings[ring], slots, next) ? *open | lane
                                                               : *open & ~lane;
    }
}

/* Somebody waits for room in a ring of a PE in step. */
static void want(const WseMember *self, guint ring)
{
    self->rank->rings.wanted[place_of(self, ring)] |= UINT64_C(1) << self->lane;
    self->rank->has_wanted = true;
}

void wse_border_close(WseBorder *self,
                      const WseMember *member,
                      uint32_t next,
                      GArray *surprises)
{
    const WseColor *colors = wse_pe_colors(pe_of(member), parts_of(member));

    for (guint i = 0; i < self->count; i++) {
        const WseBorderRing *ring = &self->rings[i];

        if (ring->ring->waiting != 0) {
            want(ring->to, ring->index);
        }
        receive(ring, surprises);
    }
    for (uint32_t left = self->colors; left != 0; left &= left - 1) {
        for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
            const guint ring = colors[__builtin_ctz(left)].rings[i];

            if (ring != WSE_NO_RING) {
                show_room(member, ring, next);
            }
        }
    }
    member->rank->has_changed = true;
}

/* The PE's ring with that key. */
static guint find_ring(const WseFit *fit, guint key)
{
    guint index = 0;

    while (fit->keys[index] != key) {
        index++;
    }
    return index;
}

static void deliver(const WseMember *self, guint place, WseRegion *region, uint32_t now)
{
    WseRankRings *from = &self->rank->rings;
    WsePe *pe = pe_of(self);
    WseToken *slots = wse_pe_slots(pe, parts_of(self));
    WseRing *ring = &wse_pe_rings(
        pe, parts_of(self))[find_ring(&self->fits[pe->kind], from->keys[place])];
    const WseToken token = {.head = now + wse_rings_latency(from, place), .count = 1};
    const uint64_t lane = UINT64_C(1) << self->lane;

    wse_ring_push(ring, slots, &token);
    pe->pending |= 1u << ring->slot;
    wse_region_wake_pe(region, pe, self->number, now, token.head, 1u << ring->slot);
    if (!wse_member_has_room(ring, slots, now + 1)) {
        from->open[place] &= ~lane;
    }
}

void wse_border_deliver(WseRank *rank,
                        const WseFit *fits,
                        WseRegion *region,
                        uint32_t now)
{
    for (guint i = 0; i < rank->ring_count; i++) {
        uint64_t *coming = &rank->rings.coming[i];

        for (uint64_t left = *coming & ~rank->in_step; left != 0; left &= left - 1) {
            const guint lane = (guint) __builtin_ctzll(left);
            const WseMember member = {.region = region,
                                      .fits = fits,
                                      .rank = rank,
                                      .lane = lane,
                                      .number = wse_rank_number(rank, lane)};

            deliver(&member, i, region, now);
            rank->has_changed = true;
        }
        *coming &= rank->in_step;
    }
}

void wse_border_put(const WseMember *self, const WseSurprise *surprise)
{
    WsePe *pe = pe_of(self);
    WseToken *slots = wse_pe_slots(pe, parts_of(self));
    WseRing *ring = &wse_pe_rings(pe, parts_of(self))[surprise->ring];

    wse_ring_push(ring, slots, &surprise->token);
    pe->pending |= 1u << ring->slot;
    if (ring->count == ring->depth) {
        self->rank->rings.open[place_of(self, surprise->ring)] &=
            ~(UINT64_C(1) << self->lane);
    }
}

void wse_border_tell(WseRank *rank, WseRegion *region, uint32_t now)
{
    uint64_t left = 0;

    for (guint i = 0; i < rank->ring_count; i++) {
        uint64_t *wanted = &rank->rings.wanted[i];
        const guint origin = rank->rings.keys[i] % ARCH_WSE_DIRECTIONS;

        for (uint64_t told = *wanted & rank->rings.going[i]; told != 0;
             told &= told - 1) {
            const uint32_t number =
                wse_rank_number(rank, (guint) __builtin_ctzll(told));

            wse_region_wake(region, wse_region_neighbour(region, number, origin), now,
                            now + 1, COLORS_DUE);
        }
        *wanted &= ~rank->rings.going[i];
        left |= *wanted;
    }
    rank->has_wanted = left != 0;
}
