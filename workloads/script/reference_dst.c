/* Significands as integers, in units of the last place of the larger operand. */
#include "workloads/script/reference_dst.h"

#include <math.h>
#include <stdint.h>

#include "workloads/script/number_format.h"

enum {
    FRACTION_BITS = 23,
    BF16_FRACTION_BITS = 7,
    HALF_BITS = 16,
    BIAS = 127,
    TOP = 255,
    DST_BITS = 24,
    PRODUCT_PLACES = 13, /* from the last place of a product to that of Dst */
    NOTHING = -10000,    /* the exponent of 0 */
    FAR = 40,            /* places after which nothing is left */
};

static int exponent_of(float value)
{
    const int exponent = (int) (number_bits(value) >> FRACTION_BITS & TOP);

    return exponent == 0 ? NOTHING : exponent - BIAS;
}

/* Nearest, ties away from 0. */
static int64_t shift_away(int64_t value, int places)
{
    const int64_t half = places > 0 ? INT64_C(1) << (places - 1) : 0;

    return value < 0 ? -((-value + half) >> places) : (value + half) >> places;
}

/* Nearest, ties towards plus infinity. */
static int64_t shift_up(int64_t value, int places)
{
    const int64_t half = places > 0 ? INT64_C(1) << (places - 1) : 0;

    return places == 0 ? value : (value + half) >> places;
}

/* value * 2^(exponent - 23), rounded to what Dst holds. */
static float stored(int64_t value, int exponent)
{
    int surplus = 0;

    while (llabs(value) >> (DST_BITS + surplus) != 0) {
        surplus++;
    }
    value = shift_away(value, surplus);
    return (float) ldexp((double) value, exponent - FRACTION_BITS + surplus);
}

/* Dst and a product in units of 2^(exponent - 10). */
static float add_part(float dst, int64_t product, int exponent)
{
    const int old_exponent = exponent_of(dst);
    const int top = MAX(old_exponent, exponent);
    int64_t old = 0;

    if (product == 0) {
        return dst;
    }
    if (old_exponent != NOTHING) {
        old = (int64_t) ldexp((double) dst, FRACTION_BITS - old_exponent);
    }
    return stored(
        shift_away(old, MIN(top - old_exponent, FAR)) +
            shift_up(product * (1 << PRODUCT_PLACES), MIN(top - exponent, FAR)),
        top);
}

float reference_dst_add_product(float dst, float a, float b, guint fidelity)
{
    const int exponent = exponent_of(a) + exponent_of(b);
    const int64_t whole_a =
        (number_bits(a) >> HALF_BITS & 0x7f) | 1 << BF16_FRACTION_BITS;
    const int64_t whole_b =
        (number_bits(b) >> HALF_BITS & 0x7f) | 1 << BF16_FRACTION_BITS;
    const int64_t sign = ((number_bits(a) ^ number_bits(b)) >> 31) != 0 ? -1 : 1;
    const struct {
        int64_t product;
        int places; /* that it lies lower */
    } parts[] = {
        {(whole_a >> 3) * (whole_b >> 1), 0},
        {(whole_a & 7) * 4 * (whole_b >> 1), 5},
        {(whole_a >> 3) * (whole_b & 1) * 64, 7},
        {(whole_a & 7) * 4 * (whole_b & 1) * 64, 12},
    };

    if (exponent <= NOTHING / 2) {
        return dst;
    }
    for (guint phase = 0; phase < MIN(fidelity, G_N_ELEMENTS(parts)); phase++) {
        dst =
            add_part(dst, sign * parts[phase].product, exponent - parts[phase].places);
    }
    return dst;
}

float reference_dst_to_bf16(float dst)
{
    return number_of_bits((number_bits(dst) + 0x8000) & UINT32_C(0xffff0000));
}
