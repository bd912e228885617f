/* The vector unit's arithmetic in plain integer steps; tt-isa-documentation, SFPMAD.md
 * and Miscellaneous/FMA/README.md. */
#include "arch/tensix/compute/sfpu_number.h"

#include <stdbool.h>

#include <glib.h>

enum {
    EXTRA_BITS = 3,                          /* guard, round, sticky */
    TOP = TENSIX_MANTISSA_BITS + EXTRA_BITS, /* place of a leading 1 */
};

/* mantissa * 2^(exponent - 127 - TOP); the lowest bit also stands for what was lost. */
typedef struct {
    uint32_t sign;
    uint32_t mantissa;
    int32_t exponent;
} Term;

static bool is_nan(uint32_t bits)
{
    return (bits & TENSIX_MAGNITUDE) > TENSIX_INFINITY;
}

static bool is_infinite(uint32_t bits)
{
    return (bits & TENSIX_MAGNITUDE) == TENSIX_INFINITY;
}

static bool is_zero(uint32_t bits)
{
    return tensix_number_exponent(bits) == 0;
}

static uint32_t whole_mantissa(uint32_t bits)
{
    return is_zero(bits) ? 0 : (bits & TENSIX_MANTISSA) | TENSIX_LEADING;
}

/* Keeps a 1 for what is shifted out, unless that is everything. */
static uint32_t shift_sticky(uint64_t mantissa, int32_t shift)
{
    if (shift > 63 || mantissa >> shift == 0) {
        return 0;
    }
    uint64_t kept = mantissa >> shift;
    return (uint32_t) (kept | (kept << shift != mantissa));
}

/* A product of finite numbers: 28 bits, 2 of them before the point. */
static Term multiply(uint32_t x, uint32_t y)
{
    uint64_t whole = (uint64_t) whole_mantissa(x) * whole_mantissa(y);
    int32_t exponent =
        tensix_number_exponent(x) + tensix_number_exponent(y) - TENSIX_EXPONENT_BIAS;
    Term product = {
        .sign = (x ^ y) & TENSIX_SIGN,
        .mantissa = shift_sticky(whole, TENSIX_MANTISSA_BITS - EXTRA_BITS),
        .exponent = exponent,
    };

    if (exponent + (int32_t) (product.mantissa >> (TOP + 1)) <= 0) {
        product.mantissa = 0;
    }
    return product;
}

static bool overflows(Term product)
{
    return product.mantissa != 0 &&
           product.exponent + (int32_t) (product.mantissa >> (TOP + 1)) >=
               TENSIX_EXPONENT_TOP;
}

static Term add(Term p, Term z)
{
    Term sum = {.exponent = MAX(p.exponent, z.exponent)};

    p.mantissa = shift_sticky(p.mantissa, sum.exponent - p.exponent);
    z.mantissa = shift_sticky(z.mantissa, sum.exponent - z.exponent);
    if (p.sign == z.sign) {
        sum.sign = p.sign;
        sum.mantissa = p.mantissa + z.mantissa;
    } else if (p.mantissa >= z.mantissa) {
        sum.sign = p.sign;
        sum.mantissa = p.mantissa - z.mantissa;
    } else {
        sum.sign = z.sign;
        sum.mantissa = z.mantissa - p.mantissa;
    }
    return sum;
}

static Term normalise(Term sum)
{
    int32_t shift = 31 - __builtin_clz(sum.mantissa) - TOP;

    sum.exponent += shift;
    if (shift < 0) {
        sum.mantissa <<= -shift;
    } else if (shift > 0) {
        /* Of two places that go, the chip forgets the upper one. */
        sum.mantissa = sum.mantissa >> shift | (sum.mantissa & 1);
    }
    return sum;
}

static uint32_t round_and_store(Term sum)
{
    if (sum.mantissa == 0) {
        return 0;
    }
    sum = normalise(sum);
    if (sum.exponent <= 0) {
        return 0;
    }
    if (sum.exponent >= TENSIX_EXPONENT_TOP) {
        return sum.sign | TENSIX_INFINITY;
    }
    uint32_t bits = (uint32_t) sum.exponent << TENSIX_MANTISSA_BITS |
                    (sum.mantissa >> EXTRA_BITS & TENSIX_MANTISSA);
    uint32_t is_up = (sum.mantissa & 7) + (bits & 1) > 4;
    return sum.sign | (bits + is_up);
}

/* What comes of infinities and NaNs. */
static uint32_t special(uint32_t x, uint32_t y, uint32_t z, bool is_product_infinite)
{
    uint32_t sign = (x ^ y) & TENSIX_SIGN;

    if (is_nan(x) || is_nan(y) || is_nan(z) || (is_infinite(x) && is_zero(y)) ||
        (is_infinite(y) && is_zero(x)) ||
        (is_product_infinite && is_infinite(z) && sign != (z & TENSIX_SIGN))) {
        return TENSIX_SFPU_NAN;
    }
    return is_product_infinite ? sign | TENSIX_INFINITY : z;
}

