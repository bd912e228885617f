/* The matrix unit's arithmetic in plain integer steps. */
#include "tests/arch/tensix/fpu_number.h"

#include <stdbool.h>

#include <glib.h>

enum {
    SRC_LOW_BITS = 13,   /* of a pattern that a number of SrcA or SrcB has zero */
    NO_EXPONENT = -1000, /* of a zero */
    GROUPS = TENSIX_FPU_DEPTH / TENSIX_FPU_GROUP,
};

/* mantissa * 2^(exponent - 127 - 23) where Dst keeps 24 bits; sums of products, which
 * keep 11 bits and what carries over, come shifted up by 13. */
typedef struct {
    int32_t mantissa;
    int32_t exponent;
} Term;

static int32_t src_mantissa(uint32_t bits)
{
    if (tensix_number_exponent(bits) == 0) {
        return 0;
    }
    return (int32_t) (((bits & TENSIX_MANTISSA) | TENSIX_LEADING) >> SRC_LOW_BITS);
}

static int32_t with_sign(int32_t magnitude, uint32_t sign)
{
    return (sign & TENSIX_SIGN) != 0 ? -magnitude : magnitude;
}

/* magnitude / 2^shift to nearest, ties up. */
static int32_t shift_magnitude(int32_t magnitude, int32_t shift)
{
    if (shift == 0) {
        return magnitude;
    }
    return shift > 30 ? 0 : (magnitude + (1 << (shift - 1))) >> shift;
}

/* Ties away from zero. */
static int32_t shift_away(int32_t value, int32_t shift)
{
    return value < 0 ? -shift_magnitude(-value, shift) : shift_magnitude(value, shift);
}

/* Ties towards plus infinity: (magnitude + half - sign) >> shift. */
static int32_t shift_up(int32_t value, int32_t shift)
{
    if (shift == 0 || value >= 0) {
        return shift_magnitude(value, shift);
    }
    return shift > 30 ? 0 : -((-value + (1 << (shift - 1)) - 1) >> shift);
}

/* The number nearest to mantissa * 2^(exponent - 127 - 23), ties away from zero. */
static uint32_t store(Term sum, TensixDst kind)
{
    uint32_t sign = sum.mantissa < 0 ? TENSIX_SIGN : 0;
    uint32_t magnitude = (uint32_t) ABS(sum.mantissa);
    int32_t bits = kind == TENSIX_DST_16 ? 8 : 24;
    int32_t top = 0; /* the place of the leading 1 */

    if (magnitude == 0) {
        return 0;
    }
    while (magnitude >> top > 1) {
        top++;
    }
    int32_t surplus = top + 1 - bits;
    if (surplus > 0) {
        magnitude = (uint32_t) shift_magnitude((int32_t) magnitude, surplus);
    } else {
        magnitude <<= -surplus;
    }
    if (magnitude >> bits != 0) { /* rounded up to a power of two */
        magnitude >>= 1;
        top++;
    }
    int32_t exponent = sum.exponent + top - TENSIX_MANTISSA_BITS;
    if (exponent <= 0) {
        return 0;
    }
    if (exponent >= TENSIX_EXPONENT_TOP) {
        return sign | TENSIX_INFINITY;
    }
    magnitude <<= 24 - bits;
    return sign | (uint32_t) exponent << TENSIX_MANTISSA_BITS |
           (magnitude & TENSIX_MANTISSA);
}

/* In a 16-bit Dst only 11 bits of each term are added. */
static int32_t keep(int32_t mantissa, TensixDst kind)
{
    if (kind == TENSIX_DST_32) {
        return mantissa;
    }
    return shift_away(mantissa, SRC_LOW_BITS) * (1 << SRC_LOW_BITS);
}

/* Likewise of sums of matrix products. */
static int32_t keep_sum(int32_t mantissa, TensixDst kind)
{
    if (kind == TENSIX_DST_32) {
        return mantissa;
    }
    return shift_up(mantissa, SRC_LOW_BITS) * (1 << SRC_LOW_BITS);
}

static uint32_t add_terms_to_dst(uint32_t dst,
                                 const Term *sums,
                                 unsigned count,
                                 TensixDst kind,
                                 int32_t (*keep_term)(int32_t, TensixDst))
{
    Term old = {0, NO_EXPONENT};
    Term total = {0, NO_EXPONENT};

    if (tensix_number_exponent(dst) != 0) {
        int32_t magnitude = (int32_t) ((dst & TENSIX_MANTISSA) | TENSIX_LEADING);
        old.mantissa = with_sign(magnitude, dst);
        old.exponent = tensix_number_exponent(dst);
    }
    total.exponent = old.exponent;
    for (unsigned i = 0; i < count; i++) {
        total.exponent = MAX(total.exponent, sums[i].exponent);
    }
    total.mantissa =
        keep(shift_away(old.mantissa, total.exponent - old.exponent), kind);
    for (unsigned i = 0; i < count; i++) {
        int32_t shift = total.exponent - sums[i].exponent;
        total.mantissa += keep_term(shift_up(sums[i].mantissa, shift), kind);
    }
    return store(total, kind);
}

static uint32_t
add_to_dst(uint32_t dst, const Term *sums, unsigned count, TensixDst kind)
{
    return add_terms_to_dst(dst, sums, count, kind, keep);
}

