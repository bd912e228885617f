/* Tests of runs that end at a cycle. */
#include <stdbool.h>

#include "sim/error.h"
#include "tests/sim/actor.h"
#include "tests/sim/support.h"

static void run_until(SimEngine *engine, SimTime end)
{
    GError *error = NULL;
    bool is_done = sim_engine_run_until(engine, end, SIM_TIME_NEVER, &error);

    assert_null(error);
    assert_true(is_done);
}

static void runs_what_is_before_the_end_only(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step near = {"near", trail};
    Step far = {"far", trail};

    (void) state;
    sim_region_at(region, 7, 0, step, &near);
    sim_region_at(region, 5000, 0, step, &far);

    run_until(engine, 7);
    assert_string_equal(trail->str, "");
    assert_int_equal(sim_engine_next(engine), 7);
    run_until(engine, 8);
    assert_string_equal(trail->str, " near@7");
    assert_int_equal(sim_engine_next(engine), 5000);
    run_until(engine, 5000);
    assert_string_equal(trail->str, " near@7");
    run_until(engine, 5001);
    assert_string_equal(trail->str, " near@7 far@5000");
    assert_int_equal(sim_engine_next(engine), SIM_TIME_NEVER);
}

static void takes_events_between_runs_from_the_end_on(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};
    Step b = {"b", trail};
    Step c = {"c", trail};

    (void) state;
    sim_region_at(region, 3, 0, step, &a);
    sim_region_at(region, 20, 0, step, &c);
    run_until(engine, 10);

    sim_region_at(region, 10, 0, step, &b);
    run_until(engine, 11);

    assert_string_equal(trail->str, " a@3 b@10");
    run_to_end(engine);
    assert_string_equal(trail->str, " a@3 b@10 c@20");
}

/* Goes from one of two regions to the other, a window later, for ever. */
typedef struct {
    GString *trail;
    guint region;
} Ball;

static void pass_on(SimRegion *region, gpointer data)
{
    enum {
        WINDOW = 4,
    };
    Ball *self = data;
    SimEngine *engine = sim_region_engine(region);
    SimTime now = sim_region_now(region);

    leave_step(self->trail, self->region == 0 ? "a" : "b", now);
    self->region = 1 - self->region;
    sim_region_post(region, sim_engine_region(engine, self->region), now + WINDOW, 0,
                    pass_on, self);
}

static void brings_mail_over_the_end(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 4);
    g_autoptr(GString) trail = g_string_new(NULL);
    Ball ball = {trail, 0};

    (void) state;
    sim_region_at(sim_engine_region(engine, 0), 1, 0, pass_on, &ball);

    run_until(engine, 5);
    assert_string_equal(trail->str, " a@1");
    assert_int_equal(sim_engine_next(engine), 5);
    run_until(engine, 6);
    assert_string_equal(trail->str, " a@1 b@5");
    run_until(engine, 14);
    assert_string_equal(trail->str, " a@1 b@5 a@9 b@13");
    assert_int_equal(sim_engine_next(engine), 17);
}

static void moves_an_engine_with_later_events(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};
    Step b = {"b", trail};

    (void) state;
    sim_region_at(region, 3000, 0, step, &b);
    sim_engine_idle_until(engine, 2990);
    assert_int_equal(sim_region_now(region), 2990);
    sim_region_at(region, sim_region_now(region), 0, step, &a);

    run_to_end(engine);

    assert_string_equal(trail->str, " a@2990 b@3000");
}

static void a_limit_beyond_the_end_is_not_reached(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    Step a = {"a", trail};

    (void) state;
    sim_region_at(region, 100, 0, step, &a);

    assert_true(sim_engine_run_until(engine, 100, 50, &error));
    assert_null(error);
    assert_false(sim_engine_run_until(engine, 101, 99, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_TIME_LIMIT);
    assert_string_equal(trail->str, "");
}

static void who_waits_may_yet_be_woken(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) trail = g_string_new(NULL);
    SimSemaphore *semaphore = sim_semaphore_new("gate", 0);
    const Act acts[] = {{ACT_TAKE, semaphore, 1}, {0}};

    (void) state;
    {
        g_auto(Actor) actor = {.name = "a", .trail = trail, .acts = acts};

        actor_start(&actor, sim_engine_region(engine, 0), 1);
        run_until(engine, 10);
        sim_engine_list_waiters(engine, lines);
        assert_int_equal(lines->len, 1);
        assert_int_equal(sim_engine_next(engine), SIM_TIME_NEVER);

        sim_engine_idle_until(engine, 12);
        sim_semaphore_give(semaphore, 1);
        run_to_end(engine);
        assert_string_equal(trail->str, " a.take1@12");
    }
    sim_semaphore_free(semaphore);
}

/* Notes when it is called and whether a period has passed; fails from cycle 40 on. */
static GError *note_pulse(gpointer data, SimTime at, bool is_whole)
{
    leave_step(data, is_whole ? "whole" : "part", at);
    return at < 40 ? NULL : g_error_new(SIM_ERROR, SIM_ERROR_LIVELOCK, "enough");
}

static void pulses_come_between_events_at_multiples_of_their_cycles(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    Step steps[] = {{"a", trail}, {"b", trail}, {"c", trail}, {"d", trail}};

    (void) state;
    sim_region_at(region, 9, 0, step, &steps[0]);
    sim_region_at(region, 10, 0, step, &steps[1]);
    sim_region_at(region, 35, 0, step, &steps[2]);
    sim_region_at(region, 41, 0, step, &steps[3]);
    sim_engine_set_pulse(engine, 10, note_pulse, trail);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));

    assert_string_equal(trail->str, " a@9 whole@10 b@10 part@30 c@35 whole@40");
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_LIVELOCK));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulses_come_between_events_at_multiples_of_their_cycles),
        cmocka_unit_test(runs_what_is_before_the_end_only),
        cmocka_unit_test(takes_events_between_runs_from_the_end_on),
        cmocka_unit_test(brings_mail_over_the_end),
        cmocka_unit_test(moves_an_engine_with_later_events),
        cmocka_unit_test(a_limit_beyond_the_end_is_not_reached),
        cmocka_unit_test(who_waits_may_yet_be_woken),
    };

    return cmocka_run_group_tests_name("sim.engine_until", tests, NULL, NULL);
}
