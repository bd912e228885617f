/* Significands as integers, in units of the last place of the larger operand. */
#include "workloads/reference/dst.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "workloads/buffer/number_format.h"

enum {
    FRACTION_BITS = 23,
    BF16_FRACTION_BITS = 7,
    HALF_BITS = 16,
    BIAS = 127,
    TOP = 255,
    DST_BITS = 24,
    PRODUCT_PLACES = 13, /* from the last place of a product to that of Dst */
    NOTHING = -10000,    /* the exponent of 0 */
    FAR = 30,            /* places after which nothing is left */
};

static inline int exponent_of(float value)
{
    const int exponent = (int) (number_bits(value) >> FRACTION_BITS & TOP);

    return exponent == 0 ? NOTHING : exponent - BIAS;
}

/* In units of its last place. */
static inline int32_t significand_of(float value)
{
    const uint32_t bits = number_bits(value);
    const int32_t fraction = (int32_t) (bits & ((1U << FRACTION_BITS) - 1));
    const int32_t whole = fraction | 1 << FRACTION_BITS;

    return bits >> 31 != 0 ? -whole : whole;
}

static inline int32_t with_sign_of(int32_t value, uint32_t magnitude)
{
    return value < 0 ? -(int32_t) magnitude : (int32_t) magnitude;
}

static inline uint32_t magnitude_of(int32_t value)
{
    return (uint32_t) (value < 0 ? -value : value);
}

/* Nearest, ties away from 0. */
static inline int32_t shift_away(int32_t value, unsigned places)
{
    const uint32_t half = (1U << places) >> 1;

    return with_sign_of(value, (magnitude_of(value) + half) >> places);
}

/* Nearest, ties towards plus infinity. */
static inline int32_t shift_up(int32_t value, unsigned places)
{
    const uint32_t half = (1U << places) >> 1;
    const uint32_t tie = value < 0 && places > 0 ? 1 : 0;

    return with_sign_of(value, (magnitude_of(value) + half - tie) >> places);
}

/* value * 2^(exponent - 23), rounded to what Dst holds. */
static inline float stored(int32_t value, int exponent)
{
    const uint32_t magnitude = magnitude_of(value);
    /* A sum of two has one place or two too many. */
    const unsigned surplus = (magnitude >> DST_BITS != 0 ? 1U : 0U) +
                             (magnitude >> (DST_BITS + 1) != 0 ? 1U : 0U);

    value = shift_away(value, surplus);
    exponent += (int) surplus - FRACTION_BITS;
    if (exponent <= -BIAS || exponent > BIAS) {
        const float far = ldexpf((float) value, exponent);

        return fabsf(far) < FLT_MIN ? 0 : far;
    }
    return (float) value *
           number_of_bits((uint32_t) (exponent + BIAS) << FRACTION_BITS);
}

/* Dst and a product in units of 2^(exponent - 10). */
static inline float add_part(float dst, int32_t product, int exponent)
{
    const int old_exponent = exponent_of(dst);
    const int top = MAX(old_exponent, exponent);
    int32_t sum;

    if (product == 0) {
        return dst;
    }
    sum =
        shift_up(product * (1 << PRODUCT_PLACES), (unsigned) MIN(top - exponent, FAR));
    if (old_exponent != NOTHING) {
        sum += shift_away(significand_of(dst), (unsigned) MIN(top - old_exponent, FAR));
    }
    return stored(sum, top);
}

static inline int32_t whole_of(float bf16)
{
    return (int32_t) (number_bits(bf16) >> HALF_BITS & 0x7f) | 1 << BF16_FRACTION_BITS;
}

/* One phase of products with the same factor, of whose significand it takes `part_b`.
 */
static void add_phase(float *dst,
                      const float *a,
                      int32_t part_b,
                      int exponent_b,
                      bool is_low_a,
                      gsize count)
{
    for (gsize i = 0; i < count; i++) {
        const int32_t whole = whole_of(a[i]);
        const int32_t product = (is_low_a ? (whole & 7) * 4 : whole >> 3) * part_b;
        const int exponent = exponent_of(a[i]);

        if (exponent != NOTHING) {
            dst[i] =
                add_part(dst[i], a[i] < 0 ? -product : product, exponent + exponent_b);
        }
    }
}

void reference_dst_add_products(
    float *dst, const float *a, float b, guint fidelity, gsize count)
{
    const int32_t whole = whole_of(b);
    const int32_t sign = b < 0 ? -1 : 1;
    const struct {
        int32_t part; /* of b */
        int places;   /* that the product lies lower */
        bool is_low_a;
    } phases[] = {
        {whole >> 1, 0, false},
        {whole >> 1, 5, true},
        {(whole & 1) * 64, 7, false},
        {(whole & 1) * 64, 12, true},
    };

    if (exponent_of(b) == NOTHING) {
        return;
    }
    for (guint i = 0; i < MIN(fidelity, G_N_ELEMENTS(phases)); i++) {
        if (phases[i].part != 0) {
            add_phase(dst, a, sign * phases[i].part, exponent_of(b) - phases[i].places,
                      phases[i].is_low_a, count);
        }
    }
}

float reference_dst_to_bf16(float dst)
{
    return number_of_bits((number_bits(dst) + 0x8000) & UINT32_C(0xffff0000));
}
