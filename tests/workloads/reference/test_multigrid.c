/* The multigrid reference: how fast it converges, that an exact solution stays, and
 * where it rounds. */
#include <stdint.h>

#include "tests/workloads/buffer_chunk.h"
#include "workloads/reference/multigrid.h"

enum {
    SIDE = 15,
    CELLS = SIDE * SIDE * SIDE,
    CYCLES = 6,
};

static const double jacobi[] = {1.0 / 7, 1.0 / 7}; /* 6/7 of 1/6 */
static const double exact[] = {1.0 / 6};           /* for a single cell */

static ReferenceMultigrid problem_of(Rounding rounding)
{
    return (ReferenceMultigrid){
        .columns = SIDE,
        .rows = SIDE,
        .layers = SIDE,
        .levels = 4,
        .cycles = CYCLES,
        .is_fused = true,
        .rounding = rounding,
        .before = {jacobi, G_N_ELEMENTS(jacobi)},
        .after = {jacobi, G_N_ELEMENTS(jacobi)},
        .coarsest = {exact, 1},
    };
}

static void fill(double *vector)
{
    uint64_t state = 1;

    for (gsize i = 0; i < CELLS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        vector[i] = (double) (float) ((double) (state >> 11) * 0x1p-52 - 1);
    }
}

/* The last quotient of norms, and the last of the first. */
static void solve(const ReferenceMultigrid *problem, double *factor, double *last)
{
    g_autofree double *b = g_new(double, CELLS);
    g_autofree double *x = g_new0(double, CELLS);
    double norms[CYCLES + 1];

    fill(b);
    reference_multigrid(problem, b, x, norms);
    *factor = norms[CYCLES] / norms[CYCLES - 1];
    *last = norms[CYCLES] / norms[0];
}

/* Local Fourier analysis says 0.25 for V(2, 2) with omega 6/7. */
static void norms_fall_as_theory_says(void **state G_GNUC_UNUSED)
{
    ReferenceMultigrid problem = problem_of(ROUNDING_NONE);
    double factor = 1;
    double last = 1;

    solve(&problem, &factor, &last);
    assert_true(factor > 0.15 && factor < 0.26);
    problem.is_red_black = true;
    solve(&problem, &factor, &last);
    assert_true(factor > 0.05 && factor < 0.17);
}

static void roundings_leave_a_floor(void **state G_GNUC_UNUSED)
{
    static const struct {
        Rounding rounding;
        double least;
        double most;
    } cases[] = {{ROUNDING_NONE, 1e-6, 1e-4},
                 {ROUNDING_SINGLE, 1e-6, 1e-4},
                 {ROUNDING_HALF, 1e-4, 5e-3},
                 {ROUNDING_UPPER, 1e-3, 0.1}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const ReferenceMultigrid problem = problem_of(cases[i].rounding);
        double factor = 1;
        double last = 1;

        solve(&problem, &factor, &last);
        assert_true(last > cases[i].least && last < cases[i].most);
    }
}

/* One cell: b = 6 x. */
static void a_solution_stays(void **state G_GNUC_UNUSED)
{
    const ReferenceMultigrid problem = {.columns = 1,
                                        .rows = 1,
                                        .layers = 1,
                                        .levels = 1,
                                        .cycles = 1,
                                        .rounding = ROUNDING_SINGLE,
                                        .coarsest = {exact, 1}};
    const double b = 12;
    double x = 2;
    double norms[2] = {1, 1};

    reference_multigrid(&problem, &b, &x, norms);
    assert_true(x == 2);
    assert_true(norms[0] == 0 && norms[1] == 0);
}

/* A single cell with 1/6 is solved at once; each cycle of 1/12 halves its residual. */
static void scripts_make_cycles(void **state G_GNUC_UNUSED)
{
    buffer_chunk_assert_prints(
        "local b = buffer(4)\n"
        "b:set('fp32', 0, 12)\n"
        "local grid = { columns = 1, rows = 1, layers = 1, levels = 1, cycles = 2 }\n"
        "grid.coarsest = { 1 / 12 }\n"
        "local norms, x = b:multigrid(grid)\n"
        "print(norms[0], norms[1], norms[2], x:get('fp32', 0))\n"
        "grid.start, grid.arithmetic = x, 'double'\n"
        "print(b:multigrid(grid)[2])\n"
        "print(#select(2, buffer(4, true):multigrid(grid)))",
        "12.0\t6.0\t3.0\t1.5\n0.75\n4\n");
}

static void levels_that_cannot_be_are_refused(void **state G_GNUC_UNUSED)
{
    static const BufferChunkRefusal cases[] = {
        {"buffer(4 * 64):multigrid { columns = 4, rows = 4, layers = 4, levels = 2, "
         "cycles = 1 }",
         "fewer levels"},
        {"buffer(4 * 27):multigrid { columns = 3, rows = 3, layers = 3, levels = 3, "
         "cycles = 1 }",
         "fewer levels"},
        {"buffer(4):multigrid { columns = 3, rows = 3, layers = 3, levels = 2, cycles "
         "= 1 "
         "}",
         "not as large"},
        {"buffer(4):multigrid { columns = 1, rows = 1, layers = 1, levels = 0, cycles "
         "= 1 "
         "}",
         "levels"},
        {"buffer(4):multigrid { columns = 1, rows = 1, layers = 1, levels = 1, cycles "
         "= "
         "1, coarsest = { 'a' } }",
         "number"},
        {"buffer(4):multigrid(1)", "table"},
    };

    buffer_chunk_assert_refused("", cases, G_N_ELEMENTS(cases), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(norms_fall_as_theory_says),
        cmocka_unit_test(roundings_leave_a_floor),
        cmocka_unit_test(a_solution_stays),
        cmocka_unit_test(scripts_make_cycles),
        cmocka_unit_test(levels_that_cannot_be_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
