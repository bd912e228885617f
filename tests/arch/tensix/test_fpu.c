/* The matrix unit's bits, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/tensix/compute/fpu.h"
#include "tests/arch/tensix/fpu_number.h"
#include "tests/arch/tensix/tile.h"

/* In comments, mantissas are integers of 11 bits, 1024 for 1.0, at an exponent @, with
 * the bias; >> d rounds as said. "tie" means half of the last place. */

static uint32_t src_a[TENSIX_TILE_ELEMENTS];
static uint32_t src_b[TENSIX_TILE_ELEMENTS];
static uint32_t dst[TENSIX_TILE_ELEMENTS];

typedef struct {
    uint32_t a;
    uint32_t b;
    uint32_t result;
} Row;

static void check(const char *what, unsigned row, uint32_t got, uint32_t expected)
{
    if (got != expected) {
        fail_msg("%s, row %u: %08x, not %08x", what, row, got, expected);
    }
}

static void check_add(const char *what, const Row *rows, unsigned count, TensixDst kind)
{
    TensixFpuMode mode = {.dst = kind};

    for (unsigned i = 0; i < count; i++) {
        check(what, i, tensix_fpu_number_add(rows[i].a, rows[i].b, kind),
              rows[i].result);
        /* The whole tile too, twice: once with what makes it go the slow way. */
        fill(src_a, rows[i].a);
        fill(src_b, rows[i].b);
        tensix_fpu_add(dst, src_a, src_b, mode);
        check(what, i, dst[1000], rows[i].result);
        src_a[0] = 0x7f800000;
        tensix_fpu_add(dst, src_a, src_b, mode);
        check(what, i, dst[1000], rows[i].result);
        src_b[1000] ^= 0x80000000;
        tensix_fpu_subtract(dst, src_a, src_b, mode);
        check(what, i, dst[1000], rows[i].result);
    }
}

static void adds_into_16_bits(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        {0x3f800000, 0x3f800000, 0x40000000},
        /* 1 + 2^-8: 1024 + (1024 >> 8 = 4) = 10000000|100, tie -> 10000001 */
        {0x3f800000, 0x3b800000, 0x3f810000},
        {0xbf800000, 0xbb800000, 0xbf810000}, /* the same below zero: away */
        /* 1.0000001 + 2^-8: 1032 + 4 = 10000001|100, tie -> 10000010 */
        {0x3f810000, 0x3b800000, 0x3f820000},
        /* 1 + 2^-9: 1024 + 2 = 10000000|010 -> down */
        {0x3f800000, 0x3b000000, 0x3f800000},
        /* 1 - 2^-9: 1024 - 2 = 11111111|10, tie -> 1.0 */
        {0x3f800000, 0xbb000000, 0x3f800000},
        /* 1 - 2^-8: 1024 - 4 = 11111111|00 @126 */
        {0x3f800000, 0xbb800000, 0x3f7f0000},
        /* 1 + 1.0000001 * 2^-8: 1032 >> 8 = 4.03 -> 4, then the tie as above; IEEE
         * would round up too, but 1 + 1.1110000 * 2^-9 (1920 >> 9 = 3.75 -> 4) it
         * would round down: 10000000|100 */
        {0x3f800000, 0x3b810000, 0x3f810000},
        {0x3f800000, 0x3b700000, 0x3f810000},
        {0x3b700000, 0x3f800000, 0x3f810000}, /* the order does not matter */
        {0x7b800000, 0x77700000, 0x7b810000}, /* nor does the size, 2^120 */
        {0x05800000, 0x01700000, 0x05810000}, /* or 2^-116 */
        /* 2^127 + 2^127 has exponent 255 */
        {0x7f000000, 0x7f000000, 0x7f800000},
        {0xff000000, 0xff000000, 0xff800000},
        /* 1.1111111 * 2^127 + 2^119: 2040 + 4 = 11111111|100, tie -> 2^128 */
        {0x7f7f0000, 0x7b000000, 0x7f800000},
        /* exponent 255 is one more power of two: 2^128 - 2^127 = 2^127 */
        {0x7f800000, 0xff000000, 0x7f000000},
        {0x7f800000, 0xff800000, 0x00000000},
        {0x7fc00000, 0x00000000, 0x7f800000}, /* but its mantissa does not come out */
        {0xffff0000, 0x00000000, 0xff800000},
        /* denormals are zeros */
        {0x00800000, 0x007f0000, 0x00800000},
        {0x007f0000, 0x007f0000, 0x00000000},
        {0x807f0000, 0x00000000, 0x00000000},
        /* 1.5 * 2^-126 - 2^-126 = 2^-127 -> 0 */
        {0x00c00000, 0x80800000, 0x00000000},
        {0x80c00000, 0x00800000, 0x00000000},
        /* zeros have no sign */
        {0x80000000, 0x80000000, 0x00000000},
        {0x3f800000, 0xbf800000, 0x00000000},
        {0x80000000, 0xbf800000, 0xbf800000},
    };

    check_add("16 bits", rows, G_N_ELEMENTS(rows), TENSIX_DST_16);
}

