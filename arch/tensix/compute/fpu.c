/* Element-wise operations of the matrix unit. */
#include "arch/tensix/compute/fpu.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/fpu_lane.h"
#include "arch/tensix/compute/fpu_part.h"
#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/tile.h"

static const FpuLaneSum nothing = {0, FPU_LANE_NOTHING};

/* On its way to Dst, rounded as IEEE arithmetic does. */
static inline uint32_t store_even(uint32_t bits, TensixDst kind)
{
    return kind == TENSIX_DST_16 ? tensix_round_even(bits, 16) : bits;
}

/* A result of IEEE arithmetic. */
static inline uint32_t store_ieee(float value, TensixDst kind)
{
    return store_even(tensix_number_from_result(value), kind);
}

/* How a result is rounded, ties away from zero: half a unit is added, the rest cut. */
typedef struct {
    uint32_t half;
    uint32_t mask;
} Rounding;

static const Rounding roundings[] = {
    [TENSIX_DST_16] = {0x8000, UINT32_C(0xffff0000)},
    [TENSIX_DST_32] = {0, UINT32_MAX},
};

/* What a host's float holds, rounded, without denormals; `doubt` becomes 1 where it may
 * differ from the chip's result: infinities, NaNs, and the least normal number, which
 * may have come from below. */
TENSIX_LANE uint32_t store_normal(float value, Rounding rounding, uint32_t *doubt)
{
    uint32_t bits = tensix_number_from_float(value);
    uint32_t exponent = 0;

    bits = (bits + rounding.half) & rounding.mask;
    exponent = bits & TENSIX_INFINITY;
    *doubt |=
        (exponent == TENSIX_INFINITY) | ((bits & TENSIX_MAGNITUDE) == TENSIX_LEADING);
    return bits & -(uint32_t) (exponent != 0);
}

/* The number as a float, denormals as zero. */
TENSIX_LANE float normal(uint32_t bits)
{
    return tensix_number_to_float(bits & -(uint32_t) ((bits & TENSIX_INFINITY) != 0));
}

/* To 11 bits below the leading place of `grid`, which is 13 places above: the sum with
 * it has no others. Ties go to even there, so the magnitude gets one unit, of 23 bits,
 * more; a number of 11 bits cannot pass a tie by that. */
TENSIX_LANE float align(uint32_t bits, float grid)
{
    return (tensix_number_to_float(bits + 1) + grid) - grid;
}

/* Magnitudes between which results of the host's floats are right; nothing, too, is. */
typedef struct {
    uint32_t least; /* of what is more than nothing, less 1 */
    uint32_t most;
} Span;

static const Span no_span = {UINT32_MAX, 0};

TENSIX_LANE void widen(Span *self, float value)
{
    uint32_t magnitude = tensix_number_from_float(value) & TENSIX_MAGNITUDE;

    self->least = magnitude - 1 < self->least ? magnitude - 1 : self->least;
    self->most = magnitude > self->most ? magnitude : self->most;
}

static bool is_certain(Span self)
{
    return self.least >= (16 << 23) - 1 && self.most < 239 << 23;
}

/* a + b, or a - b. Returns whether no result is in doubt, as those are next to which a
 * denormal is not nothing. */
TENSIX_LANE bool add_normal(uint32_t *restrict dst,
                            const uint32_t *a,
                            const uint32_t *b,
                            bool is_difference,
                            Rounding rounding)
{
    const uint32_t above = 13 << 23 | 0x400000;
    int32_t most = 0; /* the grid needs an exponent above */
    Span span = no_span;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        int32_t exponent_a = (int32_t) (a[i] & TENSIX_INFINITY);
        int32_t exponent_b = (int32_t) (b[i] & TENSIX_INFINITY);
        int32_t top = fpu_lane_max(exponent_a, exponent_b);
        float grid = tensix_number_to_float((uint32_t) top + above);
        float aligned_b = align(b[i], grid);
        float sum = align(a[i], grid) + (is_difference ? -aligned_b : aligned_b);
        uint32_t bits = tensix_number_from_float(sum);
        uint32_t magnitude = bits & TENSIX_MAGNITUDE;

        most = fpu_lane_max(most, top);
        span.least = magnitude - 1 < span.least ? magnitude - 1 : span.least;
        dst[i] = (bits + rounding.half) & rounding.mask;
    }
    return is_certain(span) && most <= 241 << 23;
}

