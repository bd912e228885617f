/* A cycle of a rank: routers, ramps and compute elements. */
#include "arch/wse/rank/rank.h"

#include <string.h>

#include "arch/wse/rank/planes.h"

static uint64_t count_of(uint64_t lanes)
{
    return (uint64_t) __builtin_popcountll(lanes);
}

/* --- routers ------------------------------------------------------------------- */

/* Where there is room over the link, by PE that would send. */
static uint64_t room_over(const WseRank *self, const WseRankHop *hop)
{
    const WseRankLink *link = &self->links[hop->link];
    uint64_t room =
        wse_planes_turn(self->rings.room[hop->over], link->turn) & link->inside;

    if (hop->next != WSE_RANK_NONE) {
        room |= wse_planes_turn(link->beside->rings.room[hop->next], link->turn) &
                link->outside;
    }
    return room;
}

/* Tokens of these PEs get to their neighbours. */
static void send_over(WseRank *self, const WseRankHop *hop, uint64_t lanes)
{
    const WseRankLink *link = &self->links[hop->link];
    const guint back = -link->turn % WSE_RANK_LANES;

    self->rings.coming[hop->over] |= wse_planes_turn(lanes & link->inside, back);
    if (hop->next != WSE_RANK_NONE) {
        link->beside->rings.coming[hop->next] |=
            wse_planes_turn(lanes & link->outside, back);
    }
}

/* Of which PEs this color can go, as far as its own rings are concerned. */
static uint64_t candidates(const WseRank *self, const WseRankHop *hop)
{
    uint64_t lanes = hop->lanes & self->rings.ready[hop->from];

    if (lanes != 0 && hop->over != WSE_RANK_NONE) {
        lanes &= room_over(self, hop);
    }
    if (lanes != 0 && hop->into != WSE_RANK_NONE) {
        lanes &= self->rings.room[hop->into];
    }
    return lanes;
}

/* Colors of the routers in one cycle. */
typedef struct {
    guint count;
    const WseRankHop *hops[WSE_RANK_WAYS]; /* those that can go, by slot */
    uint64_t can[WSE_RANK_WAYS];           /* at which PEs */
    uint64_t links[WSE_LINKS];             /* of which PEs an output is taken */
    uint64_t ramp;
    uint64_t clash; /* PEs two of whose colors want the same output */
} Colors;

static void find_candidates(Colors *self, const WseRank *rank)
{
    for (guint i = 0; i < rank->hop_count; i++) {
        const WseRankHop *hop = &rank->hops[i];
        const uint64_t lanes = candidates(rank, hop);

        if (lanes == 0) {
            continue;
        }
        if (hop->over != WSE_RANK_NONE) {
            self->clash |= self->links[hop->link] & lanes;
            self->links[hop->link] |= lanes;
        }
        if (hop->into != WSE_RANK_NONE) {
            self->clash |= self->ramp & lanes;
            self->ramp |= lanes;
        }
        self->hops[self->count] = hop;
        self->can[self->count++] = lanes;
    }
}

/* Those of the PEs whose color finds its outputs free take them. */
static uint64_t take(Colors *self, const WseRankHop *hop, uint64_t lanes)
{
    if (hop->over != WSE_RANK_NONE) {
        lanes &= ~self->links[hop->link];
    }
    if (hop->into != WSE_RANK_NONE) {
        lanes &= ~self->ramp;
        self->ramp |= lanes;
    }
    if (hop->over != WSE_RANK_NONE) {
        self->links[hop->link] |= lanes;
    }
    return lanes;
}

/* PEs two of whose colors want one output: one color after the other, from the one
 * that is asked first on. Leaves in `can` those that go. Where none goes into the CE,
 * the first that found its outputs taken is asked first from now on. */