static void adds_into_32_bits(void **state G_GNUC_UNUSED)
{
    static const Row rows[] = {
        /* 1 + 2^-10: 1025 */
        {0x3f800000, 0x3a800000, 0x3f802000},
        /* 1 + 2^-11: 1024 >> 11 is a tie -> 1, so 1025 */
        {0x3f800000, 0x3a000000, 0x3f802000},
        /* 1 - 2^-11: 1024 - 1 = 1111111111 @126 */
        {0x3f800000, 0xba000000, 0x3f7fc000},
        /* 1 + 2^-12: 1024 >> 12 = 0.25 -> 0 */
        {0x3f800000, 0x39800000, 0x3f800000},
        {0x3f800000, 0x39ffe000, 0x3f800000}, /* 2047 >> 12 = 0.4998 -> 0 */
        /* 1 + 1.5 * 2^-10: 1536 >> 10 is a tie -> 2 */
        {0x3f800000, 0x3ac00000, 0x3f804000},
        {0xbf800000, 0xbac00000, 0xbf804000},
        /* 1.1111111111 + 2^-10: 2047 + 1 */
        {0x3fffe000, 0x3a800000, 0x40000000},
        /* 1.1111111111 + 1.1111111111 * 2^0 = 4094 @127: 12 bits, none lost */
        {0x3fffe000, 0x3fffe000, 0x407fe000},
        {0x7f7fe000, 0x7f7fe000, 0x7f800000},
        {0x80000000, 0x00000000, 0x00000000},
        {0x00802000, 0x80800000, 0x00000000}, /* 2^-136 */
        /* 2^-116, and a denormal that would be 0.999 of the last place */
        {0x05800000, 0x007fe000, 0x05800000},
    };

    check_add("32 bits", rows, G_N_ELEMENTS(rows), TENSIX_DST_32);
}

typedef struct {
    uint32_t dst;
    uint32_t a;
    uint32_t b;
    TensixDst kind;
    uint32_t result;
} AddToRow;

