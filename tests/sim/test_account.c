/* Tests of the memory account of a run. */
#include "sim/account.h"
#include "tests/sim/support.h"

static void takes_up_to_its_limit_and_no_more(void **state)
{
    g_autoptr(SimAccount) account = sim_account_new(100);

    (void) state;

    assert_true(sim_account_take(account, 60));
    assert_false(sim_account_take(account, 41));
    assert_true(sim_account_take(account, 40));
    sim_account_give(account, 1);
    assert_true(sim_account_take(account, 1));
    assert_false(sim_account_has_failed(account));
}

static void a_need_that_does_not_fit_is_kept_for_good(void **state)
{
    g_autoptr(SimAccount) account = sim_account_new(1 << 20);

    (void) state;
    assert_false(sim_account_need(account, "DRAM", 3 << 20));
    assert_false(sim_account_need(account, "prints", 5 << 20));
    assert_true(sim_account_need(account, "prints", 5));

    g_autofree char *complaint = sim_account_complaint(account);

    assert_true(sim_account_has_failed(account));
    assert_string_equal(complaint,
                        "memory limit of 1 MiB passed: DRAM wanted 3 MiB more");
}

static void sizes_are_told_in_the_largest_unit_that_is_known(void **state)
{
    g_autoptr(SimAccount) account = sim_account_new(G_GUINT64_CONSTANT(1) << 41);
    g_autofree char *complaint = sim_account_describe(account, "DRAM", 1025);

    (void) state;
    assert_string_equal(complaint, "memory limit of 2048 GiB passed: DRAM wanted 1025 "
                                   "bytes more");
}

static void the_usual_limit_is_below_the_machines_memory(void **state)
{
    (void) state;

    assert_true(sim_account_usual_limit() > 1 << 20);
    assert_true(sim_account_usual_limit() < UINT64_MAX / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_up_to_its_limit_and_no_more),
        cmocka_unit_test(a_need_that_does_not_fit_is_kept_for_good),
        cmocka_unit_test(sizes_are_told_in_the_largest_unit_that_is_known),
        cmocka_unit_test(the_usual_limit_is_below_the_machines_memory),
    };

    return cmocka_run_group_tests_name("sim.account", tests, NULL, NULL);
}
