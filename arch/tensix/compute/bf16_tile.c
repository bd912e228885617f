/* Arithmetic on 16-bit lanes, which compilers turn into vectors of eight and more. */
#include "arch/tensix/compute/bf16_tile.h"

#include <string.h>

#include <glib.h>

#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/tile.h"

enum {
    SIGN = 0x8000,
    EXPONENT = 0x7f80,
    MANTISSA = 0x7f,
    LEADING = 0x80, /* the mantissa's implicit 1 */
    BITS = 7,       /* of the mantissa */
};

TENSIX_LANE uint16_t mask_if(bool condition)
{
    return (uint16_t) -condition;
}

TENSIX_LANE uint16_t max(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

TENSIX_LANE uint16_t min(uint16_t a, uint16_t b)
{
    return a < b ? a : b;
}

/* Exponents of a tile that are not 0, in their place. */
typedef struct {
    uint16_t least; /* less 1 */
    uint16_t most;
} Span;

static const Span no_span = {UINT16_MAX, 0};

TENSIX_LANE void widen(Span *self, uint16_t exponent)
{
    self->least = min(self->least, (uint16_t) (exponent - 1));
    self->most = max(self->most, exponent);
}

static bool is_within(Span self, int least, int most)
{
    return self.least >= least * LEADING - 1 && self.most <= most * LEADING;
}

/* As align() of fpu.c. */
TENSIX_LANE float align(uint16_t number, float grid)
{
    return (tensix_number_to_float(((uint32_t) number << 16) + 1) + grid) - grid;
}

/* What is left of a sum of aligned numbers lies 10 places below the greatest exponent
 * or higher; next to that, a denormal is nothing. */
TENSIX_LANE bool
add(uint16_t *restrict dst, const uint16_t *a, const uint16_t *b, uint16_t flip)
{
    const uint16_t above = 13 * LEADING | LEADING / 2; /* of the grid */
    Span span = no_span;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        uint16_t top = max(a[i] & EXPONENT, b[i] & EXPONENT);
        float grid = tensix_number_to_float((uint32_t) (uint16_t) (top + above) << 16);
        float sum = align(a[i], grid) + align(b[i] ^ flip, grid);
        uint32_t rounded = tensix_number_from_float(sum) + 0x8000;

        widen(&span, top);
        dst[i] = (uint16_t) (rounded >> 16) & mask_if(top != 0);
    }
    return is_within(span, 27, 241);
}

TENSIX_LANES
static bool sum_of(uint16_t *restrict dst, const uint16_t *a, const uint16_t *b)
{
    return add(dst, a, b, 0);
}

TENSIX_LANES
static bool difference_of(uint16_t *restrict dst, const uint16_t *a, const uint16_t *b)
{
    return add(dst, a, b, SIGN);
}

bool tensix_bf16_add(uint16_t *dst,
                     const uint16_t *a,
                     const uint16_t *b,
                     TensixFidelity fidelity)
{
    (void) fidelity;
    return sum_of(dst, a, b);
}

bool tensix_bf16_subtract(uint16_t *dst,
                          const uint16_t *a,
                          const uint16_t *b,
                          TensixFidelity fidelity)
{
    (void) fidelity;
    return difference_of(dst, a, b);
}

/* A product of significands, in units of 2^-13, and less than 4; from 2 on, its last
 * place is twice as high. */
enum {
    PRODUCT_BITS = 13,
    PRODUCT_TWO = 2 << PRODUCT_BITS,
    PRODUCT_PLACE = 1 << (PRODUCT_BITS - BITS), /* of BF16 */
    PRODUCT_FINE = PRODUCT_PLACE / 8,           /* to which phases are aligned */
};

/* Adds so much, or from 2 on twice that. */
TENSIX_LANE uint16_t lift(uint16_t product, uint16_t amount)
{
    return (uint16_t) (product + amount + (amount & mask_if(product >= PRODUCT_TWO)));
}

/* To 8 bits, ties away. */
TENSIX_LANE uint16_t cut(uint16_t product)
{
    uint16_t is_two = mask_if(product >= PRODUCT_TWO);
    uint16_t below = (PRODUCT_PLACE - 1) | (is_two & PRODUCT_PLACE);

    return (uint16_t) (lift(product, PRODUCT_PLACE / 2) & ~below);
}

/* A later phase's, rounded to 11 bits below the leading place of the sum before it is
 * added; see add_product() of fpu.c. */
TENSIX_LANE uint16_t add_phase(uint16_t sum, uint16_t product)
{
    return (uint16_t) (lift(cut(sum), PRODUCT_FINE / 2) + product);
}

/* All phases' significand, before the last rounding. The fourth adds nothing. */
TENSIX_LANE uint16_t multiply_significands(uint16_t a, uint16_t b, unsigned phases)
{
    uint16_t upper_a = (a & 0x78) | LEADING;
    uint16_t upper_b = (b & (MANTISSA - 1)) | LEADING;
    uint16_t product = (uint16_t) (upper_a * (upper_b >> 1));

    if (phases > 1) {
        product = add_phase(product, (uint16_t) ((a & 7) * (upper_b >> 1)));
    }
    if (phases > 2) {
        product = add_phase(product, (uint16_t) ((upper_a >> 1) * (b & 1)));
    }
    return product;
}

