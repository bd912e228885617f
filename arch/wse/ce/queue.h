/* The input and output queues of a compute element, as vector operations use them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/ce/visit.h"

enum {
    WSE_QUEUE_STEP = 2, /* the most single wavelets of a step */
};

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
    if (ring->count == 0) {
        self->pe->inputs &= (uint8_t) ~(1u << queue);
    }
    if (ring->is_waited_for) {
        ring->is_waited_for = false;
        wse_region_wake(self->region, self->number, self->now, free,
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
