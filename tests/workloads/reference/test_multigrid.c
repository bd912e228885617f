/* The multigrid reference: how fast it converges, that an exact solution stays, and
 * where it rounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(norms_fall_as_theory_says),
        cmocka_unit_test(roundings_leave_a_floor),
        cmocka_unit_test(a_solution_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
