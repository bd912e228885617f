/* Numbers in host memory. */
#include "workloads/script/number_format.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>

enum {
    HALF_BITS = 16,
};

NumberFormat number_format_check(lua_State *L, int index)
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

void number_format_put(NumberFormat format, guint8 *to, uint64_t index, double value)
{
    if (format == NUMBER_FP32) {
        float single = (float) value;

        memcpy(to + index * sizeof single, &single, sizeof single);
    } else {
        uint16_t half = to_bf16(value);

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
    return number_of_bits((uint32_t) half << HALF_BITS);
}
