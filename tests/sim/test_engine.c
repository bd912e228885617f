/* Tests of the engine: order within a cycle, time between runs, mail. */
#include <stdbool.h>

#include "tests/sim/support.h"

static void runs_a_cycle_in_key_order(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};
    Step b = {"b", trail};
    Step c = {"c", trail};
    Step d = {"d", trail};

    (void) state;
    sim_region_at(region, 5, sim_key(2, 0), step, &d);
    sim_region_at(region, 5, sim_key(1, 1), step, &c);
    sim_region_at(region, 4, sim_key(9, 9), step, &a);
    sim_region_at(region, 5, sim_key(1, 0), step, &b);

    run_to_end(engine);

    assert_string_equal(trail->str, " a@4 b@5 c@5 d@5");
}

static void runs_ties_in_the_order_they_were_scheduled(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};
    Step b = {"b", trail};
    Step c = {"c", trail};

    (void) state;
    sim_region_at(region, 5000, 3, step, &b);
    sim_region_at(region, 5000, 3, step, &a);
    sim_region_at(region, 5000, 3, step, &c);

    run_to_end(engine);

    assert_string_equal(trail->str, " b@5000 a@5000 c@5000");
}

/* An event that schedules the others for its own cycle. */
typedef struct {
    GString *trail;
    Step lower;
    Step same;
    Step higher;
} Present;

static void schedule_for_now(SimRegion *region, gpointer data)
{
    Present *self = data;
    SimTime now = sim_region_now(region);

    leave_step(self->trail, "first", now);
    sim_region_at(region, now, 30, step, &self->higher);
    sim_region_at(region, now, 10, step, &self->same);
    sim_region_at(region, now, 5, step, &self->lower);
}

static void an_event_for_the_present_cycle_takes_its_place_by_key(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Present present = {trail, {"lower", trail}, {"same", trail}, {"higher", trail}};
    Step pending = {"pending20", trail};
    Step pending_same = {"pending10", trail};
    Step pending_higher = {"pending30", trail};

    (void) state;
    sim_region_at(region, 7, 20, step, &pending);
    sim_region_at(region, 7, 10, schedule_for_now, &present);
    sim_region_at(region, 7, 10, step, &pending_same);
    sim_region_at(region, 7, 30, step, &pending_higher);

    run_to_end(engine);

    assert_string_equal(
        trail->str,
        " first@7 lower@7 pending10@7 same@7 pending20@7 pending30@7 higher@7");
}

static void a_cancelled_event_does_not_run(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};
    Step b = {"b", trail};

    (void) state;
    SimEvent near = sim_region_at(region, 3, 0, step, &a);
    SimEvent far = sim_region_at(region, 30000, 0, step, &a);

    sim_region_at(region, 5, 0, step, &b);

    assert_true(sim_region_cancel(region, near));
    assert_true(sim_region_cancel(region, far));
    assert_false(sim_region_cancel(region, near));
    assert_false(sim_region_cancel(region, far));
    run_to_end(engine);

    assert_string_equal(trail->str, " b@5");
    assert_int_equal(sim_engine_events(engine), 1);
    assert_int_equal(sim_engine_now(engine), 5);
}

typedef struct {
    SimEvent self;
    SimEvent other;
    bool is_self_cancelled;
    bool is_other_cancelled;
} Canceller;

static void cancel_both(SimRegion *region, gpointer data)
{
    Canceller *canceller = data;

    canceller->is_self_cancelled = sim_region_cancel(region, canceller->self);
    canceller->is_other_cancelled = sim_region_cancel(region, canceller->other);
}

static void an_event_can_cancel_a_later_one_of_its_cycle_but_not_itself(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};
    Canceller canceller = {0};

    (void) state;
    canceller.other = sim_region_at(region, 2, 9, step, &a);
    canceller.self = sim_region_at(region, 2, 1, cancel_both, &canceller);

    run_to_end(engine);

    assert_false(canceller.is_self_cancelled);
    assert_true(canceller.is_other_cancelled);
    assert_string_equal(trail->str, "");
    assert_int_equal(sim_engine_events(engine), 1);
}

