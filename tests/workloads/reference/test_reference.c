/* References: against the simulated units, which share no code with them, and against
 * what is known of the problem. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/tensix/compute/fpu.h"
#include "arch/tensix/compute/sfpu.h"
#include "tests/arch/tensix/fpu_number.h"
#include "workloads/reference/double.h"
#include "workloads/reference/grid.h"
#include "workloads/reference/units.h"

enum {
    BF16_LOW_BITS = 16,
    SIGNIFICANDS = 128,
};

/* A BF16 number with this significand, sign and power of two. */
static float number(unsigned significand, int power, bool is_negative)
{
    return number_of_bits((is_negative ? UINT32_C(0x80000000) : 0) |
                          (uint32_t) (127 + power) << 23 |
                          (uint32_t) significand << BF16_LOW_BITS);
}

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* BF16 numbers of many sizes, some of them 0. */
static void fill(float *numbers, gsize count, uint64_t seed, unsigned powers)
{
    for (gsize i = 0; i < count; i++) {
        const uint64_t random = next(&seed);

        numbers[i] = random % 16 == 0 ? 0
                                      : number(random >> 4 & (SIGNIFICANDS - 1),
                                               (int) ((random >> 11) % powers),
                                               (random >> 30 & 1) != 0);
    }
}

static void products_are_those_of_the_fpu(void **state G_GNUC_UNUSED)
{
    for (guint fidelity = 1; fidelity <= 4; fidelity++) {
        g_autoptr(ReferenceUnits) units = reference_units_new(NUMBER_BF16, fidelity);

        for (unsigned i = 0; i < SIGNIFICANDS * SIGNIFICANDS; i++) {
            const float a = number(i % SIGNIFICANDS, 3, (i & 1) != 0);
            const float b = number(i / SIGNIFICANDS, -5, (i & 2) != 0);
            uint32_t expected = 0;
            float product;

            reference_units_multiply(units, &product, &a, &b, 1);
            for (unsigned phase = 0; phase < fidelity; phase++) {
                expected = tensix_fpu_number_multiply_to(
                    expected, number_bits(a), number_bits(b), phase, TENSIX_DST_16);
            }
            assert_int_equal(number_bits(product), expected);
            reference_units_scale(units, &product, &a, b, 1);
            assert_int_equal(number_bits(product), expected);
        }
    }
}

/* Zeros, denormals, infinities, and products too small or too great, in any place of a
 * row; a single one is a row of its own. */
static void products_at_the_ends_are_those_of_the_fpu(void **state G_GNUC_UNUSED)
{
    static const uint32_t ends[] = {0,          0x80000000, 0x00010000, 0x007f0000,
                                    0x00800000, 0x80ff0000, 0x7f7f0000, 0xff7f0000,
                                    0x3f800000, 0xbfff0000, 0x1fff0000, 0x60010000};
    g_autoptr(ReferenceUnits) units = reference_units_new(NUMBER_BF16, 4);
    float a[G_N_ELEMENTS(ends) * G_N_ELEMENTS(ends)];
    float b[G_N_ELEMENTS(a)];
    float products[G_N_ELEMENTS(a)];

    for (gsize i = 0; i < G_N_ELEMENTS(a); i++) {
        a[i] = number_of_bits(ends[i % G_N_ELEMENTS(ends)]);
        b[i] = number_of_bits(ends[i / G_N_ELEMENTS(ends)]);
    }
    reference_units_multiply(units, products, a, b, G_N_ELEMENTS(a));
    for (gsize i = 0; i < G_N_ELEMENTS(a); i++) {
        uint32_t expected = 0;
        float alone;
        float scaled;

        for (unsigned phase = 0; phase < 4; phase++) {
            expected = tensix_fpu_number_multiply_to(
                expected, number_bits(a[i]), number_bits(b[i]), phase, TENSIX_DST_16);
        }
        reference_units_multiply(units, &alone, &a[i], &b[i], 1);
        reference_units_scale(units, &scaled, &a[i], b[i], 1);
        assert_int_equal(number_bits(products[i]), expected);
        assert_int_equal(number_bits(alone), expected);
        assert_int_equal(number_bits(scaled), expected);
    }
}

