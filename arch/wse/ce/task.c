/* Chooses the task of a compute element and runs the instructions of its main thread.
 */
#include <string.h>

#include "arch/wse/ce/queue.h"
#include "arch/wse/ce/visit.h"
#include "arch/wse/data/backlog.h"
#include "arch/wse/data/carried.h"
#include "arch/wse/print.h"
#include "arch/wse/program/number.h"
#include "arch/wse/router/color.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    CONTROL = 128,            /* tasks from here on are control tasks */
    MOST_INSTRUCTIONS = 4096, /* in one go */
    NO_TASK = 255,
    HALF = 16, /* bits */
};

static uint64_t bit(guint task)
{
    return UINT64_C(1) << task;
}

static bool is_here(WseVisit *self, const WseToken *token)
{
    if (token->head > self->now) {
        self->again = MIN(self->again, token->head);
        return false;
    }
    return true;
}

/* The task that the wavelet in front of an input queue calls for; NO_TASK for none. */
static guint called_task(WseVisit *self, guint queue)
{
    const ArchWseProgram *program = self->kind->program;
    const WseRing *ring = &self->rings[self->kind->input_rings[queue]];
    const WseToken *token = wse_ring_front(ring, self->slots);
    const guint id = program->is_by_queue
                         ? queue
                         : self->kind->router->routes[self->pe->bound[queue]].color;

    if (token->flags & WSE_TOKEN_CONTROL) {
        guint task = wse_control_task(token->data);

        if (program->control_tasks[task].start == ARCH_WSE_NONE ||
            self->pe->blocked & bit(id)) {
            return NO_TASK;
        }
        return is_here(self, token) ? CONTROL + task : NO_TASK;
    }
    const WseTask *task = &program->tasks[id];

    if (task->kind != ARCH_WSE_TASK_DATA || task->start == ARCH_WSE_NONE ||
        self->pe->blocked & bit(id)) {
        return NO_TASK;
    }
    return is_here(self, token) ? id : NO_TASK;
}

/* Of all tasks that are ready, the one with the lowest rank runs. */
static guint rank(const WseVisit *self, guint task)
{
    switch (self->fabric->numbers.task_order) {
    case WSE_TASK_LOWEST_ID:
        return task;
    case WSE_TASK_HIGHEST_ID:
        return UINT8_MAX - task;
    case WSE_TASK_ROUND_ROBIN:
        return (task - self->pe->task - 1u) & UINT8_MAX;
    }
    return task;
}

static bool is_urgent(const WseVisit *self, guint task)
{
    return task < CONTROL && (self->pe->urgent & bit(task)) != 0;
}

/* Those of high priority first. */
static bool comes_before(const WseVisit *self, guint task, guint other)
{
    if (other == NO_TASK || is_urgent(self, task) != is_urgent(self, other)) {
        return other == NO_TASK || is_urgent(self, task);
    }
    return rank(self, task) < rank(self, other);
}

/* The first of some local tasks; there is one at least. */
static guint first_local(const WseVisit *self, uint64_t local)
{
    const guint last = self->pe->task;

    switch (self->fabric->numbers.task_order) {
    case WSE_TASK_HIGHEST_ID:
        return 63 - (guint) __builtin_clzll(local);
    case WSE_TASK_ROUND_ROBIN:
        if (last < 63 && local >> (last + 1) != 0) {
            return last + 1 + (guint) __builtin_ctzll(local >> (last + 1));
        }
        break;
    case WSE_TASK_LOWEST_ID:
        break;
    }
    return (guint) __builtin_ctzll(local);
}

/* The task to run next, NO_TASK for none; `queue` is where its wavelet is, or 0xff. */
static guint next_task(WseVisit *self, guint *queue)
{
    const WsePe *pe = self->pe;
    uint64_t local = pe->activated & ~pe->blocked;
    guint chosen = NO_TASK;

    *queue = WSE_NO_RING;
    if (local != 0) {
        chosen =
            first_local(self, (local & pe->urgent) != 0 ? local & pe->urgent : local);
    }
    uint32_t inputs = self->kind->has_called_tasks ? pe->inputs : 0;

    for (uint32_t left = inputs; left != 0; left &= left - 1) {
        guint candidate = (guint) __builtin_ctz(left);
        guint task = called_task(self, candidate);

        if (task != NO_TASK && comes_before(self, task, chosen)) {
            chosen = task;
            *queue = candidate;
        }
    }
    return chosen;
}

