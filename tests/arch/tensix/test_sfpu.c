/* The vector unit's bits, worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/tensix/compute/sfpu.h"
#include "arch/tensix/compute/sfpu_number.h"
#include "tests/arch/tensix/tile.h"

static uint32_t a[TENSIX_TILE_ELEMENTS];
static uint32_t b[TENSIX_TILE_ELEMENTS];
static uint32_t dst[TENSIX_TILE_ELEMENTS];

typedef struct {
    uint32_t a;
    uint32_t b;
    uint32_t result;
} Row;

typedef void (*BinaryFunc)(uint32_t *to,
                           const uint32_t *x,
                           const uint32_t *y,
                           TensixSfpuMode mode);

static void check(const char *what, unsigned row, uint32_t got, uint32_t expected)
{
    if (got != expected) {
        fail_msg("%s, row %u: %08x, not %08x", what, row, got, expected);
    }
}

static void check_rows(
    const char *what, const Row *rows, unsigned count, BinaryFunc func, TensixDst kind)
{
    TensixSfpuMode mode = {.dst = kind};

    for (unsigned i = 0; i < count; i++) {
        fill(a, rows[i].a);
        fill(b, rows[i].b);
        func(dst, a, b, mode);
        check(what, i, dst[1000], rows[i].result);
        a[0] = 0x7f800000; /* one that makes the tile go the slow way */
        func(a, a, b, mode);
        check(what, i, a[1000], rows[i].result);
    }
}

static void adds_with_one_rounding_to_even(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0x3f800000, 0x33800000, 0x3f800000}, /* 1 + 2^-24: tie, even is 1 */
        {0x3f800001, 0x33800000, 0x3f800002}, /* 1 + 2^-23 + 2^-24: tie, even is up */
        {0x3f800000, 0x33800001, 0x3f800001}, /* more than a tie */
        {0xbf800001, 0xb3800000, 0xbf800002},
        {0x3f800000, 0xb3000000, 0x3f800000}, /* 1 - 2^-25: tie of the places below 1 */
        {0x3f800000, 0xb3800000, 0x3f7fffff}, /* 1 - 2^-24 is a number */
        {0x3f800000, 0x007fffff, 0x3f800000},
        {0x00800000, 0x007fffff, 0x00800000}, /* denormals are zeros, */
        {0x007fffff, 0x00000001, 0x00000000}, /* even if their sum is none */
        {0x00c00000, 0x80800000, 0x00000000}, /* 2^-127 is denormal */
        {0x80c00000, 0x00800000, 0x00000000}, /* and no -0 comes out */
        {0x80000000, 0x80000000, 0x00000000},
        {0x3f800000, 0xbf800000, 0x00000000},
        {0x7f7fffff, 0x7f7fffff, 0x7f800000},
        {0x7f7fffff, 0x73000000, 0x7f800000}, /* + half of its last place: tie, up */
        {0x7f7fffff, 0x72ffffff, 0x7f7fffff},
        {0x7f800000, 0xff7fffff, 0x7f800000},
        {0x7f800000, 0xff800000, 0x7f800001}, /* a NaN has at least these bits */
        {0x7fc00000, 0x3f800000, 0x7f800001},
    };

    check_rows("add", rows, G_N_ELEMENTS(rows), tensix_sfpu_add, TENSIX_DST_32);
}

static void subtracts(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0x40400000, 0x3f800000, 0x40000000},
        {0x3f800000, 0x40400000, 0xc0000000},
        {0x80000000, 0x00000000, 0x00000000},
        {0xff800000, 0xff800000, 0x7f800001},
    };

    check_rows("subtract", rows, G_N_ELEMENTS(rows), tensix_sfpu_subtract,
               TENSIX_DST_32);
}

static void stores_to_16_bits_are_cut(void **state G_GNUC_UNUSED)
{
    static const Row sums[] = {
        /* 1 + 1.5 * 2^-8 = 3f80c000: nearest is 3f81 */
        {0x3f800000, 0x3bc00000, 0x3f800000},
        {0xbf800000, 0xbbc00000, 0xbf800000}, /* towards zero */
        {0x3f800000, 0x3c000000, 0x3f810000},
        {0x7f7f0000, 0x7a800000, 0x7f7f0000},
        /* 2^127 + 2^127: infinity is not cut; a NaN's last bit is, and it becomes one
         */
        {0x7f000000, 0x7f000000, 0x7f800000},
        {0x7f800000, 0xff800000, 0x7f800000},
    };
    TensixSfpuMode mode = {.dst = TENSIX_DST_16};

    check_rows("add", sums, G_N_ELEMENTS(sums), tensix_sfpu_add, TENSIX_DST_16);
    fill(a, 0x3f880000);
    tensix_sfpu_scale(dst, a, 0x3f890000, mode);
    /* 1.0625 * 1.0703125 = 1.13720703125 = 3f919000 */
    assert_int_equal(dst[3], 0x3f910000);
    tensix_sfpu_scale(dst, a, 0xbf8a0000, mode);
    /* 1.0625 * 1.078125 = 1.1455078125 = 3f92a000, and 3f93 is nearer */
    assert_int_equal(dst[3], 0xbf920000);
}

