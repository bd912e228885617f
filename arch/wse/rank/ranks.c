/* Runs cycles of a wafer some of whose PEs are in step. */
#include "arch/wse/rank/ranks.h"

#include <string.h>

#include "arch/wse/rank/border.h"
#include "arch/wse/rank/fit.h"
#include "arch/wse/rank/member.h"
#include "arch/wse/rank/places.h"
#include "arch/wse/wake.h"
#include "sim/narrow.h"

struct WseRanks {
    WseRegion *region;
    WseFit *fits; /* by kind */
    WsePlaces places;
    WseRank *ranks;
    WseRank **awake;   /* in this cycle */
    WseRank **touched; /* in it */
    uint32_t *visited; /* PEs that may join after it */
    guint awake_count;
    guint touched_count;
    guint visited_count;
    GArray *surprises; /* of WseSurprise */
    uint32_t last;     /* cycle that was visited */
};

static WseMember member_at(const WseRanks *self, uint32_t number)
{
    const uint32_t place = self->places.places[number];

    return (WseMember){
        .region = self->region,
        .fits = self->fits,
        .rank = &self->ranks[place / WSE_RANK_LANES],
        .lane = place % WSE_RANK_LANES,
        .number = number,
    };
}

static void touch(WseRanks *self, WseRank *rank)
{
    if (!rank->is_touched) {
        rank->is_touched = true;
        self->touched[self->touched_count++] = rank;
    }
}

/* What it did in this cycle matters to those beside it in the next. */
static void stir(WseRanks *self, WseRank *rank)
{
    touch(self, rank);
    rank->is_awake = true;
    for (guint i = 0; i < WSE_LINKS; i++) {
        WseRank *beside = rank->links[i].beside;

        if (beside != NULL) {
            touch(self, beside);
            beside->is_awake = true;
        }
    }
}

/* --- making them --------------------------------------------------------------- */

static void reset(WseRanks *self)
{
    wse_places_link(&self->places, self->ranks);
    for (guint i = 0; i < self->places.rank_count; i++) {
        WseRank *rank = &self->ranks[i];

        rank->is_open = self->region->fabric->ranks == WSE_FIT_WHEREVER_IT_CAN;
        memset(rank->place, WSE_RANK_NONE, sizeof rank->place);
    }
}

WseRanks *wse_ranks_new(WseRegion *region)
{
    const WseFabric *fabric = region->fabric;
    const guint kinds = fabric->kinds->len;

    if (!wse_fit_suits(fabric, 1)) {
        return NULL;
    }
    WseRanks *self = g_new0(WseRanks, 1);

    self->region = region;
    self->fits = g_new(WseFit, kinds);
    for (guint i = 0; i < kinds; i++) {
        self->fits[i] = wse_fit_of(&region->kinds[i]);
    }
    wse_places_init(&self->places, wse_axis_kept(&fabric->columns),
                    wse_axis_kept(&fabric->rows));
    self->ranks = g_new0(WseRank, self->places.rank_count);
    self->awake = g_new(WseRank *, self->places.rank_count);
    self->touched = g_new(WseRank *, self->places.rank_count);
    self->visited = g_new(uint32_t, fabric->pe_count);
    self->surprises = g_array_new(FALSE, FALSE, sizeof(WseSurprise));
    reset(self);
    return self;
}

void wse_ranks_free(WseRanks *self)
{
    if (self != NULL) {
        g_array_unref(self->surprises);
        g_free(self->visited);
        g_free(self->touched);
        g_free(self->awake);
        wse_places_clear(&self->places);
        g_free(self->ranks);
        g_free(self->fits);
        g_free(self);
    }
}

void wse_ranks_reset(WseRanks *self)
{
    if (self != NULL) {
        memset(self->ranks, 0, self->places.rank_count * sizeof *self->ranks);
        reset(self);
        self->awake_count = 0;
        self->last = 0;
    }
}

/* --- a cycle ------------------------------------------------------------------- */

/* Finds anew what ranks that have changed can do next. */
static void look(const WseRanks *self)
{
    for (guint i = 0; i < self->touched_count; i++) {
        if (self->touched[i]->has_changed) {
            wse_rank_look(self->touched[i]);
        }
    }
}

/* PEs in step that were taken leave if their time has come. Else nothing is due that
 * they do not know themselves. */
