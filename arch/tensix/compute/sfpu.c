/* Operations of the vector unit on tiles. */
#include "arch/tensix/compute/sfpu.h"

#include <math.h>
#include <stdbool.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/compute/sfpu_number.h"
#include "arch/tensix/tile.h"

/* SFPMAD that multiplies by one or adds zero rounds as IEEE does. What differs is done
 * here, zeros and denormals for every number; where infinities, NaNs or the least
 * normal number come out, the tile is done again number by number. */

#define HALF_BITS UINT32_C(0xffff0000)

enum {
    LANES = 32,
};

TENSIX_LANE uint32_t drop_denormal(uint32_t bits)
{
    return bits & -(uint32_t) ((bits & TENSIX_INFINITY) != 0);
}

TENSIX_LANE uint32_t store(uint32_t bits, TensixDst kind)
{
    return kind == TENSIX_DST_16 ? bits & HALF_BITS : bits;
}

/* 1 in the lowest bit if the sum's pattern is of no finite number. */
TENSIX_LANE uint32_t is_top(uint32_t bits)
{
    return (bits & TENSIX_INFINITY) == TENSIX_INFINITY;
}

/* `mask` is what the store keeps, `flip` the sign that b changes by. Returns whether it
 * is right. */
TENSIX_LANES
static bool add_normal(uint32_t *restrict result,
                       const uint32_t *a,
                       const uint32_t *b,
                       uint32_t flip,
                       uint32_t mask)
{
    uint32_t doubt = 0;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        float x = tensix_number_to_float(drop_denormal(a[i]));
        float y = tensix_number_to_float(drop_denormal(b[i]) ^ flip);
        uint32_t sum = drop_denormal(tensix_number_from_float(x + y));

        doubt |= is_top(sum);
        result[i] = sum & mask;
    }
    return doubt == 0;
}

TENSIX_LANES
static bool
multiply_normal(uint32_t *restrict result, const uint32_t *a, const uint32_t *b)
{
    uint32_t doubt = 0;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        float x = tensix_number_to_float(drop_denormal(a[i]));
        float y = tensix_number_to_float(drop_denormal(b[i]));
        uint32_t product = drop_denormal(tensix_number_from_float(x * y));

        /* The least normal number may have been less before it was rounded. */
        doubt |= is_top(product) | ((product & TENSIX_MAGNITUDE) == TENSIX_LEADING);
        result[i] = product;
    }
    return doubt == 0;
}

TENSIX_LANES
static bool scale_normal(uint32_t *restrict result,
                         const uint32_t *a,
                         uint32_t factor,
                         uint32_t mask)
{
    float y = tensix_number_to_float(drop_denormal(factor));
    uint32_t doubt = 0;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        float x = tensix_number_to_float(drop_denormal(a[i]));
        uint32_t product = drop_denormal(tensix_number_from_float(x * y));

        doubt |= is_top(product) | ((product & TENSIX_MAGNITUDE) == TENSIX_LEADING);
        result[i] = product & mask;
    }
    return doubt == 0;
}

TENSIX_LANE uint32_t store_ieee(float value, TensixDst kind)
{
    uint32_t bits = tensix_number_from_result(value);

    return kind == TENSIX_DST_16 ? tensix_round_even(bits, 16) : bits;
}

static uint32_t mask_of(TensixDst kind)
{
    return kind == TENSIX_DST_16 ? HALF_BITS : UINT32_MAX;
}

static void add(uint32_t *dst,
                const uint32_t *a,
                const uint32_t *b,
                uint32_t flip,
                TensixSfpuMode mode)
{
    uint32_t result[TENSIX_TILE_ELEMENTS];

    if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            dst[i] = store_ieee(tensix_number_to_float(a[i]) +
                                    tensix_number_to_float(b[i] ^ flip),
                                mode.dst);
        }
        return;
    }
    if (!add_normal(result, a, b, flip, mask_of(mode.dst))) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            uint32_t sum =
                tensix_sfpu_number_multiply_add(a[i], TENSIX_SFPU_ONE, b[i] ^ flip);
            result[i] = store(sum, mode.dst);
        }
    }
    memcpy(dst, result, sizeof result);
}

void tensix_sfpu_add(uint32_t *dst,
                     const uint32_t *a,
                     const uint32_t *b,
                     TensixSfpuMode mode)
{
    add(dst, a, b, 0, mode);
}

void tensix_sfpu_subtract(uint32_t *dst,
                          const uint32_t *a,
                          const uint32_t *b,
                          TensixSfpuMode mode)
{
    add(dst, a, b, TENSIX_SIGN, mode);
}

/* What the kernel does between SFPMUL and SFPSTORE: half less one, plus the bit that
 * stays last. */
TENSIX_LANES
static void round_products(uint32_t *result, const uint32_t *a, const uint32_t *b)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        uint32_t has_factors = -(uint32_t) (((a[i] & TENSIX_INFINITY) != 0) &
                                            ((b[i] & TENSIX_INFINITY) != 0));
        uint32_t rounded = (result[i] + 0x7fff + (result[i] >> 16 & 1)) & HALF_BITS;

        result[i] = rounded & has_factors;
    }
}