static void multiplies_with_one_rounding_to_even(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0x3f800001, 0x3f800001, 0x3f800002}, /* 1 + 2^-22 + 2^-46 */
        /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: tie, even is down */
        {0x3f800800, 0x3f800800, 0x3f801000},
        /* (1 + 2^-23) * 1.5 = 1.5 + 1.5 * 2^-23: tie, even is up */
        {0x3f800001, 0x3fc00000, 0x3fc00002},
        {0xbf800001, 0x3fc00000, 0xbfc00002},
        /* (2 - 2^-23)^2 = 4 - 2^-21 + 2^-46 */
        {0x3fffffff, 0x3fffffff, 0x407ffffe},
        {0x20000000, 0x20000000, 0x00800000}, /* 2^-126 */
        {0x1f800000, 0x20000000, 0x00000000},
        /* (1 - 2^-24) * 2^-126 is below 2^-126 before it is rounded */
        {0x3f7fffff, 0x00800000, 0x00000000},
        {0xbf7fffff, 0x00800000, 0x00000000},
        {0x3f800000, 0x00800000, 0x00800000},
        {0x007fffff, 0x7f7fffff, 0x00000000},
        {0x80000000, 0x3f800000, 0x00000000},
        {0x7f7fffff, 0x40000000, 0x7f800000},
        {0x7f7fffff, 0xbf800001, 0xff800000},
        {0x7f800000, 0xbf800000, 0xff800000},
        {0x7f800000, 0x00000000, 0x7f800001},
        {0x7f800000, 0x007fffff, 0x7f800001}, /* that is a zero too */
    };
    TensixSfpuMode mode = {.dst = TENSIX_DST_32};

    check_rows("multiply", rows, G_N_ELEMENTS(rows), tensix_sfpu_multiply,
               TENSIX_DST_32);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        fill(a, rows[i].a);
        tensix_sfpu_scale(dst, a, rows[i].b, mode);
        check("scale", i, dst[1000], rows[i].result);
    }
}

static void
multiplies_into_16_bits_with_the_kernels_rounding(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        /* 1.0625^2 = 1.12890625 = 3f908000: tie, even is down (the matrix unit: 3f91)
         */
        {0x3f880000, 0x3f880000, 0x3f900000},
        /* 1.0078125 * 1.5 = 1.51171875 = 3fc18000: tie, even is up */
        {0x3f810000, 0x3fc00000, 0x3fc20000},
        {0xbf810000, 0x3fc00000, 0xbfc20000},
        /* 1.0078125^2 = 1.01568604 = 3f820200 -> down */
        {0x3f810000, 0x3f810000, 0x3f820000},
        /* (2^127 * 1.9921875) * 1.0078125 = 2^127 * 2.0077: infinity */
        {0x7f7f0000, 0x3f810000, 0x7f800000},
        {0x7f800000, 0x00000000, 0x00000000}, /* zero times anything */
        {0x80000000, 0x7fc00000, 0x00000000},
        {0x80000000, 0x3f800000, 0x00000000},
        {0x00400000, 0x7f000000, 0x00000000},
    };

    check_rows("multiply", rows, G_N_ELEMENTS(rows), tensix_sfpu_multiply,
               TENSIX_DST_16);
}

typedef struct {
    uint32_t x;
    uint32_t y;
    uint32_t z;
    uint32_t result;
} MadRow;

/* In comments, a product p and an addend z have 26 places after the point: 1.0 is 2^26.
 */
