/* Brings PEs into step. */
#include "arch/wse/rank/member.h"
#include "arch/wse/rank/planes.h"
#include "arch/wse/rank/ways.h"
#include "sim/narrow.h"

enum {
    SOON = WSE_RANK_DELAYS, /* a delay has less cycles */
    LONG = 32,              /* cycles that should be usual, to be worth it */
};

/* A PE that would join, from cycle `now` on. */
typedef struct {
    const WseMember *member;
    const WseFit *fit;
    WsePe *pe;
    WseColor *colors;
    WseRing *rings;
    WseToken *slots;
    WseThread *threads;
    uint64_t lane; /* its bit */
    uint32_t now;
    uint32_t least; /* cycles that are to be usual */
    bool issues;    /* its microthreads do, while it is in step */
} Joining;

/* Whether all tokens of an output queue are plain but for one color, and its flags;
 * UINT_MAX if there are none. */
static bool is_of_one_color(const Joining *self, WseRing *ring, guint *flags)
{
    *flags = ring->count > 0 ? wse_ring_front(ring, self->slots)->flags : UINT_MAX;
    for (guint i = 0; i < ring->count; i++) {
        const WseToken *token = wse_ring_at(ring, self->slots, i);

        if (token->count != 1 || token->span != 0 || token->data != 0 ||
            token->flags != *flags ||
            (token->flags & ((1u << WSE_TOKEN_SLOT) - 1)) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether its CE has only usual microthreads until the alarm. */
static bool is_ce_usual(const Joining *self, uint32_t *alarm)
{
    const WsePe *pe = self->pe;

    if (pe->work != 0 || pe->raised != 0 || (pe->threads & pe->unusual) != 0 ||
        pe->ahead > self->now || pe->issue_free >= self->now + SOON) {
        return false;
    }
    if (pe->main == WSE_IDLE) {
        *alarm = WSE_NEVER;
        return (pe->activated & ~pe->blocked) == 0;
    }
    *alarm = pe->main_at;
    return pe->main_at > self->now + self->least;
}

/* Whether its CE does nothing until the alarm. */
static bool is_ce_inert(const Joining *self, uint32_t *alarm)
{
    *alarm = MAX(self->pe->issue_free, self->pe->ahead);
    return *alarm > self->now + self->least;
}

static bool are_threads_usual(const Joining *self)
{
    for (uint32_t left = self->issues ? self->pe->threads : 0; left != 0;
         left &= left - 1) {
        const WseThread *thread = &self->threads[__builtin_ctz(left)];

        if (thread->usual == 0 || wse_member_steps(thread) < self->least / 2 ||
            thread->at >= self->now + SOON || thread->cycles > WSE_RANK_DELAYS ||
            thread->reissue > WSE_RANK_DELAYS) {
            return false;
        }
    }
    return true;
}

/* Rings of colors that are not usual must be empty: what comes there ends it. */
static bool are_colors_usual(const Joining *self)
{
    const guint count =
        wse_region_kind(self->member->region, self->pe)->router->route_count;

    for (guint slot = 0; slot < count; slot++) {
        const WseColor *color = &self->colors[slot];

        if (color->sent != 0) {
            return false;
        }
        for (guint i = 0; color->from == WSE_NO_RING && i < ARCH_WSE_DIRECTIONS; i++) {
            if (color->rings[i] != WSE_NO_RING &&
                self->rings[color->rings[i]].count > 0) {
                return false;
            }
        }
    }
    return true;
}

/* The place of a rank's ring with that key, of so many slots; made if there is none.
 * WSE_RANK_NONE: there is no such place. */
static inline uint8_t
place_of(const Joining *self, WseRank *rank, guint key, guint depth)
{
    const WseNumbers *numbers = &self->member->region->fabric->numbers;
    uint8_t *place = &rank->place[key];

    if (*place == WSE_RANK_NONE && rank->ring_count < WSE_RANK_RINGS &&
        depth <= WSE_RANK_DEPTH) {
        *place = sim_u8(rank->ring_count++);
        wse_rings_begin(&rank->rings, *place, key, depth,
                        wse_fit_latency(numbers, key));
        rank->has_changed = true;
    }
    return *place != WSE_RANK_NONE && rank->rings.depths[*place] == depth
               ? *place
               : WSE_RANK_NONE;
}

/* The same of the PE's ring. */
static inline uint8_t own_place(const Joining *self, guint ring)
{
    return place_of(self, self->member->rank, self->fit->keys[ring],
                    self->rings[ring].depth);
}

/* A neighbour that is not in step: whether there is room in its ring. */
static void look_over(const Joining *self, const WseMember *to, guint ring, guint place)
{
    const WseBlock *parts = &self->member->region->fabric->block;
    WsePe *pe = wse_region_pe(self->member->region, to->number);
    uint64_t *open = &to->rank->rings.open[place];
    const uint64_t lane = UINT64_C(1) << to->lane;

    *open = wse_member_has_room(&wse_pe_rings(pe, parts)[ring], wse_pe_slots(pe, parts),
                                self->now)
                ? *open | lane
                : *open & ~lane;
    to->rank->has_changed = true;
}

/* Where what goes over the color's link gets to. False if there is no place for it. */
static bool find_over(const Joining *self, const WseColor *color, WseRankHop *hop)
{
    const WseMember *member = self->member;
    const WseMember to = wse_member_beside(member, color->link);
    const WsePe *pe = wse_region_pe(member->region, to.number);
    const guint key = member->fits[pe->kind].keys[color->over];
    const guint depth = wse_region_kind(member->region, pe)->rings[color->over].depth;
    const WseRankLink *link = &member->rank->links[color->link];

    hop->link = color->link;
    if (link->beside != NULL) {
        hop->next = place_of(self, link->beside, key, depth);
        if (hop->next == WSE_RANK_NONE) {
            return false;
        }
    }
    hop->over =
        link->inside == 0 ? hop->next : place_of(self, member->rank, key, depth);
    if (hop->over == WSE_RANK_NONE) {
        return false;
    }
    if (!wse_member_is_in_step(&to)) {
        look_over(self, &to, color->over,
                  to.rank == member->rank ? hop->over : hop->next);
    }
    return true;
}

/* False if there is no place for it; nor is there for what is dropped. */
static bool find_hop(const Joining *self, guint slot, WseRankHop *hop)
{
    const WseColor *color = &self->colors[slot];

    *hop = (WseRankHop){
        .slot = sim_u8(slot),
        .from = own_place(self, color->from),
        .over = WSE_RANK_NONE,
        .next = WSE_RANK_NONE,
        .into = WSE_RANK_NONE,
    };
    if (color->into != WSE_NO_RING) {
        hop->into = own_place(self, color->into);
        if (hop->into == WSE_RANK_NONE) {
            return false;
        }
    }
    return hop->from != WSE_RANK_NONE &&
           (color->over == WSE_NO_RING ? hop->into != WSE_RANK_NONE
                                       : find_over(self, color, hop));
}

/* The flags of what its microthreads put into an output queue; UINT_MAX: nothing. */
static guint sent_by_threads(const Joining *self, guint ring)
{
    for (uint32_t left = self->issues ? self->pe->threads : 0; left != 0;
         left &= left - 1) {
        const WseThread *thread = &self->threads[__builtin_ctz(left)];

        if (thread->output == ring) {
            return thread->flags & ~((1u << WSE_TOKEN_SLOT) - 1);
        }
    }
    return UINT_MAX;
}

static bool find_hops(const Joining *self, WseWays *ways)
{
    const guint count =
        wse_region_kind(self->member->region, self->pe)->router->route_count;

    for (guint slot = 0; slot < count; slot++) {
        if (self->colors[slot].from != WSE_NO_RING &&
            !find_hop(self, slot, &ways->hops[ways->hop_count++])) {
            return false;
        }
    }
    return true;
}

static bool find_send(const Joining *self, guint ring, WseWays *ways)
{
    const guint sent = sent_by_threads(self, ring);
    guint flags;

    if (!is_of_one_color(self, &self->rings[ring], &flags) ||
        (flags != UINT_MAX && sent != UINT_MAX && flags != sent)) {
        return false;
    }
    flags = MIN(flags, sent);
    if (flags != UINT_MAX) {
        const guint slot = flags >> WSE_TOKEN_SLOT;

        ways->sends[ways->send_count++] = (WseRankSend){
            .queue = sim_u8(self->fit->keys[ring] - WSE_FIT_OUTPUTS),
            .slot = sim_u8(slot),
            .from = own_place(self, ring),
            .to = own_place(self, self->colors[slot].rings[ARCH_WSE_RAMP]),
        };
    }
    return true;
}

/* Tokens in its rings are plain, and there are places for them in the rank. */
static bool are_rings_usual(const Joining *self, WseWays *ways)
{
    for (guint i = 0; i < self->fit->ring_count; i++) {
        if (self->fit->keys[i] < WSE_FIT_OUTPUTS ? self->rings[i].special > 0
                                                 : !find_send(self, i, ways)) {
            return false;
        }
    }
    for (guint i = 0; i < self->fit->ring_count; i++) {
        if (own_place(self, i) == WSE_RANK_NONE) {
            return false;
        }
    }
    return true;
}

static void find_threads(const Joining *self, WseWays *ways)
{
    for (uint32_t left = self->issues ? self->pe->threads : 0; left != 0;
         left &= left - 1) {
        const guint index = (guint) __builtin_ctz(left);
        const WseThread *thread = &self->threads[index];

        ways->threads[ways->thread_count++] = (WseRankThread){
            .index = sim_u8(index),
            .input = thread->input == WSE_NO_RING ? (uint8_t) WSE_RANK_NONE
                                                  : own_place(self, thread->input),
            .output = thread->output == WSE_NO_RING ? (uint8_t) WSE_RANK_NONE
                                                    : own_place(self, thread->output),
            .cycles = thread->cycles,
            .reissue = thread->reissue,
        };
    }
}

static void take_ring(const Joining *self, guint ring)
{
    const WseRing *from = &self->rings[ring];
    WseRankRings *to = &self->member->rank->rings;
    const guint place = self->member->rank->place[self->fit->keys[ring]];
    guint seen = 0;

    for (guint i = 0; i < from->count; i++) {
        const uint32_t head = *wse_slot_time(self->slots, wse_ring_place(from, i));

        if (head <= self->now) {
            seen++;
        } else {
            to->flight[head - self->now - 1][place] |= self->lane;
        }
    }
    if (ring < self->fit->router_rings && (from->waiting & WSE_SENDER) != 0) {
        to->wanted[place] |= self->lane;
        self->member->rank->has_wanted = true;
    }
    wse_rings_set(to->count, place, self->lane, from->count);
    wse_rings_set(to->seen, place, self->lane, seen);
}

/* What comes on a color that is not usual ends it. */
static void set_traps(const Joining *self)
{
    const guint count =
        wse_region_kind(self->member->region, self->pe)->router->route_count;

    for (guint slot = 0; slot < count; slot++) {
        const WseColor *color = &self->colors[slot];

        for (guint i = 0; color->from == WSE_NO_RING && i < ARCH_WSE_DIRECTIONS; i++) {
            if (color->rings[i] != WSE_NO_RING) {
                const guint place = own_place(self, color->rings[i]);

                self->member->rank->rings.trap[place] |= self->lane;
            }
        }
    }
}

static void delay(uint64_t planes[], uint64_t lane, uint32_t now, uint32_t until)
{
    for (guint i = 0; now + i < until; i++) {
        planes[i] |= lane;
    }
}

static void take_ce(const Joining *self)
{
    WseRank *rank = self->member->rank;

    delay(rank->busy, self->lane, self->now, self->pe->issue_free);
    for (uint32_t left = self->pe->threads; left != 0; left &= left - 1) {
        const guint index = (guint) __builtin_ctz(left);
        const WseThread *thread = &self->threads[index];

        delay(rank->waits[index], self->lane, self->now, thread->at);
        wse_planes_set(rank->left[index], WSE_RANK_STEP_PLANES, self->lane,
                       wse_member_steps(thread));
    }
    rank->has_delays = true;
}

static void take_turns(const Joining *self)
{
    WseRank *rank = self->member->rank;
    const guint count =
        wse_region_kind(self->member->region, self->pe)->router->route_count;

    rank->slot_count = MAX(rank->slot_count, count);
    wse_planes_put(rank->colors, rank->slot_count, self->lane, self->pe->first_color);
    wse_planes_put(rank->queues, WSE_OUTPUT_QUEUES, self->lane, self->pe->first_queue);
}

/* Whether all it does is usual; finds its ways. */
static bool is_usual(const Joining *self, WseWays *ways)
{
    ways->hop_count = 0;
    ways->send_count = 0;
    ways->thread_count = 0;
    if (!are_threads_usual(self) || !are_colors_usual(self) ||
        !are_rings_usual(self, ways) || !find_hops(self, ways)) {
        return false;
    }
    find_threads(self, ways);
    return wse_ways_have_room(self->member->rank, ways);
}

/* Its state is that of the rank from now on. */
static void take(const Joining *self, const WseWays *ways)
{
    WseRank *rank = self->member->rank;

    wse_ways_add(rank, ways, self->lane);
    for (guint i = 0; i < self->fit->ring_count; i++) {
        take_ring(self, i);
    }
    set_traps(self);
    if (self->issues) {
        take_ce(self);
    }
    take_turns(self);
    rank->in_step |= self->lane;
    rank->has_changed = true;
}

bool wse_member_join(const WseMember *self, uint32_t now, uint32_t *alarm)
{
    const WseFabric *fabric = self->region->fabric;
    const WseBlock *parts = &fabric->block;
    WsePe *pe = wse_region_pe(self->region, self->number);
    Joining joining = {
        .member = self,
        .fit = &self->fits[pe->kind],
        .pe = pe,
        .colors = wse_pe_colors(pe, parts),
        .rings = wse_pe_rings(pe, parts),
        .slots = wse_pe_slots(pe, parts),
        .threads = wse_pe_threads(pe, parts),
        .lane = UINT64_C(1) << self->lane,
        .now = now,
        .least = fabric->ranks == WSE_FIT_WHEREVER_IT_CAN ? SOON : LONG,
    };
    WseWays ways;

    joining.issues = is_ce_usual(&joining, alarm);
    if (!joining.fit->is_fit || (!joining.issues && !is_ce_inert(&joining, alarm)) ||
        !is_usual(&joining, &ways)) {
        return false;
    }
    take(&joining, &ways);
    return true;
}
