/* Unpackers' and packers' bits, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/format.h"
#include "arch/tensix/tile.h"
#include "tests/arch/tensix/tile.h"

typedef struct {
    uint32_t from;
    uint32_t to;
} Row;

static uint8_t l1[TENSIX_TILE_ELEMENTS * 4];
static uint32_t tile[TENSIX_TILE_ELEMENTS];

static void put_word(unsigned element, uint32_t word)
{
    word = GUINT32_TO_LE(word);
    memcpy(l1 + element * sizeof word, &word, sizeof word);
}

static uint32_t get_word(unsigned element)
{
    uint32_t word;

    memcpy(&word, l1 + element * sizeof word, sizeof word);
    return GUINT32_FROM_LE(word);
}

static void check(const char *what, Row row, uint32_t got)
{
    if (got != row.to) {
        fail_msg("%s of %08x is %08x, not %08x", what, row.from, got, row.to);
    }
}

static void unpacking_to_tf32_cuts_13_bits(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0x3f801fff, 0x3f800000}, /* all 13 bits set, still cut */
        {0xbf803fff, 0xbf802000},
        {0x7f7fffff, 0x7f7fe000}, /* no rounding up to infinity */
        {0x007fffff, 0x007fe000}, /* denormals pass */
        {0x80000000, 0x80000000},
        {0x7f800001, 0x7f800000}, /* a NaN may lose what made it one */
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        put_word(i, rows[i].from);
    }
    tensix_unpack_src(tile, TENSIX_SRC_TF32, l1, ARCH_FORMAT_FP32,
                      TENSIX_ARITHMETIC_CHIP);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        check("TF32", rows[i], tile[i]);
    }
}

static void unpacking_to_bf16_cuts_and_flushes(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0x3f80ffff, 0x3f800000}, {0xff7fffff, 0xff7f0000},
        {0x00800000, 0x00800000}, /* the least normal number stays */
        {0x007fffff, 0x00000000}, /* what is denormal becomes zero, */
        {0x807fffff, 0x80000000}, /* of its sign */
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        put_word(i, rows[i].from);
    }
    tensix_unpack_src(tile, TENSIX_SRC_BF16, l1, ARCH_FORMAT_FP32,
                      TENSIX_ARITHMETIC_CHIP);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        check("BF16 in Src", rows[i], tile[i]);
    }
    tensix_unpack_dst(tile, TENSIX_DST_16, l1, ARCH_FORMAT_FP32,
                      TENSIX_ARITHMETIC_CHIP);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        check("BF16 in Dst", rows[i], tile[i]);
    }
}

static void unpacking_keeps_what_fits(void **state G_GNUC_UNUSED)
{
    put_word(0, 0x807f0001); /* as halves: 0001, 807f */

    tensix_unpack_dst(tile, TENSIX_DST_32, l1, ARCH_FORMAT_FP32,
                      TENSIX_ARITHMETIC_CHIP);
    assert_int_equal(tile[0], 0x807f0001);
    tensix_unpack_src(tile, TENSIX_SRC_BF16, l1, ARCH_FORMAT_BF16,
                      TENSIX_ARITHMETIC_CHIP);
    assert_int_equal(tile[0], 0x00010000);
    assert_int_equal(tile[1], 0x807f0000);
    tensix_unpack_dst(tile, TENSIX_DST_16, l1, ARCH_FORMAT_BF16,
                      TENSIX_ARITHMETIC_CHIP);
    assert_int_equal(tile[1], 0x807f0000);
}

static void packing_to_bf16_rounds_ties_away(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0x3f808000, 0x3f81}, /* 1 + 2^-8 is a tie; even would be 3f80 */
        {0xbf808000, 0xbf81}, /* away from zero, not up */
        {0x3f807fff, 0x3f80},
        {0x3f818000, 0x3f82},
        {0x3fff8000, 0x4000}, /* carries into the exponent */
        {0x7f7f8000, 0x7f80}, /* and up to infinity */
        {0x00800000, 0x0080},
        {0x007fffff, 0x0000}, /* a denormal does not round up to a normal number */
        {0x807fffff, 0x0000},
        {0x80000000, 0x0000}, /* -0 becomes +0 */
        {0x7f800001, 0x7f80}, /* NaNs become infinities */
        {0xffc00000, 0xff80},
        {0xff800000, 0xff80},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        tile[i] = rows[i].from;
    }
    tensix_pack(l1, ARCH_FORMAT_BF16, tile, TENSIX_ARITHMETIC_CHIP);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        check("BF16", rows[i], (uint32_t) (l1[2 * i] | l1[2 * i + 1] << 8));
    }
}