static const MadRow mad_rows[] = {
    {0x40000000, 0x40400000, 0x3f800000, 0x40e00000}, /* 2 * 3 + 1 */
    /* (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46; of p = 2^26 + 2^4 + 2^-20 the last part is
     * a 1 in the last place, and 2^-26 remains. Two roundings would leave 0. */
    {0x3f800001, 0x3f800001, 0xbf800002, 0x32800000},
    {0xbf800001, 0x3f800001, 0x3f800002, 0xb2800000},
    /* p = (1 + 2^-12)^2 is 2^26 + 2^15 + 4, a tie; z = 2^-26 is 1 -> up */
    {0x3f800800, 0x3f800800, 0x32800000, 0x3f801001},
    /* z = 2^-27 is all below the last place, and forgotten -> even */
    {0x3f800800, 0x3f800800, 0x32000000, 0x3f801000},
    {0x3f800800, 0x3f800800, 0x21800000, 0x3f801000},
    {0x3f800800, 0x3f800800, 0xb2800000, 0x3f801000}, /* tie - 1 -> down */
    /* p = (2 - 2^-23) * 1.75 = 14 * (2^24 - 1), z = 8 * (2^23 + 4); the sum, 301989906
     * = 9437184 * 32 + 18, is above 2^28, so 2 places go, 10, of which the 1 is
     * forgotten: 9437184|100, tie -> even. In truth it is more than a tie. */
    {0x3fffffff, 0x3fe00000, 0x3f800004, 0x40900000},
    /* z = 8 * 2^23: 9437183|100, tie -> even is up */
    {0x3fffffff, 0x3fe00000, 0x3f800000, 0x40900000},
    /* the product is too small by itself: 2^-127 counts as zero */
    {0x00800000, 0x3f000000, 0x00800000, 0x00800000},
    {0x00800000, 0x3f000000, 0x80000000, 0x00000000},
    /* or too great: 2^128 - 2^127 * 1.99 is infinite */
    {0x7f000000, 0x40000000, 0xff7fffff, 0x7f800000},
    {0x7f000000, 0x40000000, 0xff800000, 0x7f800001}, /* minus infinity: a NaN */
    {0x7f000000, 0xc0000000, 0xff800000, 0xff800000},
    {0x3f800000, 0x3f800000, 0xbf800000, 0x00000000},
    {0x00000000, 0x3f800000, 0x80000000, 0x00000000},
    {0x00000000, 0x3f800000, 0x807fffff, 0x00000000},
    {0x00000000, 0x3f800000, 0xff7fffff, 0xff7fffff},
    {0x3f800000, 0x3f800000, 0x7f800000, 0x7f800000},
    {0x3f800000, 0x3f800000, 0xffc00000, 0x7f800001},
    {0x7f800000, 0x3f800000, 0xff800000, 0x7f800001},
    {0x7f800000, 0x00000000, 0x3f800000, 0x7f800001},
};

static void multiplies_and_adds_partly_fused(void **state G_GNUC_UNUSED)
{
    TensixSfpuMode mode = {.dst = TENSIX_DST_32};
    uint32_t c[TENSIX_TILE_ELEMENTS];

    for (unsigned i = 0; i < G_N_ELEMENTS(mad_rows); i++) {
        MadRow row = mad_rows[i];

        check("number", i, tensix_sfpu_number_multiply_add(row.x, row.y, row.z),
              row.result);
        check("swapped", i, tensix_sfpu_number_multiply_add(row.y, row.x, row.z),
              row.result);
        fill(a, row.x);
        fill(b, row.y);
        fill(c, row.z);
        tensix_sfpu_multiply_add(dst, a, b, c, mode);
        check("tile", i, dst[1000], row.result);
    }
}

static void special_reciprocals_and_roots(void **state G_GNUC_UNUSED)
{
    assert_int_equal(tensix_sfpu_number_reciprocal(0x00000000), 0x7f800000);
    assert_int_equal(tensix_sfpu_number_reciprocal(0x80000000), 0xff800000);
    assert_int_equal(tensix_sfpu_number_reciprocal(0x007fffff), 0x7f800000);
    assert_int_equal(tensix_sfpu_number_reciprocal(0xff800000), 0x00000000);
    assert_int_equal(tensix_sfpu_number_reciprocal(0x7fc00000), 0x7f800001);
    assert_int_equal(tensix_sfpu_number_reciprocal(0xff000000),
                     0x00000000); /* 2^-127 */
    assert_int_equal(tensix_sfpu_number_reciprocal(0xc0000000), 0xbf000000);
    assert_int_equal(tensix_sfpu_number_root(0x00000000), 0x00000000);
    assert_int_equal(tensix_sfpu_number_root(0x80000000), 0x00000000);
    assert_int_equal(tensix_sfpu_number_root(0x807fffff), 0x00000000);
    assert_int_equal(tensix_sfpu_number_root(0x7f800000), 0x7f800000);
    assert_int_equal(tensix_sfpu_number_root(0xff800000), 0x7f800001);
    assert_int_equal(tensix_sfpu_number_root(0xbf800000), 0x7f800001);
    assert_int_equal(tensix_sfpu_number_root(0x40800000), 0x40000000);
    assert_int_equal(tensix_sfpu_number_root(0x41100000), 0x40400000);
}