static void adds_to_dst(void **state G_GNUC_UNUSED)
{
    static const AddToRow rows[] = {
        /* 1 + (2^-9 + 2^-9): 2048 @118 is 4 @127; 1028, tie -> away */
        {0x3f800000, 0x3b000000, 0x3b000000, TENSIX_DST_16, 0x3f810000},
        /* 1 + 2^-24: of 24 bits 2^23 >> 24, a tie: up if positive, */
        {0x3f800000, 0x33800000, 0, TENSIX_DST_32, 0x3f800001},
        /* towards zero if negative, */
        {0x3f800000, 0xb3800000, 0, TENSIX_DST_32, 0x3f800000},
        {0xbf800000, 0xb3800000, 0, TENSIX_DST_32, 0xbf800000},
        {0xbf800000, 0x33800000, 0, TENSIX_DST_32, 0xbf7ffffe},
        /* but Dst's own ties go away from zero: 2^23 - 1 @127 */
        {0xb3800000, 0x3f800000, 0, TENSIX_DST_32, 0x3f7ffffe},
        {0x33800000, 0x3f800000, 0, TENSIX_DST_32, 0x3f800001},
        /* 24 bits and a carry: 2^24 - 1 + 1 @127 */
        {0x3fffffff, 0x34000000, 0, TENSIX_DST_32, 0x40000000},
        /* (2^24 - 1) + 2^23 = 3 * 2^23 - 1 of 25 bits, tie -> away: 3 * 2^22 @128 */
        {0x3fffffff, 0x3f800000, 0, TENSIX_DST_32, 0x40400000},
        {0xbfffffff, 0xbf800000, 0, TENSIX_DST_32, 0xc0400000},
        {0x3f800000, 0xbf800000, 0, TENSIX_DST_32, 0x00000000},
        {0x7f000000, 0x7f000000, 0, TENSIX_DST_16, 0x7f800000},
        {0x80000000, 0x80000000, 0, TENSIX_DST_16, 0x00000000},
        {0x007fffff, 0x3f800000, 0, TENSIX_DST_32, 0x3f800000},
        /* a sum of zero leaves Dst as it is, unless that is no number for results */
        {0x3f812345, 0xbf800000, 0x3f800000, TENSIX_DST_32, 0x3f812345},
        {0x7f812345, 0x00000000, 0x00000000, TENSIX_DST_32, 0x7f800000},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        TensixFpuMode mode = {.dst = rows[i].kind, .has_dst = true};

        check("number", i,
              tensix_fpu_number_add_to(rows[i].dst, rows[i].a, rows[i].b, rows[i].kind),
              rows[i].result);
        fill(dst, rows[i].dst);
        fill(src_a, rows[i].a);
        fill(src_b, rows[i].b);
        tensix_fpu_add(dst, src_a, src_b, mode);
        check("tile", i, dst[1000], rows[i].result);
    }
}

typedef struct {
    uint32_t a;
    uint32_t b;
    TensixFidelity fidelity;
    TensixDst kind;
    uint32_t result;
} MultiplyRow;