static Term sum_of_two(uint32_t a, uint32_t b)
{
    bool is_swapped = (a & TENSIX_MAGNITUDE) < (b & TENSIX_MAGNITUDE);
    uint32_t large = is_swapped ? b : a;
    uint32_t small = is_swapped ? a : b;
    int32_t exponent = tensix_number_exponent(large);
    int32_t shift = exponent - tensix_number_exponent(small);
    int32_t sum = with_sign(src_mantissa(large), large) +
                  with_sign(shift_magnitude(src_mantissa(small), shift), small);

    return (Term){
        .mantissa = sum * (1 << SRC_LOW_BITS),
        .exponent = sum == 0 ? NO_EXPONENT : exponent,
    };
}

uint32_t tensix_fpu_number_add(uint32_t a, uint32_t b, TensixDst kind)
{
    return tensix_fpu_number_add_to(0, a, b, kind);
}

uint32_t tensix_fpu_number_add_to(uint32_t dst, uint32_t a, uint32_t b, TensixDst kind)
{
    Term sum = sum_of_two(a, b);

    return add_to_dst(dst, &sum, 1, kind);
}

/* A product in units of 2^(exponent - 127 - 10): 12 bits, 2 of them before the point.
 */
static Term product_of_parts(uint32_t a, uint32_t b, unsigned phase)
{
    bool is_low_a = (phase & 1) != 0;
    bool is_low_b = (phase & 2) != 0;
    int32_t part_a = is_low_a ? src_mantissa(a) >> 1 & 0x1f : src_mantissa(a) >> 6;
    int32_t part_b = is_low_b ? (src_mantissa(b) & 0xf) << 3 : src_mantissa(b) >> 4;
    int32_t exponent = tensix_number_exponent(a) + tensix_number_exponent(b) -
                       TENSIX_EXPONENT_BIAS - (is_low_a ? 5 : 0) - (is_low_b ? 7 : 0);
    int32_t product = part_a * part_b;

    return (Term){
        .mantissa = with_sign(product, a ^ b),
        .exponent = product == 0 ? NO_EXPONENT : exponent,
    };
}

uint32_t tensix_fpu_number_multiply_to(
    uint32_t dst, uint32_t a, uint32_t b, unsigned phase, TensixDst kind)
{
    Term product = product_of_parts(a, b, phase);

    product.mantissa *= 1 << SRC_LOW_BITS;
    return add_to_dst(dst, &product, 1, kind);
}

/* Products whose parts are 0 keep the exponent of their factors. */
static Term product_of_factors(uint32_t a, uint32_t b, unsigned phase)
{
    Term product = product_of_parts(a, b, phase);

    if (tensix_number_exponent(a) != 0 && tensix_number_exponent(b) != 0) {
        product.exponent = tensix_number_exponent(a) + tensix_number_exponent(b) -
                           TENSIX_EXPONENT_BIAS - ((phase & 1) != 0 ? 5 : 0) -
                           ((phase & 2) != 0 ? 7 : 0);
    }
    return product;
}

/* How the products of a group are made, and how they align with the largest. */
typedef struct {
    Term (*product)(uint32_t a, uint32_t b, unsigned phase);
    int32_t (*aligned)(int32_t mantissa, int32_t shift);
} Rule;

static const Rule PLAIN = {product_of_parts, shift_up};
static const Rule OF_MATRICES = {product_of_factors, shift_away};

static Term sum_of_group(const uint32_t *a,
                         size_t stride,
                         const uint32_t *b,
                         unsigned phase,
                         const Rule *rule)
{
    Term products[TENSIX_FPU_GROUP];
    Term sum = {0, NO_EXPONENT};

    for (unsigned i = 0; i < TENSIX_FPU_GROUP; i++) {
        products[i] = rule->product(a[i * stride], b[i], phase);
        sum.exponent = MAX(sum.exponent, products[i].exponent);
    }
    for (unsigned i = 0; i < TENSIX_FPU_GROUP; i++) {
        sum.mantissa +=
            rule->aligned(products[i].mantissa, sum.exponent - products[i].exponent);
    }
    sum.mantissa *= 1 << SRC_LOW_BITS;
    return sum;
}

uint32_t tensix_fpu_number_dot_to(uint32_t dst,
                                  const uint32_t *a,
                                  size_t stride,
                                  const uint32_t *b,
                                  unsigned phase,
                                  TensixDst kind)
{
    Term sums[GROUPS];

    for (unsigned group = 0; group < GROUPS; group++) {
        sums[group] = sum_of_group(a + group * TENSIX_FPU_GROUP * stride, stride,
                                   b + group * TENSIX_FPU_GROUP, phase, &PLAIN);
        if (sums[group].mantissa == 0) {
            sums[group].exponent = NO_EXPONENT;
        }
    }
    return add_to_dst(dst, sums, GROUPS, kind);
}

uint32_t tensix_fpu_number_matmul_to(uint32_t dst,
                                     const uint32_t *a,
                                     size_t stride,
                                     const uint32_t *b,
                                     unsigned phase,
                                     TensixDst kind)
{
    Term sums[GROUPS];

    for (unsigned group = 0; group < GROUPS; group++) {
        sums[group] = sum_of_group(a + group * TENSIX_FPU_GROUP * stride, stride,
                                   b + group * TENSIX_FPU_GROUP, phase, &OF_MATRICES);
    }
    return add_terms_to_dst(dst, sums, GROUPS, kind, keep_sum);
}
