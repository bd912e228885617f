/* Computes what the chip's units do to arrays of floats, with the chip's rounding. */
#include "workloads/reference/units.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SIGN     UINT32_C(0x80000000)
#define EXPONENT UINT32_C(0x7f800000)
#define FRACTION UINT32_C(0x007fffff)
#define BF16     UINT32_C(0xffff0000)

enum {
    PLACES = 128, /* significands of BF16, the leading 1 left out */
    PLACE_BITS = 7,
    FRACTION_BITS = 23,
    HALF_BITS = 16,
    BIAS = 127,
    ALIGNED_BITS = 10, /* below the leading one, in a sum */
    SUM_LANES = 32,
    POOL = 16,       /* numbers that the FPU adds up at a time */
    POOL_GROUP = 8,  /* of these, aligned with one another */
    UPPER_BITS = 5,  /* of a significand in SrcA that the first phase takes */
    DST_BITS = 24,   /* that terms are aligned to before they are rounded */
    NOTHING = -1000, /* the exponent of 0 */
    MOST = 241 << FRACTION_BITS, /* that the grid of a sum can lie above */
    GRID = 13 << FRACTION_BITS | 1 << (FRACTION_BITS - 1),
};

struct ReferenceUnits {
    NumberFormat format;
    guint fidelity;
    /* BF16: of two significands, that of b first, how often the product passes a power
     * of two, and its own significand. */
    uint16_t products[PLACES][PLACES];
};

/* Nearest, ties up; of what is not negative. */
static unsigned halve(unsigned value, unsigned times)
{
    return (value + (1U << times >> 1)) >> times;
}

/* A significand in Dst: `value` has 11 bits, or one more, in units of 2^-10; `power`
 * says how often it passed 2. */
typedef struct {
    unsigned value;
    unsigned power;
} Significand;

/* To 8 bits, in 11. */
static Significand stored(unsigned value, unsigned power)
{
    if (value >= 2048) {
        return stored(halve(value, 4) * 8, power + 1);
    }
    value = halve(value, 3) * 8;
    return value >= 2048 ? (Significand){value / 2, power + 1}
                         : (Significand){value, power};
}

/* SrcA in 5 upper and 5 lower bits, SrcB in 7 upper and 4 lower ones: of 11, of which
 * BF16 has the 8 upper. What a phase adds is aligned to Dst and rounded to 11 bits. */
static uint16_t product_of(unsigned a, unsigned b, guint fidelity)
{
    const unsigned upper_a = (a + PLACES) >> 3;
    const unsigned lower_a = (a & 7) << 2;
    const unsigned upper_b = (b + PLACES) >> 1;
    const unsigned lower_b = (b & 1) << 6;
    const struct {
        unsigned product;
        unsigned places; /* that it lies lower */
    } parts[] = {
        {upper_a * upper_b, 0},
        {lower_a * upper_b, 5},
        {upper_a * lower_b, 7},
        {lower_a * lower_b, 12},
    };
    Significand sum = stored(parts[0].product, 0);

    for (guint i = 1; i < fidelity; i++) {
        sum = stored(sum.value + halve(parts[i].product, parts[i].places + sum.power),
                     sum.power);
    }
    return (uint16_t) (sum.power << PLACE_BITS | (sum.value / 8 - PLACES));
}

ReferenceUnits *reference_units_new(NumberFormat format, guint fidelity)
{
    ReferenceUnits *self = g_new0(ReferenceUnits, 1);

    g_return_val_if_fail(fidelity >= 1 && fidelity <= 4, NULL);
    self->format = format;
    self->fidelity = fidelity;
    for (unsigned a = 0; a < PLACES; a++) {
        for (unsigned b = 0; b < PLACES; b++) {
            self->products[b][a] = product_of(a, b, fidelity);
        }
    }
    return self;
}

void reference_units_free(ReferenceUnits *self)
{
    g_free(self);
}

/* A mask instead of a branch: compilers make vectors of that. */
static inline uint32_t mask_if(bool condition)
{
    return -(uint32_t) condition;
}