static const MultiplyRow multiply_rows[] = {
    /* 1.96875: the upper 5 bits are 31, times 64 = 1984 @127 */
    {0x3ffc0000, 0x3f800000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x3ff80000},
    /* the next 5 are 16: + 16 * 64 @122 */
    {0x3ffc0000, 0x3f800000, TENSIX_FIDELITY_HIFI2, TENSIX_DST_16, 0x3ffc0000},
    /* of b, 7 bits: 16 * 127 = 2032 */
    {0x3f800000, 0x3fff0000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x3ffe0000},
    {0x3f800000, 0x3fff0000, TENSIX_FIDELITY_HIFI2, TENSIX_DST_16, 0x3ffe0000},
    /* the last 4 are 8, that is 64 of 7 bits: + 16 * 64 @120 */
    {0x3f800000, 0x3fff0000, TENSIX_FIDELITY_HIFI3, TENSIX_DST_16, 0x3fff0000},
    /* 17 * 65 = 1105 = 10001010|001 -> down; 32 bits keep it */
    {0x3f880000, 0x3f820000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x3f8a0000},
    {0x3f880000, 0x3f820000, TENSIX_FIDELITY_LOFI, TENSIX_DST_32, 0x3f8a2000},
    /* 17 * 68 = 1156 = 10010000|100, tie -> away; IEEE has 3f90 */
    {0x3f880000, 0x3f880000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x3f910000},
    {0xbf880000, 0x3f880000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0xbf910000},
    /* 1.9921875 squared, in 16 bits phase by phase:
     * 31 * 127 = 3937 = 11110110|0001 -> 246 @128
     * 28 * 127 = 3556 @122 >> 6 = 55.6 -> 56; 1968 + 56 = 2024 = 11111101|000
     * 31 *  64 = 1984 @120 >> 8 = 7.75 -> 8;  2024 + 8 = 2032 = 11111110|000
     * 28 *  64 = 1792 @115 >> 13 = 0.2 -> 0 */
    {0x3fff0000, 0x3fff0000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x40760000},
    {0x3fff0000, 0x3fff0000, TENSIX_FIDELITY_HIFI2, TENSIX_DST_16, 0x407d0000},
    {0x3fff0000, 0x3fff0000, TENSIX_FIDELITY_HIFI3, TENSIX_DST_16, 0x407e0000},
    {0x3fff0000, 0x3fff0000, TENSIX_FIDELITY_HIFI4, TENSIX_DST_16, 0x407e0000},
    /* in 32 bits nothing is lost: 255 * 255 = 1111111000000001 at 2^-14 */
    {0x3fff0000, 0x3fff0000, TENSIX_FIDELITY_HIFI4, TENSIX_DST_32, 0x407e0100},
    /* TF32: a's last bit is in no phase, b's is */
    {0x3f802000, 0x3f800000, TENSIX_FIDELITY_HIFI4, TENSIX_DST_32, 0x3f800000},
    {0x3f800000, 0x3f802000, TENSIX_FIDELITY_HIFI4, TENSIX_DST_32, 0x3f802000},
    {0x3f800000, 0x3f802000, TENSIX_FIDELITY_HIFI2, TENSIX_DST_32, 0x3f800000},
    /* 2^-63 * 2^-63 has exponent 1, 2^-64 * 2^-63 none */
    {0x20000000, 0x20000000, TENSIX_FIDELITY_HIFI4, TENSIX_DST_16, 0x00800000},
    {0x1f800000, 0x20000000, TENSIX_FIDELITY_HIFI4, TENSIX_DST_16, 0x00000000},
    {0x9f800000, 0x20000000, TENSIX_FIDELITY_LOFI, TENSIX_DST_32, 0x00000000},
    /* 31 * 66 = 2046 @0 = 11111111|110 rounds up to 2^-126 */
    {0x20780000, 0x1f840000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x00800000},
    {0x20780000, 0x1f840000, TENSIX_FIDELITY_LOFI, TENSIX_DST_32, 0x00000000},
    /* 31 * 82 = 2542 @254 is 2.48 * 2^127: exponent 255 */
    {0x7f780000, 0x3fa40000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x7f800000},
    {0x7f780000, 0xbfa40000, TENSIX_FIDELITY_LOFI, TENSIX_DST_32, 0xff800000},
    {0x7f000000, 0x7f000000, TENSIX_FIDELITY_HIFI4, TENSIX_DST_32, 0x7f800000},
    /* 2^128 / 2 is a number again; 1.5 * 2^128 times 0 is 0 */
    {0x7f800000, 0x3f000000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x7f000000},
    {0x7fc00000, 0x80000000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x00000000},
    {0x007f0000, 0x7f000000, TENSIX_FIDELITY_LOFI, TENSIX_DST_16, 0x00000000},
    {0xbf800000, 0x00000000, TENSIX_FIDELITY_HIFI4, TENSIX_DST_16, 0x00000000},
};

static void multiplies_in_phases(void **state G_GNUC_UNUSED)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(multiply_rows); i++) {
        MultiplyRow row = multiply_rows[i];
        TensixFpuMode mode = {.dst = row.kind, .fidelity = row.fidelity};
        uint32_t number = 0;

        for (unsigned phase = 0; phase < row.fidelity; phase++) {
            number =
                tensix_fpu_number_multiply_to(number, row.a, row.b, phase, row.kind);
        }
        check("number", i, number, row.result);
        fill(src_a, row.a);
        fill(src_b, row.b);
        tensix_fpu_multiply(dst, src_a, src_b, mode);
        check("tile", i, dst[1000], row.result);
        src_a[0] = 0x7f800000;
        src_b[0] = 0x7f800000;
        tensix_fpu_multiply(dst, src_a, src_b, mode);
        check("tile with doubt", i, dst[1000], row.result);
    }
}