bool wse_ce_has_task(WseVisit *self)
{
    guint queue = 0;

    return next_task(self, &queue) != NO_TASK;
}

/* Parts of a wavelet go to registers. */
static void give_parts(const WseVisit *self, const WseTask *task, uint32_t word)
{
    uint32_t *registers = (uint32_t *) wse_pe_variables(self->pe, &self->fabric->block);

    for (guint i = 0; i < task->part_count; i++) {
        registers[task->variable + i] =
            wse_number_fit((ArchWseType) task->types[i], word >> HALF * i);
    }
}

/* The wavelet that a task was called for leaves its queue. */
static void take_wavelet(WseVisit *self, guint queue, const WseTask *task)
{
    const WseRing *ring = &self->rings[self->kind->input_rings[queue]];
    WseToken *token = wse_ring_front(ring, self->slots);

    if (token->flags & WSE_TOKEN_CONTROL) {
        give_parts(self, task, token->data);
    } else if (self->fabric->is_functional && self->fabric->diary == NULL) {
        uint32_t word = token->data;

        if (token->flags & WSE_TOKEN_PAYLOAD) {
            word = *wse_carried_words(self->region, token->data, token->count);
        }
        if (task->argument != ARCH_WSE_NONE) {
            memcpy(wse_backlog_memory(self->region, self->number) + task->argument,
                   &word, sizeof word);
        }
        give_parts(self, task, word);
    }
    self->region->afloat--;
    if (token->count > 1) {
        token->count--;
        wse_ring_delay(ring, self->slots, MAX(token->head, self->now) + 1);
        token->span -= token->span > 0 ? 1 : 0;
        return;
    }
    wse_queue_pop(self, queue, self->now);
}

const WseTask *wse_ce_task(const WseVisit *self)
{
    const ArchWseProgram *program = self->kind->program;
    const guint task = self->pe->task;

    if (task == WSE_LAUNCH_TASK) {
        return &g_array_index(program->entries, WseTask, self->pe->launched - 1);
    }
    return task < CONTROL ? &program->tasks[task % WSE_TASKS]
                          : &program->control_tasks[task % WSE_TASKS];
}

void wse_ce_dispatch(WseVisit *self)
{
    WsePe *pe = self->pe;
    guint queue = WSE_NO_RING;
    guint task = next_task(self, &queue);

    if (task == NO_TASK) {
        return;
    }
    pe->task = sim_u8(task);

    const WseTask *code = wse_ce_task(self);

    if (queue != WSE_NO_RING) {
        if (wse_is_watched(self->region)) {
            wse_watch_wavelet(self, queue);
        }
        take_wavelet(self, queue, code);
    } else {
        pe->activated &= ~bit(task);
    }
    pe->pc = code->start;
    pe->main = WSE_BEGINNING;
    pe->main_at = self->now + self->fabric->numbers.dispatch +
                  (queue != WSE_NO_RING ? self->fabric->numbers.data_entry : 0);
    if (wse_is_watched(self->region)) {
        wse_watch_task(self);
    }
}

static void iteration_ends(WseVisit *self, uint32_t when)
{
    GArray *ends = self->region->ends;

    if (self->pe->iteration >= ends->len) {
        g_array_set_size(ends, self->pe->iteration + 1);
    }
    WseEnds *end = &g_array_index(ends, WseEnds, self->pe->iteration);

    end->first = end->count == 0 ? when : MIN(end->first, when);
    end->count++;
    end->sum += when;
    end->last = MAX(end->last, when);
    self->pe->iteration++;
    if (wse_is_watched(self->region)) {
        wse_watch_iteration(self, when);
    }
}