static void wake_members(WseRanks *self, uint32_t now)
{
    WseRegion *region = self->region;
    const uint32_t taken = region->taken;

    region->taken = 0;
    for (uint32_t i = 0; i < taken; i++) {
        const uint32_t number = region->order[i];
        const WseMember member = member_at(self, number);

        if (!wse_member_is_in_step(&member)) {
            region->order[region->taken++] = number;
            continue;
        }
        uint32_t *due = &wse_region_pe(region, number)->due[now % WSE_NEAR_CYCLES];

        *due = 0;
        if (member.rank->alarms[member.lane] <= now) {
            wse_member_leave(&member, now, now);
            *due = WSE_DUE_ALL;
            region->order[region->taken++] = number;
            stir(self, member.rank);
        }
    }
    look(self);
}

/* True if one of them did something. */
static bool go_on(WseRanks *self, uint32_t now)
{
    WseRegion *region = self->region;
    const bool is_lowest_first = region->fabric->numbers.is_lowest_color_first;
    WseRankCounts counts = {0};
    bool has_moved = false;

    for (guint i = 0; i < self->awake_count; i++) {
        WseRank *rank = self->awake[i];

        touch(self, rank);
        if (rank->in_step == 0) {
            continue;
        }
        has_moved |= rank->due != 0;
        wse_rank_go_on(rank, now, is_lowest_first, &counts);
        if (counts.active != 0) {
            rank->worth.steps += (guint) __builtin_popcountll(counts.active);
            has_moved = true;
            stir(self, rank);
        }
    }
    region->link_wavelets += counts.link_wavelets;
    region->afloat += counts.afloat;
    return has_moved;
}

static bool is_beside_steps(const WseRank *rank)
{
    uint64_t in_step = rank->in_step;

    for (guint i = 0; i < WSE_LINKS; i++) {
        const WseRank *beside = rank->links[i].beside;

        in_step |= beside != NULL ? beside->in_step : 0;
    }
    return in_step != 0;
}

/* Visits number `index` of the PEs that were taken, which is not in step. What concerns
 * neighbours are colors that go on. */
static void visit(
    WseRanks *self, const WseMember *member, uint32_t index, uint32_t now, uint32_t due)
{
    WseRegion *region = self->region;
    const uint32_t colors = due & wse_region_pe(region, member->number)->pending;

    member->rank->worth.visits++;
    if (colors == 0 || !is_beside_steps(member->rank)) {
        wse_region_visit_taken(region, index, region, now);
        return;
    }
    WseBorder border;

    wse_border_open(&border, member, colors);
    wse_region_visit_taken(region, index, region, now);
    wse_border_close(&border, member, now + 1, self->surprises);
    stir(self, member->rank);
}

/* Whether it is visited only as it has left. */
static bool is_extra(const WseMember *self)
{
    const uint64_t lane = UINT64_C(1) << self->lane;
    const bool is_extra = (self->rank->extra & lane) != 0;

    self->rank->extra &= ~lane;
    return is_extra;
}

/* Visits those that are not in step. True if there were any that would be without
 * ranks, too. */
static bool visit_others(WseRanks *self, uint32_t now)
{
    const WseRegion *region = self->region;
    bool has_visited = false;

    for (uint32_t i = 0; i < region->taken; i++) {
        const WseMember member = member_at(self, region->order[i]);
        const uint32_t due =
            wse_region_pe(region, member.number)->due[now % WSE_NEAR_CYCLES];

        if (due == 0) {
            continue;
        }
        visit(self, &member, i, now, due);
        has_visited |= !is_extra(&member);
        if (member.rank->is_open) {
            self->visited[self->visited_count++] = member.number;
        }
    }
    return has_visited;
}

/* A PE leaves after this cycle. */
static void leave_after(WseRanks *self, const WseMember *member, uint32_t now)
{
    const WsePe *pe = wse_region_pe(self->region, member->number);
    const uint64_t lane = UINT64_C(1) << member->lane;

    if ((member->rank->due & lane) == 0 && pe->due[(now + 1) % WSE_NEAR_CYCLES] == 0) {
        member->rank->extra |= lane;
    }
    wse_member_leave(member, now, now + 1);
    stir(self, member->rank);
}

static void leave_all(WseRanks *self, WseRank *rank, uint64_t lanes, uint32_t now)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        const WseMember member =
            member_at(self, wse_rank_number(rank, (guint) __builtin_ctzll(lanes)));

        leave_after(self, &member, now);
    }
}

/* PEs to which something unusual comes leave; what came was not put there. */
static void surprise(WseRanks *self, uint32_t now)
{
    for (guint i = 0; i < self->surprises->len; i++) {
        const WseSurprise *it = &g_array_index(self->surprises, WseSurprise, i);
        const WseMember member = member_at(self, it->number);

        if (wse_member_is_in_step(&member)) {
            leave_after(self, &member, now);
        }
        wse_border_put(&member, it);
    }
    g_array_set_size(self->surprises, 0);
}