static void multiplies_onto_dst(void **state G_GNUC_UNUSED)
{
    TensixFpuMode mode = {.dst = TENSIX_DST_16, .has_dst = true, .fidelity = 1};

    fill(dst, 0x3f800000);
    fill(src_a, 0x3f000000);
    fill(src_b, 0x40400000); /* 1 + 0.5 * 3 */
    tensix_fpu_multiply(dst, src_a, src_b, mode);

    assert_int_equal(dst[77], 0x40200000);
}

typedef struct {
    uint32_t dst;
    unsigned places[3];
    uint32_t a[3]; /* b is 1.0 there, all else 0 */
    uint32_t result;
} DotRow;

static void dot_products_align_groups_of_eight(void **state G_GNUC_UNUSED)
{
    static const DotRow rows[] = {
        /* 1 + 2^-11 in a group: 1024 >> 11 is a tie, up if positive -> 1025 */
        {0, {0, 7, 0}, {0x3f800000, 0x3a000000, 0x3f800000}, 0x3f802000},
        /* down if negative -> 1023 */
        {0, {0, 7, 0}, {0x3f800000, 0xba000000, 0x3f800000}, 0x3f7fc000},
        /* in the other group it waits until 24 bits are kept: 1 - 2^-11 */
        {0, {0, 8, 0}, {0x3f800000, 0xba000000, 0x3f800000}, 0x3f7fe000},
        {0, {8, 15, 8}, {0x3f800000, 0x3a000000, 0x3f800000}, 0x3f802000},
        /* 1 + 2^-12 + 2^-12 in a group: each 1024 >> 12 = 0.25 -> 0 */
        {0, {0, 1, 2}, {0x3f800000, 0x39800000, 0x39800000}, 0x3f800000},
        /* but apart 2^-12 + 2^-12 is 2^-11 */
        {0, {0, 8, 9}, {0x3f800000, 0x39800000, 0x39800000}, 0x3f801000},
        /* Dst 1, groups -2^-24 (a tie, towards zero) and 2^-23 */
        {0x3f800000, {0, 8, 8}, {0xb3800000, 0x34000000, 0x34000000}, 0x3f800001},
        /* groups that cancel one another have pushed Dst, 2^-32, out; */
        {0x2f812345, {0, 8, 8}, {0x3f800000, 0xbf800000, 0xbf800000}, 0x00000000},
        /* so have products that cancel within a group */
        {0x2f812345, {0, 1, 1}, {0x3f800000, 0xbf800000, 0xbf800000}, 0x00000000},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint32_t a[TENSIX_FPU_DEPTH] = {0};
        uint32_t b[TENSIX_FPU_DEPTH];
        TensixFpuMode mode = {.dst = TENSIX_DST_32, .has_dst = true, .fidelity = 1};

        fill(src_a, 0);
        fill(src_b, 0x3f800000);
        fill(dst, rows[i].dst);
        for (unsigned k = 0; k < TENSIX_FPU_DEPTH; k++) {
            b[k] = 0x3f800000;
        }
        for (unsigned k = 0; k < 3; k++) {
            a[rows[i].places[k]] = rows[i].a[k];
            src_a[tensix_tile_index(16 + rows[i].places[k], 21)] = rows[i].a[k];
        }
        check("number", i,
              tensix_fpu_number_matmul_to(rows[i].dst, a, 1, b, 0, mode.dst),
              rows[i].result);
        tensix_fpu_matmul(dst, src_a, src_b, mode);
        check("tile", i, dst[tensix_tile_index(9, 21)], rows[i].result);
        check("other column", i, dst[tensix_tile_index(9, 22)], rows[i].dst);
    }
}

