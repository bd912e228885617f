/* Numbers in host memory, in the formats of the chips: IEEE single precision, its upper
 * half, IEEE half precision, and integers. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <glib.h>
#include <lua.h>

#include "arch/number/nan.h"

typedef enum {
    NUMBER_BF16,
    NUMBER_FP32,
    NUMBER_FP16,
    NUMBER_INT32,
    NUMBER_UINT32,
    NUMBER_UINT16,
} NumberFormat;

/* As scripts name them, ended by NULL. */
extern const char *const number_format_names[];

/* The argument at `index`: "bf16", "fp32", "fp16", "int32", "uint32" or "uint16"; or
 * raises. */
NumberFormat number_format_check(lua_State *L, int index);
/* The same for the formats of Tensix units: "bf16" or "fp32". */
NumberFormat number_format_check_unit(lua_State *L, int index);

/* IEEE half precision, rounded to nearest, ties to even. */
uint16_t number_format_to_fp16(double value);
double number_format_of_fp16(uint16_t half);

/* Integers: the nearest that the format has, 0 for a NaN. */
void number_format_put_integer(NumberFormat format,
                               guint8 *to,
                               uint64_t index,
                               double value);
double
number_format_get_integer(NumberFormat format, const guint8 *from, uint64_t index);

static inline gsize number_format_bytes(NumberFormat format)
{
    return format == NUMBER_FP32 || format == NUMBER_INT32 || format == NUMBER_UINT32
               ? sizeof(uint32_t)
               : sizeof(uint16_t);
}

static inline uint32_t number_bits(float value)
{
    uint32_t bits = 0;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float number_of_bits(uint32_t bits)
{
    float value = 0;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The same for what may become a denormal, an infinity or no number; rounding a double
 * to single precision first could round twice. */
uint16_t number_format_to_bf16_end(double value);

/* The nearest number with a significand of 8 bits, ties to even. */
static inline uint16_t number_format_to_bf16(double value)
{
    const uint64_t smallest = (UINT64_C(1023) - 126) << 52;
    const uint64_t largest = (UINT64_C(1023) + 127) << 52;
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof bits);
    if ((bits << 1 >> 1) - smallest >= largest - smallest) {
        return number_format_to_bf16_end(value);
    }
    /* 45 bits go; then the exponent gets another bias. */
    const uint64_t nearest = bits + (UINT64_C(1) << 44) - 1 + (bits >> 45 & 1);

    return (uint16_t) ((bits >> 48 & 0x8000) |
                       (((nearest << 1 >> 46) - ((1023 - 127) << 7)) & 0x7fff));
}

/* Rounded to nearest, ties to even. */
static inline void
number_format_put(NumberFormat format, guint8 *to, uint64_t index, double value)
{
    if (format == NUMBER_FP32) {
        float single = arch_nan_same((float) value);

        memcpy(to + index * sizeof single, &single, sizeof single);
    } else if (format > NUMBER_FP16) {
        number_format_put_integer(format, to, index, value);
    } else {
        uint16_t half = format == NUMBER_FP16 ? number_format_to_fp16(value)
                                              : number_format_to_bf16(value);

        memcpy(to + index * sizeof half, &half, sizeof half);
    }
}

static inline double
number_format_get(NumberFormat format, const guint8 *from, uint64_t index)
{
    float single = 0;
    uint16_t half = 0;

    if (format == NUMBER_FP32) {
        memcpy(&single, from + index * sizeof single, sizeof single);
        return single;
    }
    if (format > NUMBER_FP16) {
        return number_format_get_integer(format, from, index);
    }
    memcpy(&half, from + index * sizeof half, sizeof half);
    return format == NUMBER_FP16 ? number_format_of_fp16(half)
                                 : number_of_bits((uint32_t) half << 16);
}
