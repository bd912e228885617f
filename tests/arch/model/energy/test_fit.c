/* Prices found from synthetic runs, parts of an energy, and times of another GPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/model/energy/fit.h"
#include "arch/model/energy/search.h"
#include "tests/arch/near.h"
#include "tests/arch/shipped.h"

static GpuEnergyCosts costs_of(const char *chip)
{
    g_autoptr(ArchParams) params = shipped_params(chip);
    GpuEnergyCosts costs;

    assert_true(gpu_energy_costs(params, GPU_ENERGY_MICROBENCHMARK, &costs, NULL));
    return costs;
}

static GpuEnergyFit fit_of(double noise, const char *program)
{
    const GpuEnergyDraw draw = {.truth = costs_of("k20c"), .seed = 1, .noise = noise};
    const GpuEnergyProgram *of =
        program == NULL ? NULL : gpu_energy_program_find(program);
    GpuEnergyFit fit;

    assert_true(gpu_energy_fit_init(&fit, gpu_energy_samples_draw(&draw, of),
                                    &draw.truth, 0.1, 1, NULL));
    return fit;
}

static void exact_runs_give_the_prices_they_were_made_with(void **state G_GNUC_UNUSED)
{
    g_auto(GpuEnergyFit) fit = fit_of(0, NULL);

    assert_true(gpu_energy_fit_is_exact(&fit));
    assert_int_equal(fit.samples->len, 298 + 265 + 125);
    assert_int_equal(fit.training, 69);
    assert_int_equal(gpu_energy_fit_count(&fit, gpu_energy_program_find("j1d")), 265);
    assert_true(gpu_energy_fit_rmse(&fit, GPU_ENERGY_OF_CHIP, false, NULL) < 1e-9);
    assert_true(gpu_energy_fit_error(&fit, GPU_ENERGY_STATIC, GPU_ENERGY_OF_CHIP) == 0);
    assert_string_equal(gpu_energy_method_name(GPU_ENERGY_OF_CHIP), "chip");
}

static void noise_keeps_prices_from_being_exact(void **state G_GNUC_UNUSED)
{
    g_auto(GpuEnergyFit) fit = fit_of(0.1, NULL);

    assert_false(gpu_energy_fit_is_exact(&fit));
    assert_true(gpu_energy_fit_rmse(&fit, GPU_ENERGY_LEAST_ABSOLUTE, false, NULL) < 10);
    assert_true(gpu_energy_fit_rmse(&fit, GPU_ENERGY_LEAST_ABSOLUTE, true, NULL) > 1);
}

static void it_says_why_a_price_is_not_known(void **state G_GNUC_UNUSED)
{
    g_auto(GpuEnergyFit) fit = fit_of(0, "j2d");
    g_autofree char *max = gpu_energy_fit_why(&fit, GPU_ENERGY_INTEGER_MAX);
    g_autofree char *global = gpu_energy_fit_why(&fit, GPU_ENERGY_STATIC);

    assert_string_equal(max, "no run uses it");
    assert_null(global);
    assert_true(isnan(gpu_energy_fit_rmse(&fit, GPU_ENERGY_OF_CHIP, false,
                                          gpu_energy_program_find("sw"))));
}

/* A run of 2D Jacobi that takes `more` of what the prices say. */
static GpuEnergySample run_of(uint64_t side, uint64_t tile, double more)
{
    const GpuEnergyCosts costs = costs_of("k20c");
    GpuEnergySample run = {
        .problem = {gpu_energy_program_find("j2d"), {side, side}, 64},
        .tile = {{tile, 32}, 4, 0},
        .seconds = 1,
    };
    GpuEnergy energy;

    gpu_energy_model(&run.problem, &run.tile, &costs, run.seconds, &energy);
    run.joules = (1 + more) * energy.joules;
    return run;
}

static void it_sums_up_the_tiles_that_prices_choose(void **state G_GNUC_UNUSED)
{
    /* Larger tiles move less: prices choose the last of each problem. The second
     * problem's is wrong, and the third problem has no choice. */
    const GpuEnergySample runs[] = {run_of(512, 4, 0), run_of(512, 16, 0),
                                    run_of(1024, 4, -0.5), run_of(1024, 16, 0),
                                    run_of(2048, 4, 0)};
    GArray *samples = g_array_new(FALSE, FALSE, sizeof(GpuEnergySample));
    const GpuEnergyCosts costs = costs_of("k20c");
    g_auto(GpuEnergyFit) fit = {0};
    GpuEnergyTrial trial;

    g_array_append_vals(samples, runs, G_N_ELEMENTS(runs));
    assert_true(gpu_energy_fit_init(&fit, samples, &costs, 0.4, 1, NULL));
    gpu_energy_fit_choices(&fit, GPU_ENERGY_OF_CHIP, gpu_energy_program_find("j2d"),
                           &trial);
    assert_int_equal(trial.problems, 2);
    assert_int_equal(trial.tiles, 4);
    assert_int_equal(trial.wrong, 1);
    assert_near("worst", trial.worst, runs[3].joules / runs[2].joules - 1, 1e-12);
    assert_near("rmse", trial.rmse, trial.worst / sqrt(2), 1e-12);
    gpu_energy_fit_choices(&fit, GPU_ENERGY_OF_CHIP, gpu_energy_program_find("sw"),
                           &trial);
    assert_int_equal(trial.problems, 0);
    assert_true(isnan(trial.rmse));
}

static void parts_add_up_to_the_energy(void **state G_GNUC_UNUSED)
{
    const GpuEnergyProblem problem = {
        gpu_energy_program_find("j2d"), {4096, 4096}, 1024};
    const GpuEnergyTile tile = {{16, 64}, 16, 0};
    const GpuEnergyCosts costs = costs_of("k20c");
    GpuEnergyPart parts[GPU_ENERGY_PARTS];
    GpuEnergy energy;
    double sum = 0;

    gpu_energy_model(&problem, &tile, &costs, 1.5, &energy);
    gpu_energy_parts(&energy, parts);
    for (guint i = 0; i < GPU_ENERGY_PARTS; i++) {
        sum += parts[i].all;
    }
    assert_near("joules", sum, energy.joules, 1e-9 * energy.joules);
    assert_string_equal(parts[3].name, "static");
    assert_true(parts[3].all == energy.static_joules);
}

static void times_are_those_of_the_best_k(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) gpu = shipped_params("gtx980");
    const GpuEnergyProblem flat = {gpu_energy_program_find("j2d"), {8192, 8192}, 8192};
    const GpuEnergyProblem line = {gpu_energy_program_find("j1d"), {8192}, 8192};
    const GpuEnergyTile tile = {{16, 64}, 34, 0};
    const GpuEnergyTile large = {{1600, 640}, 34, 0};

    /* Jacobi 2D on a GTX 980, as worked out beside the thesis. */
    assert_near("T_alg", gpu_energy_seconds(&flat, &tile, gpu), 9.197, 0.0005);
    assert_true(isnan(gpu_energy_seconds(&flat, &large, gpu)));
    assert_true(isnan(gpu_energy_seconds(&line, &tile, gpu)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_runs_give_the_prices_they_were_made_with),
        cmocka_unit_test(noise_keeps_prices_from_being_exact),
        cmocka_unit_test(it_says_why_a_price_is_not_known),
        cmocka_unit_test(it_sums_up_the_tiles_that_prices_choose),
        cmocka_unit_test(parts_add_up_to_the_energy),
        cmocka_unit_test(times_are_those_of_the_best_k),
    };

    return cmocka_run_group_tests_name("arch.energy_fit", tests, NULL, NULL);
}
