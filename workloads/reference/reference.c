/* Computes references in the chip's rounding and in double precision. */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_array.h"
#include "workloads/reference/methods.h"
#include "workloads/reference/units.h"

enum {
    FPU_BITS = 11,  /* of a significand inside the FPU, its leading 1 included */
    BF16_BITS = 8,  /* of one in 16-bit Dst */
    FP32_BITS = 24, /* of one in 32-bit Dst */
    COLUMNS = 64,   /* of a product that are worked out together */
};

/* A number as the units see it: denormals are 0. */
static double flush(double value)
{
    return fabs(value) < 0x1p-126 ? 0 : value;
}

enum {
    DOUBLE_BIAS = 1023,
    DOUBLE_FRACTION_BITS = 52,
    DOUBLE_EXPONENTS = 0x7ff,
};

/* The exponent of the power of two at or below |value|, which is no denormal. */
static int exponent_of(double value)
{
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof bits);
    return (int) ((bits >> DOUBLE_FRACTION_BITS) & DOUBLE_EXPONENTS) - DOUBLE_BIAS;
}

static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t) (exponent + DOUBLE_BIAS) << DOUBLE_FRACTION_BITS;
    double value = 0;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Drops bits below 2^place. */
static double cut(double value, int place)
{
    const int low_bits = DOUBLE_FRACTION_BITS - (exponent_of(value) - place);
    uint64_t bits = 0;

    if (low_bits <= 0 || !isfinite(value)) {
        return value;
    }
    if (low_bits > DOUBLE_FRACTION_BITS) {
        return copysign(0, value);
    }
    memcpy(&bits, &value, sizeof bits);
    bits = bits >> low_bits << low_bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds to a multiple of 2^place: nearest, ties away from 0. Exact, as there are far
 * fewer bits in `value` than in a double. */
static double round_away(double value, int place)
{
    return cut(value + copysign(power_of_two(place - 1), value), place);
}

/* Overflow saturates, underflow is 0, and 0 has no sign. */
static double bounded(double value)
{
    if (fabs(value) >= 0x1p128) {
        return copysign(HUGE_VAL, value);
    }
    value = flush(value);
    return value == 0 ? 0 : value;
}

/* The FPU: the smaller one is aligned to the larger one, to 11 bits, ties away; the sum
 * is rounded to what Dst holds, ties away. */
static double add_fpu(double a, double b, int dst_bits)
{
    double large = fabs(a) >= fabs(b) ? a : b;
    double small = fabs(a) >= fabs(b) ? b : a;
    double sum;

    if (large == 0) {
        return 0;
    }
    sum = large + round_away(small, exponent_of(large) - (FPU_BITS - 1));
    return sum == 0 ? 0 : bounded(round_away(sum, exponent_of(sum) - (dst_bits - 1)));
}

/* The SFPU: single precision to nearest, ties to even; 16-bit Dst cuts the rest. */
static double add_sfpu(double a, double b, NumberFormat format)
{
    double sum = (float) a + (float) b;

    if (format == NUMBER_BF16 && sum != 0) {
        sum = cut(sum, exponent_of(sum) - (BF16_BITS - 1));
    }
    return bounded(sum);
}

/* The part of a number that reaches the FPU: at most 11 bits. */
static double to_fpu(double value)
{
    return value == 0 ? 0 : cut(value, exponent_of(value) - (FPU_BITS - 1));
}

static double add(double a, double b, NumberFormat format, int unit)
{
    switch (unit) {
    case 0:
        return add_fpu(to_fpu(flush(a)), to_fpu(flush(b)),
                       format == NUMBER_FP32 ? FP32_BITS : BF16_BITS);
    case 1:
        return add_sfpu(flush(a), flush(b), format);
    default:
        return a + b;
    }
}

/* BF16 numbers as floats; whether reference_units_add() is exact for all of them. */
static bool load_block(float *numbers, const guint8 *bytes, gsize count)
{
    const uint32_t least = UINT32_C(24) << 23; /* 2^-103 */
    const uint32_t most = UINT32_C(240) << 23; /* 2^113 */
    uint32_t doubt = 0;

    for (gsize i = 0; i < count; i++) {
        uint16_t half = 0;

        memcpy(&half, bytes + i * sizeof half, sizeof half);
        const uint32_t bits = (uint32_t) GUINT16_FROM_LE(half) << 16;
        const uint32_t magnitude = bits & UINT32_C(0x7fffffff);

        doubt |= (magnitude != 0) & ((magnitude < least) | (magnitude > most));
        numbers[i] = number_of_bits(bits);
    }
    return doubt == 0;
}

/* Sums of the FPU in BF16, if none of the numbers is near the ends of what there is.
 * What add() works out one by one, many times faster. */
static bool add_block(const ReferenceUnits *units,
                      guint8 *to,
                      const guint8 *a,
                      const guint8 *b,
                      gsize count)
{
    float numbers[REFERENCE_TILE];
    float others[REFERENCE_TILE];

    if (!load_block(numbers, a, count) || !load_block(others, b, count)) {
        return false;
    }
    reference_units_add(units, numbers, numbers, others, count);
    for (gsize i = 0; i < count; i++) {
        const uint16_t half = GUINT16_TO_LE((uint16_t) (number_bits(numbers[i]) >> 16));

        memcpy(to + i * sizeof half, &half, sizeof half);
    }
    return true;
}

int reference_sum(lua_State *L)
{
    static const char *const names[] = {"fpu", "sfpu", "ieee", NULL};
    const HostBytes *a = host_bytes_check(L, 1);
    NumberFormat format = number_format_check_unit(L, 2);
    const HostBytes *b = host_bytes_check(L, 3);
    int unit = luaL_checkoption(L, 4, NULL, names);
    const gsize size = number_format_bytes(format);
    HostBytes *result;

    luaL_argcheck(L, a->count == b->count, 3, "the buffers differ in length");
    result = host_bytes_push(L, a->count, a->data != NULL);
    const bool has_blocks = unit == 0 && format == NUMBER_BF16;
    g_autoptr(ReferenceUnits) units =
        has_blocks ? reference_units_new(NUMBER_BF16, 1) : NULL;
    const uint64_t count = a->data != NULL ? a->count / size : 0;

    for (uint64_t first = 0; first < count; first += REFERENCE_TILE) {
        const gsize length = MIN(count - first, (uint64_t) REFERENCE_TILE);

        if (has_blocks &&
            add_block(units, result->data + first * size, a->data + first * size,
                      b->data + first * size, length)) {
            continue;
        }
        for (uint64_t i = first; i < first + length; i++) {
            number_format_put(format, result->data, i,
                              add(number_format_get(format, a->data, i),
                                  number_format_get(format, b->data, i), format, unit));
        }
    }
    return 1;
}

static uint64_t check_size(lua_State *L, int index)
{
    lua_Integer size = luaL_checkinteger(L, index);

    luaL_argcheck(L, size > 0 && size < G_MAXINT16, index, "no such matrix");
    return (uint64_t) size;
}

/* A product of matrices. */
typedef struct {
    NumberFormat format;
    const guint8 *a;
    const guint8 *b;
    guint8 *to;
    uint64_t rows;
    uint64_t inner;
    uint64_t columns;
} Product;

G_ALWAYS_INLINE static inline void
add_terms(double *sums, double factor, const double *of, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        sums[i] += factor * of[i];
    }
}

