/* Converts numbers as unpackers and packers do; tt-isa-documentation,
 * FormatConversion.md of both, FloatBitPatterns.md. */
#include "arch/tensix/format.h"

#include <stdbool.h>

#include <glib.h>

#include "arch/tensix.h"
#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/tile.h"

enum {
    BFP_GROUP = 16, /* numbers that share an exponent */
    BFP_GROUPS = TENSIX_TILE_ELEMENTS / BFP_GROUP,
};

TENSIX_LANE uint32_t load_word(const uint8_t *l1, unsigned element)
{
    uint32_t word;

    memcpy(&word, l1 + element * sizeof word, sizeof word);
    return GUINT32_FROM_LE(word);
}

TENSIX_LANE uint32_t load_half(const uint8_t *l1, unsigned element)
{
    uint16_t half;

    memcpy(&half, l1 + element * sizeof half, sizeof half);
    return (uint32_t) GUINT16_FROM_LE(half) << 16;
}

TENSIX_LANE void store_word(uint8_t *l1, unsigned element, uint32_t word)
{
    word = GUINT32_TO_LE(word);
    memcpy(l1 + element * sizeof word, &word, sizeof word);
}

TENSIX_LANE void store_half(uint8_t *l1, unsigned element, uint32_t word)
{
    uint16_t half = GUINT16_TO_LE((uint16_t) (word >> 16));

    memcpy(l1 + element * sizeof half, &half, sizeof half);
}

/* A datum has a sign and 7 bits of magnitude in units of 2^(exponent - 127 - 6). */
static uint32_t bfp8_to_bf16(uint8_t datum, uint8_t exponent)
{
    uint32_t sign = (uint32_t) (datum & 0x80) << 24;
    uint32_t magnitude = datum & 0x7f;

    if (magnitude == 0) {
        return sign != 0 ? TENSIX_SIGN | TENSIX_INFINITY : 0;
    }
    const unsigned lead = (unsigned) __builtin_clz(magnitude) - 25;

    /* The exponent wraps below 0, as in the chip. */
    return sign | (uint32_t) (uint8_t) (exponent - lead) << 23 |
           (magnitude << lead & 0x3f) << 17;
}

/* A sign and 3 bits of magnitude, which are the upper ones of BFP8's. */
static uint32_t load_bfp4(const uint8_t *l1, unsigned element)
{
    const unsigned pair = l1[BFP_GROUPS + element / 2];

    return bfp8_to_bf16((uint8_t) (element % 2 == 0 ? pair << 4 : pair & 0xf0),
                        l1[element / BFP_GROUP]);
}

static uint32_t load_bfp8(const uint8_t *l1, unsigned element)
{
    return bfp8_to_bf16(l1[BFP_GROUPS + element], l1[element / BFP_GROUP]);
}

static void unpack_bfp8(uint32_t *to, const uint8_t *l1)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        to[i] = load_bfp8(l1, i);
    }
}

static void unpack_bfp4(uint32_t *to, const uint8_t *l1)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        to[i] = load_bfp4(l1, i);
    }
}

static void unpack_short_integers(uint32_t *to, const uint8_t *l1)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        to[i] = load_half(l1, i) >> 16;
    }
}

static void unpack_words(uint32_t *to,
                         const uint8_t *l1,
                         unsigned low_bits,
                         TensixArithmetic arithmetic)
{
    if (arithmetic == TENSIX_ARITHMETIC_IEEE) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            to[i] = tensix_round_even(load_word(l1, i), low_bits);
        }
        return;
    }
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        uint32_t bits = load_word(l1, i) >> low_bits << low_bits;

        to[i] = low_bits == 16 ? tensix_number_flush(bits) : bits;
    }
}

TENSIX_LANES
static void unpack_halves(uint32_t *to, const uint8_t *l1)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        to[i] = load_half(l1, i);
    }
}

static void unpack_whole(uint32_t *to, const uint8_t *l1)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        to[i] = load_word(l1, i);
    }
}