/* Cycles of a zone are counted where the instruction is that begins it. */
static void zone_begins(WseVisit *self, uint32_t when)
{
    WsePe *pe = self->pe;

    if (pe->zone != ARCH_WSE_NONE && wse_is_watched(self->region)) {
        wse_watch_zone(self, when);
    }
    if (pe->zone != ARCH_WSE_NONE) {
        self->region->executed[self->fabric->first_code[self->kind->program_index] +
                               pe->zone] += when - pe->zone_since;
    }
    pe->zone = sim_u16(pe->pc - 1);
    pe->zone_since = when;
}

static void rewrite_route(WseVisit *self, const WseInstruction *instruction)
{
    guint slot = self->kind->router->slots[instruction->color];

    if (slot == WSE_NO_RING) {
        return; /* nobody routes it */
    }
    WseColor *color = &wse_pe_colors(self->pe, &self->fabric->block)[slot];
    const WseRoute *route =
        &wse_kind_routes(self->kind, self->pe, &self->fabric->block)[slot];

    if (instruction->code == WSE_TEARDOWN_EXIT) {
        color->is_torn_down = false;
        wse_color_settle(color, route, self->kind);
        if (wse_is_watched(self->region)) {
            wse_watch_mark(self->region, self->number, slot, "teardown_exit",
                           self->now);
        }
        wse_region_wake(self->region, self->number, self->now, self->now + 1,
                        WSE_DUE_ALL);
        return;
    }
    if (color->rings[instruction->rx] == WSE_NO_RING ||
        (instruction->tx != ARCH_WSE_RAMP &&
         color->next[instruction->tx] == WSE_NO_RING) ||
        (instruction->tx == ARCH_WSE_RAMP &&
         self->kind->program->color_inputs[instruction->color] == WSE_NO_RING)) {
        wse_region_fail(self->region, self->number,
                        "color %u is rerouted from %s to %s, where it cannot go",
                        instruction->color,
                        arch_wse_direction_name((ArchWseDirection) instruction->rx),
                        arch_wse_direction_name((ArchWseDirection) instruction->tx));
        return;
    }
    color->rx = sim_u8(1u << instruction->rx);
    color->tx = sim_u8(1u << instruction->tx);
    if (wse_is_watched(self->region)) {
        wse_watch_mark(self->region, self->number, slot, "reroute", self->now);
    }

    const uint8_t before = color->position;

    color->position = 0;
    wse_color_settle(color, route, self->kind);
    if (wse_is_watched(self->region) && before != 0) {
        wse_watch_switch(self->region, self->number, slot, before, self->now);
    }
}

/* The task of an activation or the like. */
static guint
signalled(const WseVisit *self, const WseInstruction *instruction, int32_t operand)
{
    const ArchWseProgram *program = self->kind->program;

    if (!instruction->is_variable) {
        return instruction->task;
    }
    if (operand < 0 || operand >= WSE_LAUNCH_TASK ||
        (program->tasks[operand].start == ARCH_WSE_NONE &&
         instruction->code == WSE_ACTIVATE)) {
        wse_region_fail(self->region, self->number,
                        "%s: a register names task %d, no task is bound to it",
                        program->name, operand);
        return 0;
    }
    return sim_u32(operand);
}

