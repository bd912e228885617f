/* Regression against known truths, against brute force, and where it has no answer. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/energy/regression.h"
#include "arch/model/energy/samples.h"
#include "sim/random.h"
#include "tests/arch/near.h"
#include "tests/arch/shipped.h"

enum {
    MOST_RUNS = 8,
    MOST_PRICES = 3,
    SEEDS = 50,
};

static GpuEnergyCosts truth_of(GpuEnergySet set)
{
    g_autoptr(ArchParams) chip = shipped_params("k20c");
    GpuEnergyCosts costs;

    assert_true(gpu_energy_costs(chip, set, &costs, NULL));
    return costs;
}

/* Runs that the prices are found from, of one program or all. */
static GArray *runs_of(const GpuEnergyDraw *draw, const char *program)
{
    g_autoptr(GArray) samples = gpu_energy_samples_draw(
        draw, program == NULL ? NULL : gpu_energy_program_find(program));
    const guint training = gpu_energy_samples_split(samples, 0.1, draw->seed);
    GArray *runs = g_array_new(FALSE, FALSE, sizeof(GpuRun));

    for (guint i = 0; i < training; i++) {
        const GpuRun run =
            gpu_energy_sample_run(&g_array_index(samples, GpuEnergySample, i));

        g_array_append_val(runs, run);
    }
    return runs;
}

/* The largest error of prices and sums that can be known, as a part of the truth. */
static double
worst_of(const GArray *runs, const GpuEnergyCosts *found, const GpuEnergyCosts *truth)
{
    GpuRegressionRank rank;
    double worst = 0;

    gpu_regression_rank((const GpuRun *) (const void *) runs->data, runs->len, &rank);
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        if (rank.is_used[i] && !rank.is_dropped[i]) {
            const double right = gpu_regression_sum(&rank, (GpuEnergyTerm) i, truth);
            const double sum = gpu_regression_sum(&rank, (GpuEnergyTerm) i, found);

            worst = fmax(worst, fabs(sum - right) / right);
        }
    }
    return worst;
}

static GpuEnergyCosts least_absolute(const GArray *runs, double *sum)
{
    GpuEnergyCosts costs;
    g_autoptr(GError) error = NULL;

    if (!gpu_regression_least_absolute((const GpuRun *) (const void *) runs->data,
                                       runs->len, &costs, sum, &error)) {
        fail_msg("%s", error->message);
    }
    return costs;
}

static void truth_is_found_exactly_without_noise(void **state)
{
    GpuEnergyDraw draw = {.truth = truth_of(GPU_ENERGY_MICROBENCHMARK)};
    static const char *const programs[] = {NULL, "sw", "j1d", "j2d"};

    (void) state;
    for (draw.seed = 1; draw.seed <= SEEDS; draw.seed++) {
        for (gsize i = 0; i < G_N_ELEMENTS(programs); i++) {
            g_autoptr(GArray) runs = runs_of(&draw, programs[i]);
            const GpuRun *data = (const GpuRun *) (const void *) runs->data;
            double sum = 0;
            const GpuEnergyCosts found = least_absolute(runs, &sum);
            GpuEnergyCosts squares;

            assert_near("L1", worst_of(runs, &found, &draw.truth), 0, 1e-6);
            assert_near("RMSE", gpu_regression_rmse(data, runs->len, &found), 0, 1e-8);
            gpu_regression_least_squares(data, runs->len, &squares);
            assert_near("L2", worst_of(runs, &squares, &draw.truth), 0, 1e-6);
        }
    }
}

/* RMSE of prices on the same runs as they would be without noise. */
static double clean_error(const GpuEnergyDraw *draw, const GpuEnergyCosts *prices)
{
    const GpuEnergyDraw clean = {.truth = draw->truth, .seed = draw->seed};
    g_autoptr(GArray) samples = gpu_energy_samples_draw(&clean, NULL);
    g_autofree GpuRun *runs = g_new(GpuRun, samples->len);

    for (guint i = 0; i < samples->len; i++) {
        runs[i] = gpu_energy_sample_run(&g_array_index(samples, GpuEnergySample, i));
    }
    return gpu_regression_rmse(runs, samples->len, prices);
}

