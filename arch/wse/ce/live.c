/* Makes the operations whose operands are in registers, each time that they start. */
#include "arch/wse/program/live.h"

#include <string.h>

#include "arch/wse/ce/visit.h"
#include "arch/wse/data/backlog.h"
#include "arch/wse/program/operation.h"
#include "sim/narrow.h"

enum {
    HALF = 16, /* bits */
};

typedef struct {
    WseVisit *visit;
    WseLive *live;
    const WseOperation *operation;
    const uint32_t *registers;
    uint32_t lengths[WSE_OPERANDS];
    bool has_length[WSE_OPERANDS];
} Making;

static bool fail(const Making *self, const char *what, uint32_t number)
{
    const WseVisit *visit = self->visit;

    wse_region_fail(visit->region, visit->number, "%s: %s: %s %u",
                    visit->kind->program->name, self->operation->name, what, number);
    return false;
}

/* Numbers in memory are of the operation's type, wherever they lie. */
static void set_memory(const Making *self, guint operand, WseDsd *dsd, uint32_t address)
{
    dsd->type = operand == 0 ? self->operation->destination
                             : self->operation->sources[operand - 1];
    dsd->bytes = sim_u8(arch_wse_type_bytes(dsd->type));
    dsd->address = sim_i32(address & UINT16_MAX);
    dsd->variable = ARCH_WSE_NONE;
}

static bool take_value(Making *self, guint operand, guint variable)
{
    const WseKind *kind = self->visit->kind;
    const uint32_t low = self->registers[variable];
    const uint32_t high = self->registers[variable + 1];
    const uint32_t number = high & UINT16_MAX;
    WseDsd *dsd = &self->live->dsds[operand];

    if (number != ARCH_WSE_NONE && number >= kind->program->dsds->len) {
        return fail(self, "a register holds no descriptor, its number is", number);
    }
    *dsd = number == ARCH_WSE_NONE ? (WseDsd){.kind = WSE_MEMORY, .rank = 1}
                                   : kind->dsds[number];
    self->has_length[operand] = dsd->kind != WSE_FIFO && dsd->kind != WSE_IMMEDIATE;
    if (dsd->kind == WSE_MEMORY) {
        set_memory(self, operand, dsd, low);
        if (dsd->rank == 1) {
            dsd->strides[0] = sim_i16((int32_t) high >> HALF);
            dsd->length = low >> HALF;
        }
    } else if (dsd->kind == WSE_FIFO) {
        self->has_length[operand] = low >> HALF != 0;
        self->lengths[operand] = low >> HALF;
        return true;
    } else if (dsd->kind == WSE_FABRIC_IN || dsd->kind == WSE_FABRIC_OUT) {
        dsd->length = low >> HALF;
        if (high >> HALF != 0) {
            dsd->color = sim_u8((high >> HALF & UINT8_MAX) - 1);
        }
    }
    self->lengths[operand] = dsd->length;
    return true;
}

static bool take_operand(Making *self, guint operand, const WseDsd *from)
{
    WseDsd *dsd = &self->live->dsds[operand];

    if (from->kind == WSE_VALUE) {
        return take_value(self, operand, from->variable);
    }
    *dsd = *from;
    self->lengths[operand] = from->length;
    self->has_length[operand] = from->kind == WSE_MEMORY ||
                                from->kind == WSE_FABRIC_IN ||
                                from->kind == WSE_FABRIC_OUT;
    if (from->kind == WSE_REGISTER) {
        set_memory(self, operand, dsd, 0);
        dsd->kind = WSE_IMMEDIATE;
        dsd->bits = self->registers[from->variable];
    } else if (from->kind == WSE_POINTER) {
        const uint32_t address = self->registers[from->variable];

        *dsd = (WseDsd){.kind = WSE_MEMORY, .rank = 1};
        set_memory(self, operand, dsd, address);
    }
    return true;
}

/* The operation's index moves what is indexed. */
static void take_index(const Making *self)
{
    const WseInstruction *instruction = &self->live->instruction;
    const uint32_t index = instruction->is_variable
                               ? self->registers[instruction->value]
                               : (uint32_t) instruction->value;

    for (guint i = 0; instruction->has_index && i < instruction->operand_count; i++) {
        WseDsd *dsd = &self->live->dsds[i];

        if (dsd->is_indexed && dsd->kind == WSE_FABRIC_OUT) {
            dsd->index = sim_u16(index & UINT16_MAX);
        } else if (dsd->is_indexed && dsd->kind == WSE_MEMORY) {
            dsd->address = sim_i32((sim_u32(dsd->address) + 2 * index) & UINT16_MAX);
        }
    }
}