TENSIX_LANES
static bool sum_normal(uint32_t *restrict dst,
                       const uint32_t *a,
                       const uint32_t *b,
                       Rounding rounding)
{
    return add_normal(dst, a, b, false, rounding);
}

TENSIX_LANES
static bool subtract_normal(uint32_t *restrict dst,
                            const uint32_t *a,
                            const uint32_t *b,
                            Rounding rounding)
{
    return add_normal(dst, a, b, true, rounding);
}

/* a + b, as ELWADD adds two numbers of Src. */
TENSIX_LANE FpuLaneSum sum_of_two(uint32_t a, uint32_t b)
{
    int32_t magnitude_a = (int32_t) (a & TENSIX_MAGNITUDE);
    int32_t magnitude_b = (int32_t) (b & TENSIX_MAGNITUDE);
    uint32_t swap = (a ^ b) & -(uint32_t) (magnitude_a < magnitude_b);
    uint32_t large = a ^ swap;
    uint32_t small = b ^ swap;
    int32_t exponent = tensix_number_exponent(large);
    int32_t small_exponent = tensix_number_exponent(small);
    int32_t shift = fpu_lane_min(exponent - small_exponent, FPU_LANE_FAR);
    int32_t upper = (int32_t) ((large & TENSIX_MANTISSA) | TENSIX_LEADING) >> 13;
    int32_t lower = (int32_t) ((small & TENSIX_MANTISSA) | TENSIX_LEADING) >> 13;
    int32_t sign = fpu_lane_sign((int32_t) large);
    int32_t unlike = fpu_lane_sign((int32_t) (a ^ b));

    upper = fpu_lane_if(exponent != 0, upper);
    lower = fpu_lane_if(small_exponent != 0, fpu_lane_shift_up(lower, shift));
    int32_t sum = upper + ((lower ^ unlike) - unlike);
    return (FpuLaneSum){(sum ^ sign) - sign,
                        exponent + fpu_lane_if(sum == 0, FPU_LANE_NOTHING)};
}

TENSIX_LANES
static void
add_to_16(uint32_t *restrict dst, const uint32_t *a, const uint32_t *b, uint32_t flip)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        dst[i] = fpu_lane_add_to(dst[i], sum_of_two(a[i], b[i] ^ flip), nothing, true,
                                 false);
    }
}

TENSIX_LANES
static void
add_to_32(uint32_t *restrict dst, const uint32_t *a, const uint32_t *b, uint32_t flip)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        dst[i] = fpu_lane_add_to(dst[i], sum_of_two(a[i], b[i] ^ flip), nothing, false,
                                 false);
    }
}

static void add_ieee(uint32_t *dst,
                     const uint32_t *a,
                     const uint32_t *b,
                     uint32_t flip,
                     TensixFpuMode mode)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        float sum = tensix_number_to_float(a[i]) + tensix_number_to_float(b[i] ^ flip);

        if (mode.has_dst) {
            sum += tensix_number_to_float(dst[i]);
        }
        dst[i] = store_ieee(sum, mode.dst);
    }
}

static void add(uint32_t *dst,
                const uint32_t *a,
                const uint32_t *b,
                uint32_t flip,
                TensixFpuMode mode)
{
    if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
        add_ieee(dst, a, b, flip, mode);
        return;
    }
    if (!mode.has_dst) {
        if ((flip == 0 ? sum_normal : subtract_normal)(dst, a, b,
                                                       roundings[mode.dst])) {
            return;
        }
        memset(dst, 0, TENSIX_TILE_ELEMENTS * sizeof *dst);
    }
    (mode.dst == TENSIX_DST_16 ? add_to_16 : add_to_32)(dst, a, b, flip);
}