static void may_run_again_after_a_run(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};
    Step b = {"b", trail};

    (void) state;
    sim_region_at(sim_engine_region(engine, 0), 10, 0, step, &a);
    run_to_end(engine);
    assert_int_equal(sim_region_now(sim_engine_region(engine, 1)), 10);

    sim_region_at(sim_engine_region(engine, 1), 10, 0, step, &b);
    sim_region_at(sim_engine_region(engine, 0), 11, 0, step, &a);
    run_to_end(engine);

    assert_string_equal(trail->str, " a@10 b@10 a@11");
    assert_int_equal(sim_engine_events(engine), 3);
    assert_int_equal(sim_engine_now(engine), 11);
}

/* Between runs the present is the last event that ran, not a timer nobody needed. */
static void a_cancelled_timer_does_not_move_time(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};
    Step b = {"b", trail};
    Step c = {"c", trail};

    (void) state;
    sim_region_at(region, 10, 0, step, &a);
    sim_region_cancel(region, sim_region_at(region, 100, 0, step, &a));
    run_to_end(engine);
    assert_int_equal(sim_engine_now(engine), 10);

    sim_region_at(region, 150, 0, step, &c);
    sim_region_at(region, 20, 0, step, &b);
    run_to_end(engine);

    assert_string_equal(trail->str, " a@10 b@20 c@150");
}

static void an_idle_engine_moves_forward_only(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 1);
    SimRegion *region = sim_engine_region(engine, 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};

    (void) state;
    sim_region_cancel(region, sim_region_at(region, 30, 0, step, &a));
    sim_region_cancel(region, sim_region_at(region, 3000, 0, step, &a));

    sim_engine_idle_until(engine, 5000);
    sim_engine_idle_until(engine, 40);

    assert_int_equal(sim_engine_now(engine), 5000);
    assert_int_equal(sim_region_now(region), 5000);
    sim_region_at(region, 5000, 0, step, &a);
    sim_region_at(region, 5001, 0, step, &a);
    run_to_end(engine);
    assert_string_equal(trail->str, " a@5000 a@5001");
}

/* Posts to the other region as early as is allowed. */
typedef struct {
    SimRegion *to;
    SimTime delay;
    Step step;
} Poster;

static void post(SimRegion *region, gpointer data)
{
    Poster *self = data;

    sim_region_post(region, self->to, sim_region_now(region) + self->delay, 0, step,
                    &self->step);
}

static void a_post_arrives_at_its_cycle(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, 4);
    SimRegion *here = sim_engine_region(engine, 0);
    SimRegion *there = sim_engine_region(engine, 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    Poster away = {there, 4, {"away", trail}};
    Poster local = {here, 0, {"local", trail}};

    (void) state;
    sim_region_at(here, 7, 0, post, &away);
    sim_region_at(here, 7, 1, post, &local);

    run_to_end(engine);

    assert_string_equal(trail->str, " local@7 away@11");
}

static void what_is_posted_between_runs_arrives_in_region_order(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(3, 4);
    SimRegion *there = sim_engine_region(engine, 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};
    Step b = {"b", trail};

    (void) state;
    sim_region_post(sim_engine_region(engine, 2), there, 4, 0, step, &b);
    sim_region_post(sim_engine_region(engine, 0), there, 4, 0, step, &a);

    run_to_end(engine);

    assert_string_equal(trail->str, " a@4 b@4");
}

/* Regions that never talk may be given a window without end. */
static void a_window_may_be_endless(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(2, SIM_TIME_NEVER);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step a = {"a", trail};

    (void) state;
    sim_region_at(sim_engine_region(engine, 0), 7, 0, step, &a);
    sim_region_at(sim_engine_region(engine, 1), 9000, 0, step, &a);

    run_to_end(engine);

    assert_string_equal(trail->str, " a@7 a@9000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_a_cycle_in_key_order),
        cmocka_unit_test(runs_ties_in_the_order_they_were_scheduled),
        cmocka_unit_test(an_event_for_the_present_cycle_takes_its_place_by_key),
        cmocka_unit_test(a_cancelled_event_does_not_run),
        cmocka_unit_test(an_event_can_cancel_a_later_one_of_its_cycle_but_not_itself),
        cmocka_unit_test(may_run_again_after_a_run),
        cmocka_unit_test(a_cancelled_timer_does_not_move_time),
        cmocka_unit_test(an_idle_engine_moves_forward_only),
        cmocka_unit_test(a_post_arrives_at_its_cycle),
        cmocka_unit_test(what_is_posted_between_runs_arrives_in_region_order),
        cmocka_unit_test(a_window_may_be_endless),
    };

    return cmocka_run_group_tests_name("sim.engine", tests, NULL, NULL);
}
