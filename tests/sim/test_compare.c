/* Sorting by the comparisons that all rooms share. */
#include "sim/compare.h"
#include "sim/time.h"
#include "tests/sim/support.h"

static void sorts_numbers(void **state)
{
    double doubles[] = {2.5, -1, 0.5};
    SimTime times[] = {SIM_TIME_NEVER, 0, UINT64_C(1) << 40};

    (void) state;
    qsort(doubles, G_N_ELEMENTS(doubles), sizeof *doubles, sim_compare_doubles);
    assert_true(doubles[0] == -1 && doubles[1] == 0.5 && doubles[2] == 2.5);
    qsort(times, G_N_ELEMENTS(times), sizeof *times, sim_compare_times);
    assert_true(times[0] == 0 && times[1] == UINT64_C(1) << 40 &&
                times[2] == SIM_TIME_NEVER);
    assert_int_equal(sim_compare_doubles(&doubles[1], &doubles[1]), 0);
    assert_int_equal(sim_compare_times(&times[1], &times[1]), 0);
}

static void sorts_texts(void **state)
{
    const char *texts[] = {"router", "core", "noc"};

    (void) state;
    qsort(texts, G_N_ELEMENTS(texts), sizeof *texts, sim_compare_texts);
    assert_string_equal(texts[0], "core");
    assert_string_equal(texts[1], "noc");
    assert_string_equal(texts[2], "router");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_numbers),
        cmocka_unit_test(sorts_texts),
    };

    return cmocka_run_group_tests_name("sim.compare", tests, NULL, NULL);
}
