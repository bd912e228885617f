/* Writes the state of a PE that was in step into its block. */
#include "arch/wse/rank/member.h"
#include "arch/wse/rank/planes.h"
#include "arch/wse/wake.h"
#include "sim/narrow.h"

/* A PE's block. */
typedef struct {
    const WseMember *member;
    WsePe *pe;
    WseRing *rings;
    WseToken *slots;
    uint32_t now;
} Block;

/* Flags of the tokens in an output queue. */
static guint flags_of(const Block *self, guint place)
{
    const WseRank *rank = self->member->rank;

    for (guint i = 0; i < rank->send_count; i++) {
        const WseRankSend *send = &rank->sends[i];
        const guint slot = send->slot;

        if (send->from == place && wse_planes_have(send->lanes, self->member->lane)) {
            return slot << WSE_TOKEN_SLOT;
        }
    }
    return 0;
}

/* Tokens on their way; the times at which they are seen get into the ring, behind those
 * of tokens that are. */
static guint
fill_flights(const Block *self, const WseRing *ring, guint place, guint seen)
{
    const WseRankRings *from = &self->member->rank->rings;
    guint count = seen;

    for (guint i = 0; i < WSE_RANK_FLIGHTS; i++) {
        if (wse_planes_have(from->flight[i][place], self->member->lane)) {
            *wse_slot_time(self->slots, ring->front + count) = self->now + 1 + i;
            count++;
        }
    }
    return count;
}

static void fill(const Block *self, WseRing *ring, guint place, guint flags)
{
    const WseRankRings *from = &self->member->rank->rings;
    const guint first = sim_u32(ring->end - ring->depth);

    for (guint i = first; i < ring->end; i++) {
        *wse_slot_time(self->slots, i) = self->now;
    }
    ring->front = sim_u16(first);
    ring->count = sim_u16(fill_flights(
        self, ring, place, wse_rings_get(from->seen, place, self->member->lane)));
    ring->back = sim_u16(ring->count == ring->depth ? first : first + ring->count);
    ring->special = flags == 0 ? 0 : ring->count;
    ring->waiting =
        wse_planes_have(from->wanted[place], self->member->lane) ? WSE_SENDER : 0;
    for (guint i = 0; i < ring->special; i++) {
        self->slots[first + i] = (WseToken){
            .head = *wse_slot_time(self->slots, first + i),
            .count = 1,
            .flags = sim_u16(flags),
        };
    }
}

/* The rank knows only whether others may send there. */
static void empty(const WseMember *self, guint place, bool is_open)
{
    WseRankRings *rings = &self->rank->rings;
    const guint lane = self->lane;
    const uint64_t others = ~(UINT64_C(1) << lane);

    for (guint i = 0; i < WSE_RANK_PLANES; i++) {
        rings->count[i][place] &= others;
        rings->seen[i][place] &= others;
    }
    for (guint i = 0; i < WSE_RANK_FLIGHTS; i++) {
        rings->flight[i][place] &= others;
    }
    rings->trap[place] &= others;
    rings->wanted[place] &= others;
    rings->open[place] = (rings->open[place] & others) | (uint64_t) is_open << lane;
}

static void fill_rings(const Block *self)
{
    const WseRank *rank = self->member->rank;
    const WseFit *fit = &self->member->fits[self->pe->kind];
    WsePe *pe = self->pe;

    pe->pending = 0;
    pe->inputs = 0;
    pe->outputs = 0;
    pe->full = 0;
    for (guint i = 0; i < fit->ring_count; i++) {
        const guint key = fit->keys[i];
        const guint place = rank->place[key];
        WseRing *ring = &self->rings[i];

        fill(self, ring, place, key < WSE_FIT_OUTPUTS ? 0 : flags_of(self, place));
        const guint bit = ring->count > 0 ? 1u << ring->slot : 0;

        if (key < WSE_FIT_INPUTS) {
            pe->pending |= bit;
        } else if (key < WSE_FIT_OUTPUTS) {
            pe->inputs |= sim_u8(bit);
        } else {
            pe->outputs |= sim_u8(bit);
            pe->full |= sim_u8(ring->count == ring->depth ? bit : 0);
        }
    }
}

/* How many of these planes, of the next cycles, have the PE, up to the last that has.
 */
static uint32_t delay_of(const uint64_t planes[], guint lane)
{
    uint32_t delay = 0;

    for (guint i = 0; i < WSE_RANK_DELAYS; i++) {
        delay = wse_planes_have(planes[i], lane) ? i + 1 : delay;
    }
    return delay;
}