/* Of numbers up to 2^`powers` times 2^`least`. */
static void check_sums(int least, unsigned powers)
{
    enum {
        COUNT = 200000,
    };
    g_autoptr(ReferenceUnits) units = reference_units_new(NUMBER_BF16, 4);
    g_autofree float *a = g_new(float, COUNT);
    g_autofree float *b = g_new(float, COUNT);
    g_autofree float *sum = g_new(float, COUNT);
    g_autofree float *difference = g_new(float, COUNT);

    fill(a, COUNT, 1, powers);
    fill(b, COUNT, 2, powers);
    for (gsize i = 0; i < COUNT; i++) {
        a[i] = ldexpf(a[i], least);
        b[i] = ldexpf(b[i], least);
    }

    reference_units_add(units, sum, a, b, COUNT);
    reference_units_subtract(units, difference, a, b, COUNT);

    for (gsize i = 0; i < COUNT; i++) {
        assert_int_equal(
            number_bits(sum[i] + 0.0F),
            tensix_fpu_number_add(number_bits(a[i]), number_bits(b[i]), TENSIX_DST_16));
        assert_int_equal(number_bits(difference[i] + 0.0F),
                         tensix_fpu_number_add(number_bits(a[i]), number_bits(-b[i]),
                                               TENSIX_DST_16));
    }
}

static void sums_are_those_of_the_fpu(void **state G_GNUC_UNUSED)
{
    check_sums(0, 14);
    check_sums(-103, 14);
    check_sums(99, 14);
    check_sums(-20, 40);
}

static void totals_are_those_of_the_fpu(void **state G_GNUC_UNUSED)
{
    uint32_t scaler[REFERENCE_TILE] = {0};

    for (guint i = 0; i < 16; i++) {
        scaler[i] = number_bits(1);
    }
    for (guint round = 0; round < 200; round++) {
        const TensixFpuMode mode = {.dst = TENSIX_DST_16,
                                    .fidelity = (TensixFidelity) (1 + round % 4)};
        g_autoptr(ReferenceUnits) units =
            reference_units_new(NUMBER_BF16, 1 + round % 4);
        float tile[REFERENCE_TILE];
        uint32_t bits[REFERENCE_TILE];
        uint32_t dst[REFERENCE_TILE] = {0};

        fill(tile, REFERENCE_TILE, round, 1 + round % 12);
        memcpy(bits, tile, sizeof bits);

        tensix_fpu_reduce_sum(dst, bits, scaler, TENSIX_REDUCE_TO_SCALAR, mode);

        assert_int_equal(number_bits(reference_units_total(units, tile)), dst[0]);
    }
}

static void totals_in_single_precision_add_vectors(void **state G_GNUC_UNUSED)
{
    g_autoptr(ReferenceUnits) units = reference_units_new(NUMBER_FP32, 4);
    float tile[REFERENCE_TILE] = {0};

    /* Lane 0 loses the small number beside the large one, lane 16 keeps it. */
    tile[0] = 0x1p24F;
    tile[32] = 1;
    assert_true(reference_units_total(units, tile) == 0x1p24F);
    tile[32] = 0;
    tile[48] = 1;
    tile[16] = 1;
    assert_true(reference_units_total(units, tile) == 0x1p24F + 2);
}

static void quotients_are_those_of_the_sfpu(void **state G_GNUC_UNUSED)
{
    const TensixSfpuMode mode = {.dst = TENSIX_DST_16};
    g_autoptr(ReferenceUnits) units = reference_units_new(NUMBER_BF16, 4);

    for (unsigned i = 0; i < SIGNIFICANDS; i++) {
        uint32_t a[REFERENCE_TILE] = {0};
        uint32_t b[REFERENCE_TILE] = {0};

        for (unsigned j = 0; j < SIGNIFICANDS; j++) {
            a[j] = number_bits(number(j, 2, false));
            b[j] = number_bits(number(i, 9, false));
        }
        tensix_sfpu_reciprocal(b, b, mode);
        tensix_sfpu_multiply(a, a, b, mode);
        for (unsigned j = 0; j < SIGNIFICANDS; j++) {
            assert_int_equal(number_bits(reference_units_quotient(
                                 units, number(j, 2, false), number(i, 9, false))),
                             a[j]);
        }
    }
}

