/* The input and output queues of a compute element, as vector operations use them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "arch/wse/ce/visit.h"
#include "sim/narrow.h"

enum {
    WSE_QUEUE_STEP = 2, /* the most single wavelets of a step */
};

/* Those of these threads that are worth a look: all queues that they take from have
 * something, and those that they send to have room. A byte of each word is a thread's.
 */
static inline uint32_t wse_queue_fed(const WsePe *pe, uint32_t threads)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t wants = 0;
    uint64_t gives = 0;

    memcpy(&wants, pe->wants, sizeof wants);
    memcpy(&gives, pe->gives, sizeof gives);

    wants = GUINT64_FROM_LE(wants);
    gives = GUINT64_FROM_LE(gives);

    const uint64_t missing = (wants & ~(pe->inputs * ones)) | (gives & pe->full * ones);
    const uint64_t some =
        (((missing & ~(ones << 7)) + (ones << 7) - ones) | missing) >> 7 & ones;

    /* The bits of all bytes, gathered in the uppermost. */
    return threads & ~sim_u32(some * UINT64_C(0x0102040810204080) >> 56);
}

/* When an operation can begin with a token: with the first wavelet of a stream that is
 * alone, else with the last. A wide one is faster than the ramp, and begins so that it
 * ends with the last. */
static inline uint32_t wse_queue_start(const WseInstruction *instruction,
                                       const WseToken *token)
{
    const uint32_t cycles = (token->count + 1U) / 2;

    if (instruction->is_alone) {
        return token->head;
    }
    if (!instruction->is_wide) {
        return token->head + token->span;
    }
    return token->head + (token->span + 1 > cycles ? token->span + 1 - cycles : 0);
}

/* Whether there is enough in the input queues of operation `index`, which is this
 * instruction, and room in its output queue. If not, `again` says when to visit again.
 */
bool wse_queue_are_ready(WseVisit *self,
                         const WseInstruction *instruction,
                         guint index);

/* Single wavelets that the operation can move in a step: 1, or up to WSE_QUEUE_STEP of
 * one that is wide. */
uint32_t wse_queue_wavelets(WseVisit *self, guint index);

/* The token in front of an input queue. */
WseToken *wse_queue_front(const WseVisit *self, guint queue);

/* The words of the next `wavelets` of an input queue. Those of single ones are copied
 * to `copies`. */
const uint32_t *wse_queue_words(const WseVisit *self,
                                guint queue,
                                uint32_t wavelets,
                                uint32_t copies[WSE_QUEUE_STEP]);

/* The token in front of this ring of an input queue leaves it; its last wavelet does so
 * at `last`. Its payload is left to the caller. */
static inline void wse_queue_leave(WseVisit *self, WseRing *ring, uint32_t last)
{
    const guint queue = ring->slot;
    const uint32_t free = last + self->fabric->numbers.input_credit;

    wse_ring_pop(ring, self->slots, free);
    self->pe->inputs &= (uint8_t) ~((ring->count == 0 ? 1u : 0u) << queue);
    if (ring->waiting != 0) {
        ring->waiting = 0;
        wse_region_wake_pe(self->region, self->pe, self->number, self->now, free,
                           1u << self->pe->bound[queue]);
    }
}

/* The last wavelet of an input queue's first token leaves it at `last`, and the token
 * with it. */
void wse_queue_pop(WseVisit *self, guint queue, uint32_t last);

/* So many wavelets leave an input queue; the last of them at `last`. */
void wse_queue_take(WseVisit *self, guint queue, uint32_t wavelets, uint32_t last);

/* Puts a token into an output queue. */
void wse_queue_put(WseVisit *self, guint queue, const WseToken *token);

/* The same into this ring; for who knows that nobody watches. */
static inline void wse_queue_fill(WseVisit *self, WseRing *ring, WseToken token)
{
    WsePe *pe = self->pe;
    const uint8_t queue = sim_u8(1u << ring->slot & UINT8_MAX);

    wse_ring_push(ring, self->slots, &token);
    self->region->afloat += token.count;
    pe->outputs |= ring->count == 1 ? queue : 0;
    pe->full |= ring->count == ring->depth ? queue : 0;
    if ((pe->outputs & queue) != 0) {
        wse_region_wake_pe(self->region, self->pe, self->number, self->now, token.head,
                           WSE_DUE_OUTPUTS);
    }
}
