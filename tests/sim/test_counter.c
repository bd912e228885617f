/* Tests of named totals. */
#include "sim/counter.h"
#include "tests/sim/support.h"

static void a_name_is_one_counter(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 1);

    (void) state;
    SimCounter bytes = sim_engine_counter(engine, "bytes");
    SimCounter flops = sim_engine_counter(engine, "flops");

    assert_int_not_equal(bytes, flops);
    assert_int_equal(sim_engine_counter(engine, "bytes"), bytes);
    assert_int_equal(sim_engine_counter_count(engine), 2);
    assert_string_equal(sim_engine_counter_name(engine, bytes), "bytes");
    assert_string_equal(sim_engine_counter_name(engine, flops), "flops");
}

static void a_total_is_the_sum_over_regions(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(3, 1);
    SimCounter other = sim_engine_counter(engine, "other");
    SimCounter bytes = sim_engine_counter(engine, "bytes");

    (void) state;
    sim_region_count(sim_engine_region(engine, 0), bytes, UINT64_C(1) << 40);
    sim_region_count(sim_engine_region(engine, 2), bytes, 5);
    sim_region_count(sim_engine_region(engine, 2), bytes, 6);
    sim_region_count(sim_engine_region(engine, 1), other, 3);

    assert_int_equal(sim_engine_counter_total(engine, bytes), (UINT64_C(1) << 40) + 11);
    assert_int_equal(sim_engine_counter_total(engine, other), 3);
}

static void a_counter_made_between_runs_starts_at_zero(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 1);
    SimCounter first = sim_engine_counter(engine, "first");

    (void) state;
    sim_region_count(sim_engine_region(engine, 0), first, 7);
    run_to_end(engine);
    for (guint i = 0; i < 100; i++) {
        g_autofree char *name = g_strdup_printf("later %u", i);

        assert_int_equal(
            sim_engine_counter_total(engine, sim_engine_counter(engine, name)), 0);
    }

    assert_int_equal(sim_engine_counter_total(engine, first), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_one_counter),
        cmocka_unit_test(a_total_is_the_sum_over_regions),
        cmocka_unit_test(a_counter_made_between_runs_starts_at_zero),
    };

    return cmocka_run_group_tests_name("sim.counter", tests, NULL, NULL);
}
