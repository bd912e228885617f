/* Vectors of compiled kernels: their instructions, lane by lane. */
#include "arch/tensix/compute/sfpu_vector.h"

#include <string.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/sfpu_lanes.h"
#include "arch/tensix/compute/sfpu_number.h"
#include "arch/tensix/tile.h"

static void set_all(uint32_t *lanes, uint32_t bits)
{
    for (unsigned i = 0; i < SFPU_LANES; i++) {
        lanes[i] = bits;
    }
}

SfpuVectors *tensix_sfpu_vectors_new(void)
{
    enum {
        SOME_CONSTANT = 8,
    };
    SfpuVectors *self = g_new0(SfpuVectors, 1);

    set_all(self->registers[SOME_CONSTANT], UINT32_C(0x3f56594b)); /* 0.8373 */
    set_all(self->registers[SFPU_ONE], TENSIX_SFPU_ONE);
    set_all(self->registers[SFPU_MINUS_ONE], TENSIX_SFPU_ONE | TENSIX_SIGN);
    for (unsigned i = 0; i < SFPU_LANES; i++) {
        self->registers[SFPU_LANE_NUMBERS][i] = 2 * i;
    }
    set_all(self->enabled, UINT32_MAX);
    return self;
}

/* The place of a lane from a row on. */
static unsigned place_of(unsigned lane, bool is_odd)
{
    enum {
        ROW_LANES = TENSIX_FACE_SIDE / 2,
    };

    return lane / ROW_LANES * TENSIX_FACE_SIDE + lane % ROW_LANES * 2 + is_odd;
}

static void store(const SfpuVectors *self,
                  const SfpuInstruction *at,
                  uint32_t *row,
                  bool is_odd,
                  TensixSfpuMode mode)
{
    const bool is_cut = at->opcode == SFPU_STORE && mode.dst == TENSIX_DST_16;
    const bool is_ieee = mode.arithmetic == TENSIX_ARITHMETIC_IEEE;

    for (unsigned i = 0; i < SFPU_LANES; i++) {
        uint32_t bits = self->registers[at->a][i];

        if (is_cut) {
            bits = is_ieee ? tensix_round_even(bits, 16) : bits & UINT32_C(0xffff0000);
        }
        if (self->enabled[i] != 0) {
            row[place_of(i, is_odd)] = bits;
        }
    }
}

/* `to` becomes its lanes where `mask` is set, and those of `other` elsewhere. */
static void
choose(uint32_t *to, const uint32_t *mask, const uint32_t *lanes, const uint32_t *other)
{
    for (unsigned i = 0; i < SFPU_LANES; i++) {
        to[i] = (lanes[i] & mask[i]) | (other[i] & ~mask[i]);
    }
}

/* Changes which lanes are enabled; kernels keep to the limit of the stack. */
static void change_condition(SfpuVectors *self, const SfpuInstruction *at)
{
    const uint32_t *last = self->depth > 0 ? self->kept[self->depth - 1] : NULL;

    if (at->opcode == SFPU_PUSH && self->depth < SFPU_STACK_LIMIT) {
        memcpy(self->kept[self->depth++], self->enabled, sizeof self->enabled);
    } else if (at->opcode == SFPU_POP && last != NULL) {
        memcpy(self->enabled, last, sizeof self->enabled);
        self->depth--;
    } else if (at->opcode == SFPU_ELSE && last != NULL) {
        for (unsigned i = 0; i < SFPU_LANES; i++) {
            self->enabled[i] = last[i] & ~self->enabled[i];
        }
    } else if (at->opcode == SFPU_NARROW) {
        for (unsigned i = 0; i < SFPU_LANES; i++) {
            self->enabled[i] &= self->registers[at->a][i];
        }
    }
}

void tensix_sfpu_vectors_run(SfpuVectors *self,
                             const SfpuInstruction *at,
                             uint32_t *row,
                             bool is_odd,
                             TensixSfpuMode mode)
{
    const uint32_t *a = self->registers[at->a];
    SfpuVector result = {0};

    switch (at->opcode) {
    case SFPU_LOAD:
        for (unsigned i = 0; i < SFPU_LANES; i++) {
            result[i] = row[place_of(i, is_odd)];
        }
        break;
    case SFPU_STORE:
    case SFPU_STORE_BITS:
        store(self, at, row, is_odd, mode);
        return;
    case SFPU_MAD:
        tensix_sfpu_multiply_adds(result, a, self->registers[at->b],
                                  self->registers[at->c], SFPU_LANES);
        break;
    case SFPU_ASSIGN:
        choose(result, self->enabled, a, self->registers[at->b]);
        break;
    case SFPU_CONFIG:
        memcpy(self->registers[at->imm], a, sizeof result);
        return;
    default:
        if (at->opcode >= SFPU_PUSH) {
            change_condition(self, at);
            return;
        }
        tensix_sfpu_bits(result, at, a, self->registers[at->b], SFPU_LANES);
        break;
    }
    memcpy(self->registers[at->d], result, sizeof result);
}