static inline float flushed(float value)
{
    const uint32_t bits = number_bits(value);

    return number_of_bits(bits & mask_if((bits & EXPONENT) != 0));
}

/* To 11 bits below the leading place of `grid`, which lies 13 places above: their sum
 * has no others. It rounds ties to even; one unit of single precision more makes them
 * go away from 0, and a BF16 number cannot pass a tie by that. */
static inline float aligned(float value, float grid)
{
    return (number_of_bits(number_bits(value) + 1) + grid) - grid;
}

/* Both are counted in units of the larger one's 11th bit. */
static inline float add_fpu(float a, float b)
{
    const int32_t top_a = (int32_t) (number_bits(a) & EXPONENT);
    const int32_t top_b = (int32_t) (number_bits(b) & EXPONENT);
    const int32_t top = top_a > top_b ? top_a : top_b;
    const int32_t place = top < MOST ? top : MOST;
    const float grid = number_of_bits((uint32_t) place + GRID);
    const uint32_t sum = number_bits(aligned(a, grid) + aligned(b, grid));

    return number_of_bits(((sum + 0x8000) & BF16) & mask_if(top != 0));
}

/* Of two BF16 numbers: their exponents with the significand of the product and how
 * often it passes a power of two, all in their places; whether both are numbers other
 * than 0; and the sign in the highest bit. */
static inline float assemble(uint32_t product, bool has_both, uint32_t sign)
{
    const uint32_t bias = (uint32_t) BIAS << FRACTION_BITS;
    const uint32_t bits = product - bias < EXPONENT ? product - bias : EXPONENT;
    const uint32_t is_number = mask_if(has_both) & mask_if(product > bias + FRACTION);

    return number_of_bits((bits | (sign & SIGN)) & is_number);
}

static inline uint32_t place_of(float value)
{
    return number_bits(value) >> HALF_BITS & (PLACES - 1);
}

/* The table is read number by number; what comes before and after is made of vectors.
 */
static void multiply_block(const ReferenceUnits *self,
                           float *restrict to,
                           const float *a,
                           const float *b,
                           gsize count)
{
    const uint16_t *products = self->products[0];
    uint16_t places[REFERENCE_TILE];

    for (gsize i = 0; i < count; i++) {
        places[i] = (uint16_t) (place_of(b[i]) << PLACE_BITS | place_of(a[i]));
    }
    for (gsize i = 0; i < count; i++) {
        places[i] = products[places[i]];
    }
    for (gsize i = 0; i < count; i++) {
        const uint32_t top_a = number_bits(a[i]) & EXPONENT;
        const uint32_t top_b = number_bits(b[i]) & EXPONENT;
        const uint32_t product = top_a + top_b + ((uint32_t) places[i] << HALF_BITS);

        to[i] = assemble(product, (top_a < top_b ? top_a : top_b) != 0,
                         number_bits(a[i]) ^ number_bits(b[i]));
    }
}

/* By a power of two, which leaves significands as they are if no part of them is
 * missing. */
static void shift_block(float *restrict to, const float *a, float factor, gsize count)
{
    const uint32_t top = number_bits(factor) & EXPONENT;

    for (gsize i = 0; i < count; i++) {
        const uint32_t bits = number_bits(a[i]);

        to[i] = assemble((bits & ~SIGN) + top, (bits & EXPONENT) != 0,
                         bits ^ number_bits(factor));
    }
}

/* The products of all significands with that of `factor`. */
static void scale_block(const uint16_t *products,
                        float *restrict to,
                        const float *a,
                        float factor,
                        gsize count)
{
    const uint32_t top = number_bits(factor) & EXPONENT;
    uint16_t places[REFERENCE_TILE];

    for (gsize i = 0; i < count; i++) {
        places[i] = products[place_of(a[i])];
    }
    for (gsize i = 0; i < count; i++) {
        const uint32_t bits = number_bits(a[i]);

        to[i] = assemble((bits & EXPONENT) + top + ((uint32_t) places[i] << HALF_BITS),
                         (bits & EXPONENT) != 0, bits ^ number_bits(factor));
    }
}

