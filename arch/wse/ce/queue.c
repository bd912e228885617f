/* Takes tokens from the input queues of a compute element, and puts them into its
 * output queues. */
#include "arch/wse/ce/queue.h"

#include "arch/wse/data/carried.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    NO_QUEUE = 0xff,
};

static WseRing *input_ring(const WseVisit *self, guint queue)
{
    return &self->rings[self->kind->input_rings[queue]];
}

static WseRing *output_ring(const WseVisit *self, guint queue)
{
    return &self->rings[self->kind->output_rings[queue]];
}

static bool has_input(WseVisit *self, const WseInstruction *instruction, guint queue)
{
    const WseRing *ring = input_ring(self, queue);

    if (ring->count == 0) {
        return false;
    }
    const WseToken *token = wse_ring_front(ring, self->slots);

    if (token->flags & WSE_TOKEN_CONTROL) {
        return false;
    }
    return wse_visit_is_here(self, wse_queue_start(instruction, token));
}

static bool has_output(WseVisit *self, guint queue)
{
    const WseRing *ring = output_ring(self, queue);

    return ring->count < ring->depth &&
           wse_visit_is_here(self, wse_ring_back_time(ring, self->slots));
}

/* Single wavelets in front of an input queue, up to `most`. */
static uint32_t waiting(WseVisit *self, guint queue, uint32_t most)
{
    const WseRing *ring = input_ring(self, queue);
    uint32_t count = 0;

    while (count < MIN(most, ring->count) &&
           (wse_ring_at(ring, self->slots, count)->flags & WSE_TOKEN_CONTROL) == 0 &&
           wse_visit_is_here(self, wse_ring_at(ring, self->slots, count)->head)) {
        count++;
    }
    return count;
}

/* Places in an output queue, up to `most`. */
static uint32_t room(WseVisit *self, guint queue, uint32_t most)
{
    const WseRing *ring = output_ring(self, queue);
    uint32_t count = 0;

    while (count < most && ring->count + count < ring->depth &&
           wse_visit_is_here(
               self, *wse_slot_time(self->slots,
                                    wse_ring_place(ring, ring->count + count)))) {
        count++;
    }
    return count;
}

/* Single wavelets of a step for which the queues are deep enough. */
static uint32_t wanted(const WseVisit *self, guint index)
{
    const WseInstruction *instruction = wse_visit_instruction(self, index);
    const WseThread *thread = &self->threads[index];
    const uint32_t left = sim_u32(thread->length - thread->done);
    const uint32_t per_wavelet = instruction->per_wavelet;
    uint32_t wavelets = MIN((left + per_wavelet - 1) / per_wavelet, WSE_QUEUE_STEP);
    const uint8_t inputs[] = {instruction->input, instruction->input2};

    for (guint i = 0; i < G_N_ELEMENTS(inputs); i++) {
        if (inputs[i] != NO_QUEUE) {
            wavelets = MIN(wavelets, input_ring(self, inputs[i])->depth);
        }
    }
    return instruction->output == NO_QUEUE
               ? wavelets
               : MIN(wavelets, output_ring(self, instruction->output)->depth);
}

uint32_t wse_queue_wavelets(WseVisit *self, guint index)
{
    const WseInstruction *instruction = wse_visit_instruction(self, index);

    if (!instruction->is_wide) {
        return 1;
    }
    uint32_t wavelets = wanted(self, index);

    if (instruction->input != NO_QUEUE) {
        wavelets = waiting(self, instruction->input, wavelets);
    }
    if (instruction->input2 != NO_QUEUE) {
        wavelets = waiting(self, instruction->input2, wavelets);
    }
    return instruction->output == NO_QUEUE ? wavelets
                                           : room(self, instruction->output, wavelets);
}

bool wse_queue_are_ready(WseVisit *self, const WseInstruction *instruction, guint index)
{
    if (G_UNLIKELY(instruction->is_wide) && self->threads[index].is_single) {
        const uint32_t least = instruction->is_patient ? wanted(self, index) : 1;

        return wse_queue_wavelets(self, index) >= least;
    }
    return (instruction->output == NO_QUEUE || has_output(self, instruction->output)) &&
           (instruction->input == NO_QUEUE ||
            has_input(self, instruction, instruction->input)) &&
           (instruction->input2 == NO_QUEUE ||
            has_input(self, instruction, instruction->input2));
}

WseToken *wse_queue_front(const WseVisit *self, guint queue)
{
    return wse_ring_front(input_ring(self, queue), self->slots);
}

const uint32_t *wse_queue_words(const WseVisit *self,
                                guint queue,
                                uint32_t wavelets,
                                uint32_t copies[WSE_QUEUE_STEP])
{
    const WseToken *token = wse_queue_front(self, queue);

    if (token->flags & WSE_TOKEN_PAYLOAD) {
        return wse_carried_words(self->region, token->data, token->count);
    }
    if (wavelets == 1) {
        return &token->data;
    }
    for (uint32_t i = 0; i < wavelets; i++) {
        copies[i] = wse_ring_at(input_ring(self, queue), self->slots, i)->data;
    }
    return copies;
}

void wse_queue_pop(WseVisit *self, guint queue, uint32_t last)
{
    WseRing *ring = input_ring(self, queue);
    const WseToken *token = wse_ring_front(ring, self->slots);

    if (token->flags & WSE_TOKEN_PAYLOAD) {
        wse_carried_drop(self->region, token->data);
    }
    wse_queue_leave(self, ring, last);
}

/* At most a token of them; returns how many. */
static uint32_t
take_token(WseVisit *self, guint queue, uint32_t wavelets, uint32_t last)
{
    const WseRing *ring = input_ring(self, queue);
    WseToken *token = wse_ring_front(ring, self->slots);
    const uint32_t taken = MIN(wavelets, token->count);

    self->region->afloat -= taken;
    if (taken < token->count) {
        uint32_t tail = token->head + token->span;

        token->count = sim_u16(token->count - taken);
        token->head = MAX(token->head, last + 1);
        token->span = tail > token->head ? tail - token->head : 0;
        wse_ring_delay(ring, self->slots, token->head);
        return taken;
    }
    wse_queue_pop(self, queue, last);
    return taken;
}

void wse_queue_take(WseVisit *self, guint queue, uint32_t wavelets, uint32_t last)
{
    while (wavelets > 0) {
        wavelets -= take_token(self, queue, wavelets, last);
    }
}

void wse_queue_put(WseVisit *self, guint queue, const WseToken *token)
{
    WseRing *ring = output_ring(self, queue);
    WseToken *to = wse_ring_back(ring, self->slots);

    wse_queue_fill(self, ring, *token);
    if (wse_is_watched(self->region)) {
        wse_watch_set_trail(self->region, self->number, to, (WseTrail){0});
    }
}