static void settle(Colors *self, WseRank *rank, bool is_lowest_color_first)
{
    const uint64_t clash = self->clash;
    uint64_t loses[WSE_RANK_WAYS] = {0};
    uint64_t left[WSE_RANK_WAYS];
    uint64_t lost = 0;

    for (guint i = 0; i < WSE_LINKS; i++) {
        self->links[i] &= ~clash;
    }
    self->ramp &= ~clash;
    for (guint i = 0; i < self->count; i++) {
        left[i] = self->can[i] & clash;
        self->can[i] &= ~clash;
    }
    for (guint turn = 0; turn < 2; turn++) {
        for (guint i = 0; i < self->count; i++) {
            const uint64_t above = rank->colors[self->hops[i]->slot];
            const uint64_t asked = left[i] & (turn == 0 ? above : ~above);

            if (asked == 0) {
                continue;
            }
            const uint64_t goes = take(self, self->hops[i], asked);

            self->can[i] |= goes;
            loses[i] |= asked & ~goes & ~lost;
            lost |= asked & ~goes;
        }
    }
    rank->due |= lost;
    if ((lost & ~self->ramp) == 0 || is_lowest_color_first) {
        return;
    }
    for (guint i = 0; i < self->count; i++) {
        wse_planes_put(rank->colors, rank->slot_count, loses[i] & ~self->ramp,
                       self->hops[i]->slot);
    }
}

/* Tokens of these PEs go on. */
static void
pass(WseRank *rank, const WseRankHop *hop, uint64_t lanes, WseRankCounts *counts)
{
    const uint64_t tokens = count_of(lanes);

    rank->rings.going[hop->from] |= lanes;
    counts->afloat -= tokens;
    counts->active |= lanes;
    if (hop->over != WSE_RANK_NONE) {
        send_over(rank, hop, lanes);
        counts->link_wavelets += tokens;
        counts->afloat += tokens;
    }
    if (hop->into != WSE_RANK_NONE) {
        rank->rings.coming[hop->into] |= lanes;
        counts->afloat += tokens;
    }
}

static void route(WseRank *self, bool is_lowest_color_first, WseRankCounts *counts)
{
    Colors colors;
    uint64_t won = 0; /* PEs whose color of this slot got the ramp */

    colors.count = 0;
    colors.ramp = 0;
    colors.clash = 0;
    memset(colors.links, 0, sizeof colors.links);
    find_candidates(&colors, self);
    if (colors.clash != 0) {
        settle(&colors, self, is_lowest_color_first);
    }
    for (guint i = 0; i < colors.count; i++) {
        const WseRankHop *hop = colors.hops[i];
        const bool is_last =
            i + 1 == colors.count || colors.hops[i + 1]->slot != hop->slot;

        pass(self, hop, colors.can[i], counts);
        won |= hop->into != WSE_RANK_NONE ? colors.can[i] : 0;
        if (is_last && won != 0) {
            if (!is_lowest_color_first) {
                wse_planes_put(self->colors, self->slot_count, won, hop->slot + 1u);
            }
            won = 0;
        }
    }
}

/* --- ramps --------------------------------------------------------------------- */

/* One queue of each PE gives a token to its router. */
static void send(WseRank *self, WseRankCounts *counts)
{
    uint64_t can[WSE_RANK_WAYS];
    uint64_t taken = 0;

    for (guint i = 0; i < self->send_count; i++) {
        const WseRankSend *way = &self->sends[i];

        can[i] = way->lanes & self->rings.ready[way->from] & self->rings.room[way->to];
    }
    for (guint turn = 0; turn < 2; turn++) {
        for (guint i = 0; i < self->send_count; i++) {
            const WseRankSend *way = &self->sends[i];
            const uint64_t above = self->queues[way->queue];
            const uint64_t lanes = can[i] & ~taken & (turn == 0 ? above : ~above);

            taken |= lanes;
            self->rings.going[way->from] |= lanes;
            self->rings.coming[way->to] |= lanes;
        }
    }
    for (guint i = 0; taken != 0 && i < self->send_count; i++) {
        const WseRankSend *way = &self->sends[i];
        const uint64_t lanes = way->lanes & self->rings.going[way->from];

        if (lanes != 0) {
            wse_planes_put(self->queues, WSE_OUTPUT_QUEUES, lanes,
                           (way->queue + 1u) % WSE_OUTPUT_QUEUES);
        }
    }
    self->due |= taken;
    counts->active |= taken;
}

/* --- compute elements ---------------------------------------------------------- */