/* a + b, of which b changes its sign by `flip`. */
static void add_block(const ReferenceUnits *self,
                      float *restrict to,
                      const float *a,
                      const float *b,
                      uint32_t flip,
                      gsize count)
{
    if (self->format == NUMBER_FP32) {
        for (gsize i = 0; i < count; i++) {
            to[i] = flushed(flushed(a[i]) +
                            flushed(number_of_bits(number_bits(b[i]) ^ flip)));
        }
        return;
    }
    for (gsize i = 0; i < count; i++) {
        to[i] = add_fpu(a[i], number_of_bits(number_bits(b[i]) ^ flip));
    }
}

/* Block by block, as `to` may be an operand, which keeps a loop from being made of
 * vectors. */
static void add(const ReferenceUnits *self,
                float *to,
                const float *a,
                const float *b,
                uint32_t flip,
                gsize count)
{
    for (gsize done = 0; done < count; done += REFERENCE_TILE) {
        const gsize length = MIN(count - done, REFERENCE_TILE);
        float block[REFERENCE_TILE];

        add_block(self, block, a + done, b + done, flip, length);
        memcpy(to + done, block, length * sizeof *to);
    }
}

void reference_units_add(
    const ReferenceUnits *self, float *to, const float *a, const float *b, gsize count)
{
    add(self, to, a, b, 0, count);
}

void reference_units_subtract(
    const ReferenceUnits *self, float *to, const float *a, const float *b, gsize count)
{
    add(self, to, a, b, SIGN, count);
}

void reference_units_multiply(
    const ReferenceUnits *self, float *to, const float *a, const float *b, gsize count)
{
    if (self->format == NUMBER_FP32) {
        for (gsize i = 0; i < count; i++) {
            to[i] = flushed(flushed(a[i]) * flushed(b[i]));
        }
        return;
    }
    for (gsize done = 0; done < count; done += REFERENCE_TILE) {
        const gsize length = MIN(count - done, REFERENCE_TILE);
        float block[REFERENCE_TILE];

        multiply_block(self, block, a + done, b + done, length);
        memcpy(to + done, block, length * sizeof *to);
    }
}

static void multiply_flushed(float *block, const float *a, float factor, gsize length)
{
    for (gsize i = 0; i < length; i++) {
        block[i] = flushed(flushed(a[i]) * flushed(factor));
    }
}

void reference_units_scale(
    const ReferenceUnits *self, float *to, const float *a, float factor, gsize count)
{
    const bool is_power = self->fidelity > 1 && place_of(factor) == 0;
    const uint16_t *products = self->products[place_of(factor)];

    for (gsize done = 0; done < count; done += REFERENCE_TILE) {
        const gsize length = MIN(count - done, REFERENCE_TILE);
        float block[REFERENCE_TILE];

        if (self->format == NUMBER_FP32) {
            multiply_flushed(block, a + done, factor, length);
        } else if ((number_bits(factor) & EXPONENT) == 0) {
            memset(block, 0, sizeof block);
        } else if (is_power) {
            shift_block(block, a + done, factor, length);
        } else {
            scale_block(products, block, a + done, factor, length);
        }
        memcpy(to + done, block, length * sizeof *to);
    }
}

static float total_sfpu(const float *tile)
{
    float lanes[SUM_LANES] = {0};

    for (guint i = 0; i < REFERENCE_TILE; i++) {
        lanes[i % SUM_LANES] = flushed(lanes[i % SUM_LANES] + flushed(tile[i]));
    }
    for (guint half = SUM_LANES / 2; half > 0; half /= 2) {
        for (guint i = 0; i < half; i++) {
            lanes[i] = flushed(lanes[i] + lanes[i + half]);
        }
    }
    return lanes[0];
}

static int exponent_of(double value)
{
    return value == 0 ? NOTHING : ilogb(value);
}

