/* Tiles of 16 bits a number have the bits of the matrix unit's definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/tensix/compute/bf16_tile.h"
#include "tests/arch/tensix/fpu_number.h"
#include "tests/arch/tensix/tile.h"

enum {
    TILES = 1000,
    SIGNIFICANDS = 128,
    ONE = 0x3f80,
};

static uint16_t a[TENSIX_TILE_ELEMENTS];
static uint16_t b[TENSIX_TILE_ELEMENTS];
static uint16_t dst[TENSIX_TILE_ELEMENTS];

static uint32_t wide(uint16_t number)
{
    return (uint32_t) number << 16;
}

static void compare(const char *what, unsigned i, uint32_t expected)
{
    if (wide(dst[i]) != expected) {
        fail_msg("%s: %04x, %04x: %04x, not %08x", what, a[i], b[i], dst[i], expected);
    }
}

/* Any numbers, or those with exponents from 40 on, 120 of them; zeros and denormals
 * among both. */
static void draw(uint16_t *tile, uint64_t *seed, bool is_tame)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        const uint16_t bits = (uint16_t) (random_bits(seed, UINT32_MAX) >> 16);
        const uint16_t exponent = (uint16_t) (40 + sim_random_below(seed, 120));

        tile[i] = bits;
        if (is_tame && (bits & 0x7f80) != 0) {
            tile[i] = (uint16_t) ((bits & 0x807f) | exponent << 7);
        }
    }
}

static void check_sums(bool is_tame)
{
    uint64_t seed = 3;
    unsigned done = 0;

    for (unsigned tile = 0; tile < TILES; tile++) {
        draw(a, &seed, is_tame);
        draw(b, &seed, is_tame);
        if (tensix_bf16_add(dst, a, b, TENSIX_FIDELITY_HIFI4)) {
            done++;
            for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
                compare("add", i,
                        tensix_fpu_number_add(wide(a[i]), wide(b[i]), TENSIX_DST_16));
            }
        }
        if (tensix_bf16_subtract(dst, a, b, TENSIX_FIDELITY_HIFI4)) {
            done++;
            for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
                compare("subtract", i,
                        tensix_fpu_number_add(wide(a[i]), wide(b[i]) ^ TENSIX_SIGN,
                                              TENSIX_DST_16));
            }
        }
    }
    assert_int_equal(done, is_tame ? 2 * TILES : 0);
}

static void adds_as_number_by_number(void **state G_GNUC_UNUSED)
{
    check_sums(true);
    check_sums(false);
}

/* Near the ends of exponents it is the sum that counts, or that nobody gives one. */
static void sums_near_the_ends_are_right_or_none(void **state G_GNUC_UNUSED)
{
    unsigned done = 0;

    for (unsigned exponent = 0; exponent < 256; exponent++) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            const unsigned less = exponent - MIN(i / 128 * 3, exponent);

            a[i] = (uint16_t) (exponent << 7 | (i & 0x7f));
            b[i] = (uint16_t) (less << 7 | (i * 5 & 0x7f));
        }
        if (tensix_bf16_subtract(dst, a, b, TENSIX_FIDELITY_LOFI)) {
            done++;
            for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
                compare("subtract", i,
                        tensix_fpu_number_add(wide(a[i]), wide(b[i]) ^ TENSIX_SIGN,
                                              TENSIX_DST_16));
            }
        }
    }
    /* Exponents from 27 to 241, and denormals alone. */
    assert_int_equal(done, 216);
}

static uint32_t product_of(uint16_t x, uint16_t y, TensixFidelity fidelity)
{
    uint32_t product = 0;

    for (unsigned phase = 0; phase < fidelity; phase++) {
        product = tensix_fpu_number_multiply_to(product, wide(x), wide(y), phase,
                                                TENSIX_DST_16);
    }
    return product;
}

static void compare_products(TensixFidelity fidelity)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        compare("multiply", i, product_of(a[i], b[i], fidelity));
    }
}

