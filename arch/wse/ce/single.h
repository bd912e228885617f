/* The usual step of an operation with streams: it takes a single wavelet from an input
 * queue, or puts one into an output queue, or both. It is what vector.c would do, in
 * fewer instructions; all other operations are left to that. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/wse/ce/queue.h"
#include "arch/wse/ce/visit.h"
#include "sim/narrow.h"

/* Finds out whether all steps of operation `index`, which has begun, are usual: there
 * are no data to move, nobody watches or asks, and the operation has nothing special.
 */
void wse_single_begin(const WseVisit *self,
                      const WseInstruction *instruction,
                      guint index);

/* As wse_vector_is_ready(), of a usual one. */
static inline bool wse_single_is_ready(WseVisit *self, const WseThread *thread)
{
    if (!wse_visit_is_here(self, thread->at)) {
        return false;
    }
    if (thread->output != WSE_NO_RING) {
        const WseRing *ring = &self->rings[thread->output];

        if (ring->count == ring->depth ||
            !wse_visit_is_here(self, wse_ring_back_time(ring, self->slots))) {
            return false;
        }
    }
    if (thread->input != WSE_NO_RING) {
        const WseRing *ring = &self->rings[thread->input];

        if (ring->count == 0) {
            return false;
        }
        if (G_LIKELY(ring->special == 0)) {
            return wse_visit_is_here(self, wse_ring_front_time(ring, self->slots));
        }
        const WseToken *token = wse_ring_front(ring, self->slots);

        if ((token->flags & WSE_TOKEN_CONTROL) != 0) {
            return false;
        }
        if (G_UNLIKELY(token->span != 0)) { /* it was made at the pace of a stream */
            const WseKind *kind = wse_region_kind(self->region, self->pe);

            return wse_visit_is_here(
                self, wse_queue_start(&kind->code[thread->instruction], token));
        }
        if (!wse_visit_is_here(self, token->head)) {
            return false;
        }
    }
    return true;
}

/* As wse_vector_step(), but the end of the last step is left to the caller. */
static inline bool wse_single_step(WseVisit *self, WseThread *thread)
{
    WsePe *pe = self->pe;
    const uint32_t done = thread->done;
    const uint32_t left = thread->length - done;
    const bool is_last = left <= thread->usual;

    if (thread->input != WSE_NO_RING) {
        self->region->afloat--;
        wse_queue_leave(self, &self->rings[thread->input], self->now);
    }
    if (thread->output != WSE_NO_RING) {
        WseRing *ring = &self->rings[thread->output];
        const guint flags = thread->flags & ~(is_last ? 0u : WSE_TOKEN_ADVANCE);

        wse_queue_fill(self, ring,
                       (WseToken){
                           .head = self->now + self->fabric->numbers.enqueue,
                           .count = 1,
                           .flags = sim_u16(flags & UINT16_MAX),
                       });
    }
    pe->busy++;
    pe->memory_idle += thread->stall;
    pe->issue_free = self->now + thread->cycles;
    thread->at = self->now + thread->reissue;
    thread->done = sim_u16((done + (is_last ? left : thread->usual)) & UINT16_MAX);
    return is_last;
}