/* To a multiple of 2^place, ties towards plus infinity. */
static double round_up(double value, int place)
{
    return ldexp(floor(ldexp(value, -place) + 0.5), place);
}

/* Ties away from 0. */
static double round_away(double value, int place)
{
    return ldexp(round(ldexp(value, -place)), place);
}

/* Numbers, each or what is left of it below its upper bits, aligned to the largest of
 * them; `top` gets its exponent. */
static double sum_group(const double *numbers, gsize stride, bool is_lower, int *top)
{
    double parts[POOL_GROUP];
    double sum = 0;

    *top = NOTHING;
    for (guint i = 0; i < POOL_GROUP; i++) {
        const double number = numbers[i * stride];
        const int exponent = exponent_of(number);
        const double upper = ldexp(trunc(ldexp(number, UPPER_BITS - 1 - exponent)),
                                   exponent + 1 - UPPER_BITS);

        parts[i] = is_lower ? number - upper : upper;
        if (parts[i] != 0) {
            *top = MAX(*top, exponent - (is_lower ? UPPER_BITS : 0));
        }
    }
    for (guint i = 0; i < POOL_GROUP; i++) {
        sum += parts[i] == 0 ? 0 : round_up(parts[i], *top - ALIGNED_BITS);
    }
    *top = sum == 0 ? NOTHING : *top;
    return sum;
}

/* Dst, and 16 numbers times one. */
static double
pool(const ReferenceUnits *self, double dst, const double *numbers, gsize stride)
{
    /* One has no bits in the lower part of SrcB: later phases add nothing. */
    for (guint phase = 0; phase < MIN(self->fidelity, 2); phase++) {
        int tops[POOL / POOL_GROUP];
        double sums[POOL / POOL_GROUP];
        int top = exponent_of(dst);
        double total;

        for (guint group = 0; group < G_N_ELEMENTS(sums); group++) {
            sums[group] = sum_group(numbers + (gsize) group * POOL_GROUP * stride,
                                    stride, phase == 1, &tops[group]);
            top = MAX(top, tops[group]);
        }
        if (top == NOTHING) {
            continue;
        }
        total = round_away(dst, top - ALIGNED_BITS);
        for (guint group = 0; group < G_N_ELEMENTS(sums); group++) {
            total += round_away(round_up(sums[group], top - (DST_BITS - 1)),
                                top - ALIGNED_BITS);
        }
        dst = total == 0 ? 0 : round_away(total, exponent_of(total) - PLACE_BITS);
    }
    return dst;
}

/* Infinities have no place that others could be aligned to: then it is their sum. */
static float total_fpu(const ReferenceUnits *self, const float *tile)
{
    double numbers[REFERENCE_TILE];
    double columns[POOL] = {0};
    float infinities = 0;

    for (guint i = 0; i < REFERENCE_TILE; i++) {
        numbers[i] = (double) flushed(tile[i]);
        infinities += isfinite(tile[i]) ? 0 : tile[i];
    }
    if (infinities != 0) {
        return infinities;
    }
    for (guint i = 0; i < POOL; i++) {
        for (gsize face = 0; face < REFERENCE_TILE; face += (gsize) POOL * POOL) {
            columns[i] = pool(self, columns[i], numbers + face + i, POOL);
        }
    }
    return (float) pool(self, 0, columns, 1);
}

float reference_units_total(const ReferenceUnits *self, const float *tile)
{
    return self->format == NUMBER_BF16 ? total_fpu(self, tile) : total_sfpu(tile);
}

/* The upper half of it. */
static float cut_to_bf16(float value)
{
    return number_of_bits(number_bits(value) & BF16);
}

float reference_units_quotient(const ReferenceUnits *self, float a, float b)
{
    if (self->format == NUMBER_FP32) {
        return flushed((float) ((double) flushed(a) / (double) flushed(b)));
    }
    const float product = flushed(a) * cut_to_bf16(1 / flushed(b));
    const uint32_t bits = number_bits(product);

    return flushed(number_of_bits((bits + 0x7fff + (bits >> HALF_BITS & 1)) & BF16));
}
