/* Visits compute elements: what they do in a cycle, and when they are visited again. */
#include "arch/wse/ce/ce.h"

#include "arch/wse/ce/nap.h"
#include "arch/wse/ce/queue.h"
#include "arch/wse/ce/single.h"
#include "arch/wse/ce/visit.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    AHEAD_CYCLES = 1024, /* at most, as programs may never end */
};

static inline WseVisit
visit_of(WseRegion *region, WsePe *pe, uint32_t number, uint32_t now)
{
    const WseBlock *parts = &region->fabric->block;

    return (WseVisit){
        .region = region,
        .fabric = region->fabric,
        .pe = pe,
        .kind = wse_region_kind(region, pe),
        .rings = wse_pe_rings(pe, parts),
        .slots = wse_pe_slots(pe, parts),
        .threads = wse_pe_threads(pe, parts),
        .number = number,
        .now = now,
        .present = now,
        .again = WSE_NEVER,
    };
}

/* The issue slot is taken: the CE is to be visited when it is free. */
static inline void wait_for_slot(const WseVisit *self)
{
    WsePe *pe = self->pe;

    pe->ce_wake = pe->issue_free;
    wse_region_wake_pe(self->region, pe, self->number, self->present, pe->issue_free,
                       WSE_DUE_CE);
}

/* It is not: when more can be done, if that is known. */
static inline void wait_for_work(const WseVisit *self)
{
    if (self->again != WSE_NEVER) {
        wse_region_wake_ce(self->region, self->pe, self->number, self->now,
                           self->again);
    }
}

/* The CE is ahead of the fabric, and idle: it is visited when there is more to do, or
 * when the fabric is there, as it would have been. */
static void wait_ahead(const WseVisit *self)
{
    WsePe *pe = self->pe;

    pe->ce_wake = self->again != WSE_NEVER ? self->again : self->now;
    wse_region_wake_pe(self->region, pe, self->number, self->present, pe->ce_wake,
                       WSE_DUE_CE);
}

/* The last step of a thread has been issued. */
static G_GNUC_NO_INLINE void
end_thread(WseRegion *region, uint32_t number, uint32_t now, guint thread)
{
    WseVisit visit = visit_of(region, wse_region_pe(region, number), number, now);
    const guint instruction = visit.threads[thread].instruction;

    wse_vector_finish(&visit, &visit.kind->code[instruction], instruction, now + 1);
    visit.pe->threads &= (uint8_t) ~(1u << thread);
}

/* Whether only microthreads can issue, and all their steps are usual. */
static inline bool is_simple(const WseRegion *region, const WsePe *pe, uint32_t now)
{
    const bool is_alone =
        pe->main == WSE_IDLE ? (pe->activated & ~pe->blocked) == 0 : pe->main_at > now;

    return is_alone && pe->work == 0 && pe->raised == 0 && pe->threads != 0 &&
           (pe->threads & pe->unusual) == 0 && !wse_is_watched(region);
}

/* Such a visit: what poll() would do, in fewer instructions. */
static inline void
poll_simple(WseRegion *region, WsePe *pe, uint32_t number, uint32_t now)
{
    WseVisit visit = visit_of(region, pe, number, now);

    visit.again = pe->main == WSE_IDLE ? WSE_NEVER : pe->main_at;
    for (uint32_t left = wse_queue_fed(pe, pe->threads); left != 0; left &= left - 1) {
        const guint index = (guint) __builtin_ctz(left);
        WseThread *thread = &visit.threads[index];

        if (wse_single_is_ready(&visit, thread)) {
            pe->last_thread = sim_u8(index & UINT8_MAX);
            pe->is_main_next = true;
            if (wse_single_step(&visit, thread)) {
                end_thread(region, number, now, index);
            }
            pe->end = MAX(pe->end, pe->issue_free);
            if (!wse_nap_is_near(&visit) || !wse_nap_begin(&visit)) {
                wait_for_slot(&visit);
            }
            return;
        }
    }
    wait_for_work(&visit);
}

/* Whether the main thread has the CE to itself, whatever comes from the fabric, and
 * nobody looks on. */
static bool is_undisturbed(const WseVisit *self)
{
    return self->pe->threads == 0 && !self->kind->has_routed_tasks &&
           !wse_is_watched(self->region) && self->fabric->races == NULL &&
           !self->region->has_failed;
}

