/* Programs of the vector unit: runs them, a face at a time, and counts their slots. */
#include "arch/tensix/compute/sfpu_program.h"

#include <stdbool.h>
#include <string.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/lanes.h"
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

/* Registers that an instruction reads. */
enum {
    READS_A = 1,
    READS_B = 2,
    READS_C = 4,
    READS_D = 8,
    READS_TABLE = 16,
};

static const uint8_t reads[SFPU_OPCODES] = {
    [SFPU_STORE] = READS_A,
    [SFPU_STORE_BITS] = READS_A,
    [SFPU_MAD] = READS_A | READS_B | READS_C,
    [SFPU_LUT] = READS_TABLE,
    [SFPU_MOV] = READS_A,
    [SFPU_NEG] = READS_A,
    [SFPU_ABS] = READS_A,
    [SFPU_SETSGN] = READS_A | READS_D,
    [SFPU_SETEXP] = READS_A | READS_D,
    [SFPU_SETEXPI] = READS_A,
    [SFPU_DIVP2] = READS_A,
    [SFPU_EXEXP] = READS_A,
    [SFPU_EXEXP_BIASED] = READS_A,
    [SFPU_EXMAN] = READS_A,
    [SFPU_EXMAN_BITS] = READS_A,
    [SFPU_SHIFT] = READS_A | READS_D,
    [SFPU_SHIFTI] = READS_D,
    [SFPU_IADD] = READS_A | READS_D,
    [SFPU_IADDI] = READS_A,
    [SFPU_ISUB] = READS_A | READS_D,
    [SFPU_AND] = READS_A | READS_D,
    [SFPU_CAST] = READS_A,
    [SFPU_TO_UINT16] = READS_A,
    [SFPU_MAX] = READS_A | READS_D,
    [SFPU_IF_LT0] = READS_A,
    [SFPU_IF_GE0] = READS_A,
    [SFPU_IF_EQ0] = READS_A,
};

static bool reads_register(const SfpuInstruction *self, uint8_t number)
{
    const unsigned which = reads[self->opcode];

    return ((which & READS_A) != 0 && self->a == number) ||
           ((which & READS_B) != 0 && self->b == number) ||
           ((which & READS_C) != 0 && self->c == number) ||
           ((which & READS_D) != 0 && self->d == number) ||
           ((which & READS_TABLE) != 0 && number < 7);
}

static guint slots_of_constant(uint32_t bits)
{
    return (bits & HALF_OF_WORD) == 0 ? 1 : 2;
}

