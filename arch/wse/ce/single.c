/* Issues usual steps. */
#include "arch/wse/ce/single.h"

#include "arch/wse/ce/queue.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

/* There are no data to move, and nobody watches or asks. */
static bool is_possible(const WseRegion *region)
{
    return !region->fabric->is_functional && region->fabric->races == NULL &&
           region->spent == NULL && !wse_is_watched(region);
}

void wse_single_begin(const WseVisit *self,
                      const WseInstruction *instruction,
                      WseThread *thread)
{
    const guint input = instruction->input;
    const guint output = instruction->output;
    const bool is_usual =
        thread->is_single && !instruction->has_fifo && !instruction->is_wide &&
        !instruction->is_live && !instruction->is_endless &&
        !instruction->is_reduction && instruction->input2 == WSE_NO_RING &&
        (input != WSE_NO_RING || output != WSE_NO_RING) &&
        (output == WSE_NO_RING || !wse_visit_dsd(self, instruction, 0)->is_control) &&
        is_possible(self->region);

    thread->usual = is_usual ? instruction->per_wavelet : 0;
    thread->input = input == WSE_NO_RING ? WSE_NO_RING : self->kind->input_rings[input];
    thread->output =
        output == WSE_NO_RING ? WSE_NO_RING : self->kind->output_rings[output];
}

bool wse_single_is_ready(WseVisit *self, guint index)
{
    const WseThread *thread = &self->threads[index];

    if (!wse_visit_is_here(self, thread->at)) {
        return false;
    }
    if (thread->output != WSE_NO_RING) {
        const WseRing *ring = &self->rings[thread->output];

        if (ring->count == ring->depth ||
            !wse_visit_is_here(self, wse_ring_back(ring, self->slots)->head)) {
            return false;
        }
    }
    if (thread->input != WSE_NO_RING) {
        const WseRing *ring = &self->rings[thread->input];
        const WseToken *token = wse_ring_front(ring, self->slots);

        if (ring->count == 0 || (token->flags & WSE_TOKEN_CONTROL) != 0) {
            return false;
        }
        if (token->span != 0) { /* it was made at the pace of a stream */
            return wse_vector_is_ready(self, index);
        }
        if (!wse_visit_is_here(self, token->head)) {
            return false;
        }
    }
    return true;
}

/* A wavelet goes into the output queue of the operation. */
static void put(WseVisit *self, const WseThread *thread, bool is_last)
{
    const WseInstruction *instruction = &self->kind->code[thread->instruction];
    const WseDsd *dsd = wse_visit_dsd(self, instruction, 0);
    const guint slot = self->kind->router->sends[dsd->color];
    const bool is_advancing = is_last && dsd->is_switch_advanced;
    const guint flags =
        slot << WSE_TOKEN_SLOT | (is_advancing ? (guint) WSE_TOKEN_ADVANCE : 0);
    const WseToken token = {
        .head = self->now + self->fabric->numbers.enqueue,
        .count = 1,
        .flags = sim_u16(flags),
    };

    wse_queue_put(self, instruction->output, &token);
}

bool wse_single_step(WseVisit *self, guint index)
{
    WseThread *thread = &self->threads[index];
    WsePe *pe = self->pe;
    const WseNumbers *numbers = &self->fabric->numbers;
    const uint32_t left = sim_u32(thread->length - thread->done);
    const bool is_last = left <= thread->usual;
    const uint32_t elements = is_last ? left : thread->usual;
    const uint32_t end = self->now + 1;
    const uint32_t stall = thread->stall;

    if (thread->input != WSE_NO_RING) {
        self->region->afloat--;
        wse_queue_leave(self, &self->rings[thread->input], self->now);
    }
    if (thread->output != WSE_NO_RING) {
        put(self, thread, is_last);
    }
    pe->busy++;
    pe->memory_idle += stall;
    pe->issue_free = end + (numbers->is_stall_of_thread ? 0 : stall);
    thread->at = self->now + MAX(numbers->reissue, 1) +
                 (numbers->is_stall_of_thread ? stall : 0);
    thread->done = sim_u16(thread->done + elements);
    if (!is_last) {
        return false;
    }
    wse_vector_finish(self, &self->kind->code[thread->instruction], thread->instruction,
                      end);
    return true;
}