/* All pairs of significands, 8 of the second ones at a time. */
static void multiplies_all_significands(void **state G_GNUC_UNUSED)
{
    for (TensixFidelity fidelity = TENSIX_FIDELITY_LOFI;
         fidelity <= TENSIX_FIDELITY_HIFI4; fidelity++) {
        for (unsigned first = 0; first < SIGNIFICANDS; first += 8) {
            for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
                a[i] = (uint16_t) (ONE + i % SIGNIFICANDS);
                b[i] = (uint16_t) (ONE + first + i / SIGNIFICANDS);
            }
            assert_true(tensix_bf16_multiply(dst, a, b, fidelity));
            compare_products(fidelity);
        }
    }
}

static void multiplies_as_number_by_number(void **state G_GNUC_UNUSED)
{
    uint64_t seed = 5;
    unsigned done = 0;

    for (unsigned tile = 0; tile < TILES; tile++) {
        const TensixFidelity fidelity = (TensixFidelity) (1 + tile % 4);

        draw(a, &seed, true);
        draw(b, &seed, tile % 8 < 6);
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            /* Neither zeros nor others near an end. */
            a[i] = (a[i] & 0x7f80) < 90 << 7 ? 0x8000 : a[i];
            b[i] = (b[i] & 0x7f80) < 90 << 7 ? 0x0003 : b[i];
            b[i] &= tile % 16 < 4 ? 0xff80 : 0xffff; /* powers of two */
        }
        if (tensix_bf16_multiply(dst, a, b, fidelity)) {
            done++;
            compare_products(fidelity);
        }
    }
    assert_int_equal(done, TILES / 4 * 3);
}

/* In each tile one exponent; there is a product only well inside the ends. */
static void products_near_the_ends_are_right_or_none(void **state G_GNUC_UNUSED)
{
    unsigned done = 0;

    for (unsigned exponent = 0; exponent < 256; exponent++) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            a[i] = (uint16_t) (exponent << 7 | (i & 0x7f));
            b[i] = (uint16_t) (ONE + i / 8);
        }
        if (tensix_bf16_multiply(dst, a, b, TENSIX_FIDELITY_HIFI4)) {
            done++;
            compare_products(TENSIX_FIDELITY_HIFI4);
        }
    }
    /* Exponents from 16 to 238, and denormals alone. */
    assert_int_equal(done, 224);
}

static void copies_numbers_alone(void **state G_GNUC_UNUSED)
{
    uint64_t seed = 9;
    uint32_t words[TENSIX_TILE_ELEMENTS];

    draw(a, &seed, true);
    assert_true(tensix_bf16_copy(dst, a));
    tensix_bf16_widen(words, dst);
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        assert_int_equal(words[i], (a[i] & 0x7f80) == 0 ? 0 : wide(a[i]));
    }
    a[77] = 0xff80;
    assert_false(tensix_bf16_copy(dst, a));
}

static void is_little_endian_in_l1(void **state G_GNUC_UNUSED)
{
    uint8_t l1[2 * TENSIX_TILE_ELEMENTS + 1];

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        a[i] = (uint16_t) (i * 67);
    }
    tensix_bf16_store(l1 + 1, a);
    assert_int_equal(l1[1 + 2 * 5], 5 * 67 % 256);
    assert_int_equal(l1[1 + 2 * 5 + 1], 5 * 67 / 256);
    tensix_bf16_load(dst, l1 + 1);
    assert_memory_equal(dst, a, sizeof a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_as_number_by_number),
        cmocka_unit_test(sums_near_the_ends_are_right_or_none),
        cmocka_unit_test(multiplies_all_significands),
        cmocka_unit_test(multiplies_as_number_by_number),
        cmocka_unit_test(products_near_the_ends_are_right_or_none),
        cmocka_unit_test(copies_numbers_alone),
        cmocka_unit_test(is_little_endian_in_l1),
    };

    return cmocka_run_group_tests_name("arch.tensix_bf16_tile", tests, NULL, NULL);
}