void tensix_fpu_add(uint32_t *dst,
                    const uint32_t *a,
                    const uint32_t *b,
                    TensixFpuMode mode)
{
    add(dst, a, b, 0, mode);
}

void tensix_fpu_subtract(uint32_t *dst,
                         const uint32_t *a,
                         const uint32_t *b,
                         TensixFpuMode mode)
{
    add(dst, a, b, TENSIX_SIGN, mode);
}

/* What phases take of a number: its sign and exponent with the upper part of the
 * mantissa, or with both; of SrcB both are all it has. */
#define UPPER_A UINT32_C(0xfff80000)
#define WHOLE_A UINT32_C(0xffffc000)
#define UPPER_B UINT32_C(0xfffe0000)

/* Phase 0 into a Dst of zeros: products of 12 bits, which are exact. */
TENSIX_LANES
static bool multiply_normal(uint32_t *restrict dst,
                            const uint32_t *a,
                            const uint32_t *b,
                            Rounding rounding)
{
    uint32_t doubt = 0;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        float x = normal(a[i] & UPPER_A);
        float y = normal(b[i] & UPPER_B);

        dst[i] = store_normal(x * y, rounding, &doubt);
    }
    return doubt == 0;
}

/* The number, denormals as zero. What is no number stays. */
TENSIX_LANE float flushed(uint32_t bits)
{
    uint32_t is_denormal = fabsf(tensix_number_to_float(bits)) < FLT_MIN;

    return tensix_number_to_float(bits & (is_denormal - 1));
}

TENSIX_LANE float part_of(float value, uint32_t mask)
{
    return tensix_number_to_float(tensix_number_from_float(value) & mask);
}

/* A later phase's product to a sum of the same sign that it is smaller than. It is
 * rounded to 11 bits below the sum's leading place, then the sum to 8. Half a unit of
 * the first rounding, and half of the second, leave the same to be cut off. */
TENSIX_LANE float add_product(float sum, float product)
{
    float half = part_of(sum, TENSIX_SIGN | TENSIX_INFINITY) * 0x1p-11F;

    return tensix_round_normal_to_bf16(sum + product + half);
}

/* All phases, two or more, into a 16-bit Dst of zeros. They have one sign, so the sum
 * keeps the greatest exponent; it is in doubt near both ends of exponents. The last
 * phase has nothing to do: 31 * 120, 12 places down, is less than a unit of the grid.
 */
TENSIX_LANE bool multiply_phases(uint32_t *restrict dst,
                                 const uint32_t *a,
                                 const uint32_t *b,
                                 bool has_lower_b)
{
    Span span = no_span;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        float whole_a = flushed(a[i]);
        float whole_b = flushed(b[i]);
        float upper_a = part_of(whole_a, UPPER_A);
        float upper_b = part_of(whole_b, UPPER_B);
        float sum = upper_a * upper_b;

        widen(&span, sum);
        sum = add_product(tensix_round_normal_to_bf16(sum),
                          (part_of(whole_a, WHOLE_A) - upper_a) * upper_b);
        if (has_lower_b) {
            sum = add_product(sum, upper_a * (whole_b - upper_b));
        }
        dst[i] = tensix_number_from_float(sum + 0.0F); /* nothing has no sign */
    }
    return is_certain(span);
}

TENSIX_LANES
static bool
multiply_two_phases(uint32_t *restrict dst, const uint32_t *a, const uint32_t *b)
{
    return multiply_phases(dst, a, b, false);
}

TENSIX_LANES
static bool
multiply_all_phases(uint32_t *restrict dst, const uint32_t *a, const uint32_t *b)
{
    return multiply_phases(dst, a, b, true);
}

/* The same if b has powers of two alone and a no more bits than BF16: then the product
 * is exact, however many parts it is made of. */
