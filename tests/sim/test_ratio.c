/* Tests of exact fractional costs. */
#include "sim/ratio.h"
#include "tests/sim/support.h"

static const SimRatio cpi_140 = {.num = 7, .den = 5}; /* 1.40 cycles an instruction */

static void five_instructions_of_1_40_cycles_cost_seven(void **state)
{
    static const uint64_t expected[] = {1, 1, 2, 1, 2};
    uint64_t remainder = 0;

    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_int_equal(sim_ratio_charge(cpi_140, 1, &remainder), expected[i]);
    }
    assert_int_equal(remainder, 0);
}

static void sums_are_exact_however_they_are_split(void **state)
{
    uint64_t random = 140;
    uint64_t remainder = 0;
    uint64_t amount = 0;
    uint64_t cycles = 0;

    (void) state;

    for (guint i = 0; i < 10000; i++) {
        uint64_t part = random_below(&random, 1000);

        amount += part;
        cycles += sim_ratio_charge(cpi_140, part, &remainder);
        assert_int_equal(cycles, amount * 7 / 5);
        assert_int_equal(remainder, amount * 7 % 5);
    }
}

static void nothing_costs_nothing_and_keeps_the_remainder(void **state)
{
    uint64_t remainder = 4;

    (void) state;

    assert_int_equal(sim_ratio_charge(cpi_140, 0, &remainder), 0);
    assert_int_equal(remainder, 4);
}

static void a_whole_rate_leaves_no_remainder(void **state)
{
    const SimRatio three = {.num = 3, .den = 1};
    uint64_t remainder = 0;

    (void) state;

    assert_int_equal(sim_ratio_charge(three, 7, &remainder), 21);
    assert_int_equal(remainder, 0);
}

static void less_than_a_cycle_adds_up(void **state)
{
    const SimRatio quarter = {.num = 1, .den = 4};
    uint64_t remainder = 0;

    (void) state;

    assert_int_equal(sim_ratio_charge(quarter, 3, &remainder), 0);
    assert_int_equal(sim_ratio_charge(quarter, 1, &remainder), 1);
    assert_int_equal(remainder, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_instructions_of_1_40_cycles_cost_seven),
        cmocka_unit_test(sums_are_exact_however_they_are_split),
        cmocka_unit_test(nothing_costs_nothing_and_keeps_the_remainder),
        cmocka_unit_test(a_whole_rate_leaves_no_remainder),
        cmocka_unit_test(less_than_a_cycle_adds_up),
    };

    return cmocka_run_group_tests_name("sim.ratio", tests, NULL, NULL);
}
