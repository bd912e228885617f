/* Operations on tiles give what their definitions give number by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/tensix/compute/fpu.h"
#include "arch/tensix/compute/sfpu.h"
#include "arch/tensix/compute/sfpu_number.h"
#include "tests/arch/tensix/fpu_number.h"
#include "tests/arch/tensix/tile.h"

enum {
    TILES = 1000, /* a million numbers for each case */
    MATRICES = 24,
};

#define BF16_MASK UINT32_C(0xffff0000)
#define TF32_MASK UINT32_C(0xffffe000)

static uint32_t a[TENSIX_TILE_ELEMENTS];
static uint32_t b[TENSIX_TILE_ELEMENTS];
static uint32_t held[TENSIX_TILE_ELEMENTS];
static uint32_t dst[TENSIX_TILE_ELEMENTS];

/* Half of the tiles hold only numbers that let a tile go the fast way. */
static void draw(uint32_t *tile, uint64_t *seed, uint32_t mask, bool is_tame)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        uint32_t exponent = 40 + sim_random_below(seed, 120);
        uint32_t bits = random_bits(seed, mask);
        bool is_zero = (bits & TENSIX_MAGNITUDE) == 0;
        bool is_near =
            tensix_number_exponent(bits) > 100 && tensix_number_exponent(bits) < 150;

        if (is_tame && !is_zero && !is_near) {
            bits = (bits & ~TENSIX_INFINITY) | exponent << 23;
        }
        tile[i] = bits;
    }
}

/* Exponents such that no product is near either end; zeros stay. */
static void keep_from_ends(uint32_t *tile)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        uint32_t exponent = 75 + (uint32_t) tensix_number_exponent(tile[i]) % 100;

        if ((tile[i] & TENSIX_INFINITY) != 0) {
            tile[i] = (tile[i] & ~TENSIX_INFINITY) | exponent << 23;
        }
    }
}

/* Exponents so near to one another that all of a sum's terms count; zeros stay. */
static void draw_together(uint32_t *tile)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        uint32_t exponent = 115 + (uint32_t) tensix_number_exponent(tile[i]) % 16;

        if ((tile[i] & TENSIX_INFINITY) != 0) {
            tile[i] = (tile[i] & ~TENSIX_INFINITY) | exponent << 23;
        }
    }
}

/* Signs and exponents alone: factors like -1 and 0.5, and zeros. */
static void cut_to_powers(uint32_t *tile)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        tile[i] &= TENSIX_SIGN | TENSIX_INFINITY;
    }
}

static uint32_t src_mask(unsigned tile)
{
    return (tile & 2) != 0 ? BF16_MASK : TF32_MASK;
}

static void compare(const char *what, const uint32_t *got, const uint32_t *expected)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        if (got[i] != expected[i]) {
            fail_msg("%s: %08x, %08x, Dst %08x: %08x, not %08x", what, a[i], b[i],
                     held[i], got[i], expected[i]);
        }
    }
}

static void check_fpu_adds(TensixDst kind, bool has_dst)
{
    TensixFpuMode mode = {.dst = kind, .has_dst = has_dst};
    uint32_t dst_mask = kind == TENSIX_DST_16 ? BF16_MASK : UINT32_MAX;
    uint64_t seed = 7;

    for (unsigned tile = 0; tile < TILES; tile++) {
        uint32_t expected[TENSIX_TILE_ELEMENTS];

        draw(a, &seed, src_mask(tile), (tile & 1) != 0);
        draw(b, &seed, src_mask(tile), (tile & 1) != 0);
        draw(held, &seed, dst_mask, (tile & 1) != 0);
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            uint32_t before = has_dst ? held[i] : 0;
            expected[i] = tensix_fpu_number_add_to(before, a[i], b[i], kind);
        }
        memcpy(dst, held, sizeof dst);
        tensix_fpu_add(dst, a, b, mode);
        compare("add", dst, expected);
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            b[i] ^= TENSIX_SIGN;
        }
        memcpy(dst, held, sizeof dst);
        tensix_fpu_subtract(dst, a, b, mode);
        compare("subtract", dst, expected);
    }
}

static void fpu_adds_alike(void **state G_GNUC_UNUSED)
{
    check_fpu_adds(TENSIX_DST_16, false);
    check_fpu_adds(TENSIX_DST_32, false);
    check_fpu_adds(TENSIX_DST_16, true);
    check_fpu_adds(TENSIX_DST_32, true);
}

static void check_fpu_multiplies(TensixDst kind, bool has_dst, TensixFidelity fidelity)
{
    TensixFpuMode mode = {.dst = kind, .has_dst = has_dst, .fidelity = fidelity};
    uint32_t dst_mask = kind == TENSIX_DST_16 ? BF16_MASK : UINT32_MAX;
    uint64_t seed = 11;

    for (unsigned tile = 0; tile < TILES / 4; tile++) {
        uint32_t expected[TENSIX_TILE_ELEMENTS];

        draw(a, &seed, src_mask(tile), (tile & 1) != 0);
        draw(b, &seed, src_mask(tile), (tile & 1) != 0);
        draw(held, &seed, dst_mask, (tile & 1) != 0);
        if ((tile & 4) != 0) {
            keep_from_ends(a);
            keep_from_ends(b);
        }
        if ((tile & 8) != 0) {
            cut_to_powers(b);
        }
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            expected[i] = has_dst ? held[i] : 0;
            for (unsigned phase = 0; phase < fidelity; phase++) {
                expected[i] =
                    tensix_fpu_number_multiply_to(expected[i], a[i], b[i], phase, kind);
            }
        }
        memcpy(dst, held, sizeof dst);
        tensix_fpu_multiply(dst, a, b, mode);
        compare("multiply", dst, expected);
    }
}

