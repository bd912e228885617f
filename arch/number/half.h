/* 16-bit floating-point numbers of IEEE 754, with subnormals. */
#pragma once

#include <stdint.h>
#include <string.h>

float arch_half_to_float(uint16_t half);

/* Rounds to nearest, ties to even; magnitudes beyond 65519 become infinite. Every NaN
 * becomes the same quiet, positive one. Sums and products of halves are exact in
 * double, so that they are rounded once here. */
uint16_t arch_half_from_double(double value);

/* The half nearest to `value`, as a float. It combines the two functions above without
 * branches, for loops that the compiler vectorises. NaNs stay as they are. The float
 * result of one operation on halves is rounded only once this way, because a float has
 * more than twice as many digits plus two. */
static inline float arch_half_nearest(float value)
{
    int32_t bits = 0; /* signed: vectors of SSE2 compare no others */
    int32_t size = 0;
    int32_t near = 0;
    int32_t near_zero = 0;
    int32_t is_small = 0;
    float small = 0;

    memcpy(&bits, &value, sizeof bits);
    size = bits & 0x7fffffff;
    memcpy(&small, &size, sizeof small);
    small = (small + 0.5F) - 0.5F; /* to multiples of 2^-24, the least half */
    memcpy(&near_zero, &small, sizeof near_zero);
    is_small = -(size < 0x38800000); /* less than 2^-14; as a mask, not as a branch */
    near = size > 0x7f800000 ? 0x7f800000 : size;
    near = (near + 0xfff + ((near >> 13) & 1)) & ~0x1fff;
    near = near >= 0x47800000 ? 0x7f800000 : near; /* 65536 and more */
    near = size > 0x7f800000 ? size : near;        /* no number */
    near = (near_zero & is_small) | (near & ~is_small) | (bits ^ size);
    memcpy(&value, &near, sizeof value);
    return value;
}
