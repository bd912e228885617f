/* Reads and writes numbers in host memory. */
#include "workloads/buffer/number_format.h"

#include <math.h>

#include <lauxlib.h>

enum {
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

/* Steps of the last bit are whole numbers; carries go into the exponent. */
uint16_t number_format_to_fp16(double value)
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

double number_format_of_fp16(uint16_t half)
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
