/* Reads and writes arrays, with loops of their own for the formats of Tensix units. */
#include "workloads/buffer/number_array.h"

#include <math.h>
#include <stdbool.h>

enum {
    BLOCK = 64, /* numbers that are rounded together */
    QUIET = 0x00400000,
};

/* A NaN that signals becomes quiet, as on its way through a double; compilers may leave
 * that way out. */
G_ALWAYS_INLINE static inline float quieted(float value)
{
    return isnan(value) ? number_of_bits(number_bits(value) | QUIET) : value;
}

/* Vector code where the format is known, and so below. */
G_ALWAYS_INLINE static inline void
get_all(NumberFormat format, double *to, const guint8 *from, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        to[i] = number_format_get(format, from, i);
    }
}

G_ALWAYS_INLINE static inline void
get_all_floats(NumberFormat format, float *to, const guint8 *from, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        to[i] = quieted((float) number_format_get(format, from, i));
    }
}

void number_array_get(
    NumberFormat format, double *to, const guint8 *from, uint64_t first, gsize count)
{
    from += first * number_format_bytes(format);
    if (format == NUMBER_BF16) {
        get_all(NUMBER_BF16, to, from, count);
    } else if (format == NUMBER_FP32) {
        get_all(NUMBER_FP32, to, from, count);
    } else {
        get_all(format, to, from, count);
    }
}

void number_array_get_floats(
    NumberFormat format, float *to, const guint8 *from, uint64_t first, gsize count)
{
    from += first * number_format_bytes(format);
    if (format == NUMBER_BF16) {
        get_all_floats(NUMBER_BF16, to, from, count);
    } else if (format == NUMBER_FP32) {
        get_all_floats(NUMBER_FP32, to, from, count);
    } else {
        get_all_floats(format, to, from, count);
    }
}

/* False, and of no use, if one is a denormal of the format, infinite or no number, or
 * may become so. */
static bool
put_usual_bf16(uint16_t *restrict to, const double *restrict from, gsize count)
{
    const uint64_t least = (UINT64_C(1023) - 126) << 52;
    const uint64_t end = (UINT64_C(1023) + 127) << 52;
    uint64_t unusual = 0;

    for (gsize i = 0; i < count; i++) {
        uint64_t bits = 0;

        memcpy(&bits, &from[i], sizeof bits);
        const uint64_t magnitude = bits << 1 >> 1;
        const uint64_t is_number = -(uint64_t) (magnitude != 0);
        /* 45 bits go; then the exponent gets another bias. */
        const uint64_t nearest =
            magnitude + (UINT64_C(1) << 44) - 1 + (magnitude >> 45 & 1);

        unusual |= (uint64_t) (magnitude - least >= end - least) & is_number;
        to[i] = (uint16_t) ((bits >> 48 & 0x8000) |
                            (((nearest >> 45) - ((1023 - 127) << 7)) & is_number));
    }
    return unusual == 0;
}

/* The same of floats, which have the exponents of the format. */
static bool
put_usual_bf16_floats(uint16_t *restrict to, const float *restrict from, gsize count)
{
    const uint32_t least = UINT32_C(1) << 23;
    const uint32_t end = UINT32_C(254) << 23;
    uint32_t unusual = 0;

    for (gsize i = 0; i < count; i++) {
        const uint32_t bits = number_bits(from[i]);
        const uint32_t magnitude = bits << 1 >> 1;

        unusual |= (uint32_t) (magnitude - least >= end - least) &
                   -(uint32_t) (magnitude != 0);
        to[i] = (uint16_t) ((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
    return unusual == 0;
}

static void round_block(uint16_t *to, const double *from, gsize count)
{
    if (!put_usual_bf16(to, from, count)) {
        for (gsize i = 0; i < count; i++) {
            to[i] = number_format_to_bf16(from[i]);
        }
    }
}

static void round_block_of_floats(uint16_t *to, const float *from, gsize count)
{
    if (!put_usual_bf16_floats(to, from, count)) {
        for (gsize i = 0; i < count; i++) {
            to[i] = number_format_to_bf16((double) from[i]);
        }
    }
}

static void put_bf16(guint8 *to, const double *from, gsize count)
{
    uint16_t block[BLOCK];

    for (gsize at = 0; at < count; at += BLOCK) {
        const gsize length = MIN(count - at, (gsize) BLOCK);

        round_block(block, from + at, length);
        memcpy(to + at * sizeof *block, block, length * sizeof *block);
    }
}

static void put_bf16_floats(guint8 *to, const float *from, gsize count)
{
    uint16_t block[BLOCK];

    for (gsize at = 0; at < count; at += BLOCK) {
        const gsize length = MIN(count - at, (gsize) BLOCK);

        round_block_of_floats(block, from + at, length);
        memcpy(to + at * sizeof *block, block, length * sizeof *block);
    }
}

void number_array_put(
    NumberFormat format, guint8 *to, uint64_t first, const double *from, gsize count)
{
    to += first * number_format_bytes(format);
    if (format == NUMBER_BF16) {
        put_bf16(to, from, count);
        return;
    }
    for (gsize i = 0; format == NUMBER_FP32 && i < count; i++) {
        number_format_put(NUMBER_FP32, to, i, from[i]);
    }
    for (gsize i = 0; format != NUMBER_FP32 && i < count; i++) {
        number_format_put(format, to, i, from[i]);
    }
}

void number_array_put_floats(
    NumberFormat format, guint8 *to, uint64_t first, const float *from, gsize count)
{
    to += first * number_format_bytes(format);
    if (format == NUMBER_BF16) {
        put_bf16_floats(to, from, count);
        return;
    }
    for (gsize i = 0; format == NUMBER_FP32 && i < count; i++) {
        number_format_put(NUMBER_FP32, to, i, (double) from[i]);
    }
    for (gsize i = 0; format != NUMBER_FP32 && i < count; i++) {
        number_format_put(format, to, i, (double) from[i]);
    }
}