/* A twentieth of the runs costs twice as much: the sum of absolute errors finds the
 * truth in spite of them, unless one of them is so large a run that it outweighs all
 * others; squares never do. */
static void outliers_do_not_move_the_least_absolute_errors(void **state)
{
    GpuEnergyDraw draw = {.truth = truth_of(GPU_ENERGY_MICROBENCHMARK),
                          .outliers = 0.05};
    guint exact = 0;
    guint spoiled = 0;

    (void) state;
    for (draw.seed = 1; draw.seed <= SEEDS; draw.seed++) {
        g_autoptr(GArray) runs = runs_of(&draw, NULL);
        const GpuEnergyCosts found = least_absolute(runs, NULL);
        GpuEnergyCosts squares;

        gpu_regression_least_squares((const GpuRun *) (const void *) runs->data,
                                     runs->len, &squares);
        exact += worst_of(runs, &found, &draw.truth) < 1e-6 ? 1 : 0;
        spoiled += worst_of(runs, &squares, &draw.truth) > 0.05 ? 1 : 0;
    }
    assert_in_range(exact, SEEDS - 2, SEEDS);
    assert_in_range(spoiled, SEEDS - 2, SEEDS);
}

/* Noise moves prices of what costs little, such as multiplications, by more than they
 * are; P_stat by less than an eighth, and the energies of all runs by less than itself.
 */
static void noise_moves_energies_by_less_than_itself(void **state)
{
    GpuEnergyDraw draw = {.truth = truth_of(GPU_ENERGY_MICROBENCHMARK), .noise = 0.02};

    (void) state;
    for (draw.seed = 1; draw.seed <= SEEDS; draw.seed++) {
        g_autoptr(GArray) runs = runs_of(&draw, NULL);
        const GpuEnergyCosts found = least_absolute(runs, NULL);

        assert_true(clean_error(&draw, &found) < draw.noise);
        assert_near("P_stat", found.of[GPU_ENERGY_STATIC] / 48, 1, 1.0 / 8);
    }
}

static void what_always_goes_together_is_said(void **state)
{
    const GpuEnergyDraw draw = {.truth = truth_of(GPU_ENERGY_MICROBENCHMARK),
                                .seed = 3};
    g_autoptr(GArray) all = runs_of(&draw, NULL);
    g_autoptr(GArray) j1d = runs_of(&draw, "j1d");
    g_autoptr(GArray) j2d = runs_of(&draw, "j2d");
    GpuRegressionRank rank;

    (void) state;
    gpu_regression_rank((const GpuRun *) (const void *) all->data, all->len, &rank);
    assert_int_equal(rank.rank, 6);
    assert_true(rank.is_known[GPU_ENERGY_MULTIPLY]);
    assert_false(rank.is_known[GPU_ENERGY_INTEGER_ADD] ||
                 rank.is_known[GPU_ENERGY_INTEGER_MAX]);
    g_autofree char *pair = gpu_regression_sum_name(&rank, GPU_ENERGY_INTEGER_ADD);
    assert_string_equal(pair, "e_iadd + e_imax");
    assert_near("sum", gpu_regression_sum(&rank, GPU_ENERGY_INTEGER_ADD, &draw.truth),
                12e-11, 1e-18);

    gpu_regression_rank((const GpuRun *) (const void *) j1d->data, j1d->len, &rank);
    assert_int_equal(rank.rank, 4);
    assert_false(rank.is_used[GPU_ENERGY_INTEGER_ADD]);
    g_autofree char *flat = gpu_regression_sum_name(&rank, GPU_ENERGY_ADD);
    assert_string_equal(flat, "e_fadd + 0.5 e_fmul");

    /* mu_sr V words, 4 V additions and V multiplications: one number is left. */
    gpu_regression_rank((const GpuRun *) (const void *) j2d->data, j2d->len, &rank);
    assert_int_equal(rank.rank, 3);
    g_autofree char *deep = gpu_regression_sum_name(&rank, GPU_ENERGY_SHARED);
    assert_string_equal(deep, "e_sr + 0.6667 e_fadd + 0.1667 e_fmul");
    assert_true(rank.is_known[GPU_ENERGY_STATIC] && rank.is_known[GPU_ENERGY_GLOBAL]);
}

