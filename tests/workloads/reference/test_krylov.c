/* References of solvers on columns: that they solve, and where they round. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "workloads/buffer/number_format.h"
#include "workloads/reference/krylov.h"

enum {
    COLUMNS = 4,
    ROWS = 3,
    LAYERS = 5,
    CELLS = COLUMNS * ROWS * LAYERS,
    MOST = 80,
};

static const double wind[REFERENCE_NEIGHBOURS] = {-0.1875, -0.1458, -0.25,
                                                  -0.0833, -0.2083, -0.125};

/* Every PE's sum goes to the first one, from the last on. */
static ReferenceColumns columns_of(ReferenceArithmetic arithmetic, guint *merges)
{
    for (gsize i = 0; i < COLUMNS * ROWS - 1; i++) {
        merges[2 * i] = 0;
        merges[2 * i + 1] = COLUMNS * ROWS - 1 - (guint) i;
    }
    return (ReferenceColumns){
        .columns = COLUMNS,
        .rows = ROWS,
        .layers = LAYERS,
        .arithmetic = arithmetic,
        .merges = merges,
        .merge_count = COLUMNS * ROWS - 1,
    };
}

static void fill(const ReferenceColumns *columns, double *vector)
{
    uint64_t state = 1;

    for (gsize i = 0; i < CELLS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        vector[i] =
            reference_columns_number(columns, (double) (state >> 11) * 0x1p-52 - 1);
    }
}

typedef guint (*Solver)(const ReferenceKrylov *self, double *x, double *squares);

/* The last norm and b - A x, of the first norm, after `iterations`. */
static void solve(ReferenceArithmetic arithmetic,
                  Solver solver,
                  guint iterations,
                  double *last,
                  double *residual)
{
    guint merges[2 * COLUMNS * ROWS];
    const ReferenceColumns columns = columns_of(arithmetic, merges);
    double b[CELLS];
    double x[CELLS] = {0};
    double r[CELLS];
    double squares[MOST + 1];
    ReferenceKrylov krylov = {
        .columns = &columns, .b = b, .tolerance = -1, .iterations = iterations};

    memcpy(krylov.coefficients, wind, sizeof wind);
    fill(&columns, b);
    assert_int_equal(solver(&krylov, x, squares), iterations);
    *last = sqrt(squares[iterations] / squares[0]);
    *residual =
        reference_krylov_residual(&krylov, x, solver == reference_krylov_pcg, r) /
        sqrt(squares[0]);
}

static void double_precision_solves(void **state G_GNUC_UNUSED)
{
    double last = 1;
    double residual = 1;

    solve(REFERENCE_DOUBLE, reference_krylov_pcg, 40, &last, &residual);
    assert_true(last < 1e-10);
    assert_true(residual < 1e-10);
    solve(REFERENCE_DOUBLE, reference_krylov_bicgstab, 20, &last, &residual);
    assert_true(last < 1e-10);
    assert_true(residual < 1e-10);
}

static void other_precisions_solve_as_far_as_they_can(void **state G_GNUC_UNUSED)
{
    static const struct {
        ReferenceArithmetic arithmetic;
        double residual;
    } cases[] = {{REFERENCE_SINGLE, 1e-5}, {REFERENCE_MIXED, 2e-2}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        double last = 1;
        double residual = 1;

        solve(cases[i].arithmetic, reference_krylov_pcg, 15, &last, &residual);
        assert_true(residual < cases[i].residual);
        solve(cases[i].arithmetic, reference_krylov_bicgstab, 8, &last, &residual);
        assert_true(residual < cases[i].residual);
    }
}

/* From any start the residual of which is solved for. */
static void a_solution_is_added_to_its_start(void **state G_GNUC_UNUSED)
{
    guint merges[2 * COLUMNS * ROWS];
    const ReferenceColumns columns = columns_of(REFERENCE_DOUBLE, merges);
    double b[CELLS];
    double x[CELLS];
    double r[CELLS];
    double squares[MOST + 1];
    ReferenceKrylov krylov = {
        .columns = &columns, .b = b, .tolerance = -1, .iterations = 40};
    double norm;

    fill(&columns, b);
    for (gsize i = 0; i < CELLS; i++) {
        x[i] = (double) (i % 7);
    }
    norm = reference_krylov_residual(&krylov, x, true, r);
    krylov.b = r;
    (void) reference_krylov_pcg(&krylov, x, squares);
    krylov.b = b;

    assert_true(fabs(sqrt(squares[0]) - norm) < 1e-12 * norm);
    assert_true(reference_krylov_residual(&krylov, x, true, r) < 1e-9 * norm);
}