static void join_visited(WseRanks *self, uint32_t now)
{
    WseRegion *region = self->region;

    for (guint i = 0; i < self->visited_count; i++) {
        const WseMember member = member_at(self, self->visited[i]);
        WsePe *pe = wse_region_pe(region, member.number);
        uint32_t alarm;

        if (wse_member_is_in_step(&member) ||
            !wse_member_join(&member, now + 1, &alarm)) {
            continue;
        }
        if (pe->due[(now + 1) % WSE_NEAR_CYCLES] != 0) {
            member.rank->due |= UINT64_C(1) << member.lane;
        }
        memset(pe->due, 0, sizeof pe->due);
        member.rank->worth.joins++;
        member.rank->alarms[member.lane] = alarm;
        if (alarm != WSE_NEVER) {
            wse_region_wake_pe(region, pe, member.number, now, alarm, WSE_DUE_CE);
        }
        stir(self, member.rank);
    }
    self->visited_count = 0;
}

/* Ranks open where that pays, and all leave where it does not. */
static void end_spell(WseRanks *self, uint32_t now)
{
    if (self->region->fabric->ranks == WSE_FIT_WHEREVER_IT_CAN) {
        return;
    }
    for (guint i = 0; i < self->places.rank_count; i++) {
        WseRank *rank = &self->ranks[i];

        rank->is_open = wse_worth_decide(&rank->worth, rank->is_open);
        if (!rank->is_open) {
            leave_all(self, rank, rank->in_step, now);
        }
    }
}

/* Who is awake in the next cycle. */
static void turn_over(WseRanks *self)
{
    look(self);
    self->awake_count = 0;
    for (guint i = 0; i < self->touched_count; i++) {
        WseRank *rank = self->touched[i];

        rank->is_touched = false;
        if (rank->is_awake && rank->in_step != 0) {
            self->awake[self->awake_count++] = rank;
        } else {
            rank->due = 0;
        }
        rank->is_awake = false;
    }
    self->touched_count = 0;
}

bool wse_ranks_visit(WseRanks *self, uint32_t now)
{
    wake_members(self, now);
    const bool has_moved = go_on(self, now);
    const bool has_visited = visit_others(self, now);

    for (guint i = 0; i < self->touched_count; i++) {
        WseRank *rank = self->touched[i];

        wse_border_deliver(rank, self->fits, self->region, now);
        if (rank->has_wanted) {
            wse_border_tell(rank, self->region, now);
        }
        wse_rank_end_cycle(rank);
    }
    surprise(self, now);
    for (guint i = 0; i < self->touched_count; i++) {
        leave_all(self, self->touched[i], self->touched[i]->trapped, now);
    }
    join_visited(self, now);
    if (now / WSE_WORTH_SPELL != self->last / WSE_WORTH_SPELL) {
        end_spell(self, now);
    }
    turn_over(self);
    self->last = now;
    return has_moved || has_visited;
}

bool wse_ranks_are_awake(const WseRanks *self)
{
    return self != NULL && self->awake_count > 0;
}

guint wse_ranks_in_step(const WseRanks *self)
{
    guint count = 0;

    for (guint i = 0; self != NULL && i < self->places.rank_count; i++) {
        count += (guint) __builtin_popcountll(self->ranks[i].in_step);
    }
    return count;
}

uint32_t wse_ranks_next(const WseRanks *self, const WseWheel *wheel, uint32_t now)
{
    return wse_ranks_are_awake(self) ? 1 : wse_wheel_next(wheel, now);
}

void wse_ranks_dissolve(WseRanks *self, uint32_t now)
{
    for (guint i = 0; i < self->places.rank_count; i++) {
        leave_all(self, &self->ranks[i], self->ranks[i].in_step, now - 1);
    }
}

void wse_ranks_call(WseRanks *self, uint32_t number, uint32_t when)
{
    if (self != NULL) {
        const WseMember member = member_at(self, number);
        uint32_t *alarm = &member.rank->alarms[member.lane];

        *alarm = MIN(*alarm, when);
    }
}

void wse_ranks_show(const WseRanks *self, uint32_t number)
{
    if (self != NULL) {
        const WseMember member = member_at(self, number);

        if (wse_member_is_in_step(&member)) {
            wse_member_show(&member, self->last + 1);
        }
    }
}