/* What a microthread has done since it was written last. */
static void write_thread(const Block *self, guint index)
{
    const WseRank *rank = self->member->rank;
    const guint lane = self->member->lane;
    WseThread *thread =
        &wse_pe_threads(self->pe, &self->member->region->fabric->block)[index];
    const guint steps =
        wse_member_steps(thread) -
        wse_planes_number(rank->left[index], WSE_RANK_STEP_PLANES, lane);

    thread->done = sim_u16(thread->done + steps * thread->usual);
    thread->at = self->now + delay_of(rank->waits[index], lane);
    self->pe->busy += steps;
    self->pe->memory_idle += steps * thread->stall;
}

static void write_ce(const Block *self)
{
    const WseRank *rank = self->member->rank;
    const guint lane = self->member->lane;
    for (guint i = 0; i < rank->thread_count; i++) {
        if (wse_planes_have(rank->threads[i].lanes, lane)) {
            write_thread(self, rank->threads[i].index);
        }
    }
    if (wse_planes_have(rank->stepped, lane)) {
        self->pe->issue_free =
            wse_planes_number(rank->free, WSE_RANK_TIME_PLANES, lane);
        self->pe->end = MAX(self->pe->end, self->pe->issue_free);
        self->pe->is_main_next = true;
    }
}

static Block block_of(const WseMember *self, uint32_t now)
{
    const WseBlock *parts = &self->region->fabric->block;
    WsePe *pe = wse_region_pe(self->region, self->number);

    return (Block){
        .member = self,
        .pe = pe,
        .rings = wse_pe_rings(pe, parts),
        .slots = wse_pe_slots(pe, parts),
        .now = now,
    };
}

static void show(const Block *self)
{
    const WseRank *rank = self->member->rank;
    const guint lane = self->member->lane;
    const guint slots =
        wse_region_kind(self->member->region, self->pe)->router->route_count;

    fill_rings(self);
    write_ce(self);
    self->pe->first_color = sim_u8(wse_planes_place(rank->colors, slots, lane));
    self->pe->first_queue =
        sim_u8(wse_planes_place(rank->queues, WSE_OUTPUT_QUEUES, lane));
}

void wse_member_show(const WseMember *self, uint32_t now)
{
    const Block block = block_of(self, now);

    show(&block);
}

/* Nothing of the PE is left in the rank. */
static void forget(const WseMember *self)
{
    WseRank *rank = self->rank;
    const uint64_t others = ~(UINT64_C(1) << self->lane);

    for (guint i = 0; i < rank->hop_count; i++) {
        rank->hops[i].lanes &= others;
    }
    for (guint i = 0; i < rank->send_count; i++) {
        rank->sends[i].lanes &= others;
    }
    for (guint i = 0; i < rank->thread_count; i++) {
        rank->threads[i].lanes &= others;
    }
    for (guint i = 0; i < WSE_RANK_DELAYS; i++) {
        rank->busy[i] &= others;
        for (guint thread = 0; thread < WSE_THREADS; thread++) {
            rank->waits[thread][i] &= others;
        }
    }
    rank->stepped &= others;
    rank->trapped &= others;
    rank->due &= others;
    rank->in_step &= others;
    rank->has_changed = true;
}

/* Visits that others would have asked for already, had it not been in step: when the
 * issue slot is free, and when wavelets are at the end of the ramp. */
static void wake_ce(const Block *self, uint32_t now)
{
    const WseMember *member = self->member;
    const WseKind *kind = wse_region_kind(member->region, self->pe);
    WsePe *pe = self->pe;

    if (pe->issue_free > self->now) {
        wse_region_wake_pe(member->region, pe, member->number, now, pe->issue_free,
                           WSE_DUE_CE);
    }
    for (guint i = 0; i < WSE_INPUT_QUEUES; i++) {
        const guint index = kind->input_rings[i];
        const guint count = index == WSE_NO_RING ? 0 : self->rings[index].count;

        for (guint j = 0; j < count; j++) {
            const uint32_t head =
                *wse_slot_time(self->slots, wse_ring_place(&self->rings[index], j));

            if (head > self->now && head > pe->issue_free) {
                wse_region_wake_pe(member->region, pe, member->number, now, head,
                                   WSE_DUE_CE);
            }
        }
    }
}

void wse_member_leave(const WseMember *self, uint32_t now, uint32_t when)
{
    const WseFit *fit = &self->fits[wse_region_pe(self->region, self->number)->kind];
    const Block block = block_of(self, when);

    show(&block);
    for (guint i = 0; i < fit->ring_count; i++) {
        const WseRing *ring = &block.rings[i];

        empty(self, self->rank->place[fit->keys[i]], ring->count < ring->depth);
    }
    forget(self);
    block.pe->ce_wake = when;
    if (when > now) {
        wse_region_wake_pe(self->region, block.pe, self->number, now, when,
                           WSE_DUE_ALL);
    }
    wake_ce(&block, now);
}