/* Of the first source that has one, else of the destination, else 1. */
static void take_length(Making *self)
{
    WseInstruction *instruction = &self->live->instruction;
    const guint count = instruction->operand_count;

    instruction->length = 1;
    for (guint i = 0; i < count; i++) {
        const guint operand = (i + 1) % count;

        if (self->has_length[operand]) {
            instruction->length = self->lengths[operand];
            break;
        }
    }
    instruction->is_endless = instruction->length == ARCH_WSE_ENDLESS;
    for (guint i = 0; i < count; i++) {
        WseDsd *dsd = &self->live->dsds[i];

        if (dsd->kind == WSE_MEMORY && dsd->rank == 1) {
            dsd->length = instruction->length;
            dsd->extents[0] = sim_u16(instruction->length);
        }
    }
}

/* A number in memory as the destination and a number as source 0: every element works
 * on what the one before has left. */
static bool fold(Making *self, bool is_pointer)
{
    const WseVisit *visit = self->visit;
    WseDsd *dsds = self->live->dsds;
    uint8_t *memory = NULL;

    if (!is_pointer || self->live->instruction.operand_count < 3 ||
        dsds[1].kind != WSE_IMMEDIATE) {
        return true;
    }
    if (dsds[0].address + dsds[0].bytes >
        (int64_t) visit->kind->program->memory_bytes) {
        return fail(self, "its destination is beyond the memory, at address",
                    sim_u32(dsds[0].address));
    }
    if (visit->fabric->is_functional) {
        memory = wse_backlog_memory(visit->region, visit->number);
        memcpy(memory + dsds[0].address, &dsds[1].bits, dsds[0].bytes);
    }
    dsds[1] = dsds[0];
    return true;
}

static bool take_task(const Making *self, uint16_t variable, uint8_t *task)
{
    const uint32_t number = self->registers[variable];

    if (number == ARCH_WSE_NONE) {
        return true;
    }
    if (number >= WSE_TASKS ||
        self->visit->kind->program->tasks[number].start == ARCH_WSE_NONE) {
        return fail(self, "a task for its end that is not bound,", number);
    }
    *task = sim_u8(number);
    return true;
}

static bool take_signals(const Making *self)
{
    WseInstruction *instruction = &self->live->instruction;

    return (!instruction->is_activated_in_register ||
            take_task(self, instruction->signal[0], &instruction->activated)) &&
           (!instruction->is_unblocked_in_register ||
            take_task(self, instruction->signal[1], &instruction->unblocked));
}

/* What is checked of other operations when their program is built. */
static bool check(const Making *self)
{
    const ArchWseProgram *program = self->visit->kind->program;
    WseInstruction *instruction = &self->live->instruction;
    const WseDsd *dsds[WSE_OPERANDS] = {NULL};
    g_autoptr(GError) error = NULL;
    bool is_right = true;

    for (guint i = 0; i < instruction->operand_count && is_right; i++) {
        dsds[i] = &self->live->dsds[i];
        is_right = wse_vector_check_operand(program, instruction->operation, i, dsds[i],
                                            &error);
    }
    if (!is_right || !wse_vector_resolve(program, instruction, dsds, &error)) {
        wse_region_fail(self->visit->region, self->visit->number, "%s", error->message);
        return false;
    }
    return true;
}

bool wse_live_make(WseVisit *self, guint number, WseLive *live)
{
    const WseInstruction *from = &self->kind->code[number];
    Making making = {
        .visit = self,
        .live = live,
        .operation = wse_operation_at(from->operation),
        .registers =
            (const uint32_t *) wse_pe_variables(self->pe, &self->fabric->block),
    };

    memset(live->dsds, 0, sizeof live->dsds);
    live->instruction = *from;
    live->instruction.is_live = true;
    for (guint i = 0; i < from->operand_count; i++) {
        if (!take_operand(&making, i, &self->kind->dsds[from->operands[i]])) {
            return false;
        }
    }
    take_length(&making);
    take_index(&making);
    return fold(&making, self->kind->dsds[from->operands[0]].kind == WSE_POINTER) &&
           take_signals(&making) && check(&making);
}

void wse_live_end(WseVisit *self, const WseInstruction *instruction, guint number)
{
    const WseInstruction *from = &self->kind->code[number];
    uint32_t *registers = (uint32_t *) wse_pe_variables(self->pe, &self->fabric->block);
    WseMoved *moved =
        &self->region
             ->moved[self->fabric->first_code[self->kind->program_index] + number];

    if (instruction->is_tried) {
        registers[from->tried] = 1;
    }
    moved->half_words += (uint64_t) instruction->length * instruction->memory_words_x2;
    for (guint i = 0; i < from->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(self, instruction, i);
        const WseDsd *place = &self->kind->dsds[from->operands[i]];

        if (dsd->kind == WSE_FABRIC_IN && i > 0) {
            moved->ramp_words += instruction->length / dsd->elements_per_wavelet;
        }
        if ((from->saved >> i & 1) == 0 || place->kind != WSE_VALUE ||
            dsd->kind != WSE_MEMORY || dsd->rank != 1) {
            continue;
        }
        uint32_t *low = &registers[place->variable];
        const int64_t bytes =
            (int64_t) instruction->length * dsd->strides[0] * dsd->bytes;

        *low = (*low & ~(uint32_t) UINT16_MAX) | sim_u32((*low + bytes) & UINT16_MAX);
    }
}