/* To 8 bits, of which the leading one counts as an exponent. */
TENSIX_LANE uint16_t place_significand(uint16_t product)
{
    uint16_t rounded = lift(product, PRODUCT_PLACE / 2);
    uint16_t usual = rounded >> (PRODUCT_BITS - BITS);
    uint16_t halved = (uint16_t) ((rounded >> (PRODUCT_BITS - BITS + 1)) + LEADING);

    return product >= PRODUCT_TWO ? halved : usual;
}

/* The sum of exponents, with the bias twice, and what a factor that is not 0 leaves. */
typedef struct {
    uint16_t exponent;
    uint16_t mask;
} Scale;

TENSIX_LANE Scale scale_of(uint16_t a, uint16_t b)
{
    uint16_t exponent_a = a & EXPONENT;
    uint16_t exponent_b = b & EXPONENT;
    uint16_t mask = mask_if(min(exponent_a, exponent_b) != 0);

    return (Scale){(uint16_t) (exponent_a + exponent_b) & mask, mask};
}

TENSIX_LANE uint16_t assemble(Scale scale, uint16_t significand, uint16_t sign)
{
    const uint16_t bias = (TENSIX_EXPONENT_BIAS + 1) * LEADING; /* and the leading 1 */

    return ((uint16_t) (scale.exponent + significand - bias) | (sign & SIGN)) &
           scale.mask;
}

static bool is_product(Span scales)
{
    return is_within(scales, TENSIX_EXPONENT_BIAS + 16, TENSIX_EXPONENT_BIAS + 238);
}

TENSIX_LANE bool
multiply(uint16_t *restrict dst, const uint16_t *a, const uint16_t *b, unsigned phases)
{
    Span span = no_span;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        Scale scale = scale_of(a[i], b[i]);
        uint16_t product = multiply_significands(a[i], b[i], phases);

        widen(&span, scale.exponent);
        dst[i] = assemble(scale, place_significand(product), a[i] ^ b[i]);
    }
    return is_product(span);
}

TENSIX_LANES
static bool multiply_once(uint16_t *restrict dst, const uint16_t *a, const uint16_t *b)
{
    return multiply(dst, a, b, 1);
}

TENSIX_LANES
static bool multiply_twice(uint16_t *restrict dst, const uint16_t *a, const uint16_t *b)
{
    return multiply(dst, a, b, 2);
}

TENSIX_LANES
static bool multiply_all(uint16_t *restrict dst, const uint16_t *a, const uint16_t *b)
{
    return multiply(dst, a, b, 3);
}

/* By powers of two alone: of two phases or more, nothing is missing then. */
TENSIX_LANES
static bool shift(uint16_t *restrict dst, const uint16_t *a, const uint16_t *b)
{
    Span span = no_span;
    uint16_t bits = 0;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        Scale scale = scale_of(a[i], b[i]);

        bits |= b[i];
        widen(&span, scale.exponent);
        dst[i] = assemble(scale, (a[i] & MANTISSA) | LEADING, a[i] ^ b[i]);
    }
    return is_product(span) && (bits & MANTISSA) == 0;
}

bool tensix_bf16_multiply(uint16_t *dst,
                          const uint16_t *a,
                          const uint16_t *b,
                          TensixFidelity fidelity)
{
    if (fidelity == TENSIX_FIDELITY_LOFI) {
        return multiply_once(dst, a, b);
    }
    if ((b[0] & MANTISSA) == 0 && shift(dst, a, b)) {
        return true;
    }
    return fidelity == TENSIX_FIDELITY_HIFI2 ? multiply_twice(dst, a, b)
                                             : multiply_all(dst, a, b);
}

TENSIX_LANES
static bool copy(uint16_t *restrict dst, const uint16_t *a)
{
    uint16_t most = 0;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        uint16_t exponent = a[i] & EXPONENT;

        most = max(most, exponent);
        dst[i] = a[i] & mask_if(exponent != 0);
    }
    return most != EXPONENT;
}

bool tensix_bf16_copy(uint16_t *dst, const uint16_t *a)
{
    return copy(dst, a);
}

void tensix_bf16_widen(uint32_t *restrict to, const uint16_t *from)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        to[i] = (uint32_t) from[i] << 16;
    }
}

const uint16_t *tensix_bf16_at(const uint8_t *l1)
{
    const bool is_aligned = (uintptr_t) l1 % sizeof(uint16_t) == 0;

    return G_BYTE_ORDER == G_LITTLE_ENDIAN && is_aligned ? (const void *) l1 : NULL;
}

void tensix_bf16_load(uint16_t *to, const uint8_t *l1)
{
    memcpy(to, l1, TENSIX_TILE_ELEMENTS * sizeof *to);
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        to[i] = GUINT16_FROM_LE(to[i]);
    }
}

void tensix_bf16_store(uint8_t *restrict l1, const uint16_t *restrict from)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        const uint16_t number = GUINT16_TO_LE(from[i]);

        memcpy(l1 + i * sizeof number, &number, sizeof number);
    }
}