static bool has_more(const WsePe *pe)
{
    return pe->main != WSE_IDLE || (pe->activated & ~pe->blocked) != 0;
}

/* Goes on to the cycle in which the CE has something to do next, before the fabric gets
 * there, if until then and in it nothing concerns anybody else. */
static bool go_ahead(WseVisit *self)
{
    const WsePe *pe = self->pe;
    const uint32_t next = pe->issue_free > self->now ? pe->issue_free : self->again;

    if (!is_undisturbed(self) || !has_more(pe) || !wse_ce_is_private(self) ||
        next == self->now || next - self->present > AHEAD_CYCLES ||
        next >= self->fabric->horizon) {
        return false;
    }
    self->now = next;
    self->again = WSE_NEVER;
    return true;
}

/* The turn of this cycle, and those after it that the CE can have ahead. */
static G_GNUC_NO_INLINE void take_turns(WseVisit *self)
{
    do {
        wse_ce_take_turn(self);
    } while (go_ahead(self));
    self->pe->ahead = self->now;
}

static G_GNUC_NO_INLINE void
poll(WseRegion *region, WsePe *pe, uint32_t number, uint32_t now)
{
    WseVisit visit = visit_of(region, pe, number, now);

    if (pe->ahead > now) {
        return; /* to be visited then, or later */
    }
    take_turns(&visit);
    if (wse_nap_is_near(&visit) && wse_nap_begin(&visit)) {
        return;
    }
    if (pe->issue_free > visit.now) {
        wait_for_slot(&visit);
    } else if (visit.now > now) {
        wait_ahead(&visit);
    } else {
        wait_for_work(&visit);
    }
}

void wse_ce_catch_up(WseRegion *region, WsePe *pe, uint32_t number, uint32_t until)
{
    while (pe->behind != 0 && pe->behind < until) {
        WseVisit visit = visit_of(region, pe, number, pe->behind);

        take_turns(&visit);
        pe->behind = wse_nap_next(&visit);
        region->left_out = MAX(region->left_out, visit.now);
    }
}

/* Ends the nap of a CE that is wanted. Returns false if it is busy now, and is visited
 * when it is not. */
static G_GNUC_NO_INLINE bool
end_nap(WseRegion *region, WsePe *pe, uint32_t number, uint32_t now)
{
    if (MAX(pe->ahead, pe->issue_free) <= now) {
        wse_ce_catch_up(region, pe, number, now);
    }
    const uint32_t free = MAX(pe->ahead, pe->issue_free);

    if (free > now) {
        wse_region_wake_pe(region, pe, number, now, free, WSE_DUE_CE);
        return false;
    }
    pe->behind = 0;
    pe->ce_wake = now;
    return true;
}

void wse_ce_poll(WseRegion *region, WsePe *pe, uint32_t number, uint32_t now)
{
    if (G_UNLIKELY(pe->behind != 0) && !end_nap(region, pe, number, now)) {
        return;
    }
    if (pe->issue_free > now) {
        return; /* to be visited then */
    }
    if (is_simple(region, pe, now)) {
        poll_simple(region, pe, number, now);
    } else if (pe->main != WSE_IDLE || pe->threads != 0 || pe->activated != 0 ||
               pe->inputs != 0 || pe->work != 0) {
        poll(region, pe, number, now);
    }
}

bool wse_ce_is_at_rest(WseRegion *region, WsePe *pe)
{
    const WseBlock *parts = &region->fabric->block;
    WseVisit visit = {
        .region = region,
        .fabric = region->fabric,
        .pe = pe,
        .kind = wse_region_kind(region, pe),
        .rings = wse_pe_rings(pe, parts),
        .slots = wse_pe_slots(pe, parts),
        .threads = wse_pe_threads(pe, parts),
        .now = WSE_NEVER - 1,
        .again = WSE_NEVER,
    };

    for (uint32_t left = pe->threads; left != 0; left &= left - 1) {
        if (!wse_visit_instruction(&visit, (guint) __builtin_ctz(left))->is_endless) {
            return false;
        }
    }
    return pe->main == WSE_IDLE && pe->work == 0 && !wse_ce_has_task(&visit);
}