/* 2 x 2 cores, the grid not as large as they could hold. */
static const guint merges[] = {0, 1, 2, 3, 0, 2};
static const ReferenceGrid grid = {.across = 2,
                                   .down = 2,
                                   .core_across = 1,
                                   .core_down = 1,
                                   .layers = 3,
                                   .lines = 100,
                                   .numbers = 27,
                                   .order = "cnsweud",
                                   .merges = merges,
                                   .merge_count = 3,
                                   .is_by_tile = true};

static gsize cell(guint layer, guint line, guint place)
{
    const gsize core = (gsize) (line / 64) * 2 + place / 16;

    return (core * 3 + layer) * REFERENCE_TILE + (gsize) (line % 64) * 16 + place % 16;
}

static void a_point_spreads_to_its_six_neighbours(void **state G_GNUC_UNUSED)
{
    /* In the middle of a tile, on all its edges, and on those of the grid. */
    static const guint points[][3] = {{1, 20, 5},  {1, 63, 15}, {1, 64, 16}, {0, 0, 0},
                                      {2, 99, 26}, {1, 63, 16}, {1, 64, 15}};
    g_autoptr(ReferenceUnits) units = reference_units_new(NUMBER_BF16, 4);
    const gsize count = reference_grid_count(&grid);
    g_autofree float *from = g_new0(float, count);
    g_autofree float *to = g_new0(float, count);

    for (guint i = 0; i < G_N_ELEMENTS(points); i++) {
        const guint *at = points[i];

        memset(from, 0, count * sizeof *from);
        from[cell(at[0], at[1], at[2])] = 1;
        reference_grid_laplacian(&grid, units, to, from);
        for (gsize j = 0; j < 3UL * 100 * 27; j++) {
            const guint layer = (guint) (j / 2700);
            const guint line = (guint) (j / 27 % 100);
            const guint place = (guint) (j % 27);
            const int distance = abs((int) layer - (int) at[0]) +
                                 abs((int) line - (int) at[1]) +
                                 abs((int) place - (int) at[2]);
            const float expected = distance == 0 ? 6.0F : distance == 1 ? -1.0F : 0.0F;

            assert_true(to[cell(layer, line, place)] == expected);
        }
    }
}

static void nothing_is_outside_the_grid(void **state G_GNUC_UNUSED)
{
    g_autoptr(ReferenceUnits) units = reference_units_new(NUMBER_FP32, 4);
    const gsize count = reference_grid_count(&grid);
    g_autofree float *from = g_new(float, count);
    g_autofree float *to = g_new0(float, count);
    guint inside = 0;

    for (gsize i = 0; i < count; i++) {
        from[i] = 1;
    }
    reference_grid_mask(&grid, from);
    reference_grid_laplacian(&grid, units, to, from);

    for (gsize i = 0; i < count; i++) {
        inside += from[i] == 1 ? 1 : 0;
        assert_true(from[i] == 1 || (from[i] == 0 && to[i] == 0));
    }
    assert_int_equal(inside, 3 * 100 * 27);
}

static void make_twos(gconstpointer data, gsize at)
{
    float *made = (float *) data;

    for (guint i = 0; i < REFERENCE_TILE; i++) {
        made[at + i] += 2;
    }
}

