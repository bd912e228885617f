/* Programs of the vector unit: runs them, a face at a time, and counts their slots. */
#include "arch/tensix/compute/sfpu_program.h"

#include <stdbool.h>
#include <string.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/sfpu_lanes.h"
#include "arch/tensix/compute/sfpu_number.h"
#include "arch/tensix/tile.h"

enum {
    LANES = TENSIX_FACE_ELEMENTS,
    HALF_OF_WORD = 0xffff,
};

typedef uint32_t Lanes[LANES];

typedef struct {
    Lanes registers[SFPU_REGISTERS];
    Lanes enabled; /* all bits set, or none */
    bool has_condition;
} Machine;

static bool reads_register(const SfpuInstruction *self, uint8_t number)
{
    const unsigned which = tensix_sfpu_operands(self->opcode);

    return ((which & READS_A) != 0 && self->a == number) ||
           ((which & READS_B) != 0 && self->b == number) ||
           ((which & READS_C) != 0 && self->c == number) ||
           ((which & READS_D) != 0 && self->d == number) ||
           ((which & READS_TABLE) != 0 && number < 7);
}

static guint slots_of_constant(uint32_t bits)
{
    return tensix_sfpu_slots(SFPU_LOADI, bits);
}

guint tensix_sfpu_vector_slots(const SfpuProgram *self)
{
    guint slots = 1; /* INCRWC */

    for (guint i = 0; i < self->length; i++) {
        const SfpuInstruction *at = &self->code[i];

        slots += tensix_sfpu_slots(at->opcode, at->imm);
        slots += tensix_sfpu_is_late(at->opcode) && i + 1 < self->length &&
                         reads_register(at + 1, at->d)
                     ? 1
                     : 0;
    }
    return slots;
}

guint tensix_sfpu_face_slots(const SfpuProgram *self)
{
    guint slots = self->scalar_count * slots_of_constant(HALF_OF_WORD);

    for (guint i = 0; i < self->constant_count; i++) {
        slots += self->constants[i].d < SFPU_P0
                     ? slots_of_constant(self->constants[i].bits)
                     : 0;
    }
    return slots;
}

/* Writes to enabled lanes; constants stay what they are. */
static void put(Machine *self, uint8_t number, const uint32_t *lanes)
{
    if (number >= SFPU_ZERO) {
        return;
    }
    uint32_t *to = self->registers[number];

    for (unsigned i = 0; i < LANES && self->has_condition; i++) {
        to[i] = (lanes[i] & self->enabled[i]) | (to[i] & ~self->enabled[i]);
    }
    if (!self->has_condition) {
        memcpy(to, lanes, sizeof(Lanes));
    }
}

static void look_up(const Machine *self, uint32_t *result)
{
    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t x = self->registers[3][i] & TENSIX_MAGNITUDE;
        const bool is_far = x >= UINT32_C(0x40000000);
        const unsigned part = is_far ? 2 : x >= TENSIX_SFPU_ONE;

        tensix_sfpu_multiply_adds(&result[i], &self->registers[part][i], &x,
                                  &self->registers[4 + part][i], 1);
    }
}

static void run_max(Machine *self, const SfpuInstruction *at)
{
    Lanes more;
    Lanes less;

    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t a = self->registers[at->a][i];
        const uint32_t d = self->registers[at->d][i];
        const bool is_swapped = tensix_sfpu_is_smaller(a, d);

        more[i] = is_swapped ? d : a;
        less[i] = is_swapped ? a : d;
    }
    put(self, at->a, more);
    put(self, at->d, less);
}

static void store(const SfpuInstruction *at,
                  const Machine *self,
                  uint32_t *dst,
                  TensixSfpuMode mode)
{
    const bool is_cut = at->opcode == SFPU_STORE && mode.dst == TENSIX_DST_16;
    const bool is_ieee = mode.arithmetic == TENSIX_ARITHMETIC_IEEE;

    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t bits = self->registers[at->a][i];

        dst[i] = bits;
        if (is_cut) {
            dst[i] =
                is_ieee ? tensix_round_even(bits, 16) : bits & ~(uint32_t) HALF_OF_WORD;
        }
    }
}

static void run_instruction(Machine *self, const SfpuInstruction *at)
{
    Lanes result;

    if (at->opcode == SFPU_MAX) {
        run_max(self, at);
        return;
    }
    if (at->opcode == SFPU_END) {
        self->has_condition = false;
        return;
    }
    if (at->opcode == SFPU_MAD) {
        tensix_sfpu_multiply_adds(result, self->registers[at->a],
                                  self->registers[at->b], self->registers[at->c],
                                  LANES);
    } else if (at->opcode == SFPU_LUT) {
        look_up(self, result);
    } else {
        tensix_sfpu_bits(result, at, self->registers[at->a], self->registers[at->d],
                         LANES);
    }
    if (at->opcode >= SFPU_IF_LT0) {
        memcpy(self->enabled, result, sizeof result);
        self->has_condition = true;
    } else {
        put(self, at->d, result);
    }
}

static void set_all(uint32_t *lanes, uint32_t bits)
{
    for (unsigned i = 0; i < LANES; i++) {
        lanes[i] = bits;
    }
}

static void
set_constants(Machine *self, const SfpuProgram *program, const SfpuCall *call)
{
    set_all(self->registers[SFPU_ZERO], 0);
    set_all(self->registers[SFPU_ONE], TENSIX_SFPU_ONE);
    set_all(self->registers[SFPU_MINUS_ONE], TENSIX_SFPU_ONE | TENSIX_SIGN);
    for (guint i = 0; i < program->constant_count; i++) {
        set_all(self->registers[program->constants[i].d], program->constants[i].bits);
    }
    for (guint i = 0; i < program->scalar_count; i++) {
        set_all(self->registers[7 - i], call->scalars[i]);
    }
}

void tensix_sfpu_run(const SfpuProgram *self, const SfpuCall *call, TensixSfpuMode mode)
{
    Machine machine = {0};

    for (size_t first = 0; first < TENSIX_TILE_ELEMENTS; first += LANES) {
        set_constants(&machine, self, call);
        for (guint i = 0; i < self->length; i++) {
            const SfpuInstruction *at = &self->code[i];

            if (at->opcode == SFPU_LOAD) {
                put(&machine, at->d, call->operands[at->a] + first);
            } else if (at->opcode == SFPU_STORE || at->opcode == SFPU_STORE_BITS) {
                store(at, &machine, call->dst + first, mode);
            } else {
                run_instruction(&machine, at);
            }
        }
    }
}