guint tensix_sfpu_vector_slots(const SfpuProgram *self)
{
    guint slots = 1; /* INCRWC */

    for (guint i = 0; i < self->length; i++) {
        const SfpuInstruction *at = &self->code[i];
        const bool is_late = at->opcode == SFPU_MAD || at->opcode == SFPU_LUT;

        slots += at->opcode == SFPU_LOADI ? slots_of_constant(at->imm) : 1;
        slots += at->opcode == SFPU_MAX ? 1 : 0;
        slots +=
            is_late && i + 1 < self->length && reads_register(at + 1, at->d) ? 1 : 0;
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

TENSIX_LANE uint32_t without_denormal(uint32_t bits)
{
    return (bits & TENSIX_INFINITY) == 0 ? 0 : bits;
}

TENSIX_LANE uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c)
{
    const double x = (double) tensix_number_to_float(without_denormal(a));
    const double y = (double) tensix_number_to_float(without_denormal(b));
    const double z = (double) tensix_number_to_float(without_denormal(c));
    const uint32_t sum = tensix_number_from_float((float) (x * y + z));
    const uint32_t same =
        (sum & TENSIX_MAGNITUDE) > TENSIX_INFINITY ? TENSIX_SFPU_NAN : sum;

    return without_denormal(same);
}

TENSIX_LANES
static void run_multiply_adds(uint32_t *restrict to,
                              const uint32_t *a,
                              const uint32_t *b,
                              const uint32_t *c)
{
    for (unsigned i = 0; i < LANES; i++) {
        to[i] = multiply_add(a[i], b[i], c[i]);
    }
}

TENSIX_LANE uint32_t shifted(uint32_t bits, int32_t by)
{
    return by >= 0 ? bits << (by & 31) : bits >> ((0 - (uint32_t) by) & 31);
}

/* The order of signs and magnitudes, in which NaNs are outermost. */
static bool is_smaller(uint32_t a, uint32_t b)
{
    const uint32_t x = (a & TENSIX_SIGN) != 0 ? ~a : a | TENSIX_SIGN;
    const uint32_t y = (b & TENSIX_SIGN) != 0 ? ~b : b | TENSIX_SIGN;

    return x < y;
}

TENSIX_LANE uint32_t number_of_integer(uint32_t bits)
{
    const float magnitude = (float) (bits & TENSIX_MAGNITUDE);

    return tensix_number_from_float(magnitude) | (bits & TENSIX_SIGN);
}

TENSIX_LANE uint32_t to_uint16(uint32_t bits)
{
    const float magnitude = tensix_number_to_float(bits & TENSIX_MAGNITUDE);

    /* A NaN, too, becomes the greatest; ties go away from zero. */
    return magnitude < (float) G_MAXUINT16 ? (uint32_t) ((double) magnitude + 0.5)
                                           : G_MAXUINT16;
}

TENSIX_LANE uint32_t scaled(uint32_t bits, uint32_t power)
{
    const uint32_t exponent = bits >> TENSIX_MANTISSA_BITS & 0xff;
    const uint32_t other = (exponent + power) & 0xff;

    return exponent == TENSIX_EXPONENT_TOP
               ? bits
               : (bits & ~TENSIX_INFINITY) | other << TENSIX_MANTISSA_BITS;
}

/* `result` of each lane, of the same lane of a and d. */
#define LANEWISE(...)                                                                  \
    for (unsigned i = 0; i < LANES; i++) {                                             \
        result[i] = __VA_ARGS__;                                                       \
    }                                                                                  \
    break

/* What an instruction does to bits. */
TENSIX_LANES
static void run_bits(uint32_t *restrict result,
                     const SfpuInstruction *at,
                     const uint32_t *a,
                     const uint32_t *d)
{
    const uint32_t imm = at->imm;

    switch (at->opcode) {
    case SFPU_LOADI:
        LANEWISE(imm);
    case SFPU_MOV:
        LANEWISE(a[i]);
    case SFPU_NEG:
        LANEWISE(a[i] ^ TENSIX_SIGN);
    case SFPU_ABS:
        LANEWISE(a[i] & TENSIX_MAGNITUDE);
    case SFPU_SETSGN:
        LANEWISE((a[i] & TENSIX_MAGNITUDE) | (d[i] & TENSIX_SIGN));
    case SFPU_SETEXP:
        LANEWISE((a[i] & ~TENSIX_INFINITY) | (d[i] & 0xff) << TENSIX_MANTISSA_BITS);
    case SFPU_SETEXPI:
        LANEWISE((a[i] & ~TENSIX_INFINITY) | imm << TENSIX_MANTISSA_BITS);
    case SFPU_DIVP2:
        LANEWISE(scaled(a[i], imm));
    case SFPU_EXEXP:
        LANEWISE((a[i] >> TENSIX_MANTISSA_BITS & 0xff) - TENSIX_EXPONENT_BIAS);
    case SFPU_EXEXP_BIASED:
        LANEWISE(a[i] >> TENSIX_MANTISSA_BITS & 0xff);
    case SFPU_EXMAN:
        LANEWISE((a[i] & TENSIX_MANTISSA) | TENSIX_LEADING);
    case SFPU_EXMAN_BITS:
        LANEWISE(a[i] & TENSIX_MANTISSA);
    case SFPU_SHIFT:
        LANEWISE(shifted(d[i], (int32_t) a[i]));
    case SFPU_SHIFTI:
        LANEWISE(shifted(d[i], (int32_t) imm));
    case SFPU_IADD:
        LANEWISE(a[i] + d[i]);
    case SFPU_IADDI:
        LANEWISE(a[i] + imm);
    case SFPU_ISUB:
        LANEWISE(a[i] - d[i]);
    case SFPU_AND:
        LANEWISE(a[i] & d[i]);
    case SFPU_CAST:
        LANEWISE(number_of_integer(a[i]));
    case SFPU_TO_UINT16:
        LANEWISE(to_uint16(a[i]));
    case SFPU_IF_LT0:
        LANEWISE(-(a[i] >> 31));
    case SFPU_IF_GE0:
        LANEWISE((a[i] >> 31) - 1);
    case SFPU_IF_EQ0:
        LANEWISE(-(uint32_t) (a[i] == 0));
    default:
        break;
    }
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

        result[i] =
            multiply_add(self->registers[part][i], x, self->registers[4 + part][i]);
    }
}

static void run_max(Machine *self, const SfpuInstruction *at)
{
    Lanes more;
    Lanes less;

    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t a = self->registers[at->a][i];
        const uint32_t d = self->registers[at->d][i];
        const bool is_swapped = is_smaller(a, d);

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
        run_multiply_adds(result, self->registers[at->a], self->registers[at->b],
                          self->registers[at->c]);
    } else if (at->opcode == SFPU_LUT) {
        look_up(self, result);
    } else {
        run_bits(result, at, self->registers[at->a], self->registers[at->d]);
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