void tensix_sfpu_multiply(uint32_t *dst,
                          const uint32_t *a,
                          const uint32_t *b,
                          TensixSfpuMode mode)
{
    uint32_t result[TENSIX_TILE_ELEMENTS];

    if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            dst[i] = store_ieee(
                tensix_number_to_float(a[i]) * tensix_number_to_float(b[i]), mode.dst);
        }
        return;
    }
    if (!multiply_normal(result, a, b)) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            result[i] = tensix_sfpu_number_multiply_add(a[i], b[i], 0);
        }
    }
    if (mode.dst == TENSIX_DST_16) {
        round_products(result, a, b);
    }
    memcpy(dst, result, sizeof result);
}

void tensix_sfpu_multiply_add(uint32_t *dst,
                              const uint32_t *a,
                              const uint32_t *b,
                              const uint32_t *c,
                              TensixSfpuMode mode)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
            dst[i] = store_ieee(fmaf(tensix_number_to_float(a[i]),
                                     tensix_number_to_float(b[i]),
                                     tensix_number_to_float(c[i])),
                                mode.dst);
        } else {
            dst[i] = store(tensix_sfpu_number_multiply_add(a[i], b[i], c[i]), mode.dst);
        }
    }
}

void tensix_sfpu_scale(uint32_t *dst,
                       const uint32_t *a,
                       uint32_t factor,
                       TensixSfpuMode mode)
{
    uint32_t result[TENSIX_TILE_ELEMENTS];

    if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            dst[i] = store_ieee(tensix_number_to_float(a[i]) *
                                    tensix_number_to_float(factor),
                                mode.dst);
        }
        return;
    }
    if (!scale_normal(result, a, factor, mask_of(mode.dst))) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            result[i] =
                store(tensix_sfpu_number_multiply_add(a[i], factor, 0), mode.dst);
        }
    }
    memcpy(dst, result, sizeof result);
}

void tensix_sfpu_offset(uint32_t *dst,
                        const uint32_t *a,
                        uint32_t term,
                        TensixSfpuMode mode)
{
    uint32_t terms[TENSIX_TILE_ELEMENTS];

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        terms[i] = term;
    }
    add(dst, a, terms, 0, mode);
}

/* Each rule of `a`: its sign, whether its magnitude is zero, and whether it is above
 * infinity's. */
TENSIX_LANE uint32_t holds(uint32_t a, TensixComparison comparison)
{
    const uint32_t magnitude = a & TENSIX_MAGNITUDE;
    const uint32_t is_zero = magnitude == 0;
    const uint32_t is_other = magnitude != 0;
    const uint32_t is_number = magnitude <= TENSIX_INFINITY;
    const uint32_t is_negative = a >> 31;
    const uint32_t is_positive = is_negative ^ 1;

    switch (comparison) {
    case TENSIX_COMPARE_EQZ:
        return is_zero;
    case TENSIX_COMPARE_NEZ:
        return is_other;
    case TENSIX_COMPARE_LTZ:
        return is_number & is_other & is_negative;
    case TENSIX_COMPARE_GTZ:
        return is_number & is_other & is_positive;
    case TENSIX_COMPARE_LEZ:
        return is_number & (is_zero | is_negative);
    case TENSIX_COMPARE_GEZ:
        return is_number & (is_zero | is_positive);
    }
    return 0;
}

TENSIX_LANES
void tensix_sfpu_compare(uint32_t *dst, const uint32_t *a, TensixComparison comparison)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        dst[i] = -holds(a[i], comparison) & TENSIX_SFPU_ONE;
    }
}

static uint32_t add_one(uint32_t a, uint32_t b, TensixArithmetic arithmetic)
{
    if (arithmetic == TENSIX_ARITHMETIC_IEEE) {
        return tensix_number_from_result(tensix_number_to_float(a) +
                                         tensix_number_to_float(b));
    }
    return tensix_sfpu_number_multiply_add(a, TENSIX_SFPU_ONE, b);
}

void tensix_sfpu_sum(uint32_t *dst, const uint32_t *a, TensixSfpuMode mode)
{
    uint32_t lanes[LANES];

    memcpy(lanes, a, sizeof lanes);
    for (unsigned i = LANES; i < TENSIX_TILE_ELEMENTS; i++) {
        lanes[i % LANES] = add_one(lanes[i % LANES], a[i], mode.arithmetic);
    }
    for (unsigned half = LANES / 2; half > 0; half /= 2) {
        for (unsigned i = 0; i < half; i++) {
            lanes[i] = add_one(lanes[i], lanes[i + half], mode.arithmetic);
        }
    }
    memset(dst, 0, TENSIX_TILE_ELEMENTS * sizeof *dst);
    dst[0] = mode.arithmetic == TENSIX_ARITHMETIC_IEEE
                 ? store_ieee(tensix_number_to_float(lanes[0]), mode.dst)
                 : store(lanes[0], mode.dst);
}

void tensix_sfpu_reciprocal(uint32_t *dst, const uint32_t *a, TensixSfpuMode mode)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
            dst[i] = store_ieee(1 / tensix_number_to_float(a[i]), mode.dst);
        } else {
            dst[i] = store(tensix_sfpu_number_reciprocal(a[i]), mode.dst);
        }
    }
}

void tensix_sfpu_root(uint32_t *dst, const uint32_t *a, TensixSfpuMode mode)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
            dst[i] = store_ieee(sqrtf(tensix_number_to_float(a[i])), mode.dst);
        } else {
            dst[i] = store(tensix_sfpu_number_root(a[i]), mode.dst);
        }
    }
}
