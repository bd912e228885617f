/* Energy of designs: against the model of one problem, and the least against all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/model/codesign/energy.h"
#include "tests/arch/near.h"
#include "tests/arch/shipped.h"

#define LOW_MM2  300.0
#define HIGH_MM2 304.0

static GpuCodesign *codesign_new(void)
{
    g_autoptr(ArchParams) gpu = shipped_params("gtx980");
    GpuAreaCosts costs;
    GpuAreaDesign built;
    GpuCodesignCode codes[] = {
        {.stencil = gpu_tiling_stencil_find("jacobi2d"), .point_seconds = 3e-8},
        {.stencil = gpu_tiling_stencil_find("heat2d"), .point_seconds = 4e-8}};
    GpuCodesignPlan plan = {.codes = codes,
                            .code_count = G_N_ELEMENTS(codes),
                            .sizes = {.count = 2, .at = {{1024, 128}, {2048, 64}}}};

    assert_true(gpu_tiling_machine(gpu, &plan.rules.gpu, NULL));
    assert_true(gpu_area_read(gpu, &costs, &built, NULL));
    g_autoptr(GArray) designs =
        gpu_designs(&costs, &built, &(GpuAreaRange){LOW_MM2, HIGH_MM2});

    assert_true(designs->len > 10);
    plan.designs = designs;
    return gpu_codesign_new(&plan, NULL, NULL);
}

static GpuCodesignPrices prices_of(double static_mm2)
{
    g_autoptr(ArchParams) gpu = shipped_params("k20c");
    GpuCodesignPrices prices = {.static_mm2 = static_mm2};

    assert_true(gpu_energy_costs(gpu, GPU_ENERGY_MICROBENCHMARK, &prices.costs, NULL));
    return prices;
}

static void only_jacobi_2d_has_an_energy(void **state)
{
    g_autoptr(GpuCodesign) codesign = codesign_new();

    (void) state;
    assert_true(gpu_codesign_has_energy(codesign, 0));
    assert_false(gpu_codesign_has_energy(codesign, 1));
}

/* Both problems as the model of appendix B has them, one after the other. */
static void energy_is_that_of_all_problems(void **state)
{
    g_autoptr(GpuCodesign) codesign = codesign_new();
    const GpuCodesignPlan *plan = gpu_codesign_plan(codesign);
    const GpuCodesignPrices prices = prices_of(0);
    GpuCodesignEnergy energy;
    double joules = 0;
    double seconds = 0;

    (void) state;
    for (guint size = 0; size < 2; size++) {
        const GpuTile *tile = gpu_codesign_tile(codesign, 3, 0, size);
        const GpuEnergyProblem problem = {
            gpu_energy_program_find("j2d"),
            {plan->sizes.at[size].space, plan->sizes.at[size].space},
            plan->sizes.at[size].steps};
        const GpuEnergyTile shape = {{tile->space[0], tile->space[1]}, tile->steps, 0};
        const double time = gpu_codesign_seconds(codesign, 3, 0, size);
        GpuEnergy one;

        gpu_energy_model(&problem, &shape, &prices.costs, time, &one);
        joules += one.joules;
        seconds += time;
    }
    gpu_codesign_energy(codesign, 3, 0, &prices, &energy);
    assert_near("seconds", energy.seconds, seconds, 1e-12);
    assert_near("joules", energy.joules, joules, 1e-12);
    assert_near("product", energy.product, joules * seconds, 1e-12);
    assert_near("static", energy.static_joules, 48 * seconds, 1e-12);
}

static void static_power_goes_by_area(void **state)
{
    g_autoptr(GpuCodesign) codesign = codesign_new();
    const GpuCodesignPrices fixed = prices_of(0);
    const GpuCodesignPrices scaled = prices_of(100);
    GpuCodesignEnergy one;
    GpuCodesignEnergy other;

    (void) state;
    gpu_codesign_energy(codesign, 5, 0, &fixed, &one);
    gpu_codesign_energy(codesign, 5, 0, &scaled, &other);
    assert_near("static", other.static_joules,
                one.static_joules * gpu_codesign_design(codesign, 5)->mm2 / 100, 1e-12);
    assert_near("dynamic", other.joules - other.static_joules,
                one.joules - one.static_joules, 1e-9);
}

static double score(const GpuCodesignEnergy *energy, guint goal)
{
    return goal == 0 ? energy->seconds : goal == 1 ? energy->joules : energy->product;
}

static void the_least_is_below_all_others(void **state)
{
    g_autoptr(GpuCodesign) codesign = codesign_new();
    const GpuCodesignPrices prices = prices_of(400);
    const GpuAreaRange half = {301, 303};
    const GpuAreaRange none = {310, 320};

    (void) state;
    for (guint goal = 0; goal < GPU_CODESIGN_GOALS; goal++) {
        const int best =
            gpu_codesign_least(codesign, &half, 0, &prices, (GpuCodesignGoal) goal);
        GpuCodesignEnergy least;

        assert_true(best >= 0);
        gpu_codesign_energy(codesign, (guint) best, 0, &prices, &least);
        for (guint i = 0; i < gpu_codesign_plan(codesign)->designs->len; i++) {
            const double mm2 = gpu_codesign_design(codesign, i)->mm2;
            GpuCodesignEnergy other;

            gpu_codesign_energy(codesign, i, 0, &prices, &other);
            if (mm2 >= half.low && mm2 <= half.high) {
                assert_true(score(&other, goal) >= score(&least, goal));
            } else {
                assert_int_not_equal(best, i);
            }
        }
        assert_int_equal(
            gpu_codesign_least(codesign, &none, 0, &prices, (GpuCodesignGoal) goal),
            -1);
    }
}

static void the_least_may_be_the_first_design(void **state)
{
    g_autoptr(GpuCodesign) codesign = codesign_new();
    const GpuCodesignPrices prices = prices_of(400);
    const double mm2 = gpu_codesign_design(codesign, 0)->mm2;
    GpuCodesignEnergy energy;

    (void) state;
    gpu_codesign_energy(codesign, 0, 0, &prices, &energy);
    const GpuCodesignLeast least = gpu_codesign_find_least(
        codesign, &(GpuAreaRange){mm2, mm2}, &prices, GPU_CODESIGN_LEAST_JOULES);

    assert_int_equal(least.design, 0);
    assert_near("joules", least.energy.joules, energy.joules, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_jacobi_2d_has_an_energy),
        cmocka_unit_test(energy_is_that_of_all_problems),
        cmocka_unit_test(static_power_goes_by_area),
        cmocka_unit_test(the_least_is_below_all_others),
        cmocka_unit_test(the_least_may_be_the_first_design),
    };

    return cmocka_run_group_tests_name("arch.gpu_codesign_energy", tests, NULL, NULL);
}
