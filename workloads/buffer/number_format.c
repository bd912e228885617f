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

const char *const number_format_names[] = {"bf16",   "fp32",   "fp16", "int32",
                                           "uint32", "uint16", NULL};

NumberFormat number_format_check(lua_State *L, int index)
{
    return (NumberFormat) luaL_checkoption(L, index, NULL, number_format_names);
}

NumberFormat number_format_check_unit(lua_State *L, int index)
{
    static const char *const of_units[] = {"bf16", "fp32", NULL};

    return (NumberFormat) luaL_checkoption(L, index, NULL, of_units);
}

uint16_t number_format_to_bf16_end(double value)
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
    return (uint16_t) ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
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

void number_format_put_integer(NumberFormat format,
                               guint8 *to,
                               uint64_t index,
                               double value)
{
    const gsize size = number_format_bytes(format);
    const double low = format == NUMBER_INT32 ? G_MININT32 : 0;
    const double high = format == NUMBER_INT32    ? G_MAXINT32
                        : format == NUMBER_UINT32 ? G_MAXUINT32
                                                  : G_MAXUINT16;
    const int64_t whole = isnan(value) ? 0 : llrint(CLAMP(value, low, high));
    const uint32_t word = GUINT32_TO_LE((uint32_t) whole);

    memcpy(to + index * size, &word, size);
}

double
number_format_get_integer(NumberFormat format, const guint8 *from, uint64_t index)
{
    const gsize size = number_format_bytes(format);
    uint32_t word = 0;

    memcpy(&word, from + index * size, size);
    word = GUINT32_FROM_LE(word);
    return format == NUMBER_INT32 ? (double) (int32_t) word : (double) word;
}
