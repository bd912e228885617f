/* Tests of what ends a run: limits, failures, the monitor, deadlock. */
#include <stdbool.h>

#include "sim/error.h"
#include "tests/sim/support.h"

static void an_event_at_the_limit_runs(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};

    (void) state;
    sim_region_at(sim_engine_region(engine, 0), 100, 0, step, &a);

    assert_true(sim_engine_run(engine, 100, NULL));
    assert_string_equal(trail->str, " a@100");
}

static void check_limit(guint region_count, SimTime window, const char *message)
{
    g_autoptr(SimEngine) engine = engine_of(region_count, window);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    Step a = {"a", trail};
    Step b = {"b", trail};

    sim_region_at(sim_engine_region(engine, region_count - 1), 100, 0, step, &a);
    sim_region_at(sim_engine_region(engine, 0), 101, 0, step, &b);

    assert_false(sim_engine_run(engine, 100, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_TIME_LIMIT);
    assert_string_equal(error->message, message);
    assert_string_equal(trail->str, " a@100");
}

static void an_event_beyond_the_limit_fails_the_run(void **state)
{
    static const char message[] =
        "cycle limit of 100 reached: the next event is at cycle 101 (--limit-cycles)";

    (void) state;

    check_limit(1, 1, message);
    check_limit(3, 1, message);
    check_limit(3, 1000, message);
}

static void a_cancelled_event_is_not_beyond_the_limit(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};

    (void) state;
    sim_region_at(region, 10, 0, step, &a);
    sim_region_cancel(region, sim_region_at(region, 200, 0, step, &a));
    sim_region_cancel(region, sim_region_at(region, 50000, 0, step, &a));

    assert_true(sim_engine_run(engine, 100, NULL));
    assert_string_equal(trail->str, " a@10");
}

/* Fails with its name as message. */
static void fail_by_name(SimRegion *region, gpointer data)
{
    const char *name = data;

    sim_region_fail(region, g_error_new_literal(SIM_ERROR, SIM_ERROR_PLATFORM, name));
}

static void fail_twice(SimRegion *region, gpointer data)
{
    fail_by_name(region, data);
    fail_by_name(region, (gpointer) "second");
}

static void a_failure_ends_the_run_at_once(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    Step a = {"a", trail};
    Step b = {"b", trail};

    (void) state;
    sim_region_at(region, 3, 1, step, &a);
    sim_region_at(region, 3, 2, fail_twice, (gpointer) "first");
    sim_region_at(region, 3, 3, step, &b);
    sim_region_at(region, 3, 4, fail_by_name, (gpointer) "third");

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_PLATFORM);
    assert_string_equal(error->message, "first");
    assert_string_equal(trail->str, " a@3");
}

typedef struct {
    SimTime when;
    SimKey key;
} Instant;

static const struct {
    const char *why;
    Instant at[3]; /* where each of three regions fails */
    const char *first;
} failures[] = {
    {"time before key", {{9, 1}, {8, 7}, {9, 0}}, "1"},
    {"key before region", {{8, 7}, {8, 5}, {8, 6}}, "1"},
    {"lowest region", {{9, 5}, {8, 5}, {8, 5}}, "1"},
    {"last region", {{8, 5}, {8, 5}, {7, 9}}, "2"},
    {"high keys", {{8, UINT64_MAX}, {8, UINT64_MAX - 1}, {8, UINT64_MAX}}, "1"},
};

static void the_first_failure_of_a_window_is_reported(void **state)
{
    static const char *const names[] = {"0", "1", "2"};

    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(failures); i++) {
        g_autoptr(SimEngine) engine = engine_of(3, 16);
        g_autoptr(GError) error = NULL;

        for (guint region = 0; region < 3; region++) {
            sim_region_at(sim_engine_region(engine, region),
                          failures[i].at[region].when, failures[i].at[region].key,
                          fail_by_name, (gpointer) names[region]);
        }
        assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
        if (!g_str_equal(error->message, failures[i].first)) {
            fail_msg("%s: region %s was first", failures[i].why, error->message);
        }
    }
}

static void again(SimRegion *region, gpointer data)
{
    sim_region_at(region, sim_region_now(region) + 1, 0, again, data);
}

typedef struct {
    guint calls;
    SimTime now;
    uint64_t events;
} Watch;

static bool stop_on_second_call(gpointer data, SimTime now, uint64_t events)
{
    Watch *self = data;

    self->now = now;
    self->events = events;
    return ++self->calls < 2;
}

static void check_monitor(guint region_count)
{
    g_autoptr(SimEngine) engine = engine_of(region_count, 1);
    g_autoptr(GError) error = NULL;
    Watch watch = {0};

    sim_engine_set_monitor(engine, stop_on_second_call, &watch);
    for (guint i = 0; i < region_count; i++) {
        sim_region_at(sim_engine_region(engine, i), 1, 0, again, NULL);
    }

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_STOPPED);
    assert_int_equal(watch.calls, 2);
    assert_int_equal(watch.now, sim_engine_now(engine));
    assert_int_equal(watch.events, sim_engine_events(engine));
}

static void the_monitor_can_stop_a_run_without_end(void **state)
{
    (void) state;

    check_monitor(1);
    check_monitor(2);
}