/* Up to COLUMNS columns side by side: the terms of each sum stay in their order. `row`
 * has room for one of `a`, `block` for so many columns of `b`. */
static void multiply_columns(
    const Product *self, uint64_t first, gsize count, double *row, double *block)
{
    for (uint64_t k = 0; k < self->inner; k++) {
        number_array_get(self->format, block + k * count, self->b,
                         k * self->columns + first, count);
    }
    for (uint64_t i = 0; i < self->rows; i++) {
        double sums[COLUMNS] = {0};

        number_array_get(self->format, row, self->a, i * self->inner, self->inner);
        for (uint64_t k = 0; k < self->inner; k++) {
            if (G_LIKELY(count == COLUMNS)) { /* known: vector code */
                add_terms(sums, row[k], block + k * COLUMNS, COLUMNS);
            } else {
                add_terms(sums, row[k], block + k * count, count);
            }
        }
        number_array_put(self->format, self->to, i * self->columns + first, sums,
                         count);
    }
}

static void multiply(const Product *self)
{
    g_autofree double *row = g_new(double, self->inner);
    g_autofree double *block =
        g_new(double, self->inner *MIN(self->columns, (uint64_t) COLUMNS));

    for (uint64_t first = 0; first < self->columns; first += COLUMNS) {
        multiply_columns(self, first, MIN(self->columns - first, (uint64_t) COLUMNS),
                         row, block);
    }
}

int reference_product(lua_State *L)
{
    const HostBytes *a = host_bytes_check(L, 1);
    NumberFormat format = number_format_check_unit(L, 2);
    const HostBytes *b = host_bytes_check(L, 3);
    uint64_t rows = check_size(L, 4);
    uint64_t inner = check_size(L, 5);
    uint64_t columns = check_size(L, 6);
    gsize size = number_format_bytes(format);
    const HostBytes *result;

    luaL_argcheck(L, a->count == rows * inner * size, 1, "not a matrix of that size");
    luaL_argcheck(L, b->count == inner * columns * size, 3,
                  "not a matrix of that size");
    result = host_bytes_push(L, rows * columns * size, a->data != NULL);
    if (a->data != NULL) {
        multiply(
            &(Product){format, a->data, b->data, result->data, rows, inner, columns});
    }
    return 1;
}
