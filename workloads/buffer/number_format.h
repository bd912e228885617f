/* Numbers in host memory, in the formats of the chips: IEEE single precision, its upper
 * half, and IEEE half precision. */
#pragma once

#include <stdint.h>
#include <string.h>

#include <glib.h>
#include <lua.h>

typedef enum {
    NUMBER_BF16,
    NUMBER_FP32,
    NUMBER_FP16,
} NumberFormat;

/* The argument at `index`: "bf16", "fp32" or "fp16"; or raises. */
NumberFormat number_format_check(lua_State *L, int index);
/* The same for the formats of Tensix units: "bf16" or "fp32". */
NumberFormat number_format_check_unit(lua_State *L, int index);
gsize number_format_bytes(NumberFormat format);

/* Rounded to nearest, ties to even. */
void number_format_put(NumberFormat format, guint8 *to, uint64_t index, double value);
double number_format_get(NumberFormat format, const guint8 *from, uint64_t index);

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