static void fewer_runs_than_prices_know_sums_only(void **state)
{
    const GpuRun runs[] = {{.use = {{1, 2, 3, 4, 5, 6, 7}}, .joules = 10},
                           {.use = {{2, 2, 1, 1, 3, 2, 2}}, .joules = 7}};
    GpuRegressionRank rank;
    GpuEnergyCosts costs;
    double sum = 1;

    (void) state;
    gpu_regression_rank(runs, G_N_ELEMENTS(runs), &rank);
    assert_int_equal(rank.rank, 2);
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        assert_false(rank.is_known[i]);
    }
    assert_true(
        gpu_regression_least_absolute(runs, G_N_ELEMENTS(runs), &costs, &sum, NULL));
    assert_near("sum", sum, 0, 1e-9);
}

static void terms_that_differ_a_little_are_told_apart(void **state)
{
    GpuRun runs[] = {{.use = {{1, 1}}, .joules = 3}, {.use = {{1, 1}}, .joules = 3}};
    GpuRegressionRank rank;

    (void) state;
    runs[1].use.of[GPU_ENERGY_GLOBAL] = 1.00001;
    gpu_regression_rank(runs, G_N_ELEMENTS(runs), &rank);
    assert_int_equal(rank.rank, 2);
    assert_true(rank.is_known[GPU_ENERGY_STATIC] && rank.is_known[GPU_ENERGY_GLOBAL]);
    runs[1].use.of[GPU_ENERGY_GLOBAL] = 1 + 1e-12; /* which rounding may be */
    gpu_regression_rank(runs, G_N_ELEMENTS(runs), &rank);
    assert_int_equal(rank.rank, 1);
}

static void errors_are_parts_of_what_was_measured(void **state)
{
    /* 130 J instead of 100 J, and 30 J instead of 50 J. */
    const GpuRun runs[] = {{.use = {{13}}, .joules = 100},
                           {.use = {{3}}, .joules = 50}};
    const GpuEnergyCosts costs = {{10}};

    (void) state;
    assert_near("RMSE", gpu_regression_rmse(runs, 2, &costs),
                sqrt((0.3 * 0.3 + 0.4 * 0.4) / 2), 1e-15);
}