/* One that is no vector operation; `cycles` is what it takes. */
static void execute(WseVisit *self, const WseInstruction *instruction, uint32_t *cycles)
{
    WsePe *pe = self->pe;
    int32_t *variables = wse_pe_variables(pe, &self->fabric->block);
    int32_t operand =
        instruction->is_variable ? variables[instruction->value] : instruction->value;

    *cycles = instruction->cycles;
    pe->pc++;
    switch (instruction->code) {
    case WSE_ASSIGN:
        variables[instruction->variable] = operand;
        break;
    case WSE_ADD:
        variables[instruction->variable] += operand;
        break;
    case WSE_JUMP_UNLESS:
        if (!wse_relation_holds((ArchWseRelation) instruction->relation,
                                variables[instruction->variable], operand)) {
            pe->pc = instruction->target;
            *cycles = instruction->cycles_taken;
        }
        break;
    case WSE_JUMP_UNLESS_SCALAR:
        if (!wse_scalar_holds(instruction,
                              wse_backlog_memory(self->region, self->number))) {
            pe->pc = instruction->target;
            *cycles = instruction->cycles_taken;
        }
        break;
    case WSE_ACTIVATE:
        pe->activated |= bit(signalled(self, instruction, operand));
        break;
    case WSE_BLOCK:
        pe->blocked |= bit(signalled(self, instruction, operand));
        break;
    case WSE_UNBLOCK:
        pe->blocked &= ~bit(signalled(self, instruction, operand));
        break;
    case WSE_SCALAR:
        self->region->scalars++;
        if (self->fabric->is_functional) {
            wse_scalar_execute(instruction,
                               wse_backlog_memory(self->region, self->number));
        }
        break;
    case WSE_ROUTE:
    case WSE_TEARDOWN_EXIT:
        rewrite_route(self, instruction);
        break;
    case WSE_ITERATION:
        iteration_ends(self, self->now + pe->work);
        break;
    case WSE_ZONE:
        zone_begins(self, self->now + pe->work);
        break;
    case WSE_PRINT:
        wse_print_add(self->region, self->number, instruction, self->now + pe->work);
        break;
    case WSE_PRINT_TEXT:
    case WSE_PRINT_VALUE:
        wse_print_piece(self->region, self->number, instruction, self->now + pe->work);
        break;
    case WSE_RECORD:
        wse_print_record(self->region, self->number, instruction, self->now + pe->work);
        break;
    case WSE_UNBLOCK_STREAM:
        pe->is_over = true;
        break;
    case WSE_END:
        pe->main = WSE_IDLE;
        break;
    default: /* vectors and the machine are elsewhere */
        g_assert_not_reached();
    }
}

/* The operation at `pc`, whose set-up ends at `when`. */
static void start_vector(WseVisit *self, uint32_t when)
{
    WsePe *pe = self->pe;

    pe->main_at = when + self->fabric->numbers.setup_latency;
    wse_vector_start(self, pe->pc, pe->main_at);
    pe->pc++;
}

/* The same after what the main thread still has to issue. */
static void begin_vector(WseVisit *self, const WseInstruction *instruction)
{
    WsePe *pe = self->pe;

    pe->work += instruction->cycles;
    wse_visit_spend(self, pe->pc, instruction->cycles, 0);
    if (pe->work > 0 && wse_ce_is_shared(self)) {
        pe->main = WSE_SETTING;
    } else {
        start_vector(self, self->now + pe->work);
    }
}

bool wse_ce_is_shared(const WseVisit *self)
{
    return self->pe->raised != 0 ||
           (self->fabric->numbers.is_main_alternating && self->pe->threads != 0);
}

void wse_ce_run(WseVisit *self)
{
    WsePe *pe = self->pe;

    if (pe->main == WSE_SETTING) {
        start_vector(self, pe->main_at);
        return;
    }
    if (pe->main == WSE_BEGINNING) {
        pe->work = 0;
        pe->main = WSE_RUNNING;
    }
    for (guint i = 0; i < MOST_INSTRUCTIONS && pe->main == WSE_RUNNING &&
                      (pe->work == 0 || !wse_ce_is_shared(self));
         i++) {
        const WseInstruction *instruction = &self->kind->code[pe->pc];
        uint32_t cycles = 0;

        if (instruction->code == WSE_VECTOR) {
            begin_vector(self, instruction);
            return;
        }
        if (instruction->code >= WSE_MACHINE) {
            const guint most = wse_ce_is_shared(self) ? 1 : MOST_INSTRUCTIONS - i;

            const guint count = wse_machine_run(self, most);

            if (count == 0 || self->region->has_failed) {
                return;
            }
            i += count - 1;
            continue;
        }
        const guint at = pe->pc;

        execute(self, instruction, &cycles);
        pe->work += cycles;
        wse_visit_spend(self, at, cycles, 0);
    }
    if (wse_is_watched(self->region) && pe->main == WSE_IDLE && pe->work == 0) {
        wse_watch_rest(self, self->now);
    }
}
