/* The parts of a number as a 32-bit pattern: sign, 8-bit exponent, 23-bit mantissa. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "arch/number/nan.h"

enum {
    TENSIX_MANTISSA_BITS = 23,
    TENSIX_EXPONENT_BIAS = 127,
    TENSIX_EXPONENT_TOP = 255, /* infinities and NaNs where they exist */
};

#define TENSIX_SIGN      UINT32_C(0x80000000)
#define TENSIX_MAGNITUDE UINT32_C(0x7fffffff)
#define TENSIX_INFINITY  UINT32_C(0x7f800000)
#define TENSIX_MANTISSA  UINT32_C(0x007fffff)
#define TENSIX_LEADING   UINT32_C(0x00800000) /* the mantissa's implicit 1 */

/* The arithmetic of units and converters. */
typedef enum {
    TENSIX_ARITHMETIC_CHIP, /* what the chip does */
    TENSIX_ARITHMETIC_IEEE, /* a what-if: IEEE 754 float32, rounded to nearest even
                             * wherever the chip rounds or truncates */
} TensixArithmetic;

/* The width of a number in Dst. */
typedef enum {
    TENSIX_DST_16, /* BF16 in the upper half of the pattern, the lower half 0 */
    TENSIX_DST_32, /* FP32 */
} TensixDst;

static inline int32_t tensix_number_exponent(uint32_t bits)
{
    return (int32_t) (bits >> TENSIX_MANTISSA_BITS & 0xff);
}

static inline float tensix_number_to_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t tensix_number_from_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The pattern of a host's IEEE result, with the same NaN on every host. */
static inline uint32_t tensix_number_from_result(float value)
{
    return tensix_number_from_float(arch_nan_same(value));
}

/* A denormal becomes a zero of its sign. */
static inline uint32_t tensix_number_flush(uint32_t bits)
{
    return (bits & TENSIX_INFINITY) == 0 ? bits & TENSIX_SIGN : bits;
}
