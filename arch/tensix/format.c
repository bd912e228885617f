/* Converts numbers as unpackers and packers do; tt-isa-documentation,
 * FormatConversion.md of both, FloatBitPatterns.md. */
#include "arch/tensix/format.h"

#include <stdbool.h>

#include <glib.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/tile.h"

enum {
    BFP8_GROUP = 16, /* numbers that share an exponent */
    BFP8_GROUPS = TENSIX_TILE_ELEMENTS / BFP8_GROUP,
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
    unsigned lead = 0;

    if (magnitude == 0) {
        return sign != 0 ? TENSIX_SIGN | TENSIX_INFINITY : 0;
    }
    while ((magnitude << lead & 0x40) == 0) {
        lead++;
    }
    /* The exponent wraps below 0, as in the chip. */
    return sign | (uint32_t) (uint8_t) (exponent - lead) << 23 |
           (magnitude << lead & 0x3f) << 17;
}

static void unpack_bfp8(uint32_t *to, const uint8_t *l1)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        to[i] = bfp8_to_bf16(l1[BFP8_GROUPS + i], l1[i / BFP8_GROUP]);
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
                       TensixFormat format,
                       TensixArithmetic arithmetic)
{
    switch (format) {
    case TENSIX_FORMAT_FP32:
    case TENSIX_FORMAT_TF32:
        unpack_words(src, l1, kind == TENSIX_SRC_BF16 ? 16 : 13, arithmetic);
        break;
    case TENSIX_FORMAT_BF16:
        unpack_halves(src, l1);
        break;
    case TENSIX_FORMAT_BFP8:
        unpack_bfp8(src, l1);
        break;
    }
}

void tensix_unpack_dst(uint32_t *dst,
                       TensixDst kind,
                       const uint8_t *l1,
                       TensixFormat format,
                       TensixArithmetic arithmetic)
{
    switch (format) {
    case TENSIX_FORMAT_FP32:
    case TENSIX_FORMAT_TF32:
        if (kind == TENSIX_DST_32) {
            unpack_whole(dst, l1);
        } else {
            unpack_words(dst, l1, 16, arithmetic);
        }
        break;
    case TENSIX_FORMAT_BF16:
        g_return_if_fail(kind == TENSIX_DST_16);
        unpack_halves(dst, l1);
        break;
    case TENSIX_FORMAT_BFP8:
        g_return_if_fail(kind == TENSIX_DST_16);
        unpack_bfp8(dst, l1);
        break;
    }
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

    for (unsigned i = 0; i < BFP8_GROUP; i++) {
        top = MAX(top, tensix_number_exponent(dst[i]));
    }
    *exponent = (uint8_t) top;
    for (unsigned i = 0; i < BFP8_GROUP; i++) {
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
    for (size_t i = 0; i < BFP8_GROUPS; i++) {
        pack_bfp8_group(l1 + i, l1 + BFP8_GROUPS + i * BFP8_GROUP,
                        dst + i * BFP8_GROUP);
    }
}

void tensix_pack(uint8_t *l1,
                 TensixFormat format,
                 const uint32_t *dst,
                 TensixArithmetic arithmetic)
{
    switch (format) {
    case TENSIX_FORMAT_FP32:
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            store_word(l1, i, dst[i]);
        }
        break;
    case TENSIX_FORMAT_TF32:
        pack_words(l1, dst, arithmetic);
        break;
    case TENSIX_FORMAT_BF16:
        pack_halves(l1, dst, arithmetic);
        break;
    case TENSIX_FORMAT_BFP8:
        pack_bfp8(l1, dst);
        break;
    }
}