void tensix_unpack_src(uint32_t *src,
                       TensixSrc kind,
                       const uint8_t *l1,
                       ArchFormat format,
                       TensixArithmetic arithmetic)
{
    switch (format) {
    case ARCH_FORMAT_FP32:
    case ARCH_FORMAT_TF32:
        unpack_words(src, l1, kind == TENSIX_SRC_BF16 ? 16 : 13, arithmetic);
        break;
    case ARCH_FORMAT_BF16:
        unpack_halves(src, l1);
        break;
    case ARCH_FORMAT_BFP8:
        unpack_bfp8(src, l1);
        break;
    case ARCH_FORMAT_BFP4:
        unpack_bfp4(src, l1);
        break;
    case ARCH_FORMAT_UINT16:
        unpack_short_integers(src, l1);
        break;
    case ARCH_FORMAT_UINT32: /* do not fit */
    case ARCH_FORMAT_INT32:
    case ARCH_FORMATS:
        g_return_if_reached();
    }
}

void tensix_unpack_dst(uint32_t *dst,
                       TensixDst kind,
                       const uint8_t *l1,
                       ArchFormat format,
                       TensixArithmetic arithmetic)
{
    switch (format) {
    case ARCH_FORMAT_FP32:
    case ARCH_FORMAT_TF32:
        if (kind == TENSIX_DST_32) {
            unpack_whole(dst, l1);
        } else {
            unpack_words(dst, l1, 16, arithmetic);
        }
        break;
    case ARCH_FORMAT_UINT32:
    case ARCH_FORMAT_INT32:
        g_return_if_fail(kind == TENSIX_DST_32);
        unpack_whole(dst, l1);
        break;
    case ARCH_FORMAT_BF16:
    case ARCH_FORMAT_BFP8:
    case ARCH_FORMAT_BFP4:
    case ARCH_FORMAT_UINT16:
    case ARCH_FORMATS:
        g_return_if_fail(kind == TENSIX_DST_16);
        tensix_unpack_src(dst, TENSIX_SRC_BF16, l1, format, arithmetic);
        break;
    }
}

/* Numbers of a 16-bit Dst need no rounding: their upper halves are packed as they are,
 * but for denormals and NaNs. False, and no use, if one of them has a lower half. */
TENSIX_LANES
static bool pack_upper_halves(uint8_t *restrict l1, const uint32_t *restrict dst)
{
    const uint16_t infinity = TENSIX_INFINITY >> 16;
    const uint16_t least = TENSIX_LEADING >> 16;
    uint32_t bits = 0;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        const uint16_t half = (uint16_t) (dst[i] >> 16);
        const uint16_t sign = half & 0x8000;
        uint16_t magnitude = half & 0x7fff;
        const uint16_t is_normal = (uint16_t) - (magnitude >= least);

        magnitude = magnitude > infinity ? infinity : magnitude;
        bits |= dst[i];
        store_half(l1, i, (uint32_t) ((magnitude | sign) & is_normal) << 16);
    }
    return (bits & 0xffff) == 0;
}

TENSIX_LANES
static void pack_halves(uint8_t *l1, const uint32_t *dst, TensixArithmetic arithmetic)
{
    if (arithmetic == TENSIX_ARITHMETIC_IEEE) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            store_half(l1, i, tensix_round_even(dst[i], 16));
        }
        return;
    }
    if (pack_upper_halves(l1, dst)) {
        return;
    }
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        store_half(l1, i, tensix_round_away(dst[i], 16));
    }
}

static void pack_words(uint8_t *l1, const uint32_t *dst, TensixArithmetic arithmetic)
{
    bool is_ieee = arithmetic == TENSIX_ARITHMETIC_IEEE;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        store_word(l1, i,
                   is_ieee ? tensix_round_even(dst[i], 13)
                           : tensix_round_away(dst[i], 13));
    }
}