/* Microthreads of these PEs issue a step. */
static void
step(WseRank *self, const WseRankThread *thread, uint32_t now, uint64_t lanes)
{
    uint64_t *left = self->left[thread->index];

    if (thread->input != WSE_RANK_NONE) {
        self->rings.going[thread->input] |= lanes;
    }
    if (thread->output != WSE_RANK_NONE) {
        self->rings.coming[thread->output] |= lanes;
    }
    for (guint i = 1; i < thread->cycles; i++) {
        self->busy[i] |= lanes;
    }
    for (guint i = 1; i < thread->reissue; i++) {
        self->waits[thread->index][i] |= lanes;
    }
    self->has_delays |= thread->cycles > 1 || thread->reissue > 1;
    if (thread->cycles <= 1) {
        self->due |= lanes;
    }
    self->stepped |= lanes;
    wse_planes_set(self->free, WSE_RANK_TIME_PLANES, lanes, now + thread->cycles);
    self->trapped |= wse_planes_count_down(left, WSE_RANK_STEP_PLANES, lanes);
}

static void issue(WseRank *self, uint32_t now, WseRankCounts *counts)
{
    uint64_t free = self->in_step & ~self->busy[0];

    for (guint i = 0; i < self->thread_count && free != 0; i++) {
        const WseRankThread *thread = &self->threads[i];
        uint64_t lanes = thread->lanes & free & ~self->waits[thread->index][0];

        if (thread->input != WSE_RANK_NONE) {
            lanes &= self->rings.ready[thread->input];
        }
        if (thread->output != WSE_RANK_NONE) {
            lanes &= self->rings.room[thread->output];
        }
        if (lanes == 0) {
            continue;
        }
        free &= ~lanes;
        step(self, thread, now, lanes);
        counts->active |= lanes;
        counts->afloat -= thread->input != WSE_RANK_NONE ? count_of(lanes) : 0;
        counts->afloat += thread->output != WSE_RANK_NONE ? count_of(lanes) : 0;
    }
}

/* PEs whose microthread has something to take, if it is still on its way, and room for
 * what it makes: nobody asks the others when their wait is over. */
static uint64_t fed(const WseRank *self, const WseRankThread *thread)
{
    const WseRankRings *rings = &self->rings;
    uint64_t lanes = thread->lanes;

    if (thread->input != WSE_RANK_NONE) {
        uint64_t some = rings->coming[thread->input];

        for (guint i = 0; i < WSE_RANK_PLANES; i++) {
            some |= rings->count[i][thread->input];
        }
        lanes &= some;
    }
    return thread->output == WSE_RANK_NONE ? lanes
                                           : lanes & rings->room[thread->output];
}

static void pass_delays(WseRank *self)
{
    uint64_t any = 0;

    self->due |= self->busy[0] & ~self->busy[1];
    for (guint i = 0; i < self->thread_count; i++) {
        const WseRankThread *thread = &self->threads[i];
        const uint64_t *waits = self->waits[thread->index];

        self->due |= fed(self, thread) & waits[0] & ~waits[1];
    }
    for (guint i = 0; i + 1 < WSE_RANK_DELAYS; i++) {
        self->busy[i] = self->busy[i + 1];
        any |= self->busy[i];
        for (guint thread = 0; thread < WSE_THREADS; thread++) {
            self->waits[thread][i] = self->waits[thread][i + 1];
            any |= self->waits[thread][i];
        }
    }
    self->busy[WSE_RANK_DELAYS - 1] = 0;
    for (guint thread = 0; thread < WSE_THREADS; thread++) {
        self->waits[thread][WSE_RANK_DELAYS - 1] = 0;
    }
    self->has_delays = any != 0;
}

void wse_rank_go_on(WseRank *self,
                    uint32_t now,
                    bool is_lowest_color_first,
                    WseRankCounts *counts)
{
    counts->active = 0;
    self->due = 0;
    route(self, is_lowest_color_first, counts);
    send(self, counts);
    issue(self, now, counts);
    if (self->has_delays) {
        pass_delays(self);
    }
}

void wse_rank_end_cycle(WseRank *self)
{
    WseRankRings *rings = &self->rings;
    const uint64_t in_step = self->in_step;
    uint64_t flying = 0;
    uint64_t trapped = 0;
    uint64_t due = self->due;

    for (guint i = 0; i < self->ring_count; i++) {
        flying |= wse_rings_end_cycle(rings, i, in_step, &due);
        trapped |= rings->trap[i] & rings->ready[i];
    }
    self->trapped |= trapped;
    self->due = due;
    self->is_awake |= (flying | due) != 0 || self->has_delays;
}

void wse_rank_look(WseRank *self)
{
    for (guint i = 0; i < self->ring_count; i++) {
        wse_rings_look(&self->rings, i, self->in_step);
    }
    self->has_changed = false;
}
