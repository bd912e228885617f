/* The least sum of absolute errors, as a linear program for GLPK.
 *
 * min sum |E_i - a_i x|, x >= 0 has a variable for each run twice over. Its dual has
 * only as many rows as there are prices: max E y with A^T y <= 0 and -1 <= y <= 1. Its
 * optimum is the same, and the prices are the dual values of its rows. */
#include "arch/model/energy/regression.h"

#include <glpk.h>
#include <math.h>

#include "arch/error.h"
#include "sim/narrow.h"

/* On numbers that are scaled to 1. */
#define TOLERANCE 1e-10

enum {
    MOST_STEPS = 1000000, /* of the solver: a limit of time would not be the same on
                           * every machine */
};

/* What prices and energies are divided by, so that all numbers are about 1. */
typedef struct {
    double use[GPU_ENERGY_TERMS];
    double joules;
} Scale;

static Scale scale_of(const GpuRun *runs, gsize count)
{
    Scale scale = {0};

    for (gsize i = 0; i < count; i++) {
        scale.joules = fmax(scale.joules, runs[i].joules);
        for (guint j = 0; j < GPU_ENERGY_TERMS; j++) {
            scale.use[j] = fmax(scale.use[j], runs[i].use.of[j]);
        }
    }
    return scale;
}

/* A column of the dual: one run. GLPK counts from 1. */
static void
set_column(glp_prob *problem, int column, const GpuRun *run, const Scale *scale)
{
    int rows[GPU_ENERGY_TERMS + 1] = {0};
    double values[GPU_ENERGY_TERMS + 1] = {0};
    int length = 0;

    for (int j = 0; j < GPU_ENERGY_TERMS; j++) {
        if (run->use.of[j] > 0) {
            length++;
            rows[length] = j + 1;
            values[length] = run->use.of[j] / scale->use[j];
        }
    }
    glp_set_mat_col(problem, column, length, rows, values);
    glp_set_col_bnds(problem, column, GLP_DB, -1, 1);
    glp_set_obj_coef(problem, column, run->joules / scale->joules);
}

static glp_prob *build(const GpuRun *runs, gsize count, const Scale *scale)
{
    glp_prob *problem = glp_create_prob();

    glp_set_obj_dir(problem, GLP_MAX);
    glp_add_rows(problem, GPU_ENERGY_TERMS);
    for (int j = 1; j <= GPU_ENERGY_TERMS; j++) {
        glp_set_row_bnds(problem, j, GLP_UP, 0, 0);
    }
    glp_add_cols(problem, sim_i32(count));
    for (gsize i = 0; i < count; i++) {
        set_column(problem, sim_i32(i) + 1, &runs[i], scale);
    }
    return problem;
}

static bool solve(glp_prob *problem)
{
    glp_smcp how;

    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    how.it_lim = MOST_STEPS;
    how.tol_bnd = TOLERANCE;
    how.tol_dj = TOLERANCE;
    glp_std_basis(problem);
    return glp_simplex(problem, &how) == 0 && glp_get_status(problem) == GLP_OPT;
}

static void take(glp_prob *problem, const Scale *scale, GpuEnergyCosts *costs)
{
    for (int j = 0; j < GPU_ENERGY_TERMS; j++) {
        /* What no run uses has no price that could be found; rounding may leave one a
         * hair below 0. */
        costs->of[j] = scale->use[j] > 0 ? fmax(0, glp_get_row_dual(problem, j + 1)) *
                                               scale->joules / scale->use[j]
                                         : 0;
    }
}

static double
sum_of_errors(const GpuRun *runs, gsize count, const GpuEnergyCosts *costs)
{
    double sum = 0;

    for (gsize i = 0; i < count; i++) {
        sum += fabs(gpu_energy_of(&runs[i].use, costs) - runs[i].joules);
    }
    return sum;
}

bool gpu_regression_least_absolute(
    const GpuRun *runs, gsize count, GpuEnergyCosts *costs, double *sum, GError **error)
{
    if (count == 0 || count > G_MAXINT32 / 2) {
        return arch_refuse(
            error, "%" G_GSIZE_FORMAT " runs to find prices from, allowed are 1 to %d",
            count, G_MAXINT32 / 2);
    }
    const Scale scale = scale_of(runs, count);

    (void) glp_term_out(GLP_OFF);
    glp_prob *problem = build(runs, count, &scale);
    const bool is_solved = solve(problem);

    if (is_solved) {
        take(problem, &scale, costs);
    }
    glp_delete_prob(problem);
    (void) glp_free_env();
    if (!is_solved) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                        "the linear program of %" G_GSIZE_FORMAT
                        " runs has no solution that could be found",
                        count);
    }
    if (sum != NULL) {
        *sum = sum_of_errors(runs, count, costs);
    }
    return true;
}

double gpu_regression_rmse(const GpuRun *runs, gsize count, const GpuEnergyCosts *costs)
{
    double sum = 0;

    for (gsize i = 0; i < count; i++) {
        const double error =
            (gpu_energy_of(&runs[i].use, costs) - runs[i].joules) / runs[i].joules;

        sum += error * error;
    }
    return count == 0 ? NAN : sqrt(sum / (double) count);
}