TENSIX_LANES
static bool
multiply_powers(uint32_t *restrict dst, const uint32_t *a, const uint32_t *b)
{
    Span span = no_span;
    uint32_t bits_a = 0;
    uint32_t bits_b = 0;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        float product = flushed(a[i]) * flushed(b[i]);

        bits_a |= a[i];
        bits_b |= b[i];
        widen(&span, product);
        dst[i] = tensix_number_from_float(product + 0.0F);
    }
    return is_certain(span) && (bits_a & 0xffff) == 0 &&
           (bits_b & TENSIX_MANTISSA) == 0;
}

/* All phases at once, likewise. */
static bool multiply_at_once(uint32_t *dst,
                             const uint32_t *a,
                             const uint32_t *b,
                             TensixFidelity fidelity)
{
    if ((b[0] & TENSIX_MANTISSA) == 0 && multiply_powers(dst, a, b)) {
        return true;
    }
    return fidelity == TENSIX_FIDELITY_HIFI2 ? multiply_two_phases(dst, a, b)
                                             : multiply_all_phases(dst, a, b);
}

TENSIX_LANES
static void multiply_to_16(uint32_t *restrict dst,
                           const uint32_t *a,
                           const uint32_t *b,
                           unsigned phase)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        dst[i] = fpu_lane_add_to(dst[i], fpu_part_product(a[i], b[i], phase), nothing,
                                 true, false);
    }
}

TENSIX_LANES
static void multiply_to_32(uint32_t *restrict dst,
                           const uint32_t *a,
                           const uint32_t *b,
                           unsigned phase)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        dst[i] = fpu_lane_add_to(dst[i], fpu_part_product(a[i], b[i], phase), nothing,
                                 false, false);
    }
}

static void
multiply_ieee(uint32_t *dst, const uint32_t *a, const uint32_t *b, TensixFpuMode mode)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        float result = tensix_number_to_float(a[i]) * tensix_number_to_float(b[i]);

        if (mode.has_dst) {
            result += tensix_number_to_float(dst[i]);
        }
        dst[i] = store_ieee(result, mode.dst);
    }
}

/* As many phases as can be made at once, into a Dst of zeros; returns how many. */
static unsigned
multiply_first(uint32_t *dst, const uint32_t *a, const uint32_t *b, TensixFpuMode mode)
{
    if (mode.dst == TENSIX_DST_16 && mode.fidelity > TENSIX_FIDELITY_LOFI) {
        if (multiply_at_once(dst, a, b, mode.fidelity)) {
            return mode.fidelity;
        }
    } else if (multiply_normal(dst, a, b, roundings[mode.dst])) {
        return 1;
    }
    memset(dst, 0, TENSIX_TILE_ELEMENTS * sizeof *dst);
    return 0;
}

void tensix_fpu_multiply(uint32_t *dst,
                         const uint32_t *a,
                         const uint32_t *b,
                         TensixFpuMode mode)
{
    bool is_16 = mode.dst == TENSIX_DST_16;
    unsigned phase = 0;

    if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
        multiply_ieee(dst, a, b, mode);
        return;
    }
    if (!mode.has_dst) {
        phase = multiply_first(dst, a, b, mode);
    }
    for (; phase < mode.fidelity; phase++) {
        (is_16 ? multiply_to_16 : multiply_to_32)(dst, a, b, phase);
    }
}

TENSIX_LANES
static void copy(uint32_t *restrict dst, const uint32_t *a, TensixDst kind)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        bool is_zero = (a[i] & TENSIX_INFINITY) == 0;
        bool is_top = (a[i] & TENSIX_INFINITY) == TENSIX_INFINITY;
        uint32_t sum = is_top ? a[i] & (TENSIX_SIGN | TENSIX_INFINITY) : a[i];
        uint32_t bits = kind == TENSIX_DST_16 ? a[i] & UINT32_C(0xffff0000) : sum;

        dst[i] = is_zero ? 0 : bits;
    }
}

void tensix_fpu_copy(uint32_t *dst, const uint32_t *a, TensixFpuMode mode)
{
    if (mode.arithmetic != TENSIX_ARITHMETIC_IEEE) {
        copy(dst, a, mode.dst);
        return;
    }
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        dst[i] = store_even(a[i], mode.dst);
    }
}