static void report_one(gpointer data, GPtrArray *lines)
{
    g_ptr_array_add(lines, g_strdup(data));
}

static void report_none(gpointer data, GPtrArray *lines)
{
    (void) data;
    (void) lines;
}

/* Schedules itself again for the cycle that is running. */
static void stay(SimRegion *region, gpointer data)
{
    sim_region_at(region, sim_region_now(region), 0, stay, data);
}

static void check_endless_cycle(guint region_count, guint thread_count)
{
    SimEngineConfig config = sim_engine_config_default();

    config.region_count = region_count;
    config.thread_count = thread_count;

    g_autoptr(SimEngine) engine = sim_engine_new(config);
    g_autoptr(GError) error = NULL;
    Watch watch = {0};

    sim_region_at(sim_engine_region(engine, region_count - 1), 7, 0, stay, NULL);
    sim_engine_set_monitor(engine, stop_on_second_call, &watch);

    assert_false(sim_engine_run(engine, 1000, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_STOPPED);
    assert_int_equal(sim_engine_now(engine), 7);
    assert_int_equal(watch.calls, 2);
}

static void the_monitor_can_stop_a_cycle_without_end(void **state)
{
    (void) state;

    check_endless_cycle(1, 1);
    check_endless_cycle(3, 1);
    check_endless_cycle(3, 2);
}

static void a_deadlock_names_all_who_wait(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    Step a = {"a", trail};

    (void) state;
    sim_engine_add_audit(engine, report_one, (gpointer) "core[0,0] waits for work");
    sim_engine_add_audit(engine, report_none, NULL);
    sim_engine_add_audit(engine, report_one, (gpointer) "gone");
    sim_engine_add_audit(engine, report_one, (gpointer) "core[0,1] waits for rest");
    sim_engine_remove_audit(engine, report_one, (gpointer) "gone");
    sim_region_at(sim_engine_region(engine, 1), 12, 0, step, &a);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_DEADLOCK);
    assert_string_equal(
        error->message,
        "deadlock at cycle 12: nothing can happen any more, 2 still "
        "wait:\n  core[0,0] waits for work\n  core[0,1] waits for rest");
}

static void find_fault(gpointer data, GPtrArray *lines)
{
    if (sim_engine_now(data) >= 100) {
        g_ptr_array_add(lines, g_strdup("a flit is lost"));
    }
}

static void a_self_check_that_finds_something_ends_the_run(void **state)
{
    (void) state;

    for (guint i = 0; i < 2; i++) {
        g_autoptr(SimEngine) engine = engine_of(1 + i, 1);
        g_autoptr(GString) trail = g_string_new(NULL);
        g_autoptr(GError) error = NULL;
        Step a = {"a", trail};

        sim_engine_add_check(engine, find_fault, engine);
        sim_region_at(sim_engine_region(engine, 0), 100, 0, step, &a);
        assert_true(sim_engine_run(engine, SIM_TIME_NEVER, NULL)); /* it is not asked */

        sim_engine_set_checking(engine, true);
        sim_engine_add_check(engine, find_fault, trail);
        sim_engine_remove_check(engine, find_fault, trail);
        assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
        assert_error(error, SIM_ERROR, SIM_ERROR_INVARIANT);
        assert_string_equal(error->message,
                            "self-check at cycle 100:\n  a flit is lost");
    }
}

static void go_on(SimRegion *region, gpointer data)
{
    (void) sim_region_at(region, sim_region_now(region) + 1, 0, go_on, data);
}

/* Not only at the end, which this run does not have. */
static void self_checks_run_during_a_run(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GError) error = NULL;

    (void) state;
    sim_engine_add_check(engine, find_fault, engine);
    sim_engine_set_checking(engine, true);
    go_on(sim_engine_region(engine, 0), NULL);

    assert_false(sim_engine_run(engine, 100000, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_INVARIANT);
}

static void an_engine_with_nothing_to_do_is_done(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(4, 2);

    (void) state;
    sim_engine_add_audit(engine, report_none, NULL);

    run_to_end(engine);

    assert_int_equal(sim_engine_events(engine), 0);
    assert_int_equal(sim_engine_now(engine), 0);
    assert_int_equal(sim_engine_region_count(engine), 4);
    assert_int_equal(sim_region_index(sim_engine_region(engine, 3)), 3);
    assert_ptr_equal(sim_region_engine(sim_engine_region(engine, 3)), engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_at_the_limit_runs),
        cmocka_unit_test(an_event_beyond_the_limit_fails_the_run),
        cmocka_unit_test(a_cancelled_event_is_not_beyond_the_limit),
        cmocka_unit_test(a_failure_ends_the_run_at_once),
        cmocka_unit_test(the_first_failure_of_a_window_is_reported),
        cmocka_unit_test(the_monitor_can_stop_a_run_without_end),
        cmocka_unit_test(the_monitor_can_stop_a_cycle_without_end),
        cmocka_unit_test(a_deadlock_names_all_who_wait),
        cmocka_unit_test(a_self_check_that_finds_something_ends_the_run),
        cmocka_unit_test(self_checks_run_during_a_run),
        cmocka_unit_test(an_engine_with_nothing_to_do_is_done),
    };

    return cmocka_run_group_tests_name("sim.engine_end", tests, NULL, NULL);
}