static void fpu_multiplies_alike(void **state G_GNUC_UNUSED)
{
    for (TensixFidelity fidelity = TENSIX_FIDELITY_LOFI;
         fidelity <= TENSIX_FIDELITY_HIFI4; fidelity++) {
        check_fpu_multiplies(TENSIX_DST_16, false, fidelity);
        check_fpu_multiplies(TENSIX_DST_32, false, fidelity);
        check_fpu_multiplies(TENSIX_DST_16, true, fidelity);
        check_fpu_multiplies(TENSIX_DST_32, true, fidelity);
    }
}

/* Phases outermost, then the two faces in a column of a. */
static void expect_matmul(uint32_t *expected, TensixFpuMode mode)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS * mode.fidelity * 2; i++) {
        unsigned element = i % TENSIX_TILE_ELEMENTS;
        unsigned k = i / TENSIX_TILE_ELEMENTS % 2;
        unsigned phase = i / TENSIX_TILE_ELEMENTS / 2;
        unsigned row = element / TENSIX_TILE_SIDE;
        unsigned column = element % TENSIX_TILE_SIDE;
        uint32_t *to = expected + tensix_tile_index(row, column);

        *to = tensix_fpu_number_matmul_to(
            *to, a + tensix_tile_index(k * 16, column), TENSIX_FACE_SIDE,
            b + tensix_tile_index(row, k * 16), phase, mode.dst);
    }
}

/* Sums of columns: the upper face in all phases, then the lower. */
static void expect_row(uint32_t *expected, TensixFpuMode mode)
{
    for (unsigned column = 0; column < TENSIX_TILE_SIDE; column++) {
        uint32_t *to = expected + tensix_tile_index(0, column);

        for (unsigned i = 0; i < 2 * mode.fidelity; i++) {
            *to = tensix_fpu_number_dot_to(
                *to, a + tensix_tile_index(i / mode.fidelity * 16, column),
                TENSIX_FACE_SIDE, b, i % mode.fidelity, mode.dst);
        }
    }
}

static void check_sums(TensixDst kind, TensixFidelity fidelity)
{
    uint32_t dst_mask = kind == TENSIX_DST_16 ? BF16_MASK : UINT32_MAX;
    uint64_t seed = 13;

    for (unsigned tile = 0; tile < MATRICES; tile++) {
        TensixFpuMode mode = {kind, tile % 3 != 0, fidelity, TENSIX_ARITHMETIC_CHIP};
        uint32_t expected[TENSIX_TILE_ELEMENTS];

        draw(a, &seed, src_mask(tile), (tile & 1) != 0);
        draw(b, &seed, src_mask(tile), (tile & 1) != 0);
        draw(held, &seed, dst_mask, (tile & 1) != 0);
        if (tile >= MATRICES / 3) {
            keep_from_ends(a);
            keep_from_ends(b);
            keep_from_ends(held);
        }
        if (tile >= MATRICES / 3 * 2) {
            draw_together(a);
            draw_together(b);
            draw_together(held);
        }
        memcpy(dst, held, sizeof dst);
        memset(expected, 0, sizeof expected);
        if (mode.has_dst) {
            memcpy(expected, held, sizeof expected);
        }
        expect_matmul(expected, mode);
        tensix_fpu_matmul(dst, a, b, mode);
        compare("matmul", dst, expected);
        memcpy(expected, dst, sizeof expected);
        mode.has_dst = true;
        expect_row(expected, mode);
        tensix_fpu_reduce_sum(dst, a, b, TENSIX_REDUCE_TO_ROW, mode);
        compare("reduce", dst, expected);
    }
}

static void fpu_sums_products_alike(void **state G_GNUC_UNUSED)
{
    for (TensixFidelity fidelity = TENSIX_FIDELITY_LOFI;
         fidelity <= TENSIX_FIDELITY_HIFI4; fidelity++) {
        check_sums(TENSIX_DST_16, fidelity);
        check_sums(TENSIX_DST_32, fidelity);
    }
}

static void sfpu_works_alike(void **state G_GNUC_UNUSED)
{
    TensixSfpuMode mode = {.dst = TENSIX_DST_32};
    uint64_t seed = 17;

    for (unsigned tile = 0; tile < TILES; tile++) {
        uint32_t sum[TENSIX_TILE_ELEMENTS];
        uint32_t product[TENSIX_TILE_ELEMENTS];
        uint32_t scaled[TENSIX_TILE_ELEMENTS];

        draw(a, &seed, UINT32_MAX, (tile & 1) != 0);
        draw(b, &seed, UINT32_MAX, (tile & 1) != 0);
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            sum[i] = tensix_sfpu_number_multiply_add(a[i], TENSIX_SFPU_ONE, b[i]);
            product[i] = tensix_sfpu_number_multiply_add(a[i], b[i], 0);
            scaled[i] = tensix_sfpu_number_multiply_add(a[i], b[0], 0);
        }
        tensix_sfpu_add(dst, a, b, mode);
        compare("add", dst, sum);
        tensix_sfpu_multiply(dst, a, b, mode);
        compare("multiply", dst, product);
        tensix_sfpu_scale(dst, a, b[0], mode);
        compare("scale", dst, scaled);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fpu_adds_alike),
        cmocka_unit_test(fpu_multiplies_alike),
        cmocka_unit_test(fpu_sums_products_alike),
        cmocka_unit_test(sfpu_works_alike),
    };

    return cmocka_run_group_tests_name("arch.tensix_lanes", tests, NULL, NULL);
}