static void no_run_is_refused(void **state)
{
    g_autoptr(GError) error = NULL;
    GpuEnergyCosts costs;

    (void) state;
    assert_false(gpu_regression_least_absolute(NULL, 0, &costs, NULL, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_true(isnan(gpu_regression_rmse(NULL, 0, &costs)));
}

/* A small system: equations of runs, and below them one for each price that is 0. */
typedef struct {
    GpuRun runs[MOST_RUNS];
    guint run_count;
    guint price_count;
} Case;

static double coefficient(const Case *self, guint equation, guint price)
{
    return equation < self->run_count ? self->runs[equation].use.of[price]
                                      : (equation - self->run_count == price ? 1 : 0);
}

static double side(const Case *self, guint equation)
{
    return equation < self->run_count ? self->runs[equation].joules : 0;
}

/* Solves the chosen equations by Gauss-Jordan; false where they are singular. */
static bool solve(const Case *self, const guint *chosen, double *prices)
{
    double matrix[MOST_PRICES][MOST_PRICES + 1] = {{0}};
    const guint n = self->price_count;

    for (guint i = 0; i < n; i++) {
        for (guint j = 0; j < n; j++) {
            matrix[i][j] = coefficient(self, chosen[i], j);
        }
        matrix[i][n] = side(self, chosen[i]);
    }
    for (guint k = 0; k < n; k++) {
        guint best = k;

        for (guint i = k + 1; i < n; i++) {
            best = fabs(matrix[i][k]) > fabs(matrix[best][k]) ? i : best;
        }
        for (guint j = 0; j <= n; j++) {
            const double kept = matrix[k][j];

            matrix[k][j] = matrix[best][j];
            matrix[best][j] = kept;
        }
        if (fabs(matrix[k][k]) < 1e-9) {
            return false;
        }
        for (guint i = 0; i < n; i++) {
            const double part = i == k ? 0 : matrix[i][k] / matrix[k][k];

            for (guint j = 0; j <= n; j++) {
                matrix[i][j] -= part * matrix[k][j];
            }
        }
    }
    for (guint k = 0; k < n; k++) {
        prices[k] = matrix[k][n] / matrix[k][k];
    }
    return true;
}

static double errors_of(const Case *self, const double *prices)
{
    double sum = 0;

    for (guint i = 0; i < self->run_count; i++) {
        double energy = 0;

        for (guint j = 0; j < self->price_count; j++) {
            energy += self->runs[i].use.of[j] * prices[j];
        }
        sum += fabs(energy - self->runs[i].joules);
    }
    return sum;
}

/* An optimum is a corner: as many equations hold exactly as there are prices. */
static double brute_force(const Case *self)
{
    const guint equations = self->run_count + self->price_count;
    double least = INFINITY;

    for (guint set = 0; set < 1U << equations; set++) {
        guint chosen[MOST_RUNS + MOST_PRICES] = {0};
        double prices[MOST_PRICES] = {0};
        guint count = 0;

        for (guint i = 0; i < equations; i++) {
            if ((set >> i & 1) != 0) {
                chosen[count++] = i;
            }
        }
        if (count != self->price_count || !solve(self, chosen, prices)) {
            continue;
        }
        bool is_allowed = true;

        for (guint j = 0; j < self->price_count; j++) {
            is_allowed = is_allowed && prices[j] >= -1e-12;
        }
        least = is_allowed ? fmin(least, errors_of(self, prices)) : least;
    }
    return least;
}

static void the_linear_program_is_as_good_as_brute_force(void **state)
{
    uint64_t random = sim_random_stream(12, 3);

    (void) state;
    for (guint i = 0; i < 300; i++) {
        Case small = {.price_count = 1 + sim_random_below(&random, MOST_PRICES)};
        GpuEnergyCosts costs;
        double sum = 0;

        small.run_count = small.price_count +
                          sim_random_below(&random, MOST_RUNS - small.price_count + 1);
        for (guint run = 0; run < small.run_count; run++) {
            for (guint j = 0; j < small.price_count; j++) {
                /* Zeros and equal rows, too. */
                small.runs[run].use.of[j] = sim_random_below(&random, 5);
            }
            small.runs[run].joules = 0.5 + sim_random_below(&random, 9);
        }
        assert_true(gpu_regression_least_absolute(small.runs, small.run_count, &costs,
                                                  &sum, NULL));
        assert_near("sum of errors", sum, brute_force(&small), 1e-8);
        for (guint j = 0; j < GPU_ENERGY_TERMS; j++) {
            assert_true(costs.of[j] >= 0);
        }
    }
}

static void the_same_seed_draws_the_same_and_another_does_not(void **state)
{
    GpuEnergyDraw draw = {
        .truth = truth_of(GPU_ENERGY_REGRESSION), .seed = 5, .noise = 0.1};
    g_autoptr(GArray) one = gpu_energy_samples_draw(&draw, NULL);
    g_autoptr(GArray) two = gpu_energy_samples_draw(&draw, NULL);

    (void) state;
    assert_int_equal(one->len, 298 + 265 + 125);
    for (guint i = 0; i < one->len; i++) {
        const GpuEnergySample *a = &g_array_index(one, GpuEnergySample, i);
        const GpuEnergySample *b = &g_array_index(two, GpuEnergySample, i);

        assert_true(a->joules == b->joules && a->seconds == b->seconds);
        assert_true(a->joules > 0 && isfinite(a->joules));
    }
    draw.seed = 6;
    g_autoptr(GArray) other = gpu_energy_samples_draw(&draw, NULL);

    assert_true(g_array_index(one, GpuEnergySample, 0).joules !=
                g_array_index(other, GpuEnergySample, 0).joules);
    assert_int_equal(gpu_energy_samples_split(other, 0.1, 1), 69);
    assert_int_equal(gpu_energy_samples_split(other, 0, 1), 1);
    assert_int_equal(gpu_energy_samples_split(other, 1, 1), 688);
}

/* Without noise the model chooses the right tile always, and an error is never more
 * than what noise can make of two energies. */
static void wrong_choices_come_from_noise(void **state)
{
    static const double noises[] = {0.004, 0.05};
    GpuEnergyDraw draw = {.truth = truth_of(GPU_ENERGY_MICROBENCHMARK), .seed = 1};
    GpuEnergyTrial trial;

    (void) state;
    for (guint i = 0; i < 3; i++) {
        draw.noise = 0;
        gpu_energy_samples_try(&draw, gpu_energy_program_at(i), &trial);
        assert_int_equal(trial.wrong, 0);
        assert_near("worst", trial.worst, 0, 0);
        for (guint k = 0; k < G_N_ELEMENTS(noises); k++) {
            draw.noise = noises[k];
            gpu_energy_samples_try(&draw, gpu_energy_program_at(i), &trial);
            assert_in_range(trial.wrong, 1, trial.problems / 2);
            assert_true(trial.worst > 0 &&
                        trial.worst <= (1 + noises[k]) / (1 - noises[k]) - 1);
            assert_true(trial.rmse > 0 && trial.rmse < trial.worst);
        }
    }
}

/* The loop of a benchmark adds a 64th of an integer addition, no more. */
static void benchmarks_find_prices_but_for_their_loops(void **state)
{
    const GpuEnergyDraw draw = {.truth = truth_of(GPU_ENERGY_MICROBENCHMARK),
                                .seed = 1};
    const double rates[GPU_ENERGY_TERMS] = {0, 5e10, 6e11, 2e12, 2e12, 2e12, 2e12};
    GpuEnergyProbe probes[GPU_ENERGY_TERMS];
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_true(gpu_energy_samples_probe(&draw, rates, 1, probes, NULL));
    assert_int_equal(probes[GPU_ENERGY_ADD].readings, 62);
    assert_near("P_stat", probes[GPU_ENERGY_STATIC].price, 48, 1e-9);
    for (guint i = GPU_ENERGY_GLOBAL; i < GPU_ENERGY_TERMS; i++) {
        assert_near(gpu_energy_term_name((GpuEnergyTerm) i), probes[i].price,
                    draw.truth.of[i] + 7.2e-11 / 64, 1e-18);
    }
    assert_false(gpu_energy_samples_probe(&draw, rates, 0.015, probes, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_false(gpu_energy_samples_probe(&draw, rates, 1e300, probes, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth_is_found_exactly_without_noise),
        cmocka_unit_test(outliers_do_not_move_the_least_absolute_errors),
        cmocka_unit_test(noise_moves_energies_by_less_than_itself),
        cmocka_unit_test(what_always_goes_together_is_said),
        cmocka_unit_test(fewer_runs_than_prices_know_sums_only),
        cmocka_unit_test(terms_that_differ_a_little_are_told_apart),
        cmocka_unit_test(errors_are_parts_of_what_was_measured),
        cmocka_unit_test(no_run_is_refused),
        cmocka_unit_test(the_linear_program_is_as_good_as_brute_force),
        cmocka_unit_test(the_same_seed_draws_the_same_and_another_does_not),
        cmocka_unit_test(wrong_choices_come_from_noise),
        cmocka_unit_test(benchmarks_find_prices_but_for_their_loops),
    };

    return cmocka_run_group_tests_name("arch.gpu_regression", tests, NULL, NULL);
}
