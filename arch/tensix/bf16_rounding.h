/* Rounding to BF16 (16 bits fewer) and TF32 (13 bits fewer): as the chip does it, and
 * to even, as IEEE 754 would. */
#pragma once

#include <stdint.h>

#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/number.h"

/* To the nearest pattern whose `low_bits` lower bits are 0, ties to even; a NaN stays
 * one. */
static inline uint32_t tensix_round_even(uint32_t bits, unsigned low_bits)
{
    uint32_t half = UINT32_C(1) << (low_bits - 1);
    uint32_t mask = ~((half << 1) - 1);
    uint32_t rounded = (bits + half - 1 + (bits >> low_bits & 1)) & mask;
    uint32_t nan = (bits & mask) | TENSIX_LEADING >> 1;

    return (bits & TENSIX_MAGNITUDE) > TENSIX_INFINITY ? nan : rounded;
}

/* To nearest, ties away from zero: adds half to the magnitude. */
TENSIX_LANE uint32_t tensix_round_away(uint32_t bits, unsigned low_bits)
{
    uint32_t half = UINT32_C(1) << (low_bits - 1);
    uint32_t magnitude = bits & TENSIX_MAGNITUDE;
    uint32_t is_normal = -(uint32_t) (magnitude >= TENSIX_LEADING);

    magnitude = magnitude > TENSIX_INFINITY ? TENSIX_INFINITY : magnitude;
    return ((magnitude + half) >> low_bits << low_bits | (bits & TENSIX_SIGN)) &
           is_normal;
}

/* The same to BF16, for a number that is neither denormal nor near the largest. */
TENSIX_LANE float tensix_round_normal_to_bf16(float value)
{
    uint32_t bits = tensix_number_from_float(value) + 0x8000;

    return tensix_number_to_float(bits & UINT32_C(0xffff0000));
}