/* The norms are those of another matrix, which is solved. */
static void a_diagonal_replaces_6(void **state G_GNUC_UNUSED)
{
    guint merges[2 * COLUMNS * ROWS];
    ReferenceColumns columns = columns_of(REFERENCE_DOUBLE, merges);
    double diagonal[CELLS];
    double b[CELLS];
    double x[CELLS] = {0};
    double r[CELLS];
    double squares[MOST + 1];
    ReferenceKrylov krylov = {
        .columns = &columns, .b = b, .tolerance = -1, .iterations = 30};

    for (gsize i = 0; i < CELLS; i++) {
        diagonal[i] = 7 + (double) (i % 3);
    }
    fill(&columns, b);
    columns.diagonal = diagonal;
    (void) reference_krylov_pcg(&krylov, x, squares);

    assert_true(reference_krylov_residual(&krylov, x, true, r) <
                1e-9 * sqrt(squares[0]));
    ReferenceColumns plain = columns;
    plain.diagonal = NULL;
    krylov.columns = &plain;
    assert_true(reference_krylov_residual(&krylov, x, true, r) >
                0.01 * sqrt(squares[0]));
}

static void a_tolerance_ends_a_solve(void **state G_GNUC_UNUSED)
{
    guint merges[2 * COLUMNS * ROWS];
    const ReferenceColumns columns = columns_of(REFERENCE_SINGLE, merges);
    double b[CELLS];
    double x[CELLS] = {0};
    double squares[MOST + 1];
    ReferenceKrylov krylov = {.columns = &columns, .b = b, .iterations = MOST};
    guint done;

    fill(&columns, b);
    krylov.tolerance = 0.01;
    done = reference_krylov_pcg(&krylov, x, squares);

    assert_true(done > 1 && done < MOST);
    assert_true(squares[done] <= 1e-4 && squares[done - 1] > 1e-4);
    krylov.tolerance = 100;
    assert_int_equal(reference_krylov_pcg(&krylov, x, squares), 0);
}

/* Against the conversion of host memory, which is written another way. */
static void halves_are_rounded_as_in_memory(void **state G_GNUC_UNUSED)
{
    static const double values[] = {
        0,    1,       -1,      1.0 / 3, 65504,   65519.9, 65520,       1e9,
        -1e9, 0x1p-14, 0x1p-24, 0x1p-25, 0x3p-25, 6.1e-5,  1 + 0x1p-11, 1 + 0x3p-11,
        2049, -2051,   1e-30,   0.09999, 2047.5,  2048.5,  0x1.ffep-15, 0x1.ffdp-15,
    };
    const ReferenceColumns columns = {.arithmetic = REFERENCE_MIXED};

    for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
        guint8 bytes[2];

        number_format_put(NUMBER_FP16, bytes, 0, values[i]);
        assert_true(reference_columns_number(&columns, values[i]) ==
                    number_format_get(NUMBER_FP16, bytes, 0));
    }
}

static void halves_have_the_bits_of_ieee_754(void **state G_GNUC_UNUSED)
{
    static const struct {
        double value;
        uint16_t bits;
    } cases[] = {
        {1, 0x3c00},       {-2, 0xc000},       {65504, 0x7bff},       {65520, 0x7c00},
        {0x1p-14, 0x0400}, {0x1p-24, 0x0001},  {0x1p-25, 0},          {1.0 / 3, 0x3555},
        {-0.0, 0x8000},    {HUGE_VAL, 0x7c00}, {0x1.ffep-15, 0x0400},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint16_t bits = 0;

        number_format_put(NUMBER_FP16, (guint8 *) &bits, 0, cases[i].value);
        assert_int_equal(bits, cases[i].bits);
    }
}

/* 0.1 is not a number of either format: an update rounds once, a sum of a column at
 * every cell. */
static void rounding_is_where_the_header_says(void **state G_GNUC_UNUSED)
{
    static const guint merges[] = {0, 1};
    ReferenceColumns columns = {.columns = 2,
                                .rows = 1,
                                .layers = 2,
                                .arithmetic = REFERENCE_SINGLE,
                                .merges = merges,
                                .merge_count = 1};
    const double third = (double) (1.0F / 3.0F);
    const double a[] = {third, third, third, third};
    double to[4];

    const float column =
        fmaf((float) third, (float) third, (float) third * (float) third);

    assert_true(reference_columns_dot(&columns, a, a) == (double) (column + column));
    reference_columns_update(&columns, to, a, 0.1, a);
    assert_true(to[0] == (double) fmaf((float) third, 0.1F, (float) third));

    columns.arithmetic = REFERENCE_MIXED;
    const double half = reference_columns_number(&columns, third);
    const double tenth = reference_columns_number(&columns, 0.1);
    const double b[] = {half, half, half, half};

    assert_true(half != third && tenth != 0.1);
    reference_columns_update(&columns, to, b, 0.1, b);
    assert_true(to[0] == reference_columns_number(&columns, fma(half, tenth, half)));
    const float mixed = fmaf((float) half, (float) half, (float) half * (float) half);

    assert_true(reference_columns_dot(&columns, b, b) == (double) (mixed + mixed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_precision_solves),
        cmocka_unit_test(other_precisions_solve_as_far_as_they_can),
        cmocka_unit_test(a_solution_is_added_to_its_start),
        cmocka_unit_test(a_diagonal_replaces_6),
        cmocka_unit_test(a_tolerance_ends_a_solve),
        cmocka_unit_test(halves_are_rounded_as_in_memory),
        cmocka_unit_test(halves_have_the_bits_of_ieee_754),
        cmocka_unit_test(rounding_is_where_the_header_says),
    };

    return cmocka_run_group_tests_name("workloads.reference_krylov", tests, NULL, NULL);
}