static void a_dot_product_counts_every_cell_once(void **state G_GNUC_UNUSED)
{
    g_autoptr(ReferenceUnits) units = reference_units_new(NUMBER_FP32, 4);
    ReferenceGrid by_number = grid;
    const gsize count = reference_grid_count(&grid);
    g_autofree float *ones = g_new(float, count);
    g_autofree float *made = g_new(float, count);
    const ReferencePair squares = {.a = ones, .b = ones};
    const ReferencePair late = {.a = ones, .b = made, .make = make_twos, .data = made};

    by_number.is_by_tile = false;
    for (gsize i = 0; i < count; i++) {
        ones[i] = 1;
    }
    reference_grid_mask(&grid, ones);

    assert_true(reference_grid_dot(&grid, units, &squares) == 8100);
    assert_true(reference_grid_dot(&by_number, units, &squares) == 8100);
    /* Tiles that are made just before they are used. */
    memset(made, 0, count * sizeof *made);
    assert_true(reference_grid_dot(&grid, units, &late) == 2 * 8100);
}

/* 2^24 + 1 is lost in single precision, 1 + 1 + 2^24 is not. */
static void a_core_adds_up_its_columns_layer_after_layer(void **state G_GNUC_UNUSED)
{
    g_autoptr(ReferenceUnits) units = reference_units_new(NUMBER_FP32, 4);
    const ReferenceGrid one_core = {.across = 2,
                                    .down = 1,
                                    .core_across = 2,
                                    .core_down = 1,
                                    .layers = 2,
                                    .lines = 64,
                                    .numbers = 32,
                                    .order = "cnsweud",
                                    .is_by_tile = true};
    const gsize count = reference_grid_count(&one_core);
    g_autofree float *a = g_new0(float, count);
    g_autofree float *ones = g_new0(float, count);
    const ReferencePair pair = {.a = a, .b = ones};

    /* Column 0 has 1 in the first layer and 2^24 in the second, column 1 has 1 in the
     * first. */
    a[0] = 1;
    a[REFERENCE_TILE] = 0x1p24F;
    a[2UL * REFERENCE_TILE] = 1;
    for (gsize i = 0; i < count; i++) {
        ones[i] = 1;
    }

    assert_int_equal(reference_grid_cores(&one_core), 1);
    assert_true(reference_grid_dot(&one_core, units, &pair) == 0x1p24F + 2);
}

static void the_solver_solves(void **state G_GNUC_UNUSED)
{
    enum {
        ITERATIONS = 400,
    };
    const gsize count = reference_grid_count(&grid);
    g_autofree float *b = g_new0(float, count);
    g_autofree float *x = g_new0(float, count);
    const ReferenceSystem system = {&grid, NUMBER_FP32, (const guint8 *) b};
    double norms[ITERATIONS + 1];
    guint done;

    /* b = A x for x = 1 at one corner cell of the cores. */
    b[cell(1, 63, 15)] = 6;
    b[cell(1, 62, 15)] = b[cell(1, 64, 15)] = -1;
    b[cell(1, 63, 14)] = b[cell(1, 63, 16)] = -1;
    b[cell(0, 63, 15)] = b[cell(2, 63, 15)] = -1;
    done = reference_double_pcg(&system, NULL, ITERATIONS, 1e-12, (guint8 *) x, norms);

    assert_true(done < ITERATIONS && norms[done] <= 1e-12 && norms[done - 1] > 1e-12);
    for (gsize i = 0; i < count; i++) {
        assert_true(fabs((double) x[i] - (i == cell(1, 63, 15) ? 1 : 0)) < 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_fpu),
        cmocka_unit_test(products_at_the_ends_are_those_of_the_fpu),
        cmocka_unit_test(sums_are_those_of_the_fpu),
        cmocka_unit_test(totals_are_those_of_the_fpu),
        cmocka_unit_test(totals_in_single_precision_add_vectors),
        cmocka_unit_test(quotients_are_those_of_the_sfpu),
        cmocka_unit_test(a_point_spreads_to_its_six_neighbours),
        cmocka_unit_test(nothing_is_outside_the_grid),
        cmocka_unit_test(a_dot_product_counts_every_cell_once),
        cmocka_unit_test(a_core_adds_up_its_columns_layer_after_layer),
        cmocka_unit_test(the_solver_solves),
    };

    return cmocka_run_group_tests_name("workloads.reference", tests, NULL, NULL);
}
