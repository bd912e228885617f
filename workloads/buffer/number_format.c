/* Reads and writes numbers in host memory. */
#include "workloads/buffer/number_format.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "arch/number/nan.h"

enum {
    HALF_BITS = 16,
    FRACTION_BITS = 10,   /* of IEEE half precision */
    LEAST_EXPONENT = -14, /* of a normal number */
    EXPONENT_BIAS = 15,
    INFINITE = 0x7c00,
    QUIET = 0x7e00,
    SIGN = 0x8000,
};

NumberFormat number_format_check(lua_State *L, int index)
{
    static const char *const names[] = {"bf16", "fp32", "fp16", NULL};

    return (NumberFormat) luaL_checkoption(L, index, NULL, names);
}

NumberFormat number_format_check_unit(lua_State *L, int index)
{
    static const char *const names[] = {"bf16", "fp32", NULL};

    return (NumberFormat) luaL_checkoption(L, index, NULL, names);
}

gsize number_format_bytes(NumberFormat format)
{
    return format == NUMBER_FP32 ? sizeof(uint32_t) : sizeof(uint16_t);
}

/* The nearest number with a significand of 8 bits; rounding a double to single
 * precision first could round twice. */
static uint16_t to_bf16(double value)
{
    uint32_t bits = number_bits((float) value);
    double here = number_of_bits(bits);

    if (isnan(value)) {
        return 0x7fc0;
    }
    if (here != value && isfinite(here)) {
        /* Step back to the single below in magnitude; its last bit then says that
         * something follows. */
        bits -= fabs(here) > fabs(value) ? 1 : 0;
        bits |= 1;
    }
    return (uint16_t) ((bits + 0x7fff + ((bits >> HALF_BITS) & 1)) >> HALF_BITS);
}

/* Steps of the last bit are whole numbers; carries go into the exponent. */
static uint16_t to_fp16(double value)
{
    const guint sign = signbit(value) ? SIGN : 0;
    int exponent = 0;

    if (isnan(value)) {
        return QUIET;
    }
    if (fabs(value) >= 0x1p16) {
        return (uint16_t) (sign | INFINITE);
    }
    (void) frexp(value, &exponent);
    exponent = value == 0 ? LEAST_EXPONENT : MAX(exponent - 1, LEAST_EXPONENT);
    const guint steps = (guint) rint(ldexp(fabs(value), FRACTION_BITS - exponent));

    return (uint16_t) (sign | (((guint) (exponent - LEAST_EXPONENT) << FRACTION_BITS) +
                               steps));
}

static double of_fp16(uint16_t half)
{
    const int exponent = (half & INFINITE) >> FRACTION_BITS;
    const int fraction = half & ((1 << FRACTION_BITS) - 1);
    double value = ldexp(fraction, LEAST_EXPONENT - FRACTION_BITS);

    if ((half & INFINITE) == INFINITE) {
        value = fraction != 0 ? (double) NAN : HUGE_VAL;
    } else if (exponent > 0) {
        value = ldexp(fraction + (1 << FRACTION_BITS),
                      exponent - EXPONENT_BIAS - FRACTION_BITS);
    }
    return (half & SIGN) != 0 ? -value : value;
}

void number_format_put(NumberFormat format, guint8 *to, uint64_t index, double value)
{
    if (format == NUMBER_FP32) {
        float single = arch_nan_same((float) value);

        memcpy(to + index * sizeof single, &single, sizeof single);
    } else {
        uint16_t half = format == NUMBER_FP16 ? to_fp16(value) : to_bf16(value);

        memcpy(to + index * sizeof half, &half, sizeof half);
    }
}

double number_format_get(NumberFormat format, const guint8 *from, uint64_t index)
{
    float single = 0;
    uint16_t half = 0;

    if (format == NUMBER_FP32) {
        memcpy(&single, from + index * sizeof single, sizeof single);
        return single;
    }
    memcpy(&half, from + index * sizeof half, sizeof half);
    return format == NUMBER_FP16 ? of_fp16(half)
                                 : number_of_bits((uint32_t) half << HALF_BITS);
}
