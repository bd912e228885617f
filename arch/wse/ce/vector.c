/* Advances the vector operations of a compute element. */
#include "arch/wse/ce/move.h"
#include "arch/wse/ce/pace.h"
#include "arch/wse/ce/queue.h"
#include "arch/wse/ce/race.h"
#include "arch/wse/ce/visit.h"
#include "arch/wse/program/cost.h"
#include "arch/wse/program/operation.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    NO_QUEUE = 0xff,
    PARTS = 4, /* of a wide stream */
};

static void
uncount_phase(WseVisit *self, const WseInstruction *instruction, uint32_t when)
{
    guint phase = self->kind->phases[instruction->phase];
    WsePhase *state = &wse_pe_phases(self->pe, &self->fabric->block)[phase];

    if (--state->alive == 0) {
        self->region->phase_cycles[phase] += when - state->since;
    }
}

void wse_vector_finish(WseVisit *self,
                       const WseInstruction *instruction,
                       guint number,
                       uint32_t when)
{
    WsePe *pe = self->pe;

    self->region
        ->executed[self->fabric->first_code[self->kind->program_index] + number] +=
        instruction->length;
    if (instruction->is_live) {
        wse_live_end(self, instruction, number);
    }
    if (instruction->has_fabric && instruction->phase != 0) {
        uncount_phase(self, instruction, when);
    }
    if (!instruction->is_async) {
        return;
    }
    if (instruction->activated != NO_QUEUE) {
        pe->activated |= UINT64_C(1) << instruction->activated;
    }
    if (instruction->unblocked != NO_QUEUE) {
        pe->blocked &= ~(UINT64_C(1) << instruction->unblocked);
    }
}

void wse_vector_run(WseVisit *self, guint index)
{
    const WseInstruction *instruction = wse_visit_instruction(self, index);
    const WseThread *thread = &self->threads[index];
    int32_t offsets[WSE_OPERANDS];

    for (guint i = 0; i < WSE_OPERANDS; i++) {
        offsets[i] = thread->offsets[i];
    }
    WseCost cost = wse_program_cost(self->kind->program, instruction, offsets,
                                    &self->pe->remainder);

    self->pe->work = cost.steps;
    self->pe->work_stalls = cost.stalls;
    wse_visit_spend(self, thread->instruction, cost.steps, cost.stalls);
    if (wse_is_watched(self->region)) {
        wse_watch_vector_work(self);
    }
    if (self->fabric->is_functional) {
        wse_move_all(self, instruction, thread);
    }
    wse_vector_finish(self, instruction, thread->instruction,
                      self->now + cost.steps + cost.stalls);
}

/* A control wavelet is in front, and ends the operation. */
static bool is_cut_off(const WseVisit *self, const WseInstruction *instruction)
{
    if (instruction->on_control == ARCH_WSE_CONTROL_WAITS ||
        instruction->input == NO_QUEUE) {
        return false;
    }
    const WseRing *ring = &self->rings[self->kind->input_rings[instruction->input]];
    const WseToken *token = wse_ring_front(ring, self->slots);

    return ring->count > 0 && (token->flags & WSE_TOKEN_CONTROL) != 0 &&
           token->head <= self->now;
}

/* Its FIFO is full or empty, and it does not wait for it. */
static bool is_given_up(const WseVisit *self, const WseInstruction *instruction)
{
    return instruction->is_tried && instruction->has_fifo &&
           wse_fifo_elements(self, instruction) == 0;
}

bool wse_vector_is_ready(WseVisit *self, guint index)
{
    const WseInstruction *instruction = wse_visit_instruction(self, index);

    if (G_UNLIKELY(instruction->is_live) &&
        wse_visit_is_here(self, self->threads[index].at) &&
        (is_cut_off(self, instruction) || is_given_up(self, instruction))) {
        return true;
    }
    return wse_visit_is_here(self, self->threads[index].at) &&
           wse_queue_are_ready(self, instruction, index) &&
           (!instruction->has_fifo || wse_fifo_is_ready(self, index));
}

static const WseDsd *output_dsd(const WseVisit *self, const WseInstruction *instruction)
{
    return wse_visit_dsd(self, instruction, 0);
}

/* Control wavelets stay single for routers to read, and those of short streams. */
static bool sends_single(const WseVisit *self, const WseInstruction *instruction)
{
    return instruction->output != NO_QUEUE &&
           (output_dsd(self, instruction)->is_control ||
            (self->kind->single_outputs >> instruction->output & 1) != 0);
}

/* One step at a time: where wavelets are single, and on FIFOs unless streams are whole.
 */