static void matmul_multiplies_b_by_a(void **state G_GNUC_UNUSED)
{
    TensixFpuMode mode = {.dst = TENSIX_DST_16, .fidelity = TENSIX_FIDELITY_HIFI4};

    fill(src_a, 0);
    fill(src_b, 0);
    src_b[tensix_tile_index(3, 17)] = 0x40000000;  /* 2 */
    src_a[tensix_tile_index(17, 30)] = 0x40400000; /* 3 */
    src_b[tensix_tile_index(3, 2)] = 0x3f800000;   /* 1 */
    src_a[tensix_tile_index(2, 30)] = 0x3f000000;  /* 0.5 */
    tensix_fpu_matmul(dst, src_a, src_b, mode);

    assert_int_equal(dst[tensix_tile_index(3, 30)], 0x40d00000); /* 6.5 */
    assert_int_equal(dst[tensix_tile_index(30, 3)], 0);
    mode.arithmetic = TENSIX_ARITHMETIC_IEEE;
    tensix_fpu_matmul(dst, src_a, src_b, mode);
    assert_int_equal(dst[tensix_tile_index(3, 30)], 0x40d00000);
}

static void reduces_sums(void **state G_GNUC_UNUSED)
{
    TensixFpuMode mode = {.dst = TENSIX_DST_16, .fidelity = 1};

    fill(src_a, 0x3f800000);
    fill(src_b, 0x3f000000);                       /* 0.5 */
    src_a[tensix_tile_index(20, 18)] = 0x40400000; /* 3 */

    tensix_fpu_reduce_sum(dst, src_a, src_b, TENSIX_REDUCE_TO_ROW, mode);
    assert_int_equal(dst[tensix_tile_index(0, 0)], 0x41800000);  /* 32 / 2 */
    assert_int_equal(dst[tensix_tile_index(0, 18)], 0x41880000); /* 34 / 2 */
    assert_int_equal(dst[tensix_tile_index(1, 18)], 0);
    tensix_fpu_reduce_sum(dst, src_a, src_b, TENSIX_REDUCE_TO_COLUMN, mode);
    assert_int_equal(dst[tensix_tile_index(31, 0)], 0x41800000);
    assert_int_equal(dst[tensix_tile_index(20, 0)], 0x41880000);
    assert_int_equal(dst[tensix_tile_index(20, 1)], 0);
    /* 16 columns of 64 / 2, one of 66 / 2, then all times 0.5 again; 256.5 in 8 bits */
    tensix_fpu_reduce_sum(dst, src_a, src_b, TENSIX_REDUCE_TO_SCALAR, mode);
    assert_int_equal(dst[0], 0x43800000);
    assert_int_equal(dst[1], 0);
    /* 32 bits do not help LoFi, which takes 5 bits of 33 = 100001; HiFi2 takes all */
    mode.dst = TENSIX_DST_32;
    tensix_fpu_reduce_sum(dst, src_a, src_b, TENSIX_REDUCE_TO_SCALAR, mode);
    assert_int_equal(dst[0], 0x43800000);
    mode.fidelity = TENSIX_FIDELITY_HIFI2;
    tensix_fpu_reduce_sum(dst, src_a, src_b, TENSIX_REDUCE_TO_SCALAR, mode);
    assert_int_equal(dst[0], 0x43804000);
    mode.has_dst = true;
    tensix_fpu_reduce_sum(dst, src_a, src_b, TENSIX_REDUCE_TO_SCALAR, mode);
    assert_int_equal(dst[0], 0x44004000); /* 513 */
    mode.arithmetic = TENSIX_ARITHMETIC_IEEE;
    mode.has_dst = false;
    tensix_fpu_reduce_sum(dst, src_a, src_b, TENSIX_REDUCE_TO_SCALAR, mode);
    assert_int_equal(dst[0], 0x43804000);
}

