/* Which rates a sweep and a search run, one after another. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/traffic/rates.h"

static ArchNocTrafficPoints points;

static int begin(void **state G_GNUC_UNUSED)
{
    arch_noc_traffic_points_init(&points);
    return 0;
}

static int end(void **state G_GNUC_UNUSED)
{
    arch_noc_traffic_points_clear(&points);
    return 0;
}

/* Runs a network that saturates from `saturation` on; the rates are in `rates`. */
static guint run(const ArchNocRates *self, double saturation, double *rates)
{
    guint count = 0;
    double rate;

    while (arch_noc_rates_next(self, &points, &rate)) {
        ArchNocTraffic *point = g_new0(ArchNocTraffic, 1);

        assert_true(count < arch_noc_rates_most(self));
        *point = (ArchNocTraffic){.rate = rate, .is_saturated = rate >= saturation};
        arch_noc_traffic_points_add(&points, point);
        rates[count++] = rate;
    }
    return count;
}

static void a_sweep_runs_all_rates(void **state G_GNUC_UNUSED)
{
    const ArchNocRates self = {.first = 0.1, .step = 0.2, .count = 5};
    const double expected[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    double rates[5];

    assert_int_equal(run(&self, 0.4, rates), G_N_ELEMENTS(expected));
    assert_memory_equal(rates, expected, sizeof(expected));
    assert_int_equal(arch_noc_rates_most(&self), 5);
}

static void
a_search_rises_then_takes_the_top_then_halves_the_gap(void **state G_GNUC_UNUSED)
{
    const ArchNocRates self = {
        .first = 0.1, .step = 0.1, .count = 10, .resolution = 0.005};
    const double expected[] = {0.1, 0.2, 0.3, 1, 0.25, 0.225, 0.215, 0.22};
    double rates[16];

    assert_int_equal(run(&self, 0.219, rates), G_N_ELEMENTS(expected));
    assert_memory_equal(rates, expected, sizeof(expected));
    assert_true(points.saturation == 0.22);
    assert_true(arch_noc_traffic_points_lower(&points) == 0.215);
    assert_true(arch_noc_traffic_points_saturated(&points)->rate == 0.22);
    assert_true(arch_noc_traffic_points_last(&points)->rate == 1);
}

static void a_search_goes_below_the_first_rate(void **state G_GNUC_UNUSED)
{
    const ArchNocRates self = {
        .first = 0.1, .step = 0.1, .count = 10, .resolution = 0.01};
    const double expected[] = {0.1, 1, 0.05, 0.03, 0.02, 0.01};
    double rates[16];

    assert_int_equal(run(&self, 1e-9, rates), G_N_ELEMENTS(expected));
    assert_memory_equal(rates, expected, sizeof(expected));
    assert_true(arch_noc_traffic_points_lower(&points) == 0);
    assert_true(points.shown->rate == 0.01);
}

static void a_search_without_saturation_is_a_sweep(void **state G_GNUC_UNUSED)
{
    const ArchNocRates self = {
        .first = 0.2, .step = 0.4, .count = 3, .resolution = 0.005};
    const double expected[] = {0.2, 0.6, 1};
    double rates[16];

    assert_int_equal(run(&self, 2, rates), G_N_ELEMENTS(expected));
    assert_memory_equal(rates, expected, sizeof(expected));
    assert_true(isnan(points.saturation));
    assert_null(arch_noc_traffic_points_saturated(&points));
}

/* Every threshold is enclosed, in no more points than were promised. */
static void a_search_encloses_what_it_seeks(void **state G_GNUC_UNUSED)
{
    static const double resolutions[] = {0.1, 0.007, 1e-4, 1e-6};

    for (gsize i = 0; i < G_N_ELEMENTS(resolutions); i++) {
        for (guint k = 1; k < 100; k++) {
            const ArchNocRates self = {
                .first = 0.03, .step = 0.17, .count = 6, .resolution = resolutions[i]};
            const double sought = 0.0083 * k;
            double rates[64];

            end(state);
            begin(state);
            (void) run(&self, sought, rates);
            assert_true(points.saturation >= sought);
            assert_true(arch_noc_traffic_points_lower(&points) < sought);
            assert_true(points.saturation - arch_noc_traffic_points_lower(&points) <=
                        resolutions[i] * (1 + 1e-9));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_sweep_runs_all_rates, begin, end),
        cmocka_unit_test_setup_teardown(
            a_search_rises_then_takes_the_top_then_halves_the_gap, begin, end),
        cmocka_unit_test_setup_teardown(a_search_goes_below_the_first_rate, begin, end),
        cmocka_unit_test_setup_teardown(a_search_without_saturation_is_a_sweep, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_search_encloses_what_it_seeks, begin, end),
    };

    return cmocka_run_group_tests_name("arch.noc_rates", tests, NULL, NULL);
}
