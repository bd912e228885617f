/* Runs the decoded steps of the scalar machine of a compute element. */
#include <string.h>

#include "arch/number/nan.h"
#include "arch/wse/ce/machine.h"
#include "arch/wse/data/backlog.h"

/* What is not decoded, or has to fail; `pc` and `work` are the loop's own, whose
 * address nobody else has. */
static inline bool leave_loop(WseMachine *self, uint32_t *pc, uint32_t *work)
{
    self->pc = *pc;
    self->work = *work;

    const bool is_done = wse_machine_step(self);

    *pc = self->pc;
    *work = self->work;
    return is_done;
}

static float single(uint32_t bits)
{
    float value = 0;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    const float same = arch_nan_same(value);
    uint32_t bits = 0;

    memcpy(&bits, &same, sizeof bits);
    return bits;
}

/* A load or store at an address that is in the memory; false for all else. */
static inline bool
access_memory(const WseMachine *self, const WseStep *at, uint32_t base, uint32_t bits)
{
    const uint32_t address = (base + at->target) & UINT16_MAX;
    uint32_t *const to = &self->registers[at->to];
    uint16_t half = (uint16_t) bits;

    if (address + sizeof bits > self->limit) {
        return false;
    }
    switch (at->code) {
    case WSE_STEP_LOAD_32:
        memcpy(to, self->memory + address, sizeof *to);
        return true;
    case WSE_STEP_LOAD_U16:
        memcpy(&half, self->memory + address, sizeof half);
        *to = half;
        return true;
    case WSE_STEP_LOAD_I16:
        memcpy(&half, self->memory + address, sizeof half);
        *to = (uint32_t) (int16_t) half;
        return true;
    case WSE_STEP_STORE_32:
        memcpy(self->memory + address, &bits, sizeof bits);
        return true;
    case WSE_STEP_STORE_16:
        memcpy(self->memory + address, &half, sizeof half);
        return true;
    default:
        return false;
    }
}

/* Executes the step at `pc`, or returns false where another one is to do that. */
static inline bool run_step(WseMachine *self, uint32_t *pc, uint32_t *work)
{
    const WseStep *at = &self->steps[*pc];
    uint32_t *const registers = self->registers;
    const uint32_t a = (registers[at->first] & at->first_mask) | at->first_bits;
    const uint32_t b = (registers[at->second] & at->second_mask) | at->second_bits;

    switch (at->code) {
#define WSE_STEP(name, number, types, expression)                                      \
    case WSE_STEP_##name:                                                              \
        registers[at->to] = (uint32_t) (expression);                                   \
        break;
#include "arch/wse/program/step.def"
#undef WSE_STEP
    case WSE_STEP_JUMP:
        *pc = at->target - 1U;
        break;
    case WSE_STEP_JUMP_IF_ZERO:
    case WSE_STEP_JUMP_IF_NOT_ZERO:
        if ((a == 0) == (at->code == WSE_STEP_JUMP_IF_ZERO)) {
            *pc = at->target;
            *work += at->cycles_taken;
            return true;
        }
        break;
    case WSE_STEP_CALL:
        if (registers[at->to] != 0) {
            return leave_loop(self, pc, work);
        }
        registers[at->to] = *pc + 1;
        *pc = at->target - 1U;
        break;
    case WSE_STEP_RETURN:
        *pc = registers[at->to] - 1;
        registers[at->to] = 0;
        break;
    default:
        if (!access_memory(self, at, a, b)) {
            return leave_loop(self, pc, work);
        }
    }
    *pc += 1;
    *work += at->cycles;
    return true;
}

/* The same, and accounts for each step. */
static guint run_counted(WseMachine *machine, guint most, uint32_t *pc, uint32_t *work)
{
    WseVisit *visit = machine->visit;
    uint32_t at = *pc;
    uint32_t before = *work;
    guint count = 0;

    while (count < most && !visit->region->has_failed && run_step(machine, pc, work)) {
        wse_visit_spend(visit, at, *work - before, 0);
        at = *pc;
        before = *work;
        count++;
    }
    return count;
}

guint wse_machine_run(WseVisit *self, guint most)
{
    const ArchWseProgram *program = self->kind->program;
    WseMachine machine = {
        .visit = self,
        .registers = (uint32_t *) wse_pe_variables(self->pe, &self->fabric->block),
        .memory =
            program->has_loads ? wse_backlog_memory(self->region, self->number) : NULL,
        .memory_bytes = program->memory_bytes,
        .steps = program->steps,
        .limit = self->fabric->is_functional ? program->memory_bytes : 0,
    };
    uint32_t pc = self->pe->pc;
    uint32_t work = self->pe->work;
    guint count = 0;

    if (self->region->spent != NULL) {
        count = run_counted(&machine, most, &pc, &work);
    }
    while (self->region->spent == NULL && count < most && !self->region->has_failed &&
           run_step(&machine, &pc, &work)) {
        count++;
    }
    self->pe->pc = (uint16_t) pc;
    self->pe->work = work;
    self->region->scalars += count;
    return count;
}