static bool is_stepwise(const WseVisit *self,
                        const WseInstruction *instruction,
                        const WseThread *thread)
{
    const bool has_stream =
        instruction->input != NO_QUEUE || instruction->output != NO_QUEUE;

    return thread->is_single && (has_stream || !self->fabric->is_stream);
}

/* Elements of a part of a wide stream. Whole ones would come one after another where
 * wavelets of several come in turn, faster than the ramp. */
static uint32_t part_of(const WseThread *thread, uint32_t per_wavelet)
{
    const uint32_t step = PARTS * per_wavelet;

    return (thread->length + step - 1) / step * per_wavelet;
}

static WseMove measure(WseVisit *self, const WseInstruction *instruction, guint index)
{
    const WseThread *thread = &self->threads[index];
    WseMove step = {
        .elements = sim_u32(thread->length - thread->done),
        .per_wavelet = instruction->per_wavelet,
        .last = self->now,
    };

    const bool is_single = is_stepwise(self, instruction, thread);

    step.is_single = is_single;

    if (is_single && !instruction->has_fifo && !instruction->is_wide) {
        step.elements = MIN(step.elements, step.per_wavelet);
        step.wavelets = 1;
        step.cycles = 1;
        return step;
    }
    if (is_single || sends_single(self, instruction)) {
        const uint32_t wavelets = is_single ? wse_queue_wavelets(self, index) : 1;

        step.elements = MIN(step.elements, wavelets * step.per_wavelet);
    }
    if (!is_single && instruction->is_wide && instruction->output != NO_QUEUE) {
        step.elements = MIN(step.elements, part_of(thread, step.per_wavelet));
    }
    const uint8_t queues[] = {instruction->input, instruction->input2};

    for (guint i = 0; i < G_N_ELEMENTS(queues); i++) {
        if (!is_single && queues[i] != NO_QUEUE) {
            const WseToken *token = wse_queue_front(self, queues[i]);

            step.elements = MIN(step.elements, token->count * step.per_wavelet);
            step.last = MAX(step.last, token->head + token->span);
        }
    }
    if (instruction->has_fifo) {
        step.elements = wse_fifo_step(self, instruction, step.elements);
    }
    step.wavelets = (step.elements + step.per_wavelet - 1) / step.per_wavelet;
    step.cycles = instruction->is_wide ? (step.wavelets + 1) / 2 : step.wavelets;
    return step;
}

/* The token that goes into the output queue, without its data. */
static WseToken output_token(const WseVisit *self,
                             const WseInstruction *instruction,
                             const WseMove *step,
                             uint32_t end,
                             bool is_last)
{
    const WseDsd *dsd = output_dsd(self, instruction);
    guint slot = self->kind->router->sends[dsd->color];
    guint flags = slot << WSE_TOKEN_SLOT;

    flags |= dsd->is_control ? WSE_TOKEN_CONTROL : 0;
    flags |= is_last && dsd->is_switch_advanced ? WSE_TOKEN_ADVANCE : 0;
    return (WseToken){
        .head = self->now + self->fabric->numbers.enqueue,
        .span = end - self->now - 1,
        .count = sim_u16(step->wavelets),
        .flags = sim_u16(flags),
    };
}

/* Puts the token into the output queue, or several single ones. */
static void
send(WseVisit *self, guint queue, const WseMove *step, const WseToken *token)
{
    if (!step->is_single || step->wavelets == 1) {
        wse_queue_put(self, queue, token);
        return;
    }
    for (uint32_t i = 0; i < step->wavelets; i++) {
        WseToken one = *token;

        one.count = 1;
        one.data = step->words[i];
        if (i + 1 < step->wavelets) {
            one.flags = sim_u16(one.flags & ~(guint) WSE_TOKEN_ADVANCE);
        }
        wse_queue_put(self, queue, &one);
    }
}

/* A control wavelet that does not end the operation yet leaves. */
static bool pass_control(WseVisit *self, guint index)
{
    WseInstruction *instruction =
        &wse_pe_lives(self->pe, &self->fabric->block)[index].instruction;

    if (instruction->control_count < 2 || !is_cut_off(self, instruction)) {
        return false;
    }
    instruction->control_count--;
    wse_queue_take(self, instruction->input, 1, self->now);
    self->pe->issue_free = self->now + 1;
    self->pe->busy++;
    wse_visit_spend(self, self->threads[index].instruction, 1, 0);
    if (wse_is_watched(self->region)) {
        wse_watch_step(self, index, 1, self->now + 1, 0);
    }
    return true;
}

