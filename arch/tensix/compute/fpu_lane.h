/* The matrix unit's arithmetic without branches, for loops over many numbers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/number.h"

/* Numbers from SrcA and SrcB are patterns with the lower 13 bits 0, numbers of Dst as
 * TensixDst says. Exponent 0 is zero, exponent 255 one more power of two. Results are
 * never -0 or denormal; those too great are infinities' patterns.
 *
 * What the public documents leave open is chosen thus: a zero takes no part in finding
 * the greatest exponent; the products of a phase that takes a lower part of SrcA (SrcB)
 * lie 5 (7) binary places lower, before any alignment; products too small for an
 * exponent keep it until the result is stored; ELWADD aligns the smaller magnitude with
 * ties away from zero; and the result of one negative unit, which the chip is known to
 * normalise wrongly in a way not published, is normalised rightly.
 *
 * Sums are in units of 2^(exponent - 127 - 10). */

enum {
    TENSIX_FPU_DEPTH = 16, /* products of a column that MVMUL and GAPOOL add up */
    TENSIX_FPU_GROUP = 8,  /* of these, aligned with one another */
};

enum {
    FPU_LANE_NOTHING = -2000, /* a zero's exponent, below all others */
    FPU_LANE_FAR = 30,        /* binary places after which nothing is left */
};

typedef struct {
    int32_t mantissa;
    int32_t exponent;
} FpuLaneSum;

TENSIX_LANE int32_t fpu_lane_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

TENSIX_LANE int32_t fpu_lane_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* `value` if the condition holds, else 0: what compilers do not turn into a branch. */
TENSIX_LANE int32_t fpu_lane_if(bool condition, int32_t value)
{
    return value & -(int32_t) condition;
}

/* -1 for a negative number, else 0. */
TENSIX_LANE int32_t fpu_lane_sign(int32_t value)
{
    return -(int32_t) (value < 0);
}

TENSIX_LANE int32_t fpu_lane_half(int32_t shift)
{
    return (1 << shift) >> 1;
}

/* Ties towards plus infinity. */
TENSIX_LANE int32_t fpu_lane_shift_up(int32_t value, int32_t shift)
{
    return (value + fpu_lane_half(shift)) >> shift;
}

/* Ties away from zero. */
TENSIX_LANE int32_t fpu_lane_shift_away(int32_t value, int32_t shift)
{
    int32_t sign = fpu_lane_sign(value);
    int32_t magnitude = (value ^ sign) - sign;

    return (((magnitude + fpu_lane_half(shift)) >> shift) ^ sign) - sign;
}

/* Gives a magnitude's float the sum's exponent; `units` is the exponent, less the bias,
 * of the least place. */
TENSIX_LANE uint32_t fpu_lane_assemble(uint32_t magnitude,
                                       int32_t exponent,
                                       int32_t units,
                                       uint32_t sign)
{
    int32_t stored = (int32_t) (magnitude >> 23) + exponent - 127 - units;
    uint32_t bits = (uint32_t) stored << 23 | (magnitude & TENSIX_MANTISSA);
    uint32_t too_great = -(uint32_t) (stored >= TENSIX_EXPONENT_TOP);
    uint32_t is_number = -(uint32_t) ((magnitude != 0) & (stored > 0));

    bits = (bits & ~too_great) | (TENSIX_INFINITY & too_great);
    return (bits | sign) & is_number;
}

TENSIX_LANE uint32_t fpu_lane_store_16(FpuLaneSum sum)
{
    int32_t sign = fpu_lane_sign(sum.mantissa);
    int32_t magnitude = (sum.mantissa ^ sign) - sign;
    uint32_t bits = tensix_number_from_float((float) magnitude);

    /* 17 bits at most, so the conversion is exact; then ties away from zero. */
    bits = (bits + 0x8000) & UINT32_C(0xffff0000);
    return fpu_lane_assemble(bits, sum.exponent, 10, (uint32_t) sign & TENSIX_SIGN);
}

/* The mantissa is in units of 2^(exponent - 127 - 23) here. */
TENSIX_LANE uint32_t fpu_lane_store_32(FpuLaneSum sum)
{
    int32_t sign = fpu_lane_sign(sum.mantissa);
    int32_t magnitude = (sum.mantissa ^ sign) - sign;
    /* The conversion rounds ties to even. A 1 in the place below makes a tie more than
     * one; magnitudes that need no rounding do without it. */
    int32_t doubled = magnitude << 1 | (magnitude >> 24 != 0);
    uint32_t bits = tensix_number_from_float((float) doubled);

    return fpu_lane_assemble(bits, sum.exponent, 24, (uint32_t) sign & TENSIX_SIGN);
}

/* dst + x + y. In a Dst of 16 bits, ties of x and y go away from zero, or as those of
 * their alignment do. */
TENSIX_LANE uint32_t
fpu_lane_add_to(uint32_t dst, FpuLaneSum x, FpuLaneSum y, bool is_16, bool has_ties_up)
{
    int32_t dst_exponent = tensix_number_exponent(dst);
    bool has_dst = dst_exponent != 0;
    int32_t mantissa = (int32_t) ((dst & TENSIX_MANTISSA) | TENSIX_LEADING);
    int32_t sign = fpu_lane_sign((int32_t) dst);
    int32_t old = fpu_lane_if(has_dst, (mantissa ^ sign) - sign);
    int32_t old_exponent = dst_exponent + fpu_lane_if(!has_dst, FPU_LANE_NOTHING);
    int32_t top = fpu_lane_max(old_exponent, fpu_lane_max(x.exponent, y.exponent));
    int32_t old_shift = fpu_lane_min(top - old_exponent, FPU_LANE_FAR);
    int32_t x_shift = fpu_lane_min(top - x.exponent, FPU_LANE_FAR);
    int32_t y_shift = fpu_lane_min(top - y.exponent, FPU_LANE_FAR);

    old = fpu_lane_shift_away(old, old_shift);
    x.mantissa = fpu_lane_shift_up(x.mantissa * (1 << 13), x_shift);
    y.mantissa = fpu_lane_shift_up(y.mantissa * (1 << 13), y_shift);
    if (is_16) {
        int32_t total = fpu_lane_shift_away(old, 13) +
                        (has_ties_up ? fpu_lane_shift_up(x.mantissa, 13)
                                     : fpu_lane_shift_away(x.mantissa, 13)) +
                        (has_ties_up ? fpu_lane_shift_up(y.mantissa, 13)
                                     : fpu_lane_shift_away(y.mantissa, 13));
        return fpu_lane_store_16((FpuLaneSum){total, top});
    }
    return fpu_lane_store_32((FpuLaneSum){old + x.mantissa + y.mantissa, top});
}