/* Every BF16 number; a single one with more bits makes its tile go the other way. */
static void
packing_bf16_does_not_depend_on_the_rest_of_a_tile(void **state G_GNUC_UNUSED)
{
    uint8_t packed[sizeof l1];

    for (uint32_t first = 0; first < 1 << 16; first += TENSIX_TILE_ELEMENTS) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            tile[i] = (first + i) << 16;
        }
        tensix_pack(l1, ARCH_FORMAT_BF16, tile, TENSIX_ARITHMETIC_CHIP);
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            const uint32_t away = tensix_round_away(tile[i], 16);

            check("BF16", (Row){tile[i], away >> 16},
                  (uint32_t) l1[2 * i] | (uint32_t) l1[2 * i + 1] << 8);
        }
        tile[first / TENSIX_TILE_ELEMENTS] |= 1;
        tensix_pack(packed, ARCH_FORMAT_BF16, tile, TENSIX_ARITHMETIC_CHIP);
        assert_memory_equal(packed, l1, arch_format_tile_bytes(ARCH_FORMAT_BF16));
    }
    tile[5] = 0x3f808000; /* a tie in the last tile */
    tensix_pack(packed, ARCH_FORMAT_BF16, tile, TENSIX_ARITHMETIC_CHIP);
    assert_int_equal(packed[10], 0x81);
    assert_int_equal(packed[11], 0x3f);
}

static void packing_to_tf32_rounds_and_to_fp32_does_not(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0x3f801000, 0x3f802000}, /* 1 + 2^-11, a tie of 10 bits */
        {0xbf800fff, 0xbf800000},
        {0x80000001, 0x00000000},
        {0xffffffff, 0xff800000},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        tile[i] = rows[i].from;
    }
    tensix_pack(l1, ARCH_FORMAT_TF32, tile, TENSIX_ARITHMETIC_CHIP);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        check("TF32", rows[i], get_word(i));
    }
    tensix_pack(l1, ARCH_FORMAT_FP32, tile, TENSIX_ARITHMETIC_CHIP);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        check("FP32", (Row){rows[i].from, rows[i].from}, get_word(i));
    }
}

static void ieee_rounds_ties_to_even_and_keeps_the_rest(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0x3f808000, 0x3f80}, {0x3f818000, 0x3f82}, {0xbf808001, 0xbf81},
        {0x007f0000, 0x007f}, {0x80000000, 0x8000}, {0x7f7f8000, 0x7f80},
        {0xff800001, 0xffc0}, /* still a NaN */
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        tile[i] = rows[i].from;
    }
    tensix_pack(l1, ARCH_FORMAT_BF16, tile, TENSIX_ARITHMETIC_IEEE);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        check("packing", rows[i], (uint32_t) (l1[2 * i] | l1[2 * i + 1] << 8));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        put_word(i, rows[i].from);
    }
    tensix_unpack_src(tile, TENSIX_SRC_BF16, l1, ARCH_FORMAT_FP32,
                      TENSIX_ARITHMETIC_IEEE);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        check("unpacking", rows[i], tile[i] >> 16);
    }
}

static void bfp8_shares_an_exponent(void **state G_GNUC_UNUSED)
{
    fill(tile, 0);
    tile[16] = 0x40400000; /* 3 = 1.5 * 2^1: exponent 128, 1100000 */
    tile[17] = 0xbf800000; /* -1: one place lower, 0100000 with the sign */
    tile[18] = 0x3f810000; /* 1.0000001 * 2^0: 1.7 bits, 2 places go: 0.01 -> down */
    tile[19] = 0x3f830000; /* 1.0000011: 10000011 >> 2 is 100000.11 -> up */
    tile[20] = 0x3f820000; /* 1.0000010: 100000.10, a tie -> away */
    tile[21] = 0x3c000000; /* 2^-7 is 2^-8 of 2^1: 0.01 of the last place -> 0 */
    tile[22] = 0xc07f0000; /* -3.98 rounds past 7 bits: stays at 1111111 */

    tensix_pack(l1, ARCH_FORMAT_BFP8, tile, TENSIX_ARITHMETIC_CHIP);
    assert_int_equal(l1[0], 0);
    assert_int_equal(l1[1], 128);
    assert_int_equal(l1[64 + 16], 0x60);
    assert_int_equal(l1[64 + 17], 0xa0);
    assert_int_equal(l1[64 + 18], 0x20);
    assert_int_equal(l1[64 + 19], 0x21);
    assert_int_equal(l1[64 + 20], 0x21);
    assert_int_equal(l1[64 + 21], 0x00);
    assert_int_equal(l1[64 + 22], 0xff);

    l1[64 + 23] = 0x80; /* magnitude 0 with a sign */
    tensix_unpack_src(tile, TENSIX_SRC_BF16, l1, ARCH_FORMAT_BFP8,
                      TENSIX_ARITHMETIC_CHIP);
    assert_int_equal(tile[16], 0x40400000);
    assert_int_equal(tile[17], 0xbf800000);
    assert_int_equal(tile[18], 0x3f800000);
    assert_int_equal(tile[19], 0x3f840000); /* 33 / 64 * 2 = 1.03125 */
    assert_int_equal(tile[21], 0);
    assert_int_equal(tile[22], 0xc07e0000); /* 127 / 64 * 2 */
    assert_int_equal(tile[23], 0xff800000);
}