static void copies(void **state G_GNUC_UNUSED)
{
    static const uint32_t from[] = {0x3f80e000, 0x80000000, 0x007fe000, 0x7fc02000};
    static const uint32_t to_16[] = {0x3f800000, 0, 0, 0x7fc00000};
    static const uint32_t to_32[] = {0x3f80e000, 0, 0, 0x7f800000};
    TensixFpuMode mode = {.dst = TENSIX_DST_16};

    memcpy(src_a, from, sizeof from);
    tensix_fpu_copy(dst, src_a, mode);
    assert_memory_equal(dst, to_16, sizeof to_16);
    mode.dst = TENSIX_DST_32;
    tensix_fpu_copy(dst, src_a, mode);
    assert_memory_equal(dst, to_32, sizeof to_32);
    mode.arithmetic = TENSIX_ARITHMETIC_IEEE;
    tensix_fpu_copy(dst, src_a, mode);
    assert_memory_equal(dst, from, sizeof from);
}

static void ieee_rounds_to_even(void **state G_GNUC_UNUSED)
{
    TensixFpuMode mode = {
        .dst = TENSIX_DST_16,
        .fidelity = TENSIX_FIDELITY_LOFI,
        .arithmetic = TENSIX_ARITHMETIC_IEEE,
    };

    fill(src_a, 0x3f880000);
    fill(src_b, 0x3f880000);
    tensix_fpu_multiply(dst, src_a, src_b, mode);
    assert_int_equal(dst[5], 0x3f900000); /* the tie of multiply_rows */
    fill(src_a, 0x3f800000);
    fill(src_b, 0x3b800000);
    tensix_fpu_add(dst, src_a, src_b, mode);
    assert_int_equal(dst[5], 0x3f800000);
    mode.dst = TENSIX_DST_32;
    mode.has_dst = true;
    fill(dst, 0x00000001);
    fill(src_a, 0x80000001);
    fill(src_b, 0x00000001);
    tensix_fpu_subtract(dst, src_a, src_b, mode);
    assert_int_equal(dst[5], 0x80000001); /* denormals count */
}

/* Which one a host's processor makes differs. */
static void ieee_has_one_nan(void **state G_GNUC_UNUSED)
{
    TensixFpuMode mode = {.dst = TENSIX_DST_32,
                          .fidelity = TENSIX_FIDELITY_LOFI,
                          .arithmetic = TENSIX_ARITHMETIC_IEEE};

    fill(src_a, 0x7f800000);
    fill(src_b, 0x7f800000);
    tensix_fpu_subtract(dst, src_a, src_b, mode);
    assert_int_equal(dst[5], 0x7fc00000);
    fill(src_b, 0);
    tensix_fpu_multiply(dst, src_a, src_b, mode);
    assert_int_equal(dst[5], 0x7fc00000);
    fill(dst, 0);
    tensix_fpu_matmul(dst, src_a, src_b, mode);
    assert_int_equal(dst[5], 0x7fc00000);
    tensix_fpu_reduce_sum(dst, src_a, src_b, TENSIX_REDUCE_TO_ROW, mode);
    assert_int_equal(dst[0], 0x7fc00000);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_into_16_bits),
        cmocka_unit_test(adds_into_32_bits),
        cmocka_unit_test(adds_to_dst),
        cmocka_unit_test(multiplies_in_phases),
        cmocka_unit_test(multiplies_onto_dst),
        cmocka_unit_test(dot_products_align_groups_of_eight),
        cmocka_unit_test(matmul_multiplies_b_by_a),
        cmocka_unit_test(reduces_sums),
        cmocka_unit_test(copies),
        cmocka_unit_test(ieee_rounds_to_even),
        cmocka_unit_test(ieee_has_one_nan),
    };

    return cmocka_run_group_tests_name("arch.tensix_fpu", tests, NULL, NULL);
}