/* How many numbers lie between two positive ones. */
static uint32_t distance(uint32_t x, uint32_t y)
{
    return x > y ? x - y : y - x;
}

static void reciprocals_and_roots_are_right_to_a_neighbour(void **state G_GNUC_UNUSED)
{
    TensixSfpuMode mode = {.dst = TENSIX_DST_32};
    uint64_t seed = 1;

    for (unsigned i = 0; i < 64; i++) {
        uint32_t roots[TENSIX_TILE_ELEMENTS];

        for (unsigned k = 0; k < TENSIX_TILE_ELEMENTS; k++) {
            uint32_t exponent = 2 + sim_random_below(&seed, 250);
            a[k] = exponent << 23 | sim_random_below(&seed, 1 << 23);
        }
        tensix_sfpu_reciprocal(dst, a, mode);
        tensix_sfpu_root(roots, a, mode);
        for (unsigned k = 0; k < TENSIX_TILE_ELEMENTS; k++) {
            float x = tensix_number_to_float(a[k]);
            uint32_t inverse = tensix_number_from_float((float) (1 / (double) x));
            uint32_t root = tensix_number_from_float((float) sqrt((double) x));

            if (distance(dst[k], inverse) > 1 || distance(roots[k], root) > 1) {
                fail_msg("of %08x: 1/x %08x (%08x), root %08x (%08x)", a[k], dst[k],
                         inverse, roots[k], root);
            }
        }
    }
}

static void compares_with_zero_by_sign_and_magnitude(void **state G_GNUC_UNUSED)
{
    enum {
        COMPARISONS = 6,
    };
    static const struct {
        uint32_t a;
        const char *expected; /* eqz, nez, ltz, gtz, lez, gez */
    } rows[] = {
        {0x00000000, "100011"}, {0x80000000, "100011"}, /* 0 */
        {0x3f800000, "010101"}, {0xbf800000, "011010"}, /* 1 */
        {0x00000001, "010101"}, {0x807fffff, "011010"}, /* denormals are not zero */
        {0x00800000, "010101"}, {0x80800000, "011010"},
        {0x7f7fffff, "010101"}, {0xff7fffff, "011010"},
        {0x7f800000, "010101"}, {0xff800000, "011010"}, /* infinities */
        {0x7f800001, "010000"}, {0xff800001, "010000"}, /* NaNs */
        {0x7fffffff, "010000"}, {0xffc00000, "010000"},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (unsigned k = 0; k < COMPARISONS; k++) {
            fill(a, rows[i].a);
            a[7] = 0x40000000; /* the others are on their own */
            tensix_sfpu_compare(a, a, (TensixComparison) k);
            check("compare", i * COMPARISONS + k, a[1000],
                  rows[i].expected[k] == '1' ? 0x3f800000 : 0);
            check("compare 2", k, a[7], "010101"[k] == '1' ? 0x3f800000 : 0);
        }
    }
}

static void adds_a_scalar_as_numbers_are_added(void **state G_GNUC_UNUSED)
{
    TensixSfpuMode mode = {.dst = TENSIX_DST_32};

    fill(a, 0x3f800001);
    tensix_sfpu_offset(a, a, 0x33800000, mode);
    assert_int_equal(a[1000], 0x3f800002); /* 1 + 2^-23 + 2^-24: tie, even is up */
    fill(a, 0x3f800000);
    tensix_sfpu_offset(dst, a, 0xbf800000, mode);
    assert_int_equal(dst[0], 0);
    tensix_sfpu_offset(dst, a, 0x7fc00000, mode);
    assert_int_equal(dst[0], TENSIX_SFPU_NAN);
    mode.dst = TENSIX_DST_16;
    tensix_sfpu_offset(dst, a, 0x3bc00000, mode);
    assert_int_equal(dst[1023], 0x3f800000); /* cut */
}