static void pack_bfp8_group(uint8_t *exponent, uint8_t *data, const uint32_t *dst)
{
    int32_t top = 0;

    for (unsigned i = 0; i < BFP_GROUP; i++) {
        top = MAX(top, tensix_number_exponent(dst[i]));
    }
    *exponent = (uint8_t) top;
    for (unsigned i = 0; i < BFP_GROUP; i++) {
        /* BF16's 1.7 mantissa to 1.6 bits, and down to the group's exponent. */
        uint32_t mantissa = (dst[i] & TENSIX_MANTISSA) >> 16 | 0x80;
        unsigned shift = 1 + (unsigned) MIN(top - tensix_number_exponent(dst[i]), 8);
        uint32_t magnitude = (mantissa + (UINT32_C(1) << (shift - 1))) >> shift;
        bool is_zero = tensix_number_exponent(dst[i]) == 0 || magnitude == 0;

        magnitude = MIN(magnitude, 0x7f);
        data[i] = is_zero ? 0 : (uint8_t) ((dst[i] & TENSIX_SIGN) >> 24 | magnitude);
    }
}

static void pack_bfp8(uint8_t *l1, const uint32_t *dst)
{
    for (size_t i = 0; i < BFP_GROUPS; i++) {
        pack_bfp8_group(l1 + i, l1 + BFP_GROUPS + i * BFP_GROUP, dst + i * BFP_GROUP);
    }
}

static void pack_bfp4(uint8_t *l1, const uint32_t *dst)
{
    for (size_t group = 0; group < BFP_GROUPS; group++) {
        uint8_t data[BFP_GROUP];
        uint8_t *pairs = l1 + BFP_GROUPS + group * BFP_GROUP / 2;

        pack_bfp8_group(l1 + group, data, dst + group * BFP_GROUP);
        for (size_t i = 0; i < BFP_GROUP; i++) {
            data[i] = (data[i] & 0x70) == 0 ? 0 : data[i] >> 4;
        }
        for (size_t i = 0; i < BFP_GROUP / 2; i++) {
            pairs[i] = (uint8_t) (data[2 * i] | data[2 * i + 1] << 4);
        }
    }
}

static void pack_short_integers(uint8_t *l1, const uint32_t *dst)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        store_half(l1, i, dst[i] << 16);
    }
}

void tensix_pack(uint8_t *l1,
                 ArchFormat format,
                 const uint32_t *dst,
                 TensixArithmetic arithmetic)
{
    switch (format) {
    case ARCH_FORMAT_FP32:
    case ARCH_FORMAT_UINT32:
    case ARCH_FORMAT_INT32:
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            store_word(l1, i, dst[i]);
        }
        break;
    case ARCH_FORMAT_TF32:
        pack_words(l1, dst, arithmetic);
        break;
    case ARCH_FORMAT_BF16:
        pack_halves(l1, dst, arithmetic);
        break;
    case ARCH_FORMAT_BFP8:
        pack_bfp8(l1, dst);
        break;
    case ARCH_FORMAT_BFP4:
        pack_bfp4(l1, dst);
        break;
    case ARCH_FORMAT_UINT16:
        pack_short_integers(l1, dst);
        break;
    case ARCH_FORMATS:
        break;
    }
}

double tensix_format_number(const uint8_t *l1, ArchFormat format, unsigned element)
{
    switch (format) {
    case ARCH_FORMAT_BF16:
        return (double) tensix_number_to_float(load_half(l1, element));
    case ARCH_FORMAT_BFP8:
        return (double) tensix_number_to_float(load_bfp8(l1, element));
    case ARCH_FORMAT_BFP4:
        return (double) tensix_number_to_float(load_bfp4(l1, element));
    case ARCH_FORMAT_UINT32:
        return load_word(l1, element);
    case ARCH_FORMAT_INT32:
        return (int32_t) load_word(l1, element);
    case ARCH_FORMAT_UINT16:
        return load_half(l1, element) >> 16;
    case ARCH_FORMAT_FP32:
    case ARCH_FORMAT_TF32:
    case ARCH_FORMATS:
        break;
    }
    return (double) tensix_number_to_float(load_word(l1, element));
}

void arch_tensix_pack(ArchFormat format, guint8 *l1, const float *numbers)
{
    uint32_t bits[TENSIX_TILE_ELEMENTS];

    memcpy(bits, numbers, sizeof bits);
    tensix_pack(l1, format, bits, TENSIX_ARITHMETIC_CHIP);
}

void arch_tensix_unpack(ArchFormat format, float *numbers, const guint8 *l1)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        numbers[i] = (float) tensix_format_number(l1, format, i);
    }
}