static void bfp4_keeps_three_bits_of_bfp8(void **state G_GNUC_UNUSED)
{
    fill(tile, 0);
    tile[0] = 0x40400000; /* 3 = 1.5 * 2^1: 110 */
    tile[1] = 0xbf800000; /* -1: 010 with the sign */
    tile[2] = 0x3f600000; /* 0.875: 0.0111 of 2^1, cut to 001 */
    tile[3] = 0xbe800000; /* -0.25: nothing left, and no sign */
    tile[5] = 0x407f0000; /* 3.98: 111, since BFP8 stays at 1111111 */

    tensix_pack(l1, ARCH_FORMAT_BFP4, tile, TENSIX_ARITHMETIC_CHIP);
    assert_int_equal(l1[0], 128);
    assert_int_equal(l1[1], 0);
    assert_int_equal(l1[64], 0xa6);
    assert_int_equal(l1[65], 0x01);
    assert_int_equal(l1[66], 0x70);
    tensix_unpack_src(tile, TENSIX_SRC_BF16, l1, ARCH_FORMAT_BFP4,
                      TENSIX_ARITHMETIC_CHIP);
    assert_int_equal(tile[0], 0x40400000);
    assert_int_equal(tile[1], 0xbf800000);
    assert_int_equal(tile[2], 0x3f000000);
    assert_int_equal(tile[3], 0);
    assert_int_equal(tile[5], 0x40600000); /* 7 / 4 * 2 */
    assert_true(tensix_format_number(l1, ARCH_FORMAT_BFP4, 1) == -1);
}

static void single_numbers_are_read_in_every_format(void **state G_GNUC_UNUSED)
{
    static const uint8_t bytes[] = {0xfe, 0xff, 0xff, 0xff, 0x80, 0xbf, 0x00, 0x40};

    memcpy(l1, bytes, sizeof bytes);
    assert_true(tensix_format_number(l1, ARCH_FORMAT_INT32, 0) == -2);
    assert_true(tensix_format_number(l1, ARCH_FORMAT_UINT32, 0) == 4294967294.0);
    assert_true(tensix_format_number(l1, ARCH_FORMAT_UINT16, 1) == 65535);
    assert_true(tensix_format_number(l1, ARCH_FORMAT_BF16, 2) == -1);
    assert_true(tensix_format_number(l1, ARCH_FORMAT_BF16, 3) == 2);
    l1[1] = 127;
    l1[64 + 16] = 0xe0; /* -96 / 64 */
    assert_true(tensix_format_number(l1, ARCH_FORMAT_BFP8, 16) == -1.5);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(unpacking_to_tf32_cuts_13_bits),
        cmocka_unit_test(unpacking_to_bf16_cuts_and_flushes),
        cmocka_unit_test(unpacking_keeps_what_fits),
        cmocka_unit_test(packing_to_bf16_rounds_ties_away),
        cmocka_unit_test(packing_bf16_does_not_depend_on_the_rest_of_a_tile),
        cmocka_unit_test(packing_to_tf32_rounds_and_to_fp32_does_not),
        cmocka_unit_test(ieee_rounds_ties_to_even_and_keeps_the_rest),
        cmocka_unit_test(bfp8_shares_an_exponent),
        cmocka_unit_test(bfp4_keeps_three_bits_of_bfp8),
        cmocka_unit_test(single_numbers_are_read_in_every_format),
    };

    return cmocka_run_group_tests_name("arch.tensix_format", tests, NULL, NULL);
}