uint32_t tensix_sfpu_number_multiply_add(uint32_t x, uint32_t y, uint32_t z)
{
    Term addend = {z & TENSIX_SIGN, whole_mantissa(z) << EXTRA_BITS,
                   tensix_number_exponent(z)};
    bool is_finite = tensix_number_exponent(x) < TENSIX_EXPONENT_TOP &&
                     tensix_number_exponent(y) < TENSIX_EXPONENT_TOP;

    if (!is_finite) {
        return special(x, y, z, true);
    }
    Term product = multiply(x, y);
    if (overflows(product) || addend.exponent == TENSIX_EXPONENT_TOP) {
        return special(x, y, z, overflows(product));
    }
    if (product.mantissa == 0) {
        return is_zero(z) ? 0 : z;
    }
    if (addend.mantissa == 0) {
        return round_and_store(product);
    }
    return round_and_store(add(product, addend));
}

static uint32_t number(float value)
{
    return tensix_number_from_float(value);
}

static uint32_t negate(uint32_t bits)
{
    return bits ^ TENSIX_SIGN;
}

/* The number with another exponent, or +0 or an infinity where it has no such. */
static uint32_t with_exponent(uint32_t bits, int32_t exponent)
{
    if (exponent <= 0) {
        return 0;
    }
    if (exponent >= TENSIX_EXPONENT_TOP) {
        return (bits & TENSIX_SIGN) | TENSIX_INFINITY;
    }
    return (bits & ~TENSIX_INFINITY) | (uint32_t) exponent << TENSIX_MANTISSA_BITS;
}

uint32_t tensix_sfpu_number_reciprocal(uint32_t x)
{
    uint32_t sign = x & TENSIX_SIGN;

    if (is_nan(x)) {
        return TENSIX_SFPU_NAN;
    }
    if (is_zero(x)) {
        return sign | TENSIX_INFINITY;
    }
    if (is_infinite(x)) {
        return 0;
    }
    /* From 0.5 up to 1 the straight line 48/17 - 32/17 d is off by 1/17 at most; each
     * step squares that. */
    uint32_t d = with_exponent(x & TENSIX_MAGNITUDE, TENSIX_EXPONENT_BIAS - 1);
    uint32_t y =
        tensix_sfpu_number_multiply_add(number(-32.0F / 17), d, number(48.0F / 17));
    for (unsigned step = 0; step < 3; step++) {
        uint32_t rest = tensix_sfpu_number_multiply_add(negate(d), y, TENSIX_SFPU_ONE);
        y = tensix_sfpu_number_multiply_add(y, rest, y);
    }
    int32_t exponent = tensix_number_exponent(y) + TENSIX_EXPONENT_BIAS - 1 -
                       tensix_number_exponent(x);
    return with_exponent(sign | y, exponent);
}

uint32_t tensix_sfpu_number_root(uint32_t x)
{
    if (is_nan(x) || (!is_zero(x) && (x & TENSIX_SIGN) != 0)) {
        return TENSIX_SFPU_NAN;
    }
    if (is_zero(x) || is_infinite(x)) {
        return is_zero(x) ? 0 : x;
    }
    /* x = d * 4^power with d from 1 up to 4. */
    int32_t power = tensix_number_exponent(x) - TENSIX_EXPONENT_BIAS;
    uint32_t odd = (uint32_t) power & 1;
    power = (power - (int32_t) odd) / 2;
    uint32_t d = with_exponent(x, TENSIX_EXPONENT_BIAS + (int32_t) odd);
    /* 1 / sqrt(d): half the pattern from a constant is off by 4 % at most (Lomont's
     * constant); three steps of y += y / 2 * (1 - d y y). */
    uint32_t y = UINT32_C(0x5f375a86) - (d >> 1);
    for (unsigned step = 0; step < 3; step++) {
        uint32_t square = tensix_sfpu_number_multiply_add(y, y, 0);
        uint32_t rest =
            tensix_sfpu_number_multiply_add(negate(d), square, TENSIX_SFPU_ONE);
        uint32_t half = tensix_sfpu_number_multiply_add(y, number(0.5F), 0);
        y = tensix_sfpu_number_multiply_add(half, rest, y);
    }
    uint32_t root = tensix_sfpu_number_multiply_add(d, y, 0);
    uint32_t rest = tensix_sfpu_number_multiply_add(negate(root), root, d);
    uint32_t half = tensix_sfpu_number_multiply_add(y, number(0.5F), 0);
    root = tensix_sfpu_number_multiply_add(rest, half, root);
    return with_exponent(root, tensix_number_exponent(root) + power);
}