/* Ends a live operation before its last element. Returns false if it goes on. */
static bool cut_off(WseVisit *self, guint index)
{
    WseInstruction *instruction =
        &wse_pe_lives(self->pe, &self->fabric->block)[index].instruction;
    const WseThread *thread = &self->threads[index];
    const uint64_t task = UINT64_C(1) << instruction->control_task % WSE_TASKS;

    if (pass_control(self, index)) {
        return false;
    }
    instruction->length = thread->done;
    instruction->is_endless = false;
    self->pe->issue_free = self->now + 1;
    self->pe->busy++;
    wse_visit_spend(self, thread->instruction, 1, 0);
    if (!is_cut_off(self, instruction)) {
        instruction->is_tried = false;
        ((uint32_t *) wse_pe_variables(self->pe,
                                       &self->fabric->block))[instruction->tried] = 0;
    } else {
        const WseToken *token = wse_queue_front(self, instruction->input);

        if (self->kind->program->control_tasks[wse_control_task(token->data)].start ==
            ARCH_WSE_NONE) {
            wse_queue_take(self, instruction->input, 1, self->now);
        }
        if (instruction->on_control == ARCH_WSE_CONTROL_ACTIVATES) {
            instruction->activated = NO_QUEUE;
            self->pe->activated |= task;
        } else if (instruction->on_control == ARCH_WSE_CONTROL_UNBLOCKS) {
            instruction->activated = NO_QUEUE;
            instruction->unblocked = NO_QUEUE;
            self->pe->blocked &= ~task;
        }
    }
    if (wse_is_watched(self->region)) {
        wse_watch_step(self, index, 1, self->now + 1, 0);
        wse_watch_vector_end(self, index, self->now + 1);
    }
    wse_vector_finish(self, instruction, thread->instruction, self->now + 1);
    return true;
}

/* Whether the PE's numbers are known, and not those of others that do the same. */
static bool has_numbers(const WseVisit *self)
{
    return self->fabric->is_functional && self->fabric->diary == NULL;
}

bool wse_vector_step(WseVisit *self, guint index)
{
    const WseInstruction *instruction = wse_visit_instruction(self, index);

    if (G_UNLIKELY(instruction->is_live) &&
        (is_cut_off(self, instruction) || is_given_up(self, instruction))) {
        return cut_off(self, index);
    }
    WseThread *thread = &self->threads[index];
    WseMove step = measure(self, instruction, index);
    uint32_t end =
        MAX(self->now + wse_pace_stretched(self, instruction, thread, step.cycles),
            step.last + 1);
    bool is_last =
        thread->done + step.elements == thread->length && !instruction->is_endless;
    uint32_t stalls = step.cycles * thread->stall;
    WseToken token = {0};
    WseToken *out = NULL;

    if (self->fabric->races != NULL && thread->done == 0 &&
        wse_races_is_receiving(instruction)) {
        wse_races_look(self->fabric->races, self, index);
    }
    wse_see_ready(self, index, step.last, end);
    if (instruction->output != NO_QUEUE) {
        token = output_token(self, instruction, &step, end, is_last);
        out = &token;
    }
    if (out != NULL && token.flags & WSE_TOKEN_CONTROL && !has_numbers(self)) {
        token.data = wse_visit_dsd(self, instruction, 1)->bits;
    } else if (self->fabric->is_functional) {
        wse_move_step(self, instruction, thread, &step, out);
    }
    if (instruction->has_fifo) {
        wse_fifo_move(self, instruction, step.elements);
    }
    if (instruction->input != NO_QUEUE) {
        wse_queue_take(self, instruction->input, step.wavelets, end - 1);
    }
    if (instruction->input2 != NO_QUEUE) {
        wse_queue_take(self, instruction->input2, step.wavelets, end - 1);
    }
    if (out != NULL) {
        send(self, instruction->output, &step, &token);
    }
    wse_see_step(self, index, step.cycles, end, stalls);
    self->pe->busy += step.cycles;
    self->pe->memory_idle += stalls;
    wse_visit_spend(self, thread->instruction, step.cycles, stalls);
    self->pe->issue_free = end;
    thread->at =
        MAX(end, self->now + wse_pace_interval(self, instruction, step.elements));
    if (self->fabric->numbers.is_stall_of_thread) {
        thread->at += stalls;
    } else {
        self->pe->issue_free += stalls;
    }
    thread->done = sim_u16(thread->done + step.elements);
    if (instruction->is_endless && !instruction->is_moving) {
        thread->done = 0;
    }
    if (!is_last) {
        return false;
    }
    if (wse_is_watched(self->region)) {
        wse_watch_vector_end(self, index,
                             index == WSE_MAIN ? self->pe->issue_free : end);
    }
    wse_vector_finish(self, instruction, thread->instruction, end);
    return true;
}