static void sums_lanes_after_vectors(void **state G_GNUC_UNUSED)
{
    TensixSfpuMode mode = {.dst = TENSIX_DST_32};

    fill(a, 0x3f800000);
    tensix_sfpu_sum(dst, a, mode);
    assert_int_equal(dst[0], 0x44800000); /* 1024 */
    assert_int_equal(dst[1], 0);
    assert_int_equal(dst[1023], 0);

    /* 2^24 in lane 0 loses each 1 that comes to this lane; those of other lanes are
     * added up first: lanes 16, 8, 24, ... with theirs. */
    fill(a, 0);
    a[0] = 0x4b800000;
    a[32] = 0x3f800000;
    a[64] = 0x3f800000;
    tensix_sfpu_sum(dst, a, mode);
    assert_int_equal(dst[0], 0x4b800000);
    fill(a, 0);
    a[0] = 0x4b800000;
    a[1] = 0x3f800000;
    a[3] = 0x3f800000;
    tensix_sfpu_sum(dst, a, mode);
    assert_int_equal(dst[0], 0x4b800001); /* lanes 1 and 3 meet before lane 0 */
    fill(a, 0);
    a[0] = 0x4b800000;
    a[16] = 0x3f800000;
    a[8] = 0x3f800000;
    tensix_sfpu_sum(dst, a, mode);
    assert_int_equal(dst[0], 0x4b800000); /* lane 0 meets 16, then 8 */

    /* Kept in single precision until it is stored, which cuts: 1024 (1 + 2^-7). */
    mode.dst = TENSIX_DST_16;
    fill(a, 0x3f810000);
    a[5] = 0x3f820000;
    tensix_sfpu_sum(a, a, mode);
    assert_int_equal(a[0], 0x44810000);
}

static void ieee_keeps_denormals_and_rounds_stores(void **state G_GNUC_UNUSED)
{
    TensixSfpuMode mode = {TENSIX_DST_32, TENSIX_ARITHMETIC_IEEE};
    uint32_t c[TENSIX_TILE_ELEMENTS];

    fill(a, 0x00c00000);
    fill(b, 0x80800000);
    tensix_sfpu_add(dst, a, b, mode);
    assert_int_equal(dst[9], 0x00400000);
    fill(a, 0x3f800001);
    fill(b, 0x3f800001);
    fill(c, 0xbf800002);
    tensix_sfpu_multiply_add(dst, a, b, c, mode);
    assert_int_equal(dst[9], 0x28800000); /* 2^-46 */
    tensix_sfpu_scale(dst, a, 0x80000000, mode);
    assert_int_equal(dst[9], 0x80000000);
    fill(a, 0x40800000);
    tensix_sfpu_root(dst, a, mode);
    assert_int_equal(dst[9], 0x40000000);
    tensix_sfpu_reciprocal(dst, a, mode);
    assert_int_equal(dst[9], 0x3e800000);
    mode.dst = TENSIX_DST_16;
    fill(a, 0x3f800000);
    fill(b, 0xbbc00000);
    tensix_sfpu_subtract(dst, a, b, mode);
    assert_int_equal(dst[9], 0x3f810000); /* 3f80c000 to nearest */
    fill(a, 0x3f880000);
    tensix_sfpu_multiply(dst, a, a, mode);
    assert_int_equal(dst[9], 0x3f900000);
}

/* Which one a host's processor makes differs. */
static void ieee_has_one_nan(void **state G_GNUC_UNUSED)
{
    TensixSfpuMode mode = {TENSIX_DST_32, TENSIX_ARITHMETIC_IEEE};

    fill(a, 0x7f800000);
    tensix_sfpu_subtract(dst, a, a, mode);
    assert_int_equal(dst[9], 0x7fc00000);
    fill(b, 0);
    tensix_sfpu_multiply(dst, a, b, mode);
    assert_int_equal(dst[9], 0x7fc00000);
    tensix_sfpu_multiply_add(dst, a, b, a, mode);
    assert_int_equal(dst[9], 0x7fc00000);
    a[5] = 0xff800000;
    tensix_sfpu_sum(dst, a, mode);
    assert_int_equal(dst[0], 0x7fc00000);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_with_one_rounding_to_even),
        cmocka_unit_test(subtracts),
        cmocka_unit_test(stores_to_16_bits_are_cut),
        cmocka_unit_test(multiplies_with_one_rounding_to_even),
        cmocka_unit_test(multiplies_into_16_bits_with_the_kernels_rounding),
        cmocka_unit_test(multiplies_and_adds_partly_fused),
        cmocka_unit_test(special_reciprocals_and_roots),
        cmocka_unit_test(reciprocals_and_roots_are_right_to_a_neighbour),
        cmocka_unit_test(compares_with_zero_by_sign_and_magnitude),
        cmocka_unit_test(adds_a_scalar_as_numbers_are_added),
        cmocka_unit_test(sums_lanes_after_vectors),
        cmocka_unit_test(ieee_keeps_denormals_and_rounds_stores),
        cmocka_unit_test(ieee_has_one_nan),
    };

    return cmocka_run_group_tests_name("arch.tensix_sfpu", tests, NULL, NULL);
}
