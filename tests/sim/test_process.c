/* Tests of processes: when they are resumed, and who counts as stuck. */
#include <stdbool.h>
#include <string.h>

#include "sim/error.h"
#include "tests/sim/actor.h"

/* A process that waits for "a sign" each time it is resumed, and says so. */
static SimProcessStatus wait_for_a_sign(SimProcess *process, gpointer data)
{
    leave_step(data, "up", sim_region_now(sim_process_region(process)));
    sim_process_wait(process, "a sign");
    return SIM_PROCESS_BLOCKED;
}

static SimProcessStatus finish(SimProcess *process, gpointer data)
{
    leave_step(data, "up", sim_region_now(sim_process_region(process)));
    return SIM_PROCESS_FINISHED;
}

static void wake(SimRegion *region, gpointer data)
{
    (void) region;
    sim_process_wake(data);
}

static SimProcess *waiter_new(SimEngine *engine, SimProcessRole role, GString *trail)
{
    return sim_process_new(sim_engine_region(engine, 0), 5, "core[0,0].reader", role,
                           wait_for_a_sign, trail);
}

static void a_process_is_resumed_when_it_was_started(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimProcess) process = sim_process_new(
        sim_engine_region(engine, 0), 5, "p", SIM_PROCESS_WORKER, finish, trail);

    (void) state;
    sim_process_start(process, 3);

    assert_false(sim_process_is_finished(process));
    run_to_end(engine);

    assert_string_equal(trail->str, " up@3");
    assert_true(sim_process_is_finished(process));
    assert_int_equal(sim_process_key(process), 5);
    assert_ptr_equal(sim_process_region(process), sim_engine_region(engine, 0));
}

static guint resumptions_within(SimTime limit)
{
    static const Act acts[] = {{ACT_SLEEP, NULL, 7}, {ACT_SLEEP, NULL, 10}, {0}};
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_auto(Actor) actor = {.name = "a", .acts = acts};

    actor_start(&actor, sim_engine_region(engine, 0), 0);
    (void) sim_engine_run(engine, limit, NULL);
    return actor.resumptions;
}

static void sleep_ends_on_its_cycle_and_not_before(void **state)
{
    (void) state;

    assert_int_equal(resumptions_within(6), 1);
    assert_int_equal(resumptions_within(7), 2);
    assert_int_equal(resumptions_within(16), 2);
    assert_int_equal(resumptions_within(17), 3);
}

static void sleeping_no_cycles_resumes_in_the_same_one(void **state)
{
    static const Act acts[] = {{ACT_SLEEP, NULL, 0}, {0}};
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_auto(Actor) actor = {.name = "a", .acts = acts};

    (void) state;
    actor_start(&actor, sim_engine_region(engine, 0), 0);

    assert_true(sim_engine_run(engine, 0, NULL));
    assert_int_equal(actor.resumptions, 2);
}

static void waking_resumes_once_in_the_same_cycle(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimProcess) process = waiter_new(engine, SIM_PROCESS_SERVICE, trail);

    (void) state;
    sim_process_start(process, 1);
    sim_region_at(region, 9, 1, wake, process);
    sim_region_at(region, 9, 2, wake, process);

    run_to_end(engine);

    assert_string_equal(trail->str, " up@1 up@9");
}

static void waking_one_that_does_not_wait_does_nothing(void **state)
{
    static const Act acts[] = {{ACT_SLEEP, NULL, 10}, {0}};
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_auto(Actor) sleeper = {.name = "a", .acts = acts};
    g_autoptr(SimProcess) unborn = waiter_new(engine, SIM_PROCESS_WORKER, trail);

    (void) state;
    actor_start(&sleeper, region, 0);
    sim_region_at(region, 5, 1, wake, sleeper.process);
    sim_region_at(region, 11, 1, wake, sleeper.process);
    sim_region_at(region, 5, 1, wake, unborn);

    run_to_end(engine);

    assert_int_equal(sleeper.resumptions, 2);
    assert_true(sim_process_is_finished(sleeper.process));
    assert_string_equal(trail->str, "");
}

static void a_worker_that_waits_for_ever_is_a_deadlock(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(SimProcess) worker = waiter_new(engine, SIM_PROCESS_WORKER, trail);

    (void) state;
    sim_process_start(worker, 4);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_DEADLOCK);
    assert_string_equal(error->message,
                        "deadlock at cycle 4: nothing can happen any more, 1 still "
                        "waits:\n  core[0,0].reader waits for a sign since cycle 4");
}

static void services_and_the_finished_are_not_stuck(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimProcess) service = waiter_new(engine, SIM_PROCESS_SERVICE, trail);
    g_autoptr(SimProcess) unborn = waiter_new(engine, SIM_PROCESS_WORKER, trail);
    g_autoptr(SimProcess) finished = sim_process_new(
        sim_engine_region(engine, 0), 6, "p", SIM_PROCESS_WORKER, finish, trail);

    (void) state;
    sim_process_start(service, 0);
    sim_process_start(finished, 0);

    run_to_end(engine);

    assert_false(sim_process_is_finished(unborn));
    assert_string_equal(trail->str, " up@0 up@0");
}

static void a_process_may_be_freed_while_it_sleeps(void **state)
{
    static const Act acts[] = {{ACT_SLEEP, NULL, 10}, {0}};
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    Step last = {"last", trail};
    g_auto(Actor) actor = {.name = "a", .acts = acts};

    (void) state;
    actor_start(&actor, region, 0);
    sim_region_at(region, 3, 0, step, &last);
    actor_clear(&actor);

    run_to_end(engine);

    assert_int_equal(actor.resumptions, 0);
    assert_int_equal(sim_engine_now(engine), 3);
}

static void free_actor(SimRegion *region, gpointer data)
{
    (void) region;
    actor_clear(data);
}

/* The first in line goes away, woken or not: the one behind it must not be forgotten.
 */
static void check_free_in_line(SimTime freed_at)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimSemaphore) semaphore = sim_semaphore_new("s", 0);
    const Act give[] = {{ACT_SLEEP, NULL, 9}, {ACT_GIVE, semaphore, 1}, {0}};
    const Act take[] = {{ACT_TAKE, semaphore, 1}, {0}};
    g_auto(Actor) giver = {.name = "giver", .trail = trail, .acts = give};
    g_auto(Actor) first = {.name = "first", .trail = trail, .acts = take};
    g_auto(Actor) second = {.name = "second", .trail = trail, .acts = take};

    actor_start(&giver, region, 0);
    actor_start(&first, region, 2);
    actor_start(&second, region, 3);
    sim_region_at(region, freed_at, 1, free_actor, &first);

    run_to_end(engine);

    assert_string_equal(trail->str, " second.take1@9");
}

static void a_process_may_be_freed_while_it_waits(void **state)
{
    (void) state;

    check_free_in_line(5);
    check_free_in_line(9);
}

/* The first wants more than there is; without it the second can go on. */
static void who_leaves_the_line_lets_the_next_try(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimSemaphore) semaphore = sim_semaphore_new("s", 1);
    const Act much[] = {{ACT_TAKE, semaphore, 5}, {0}};
    const Act little[] = {{ACT_TAKE, semaphore, 1}, {0}};
    g_auto(Actor) first = {.name = "first", .trail = trail, .acts = much};
    g_auto(Actor) second = {.name = "second", .trail = trail, .acts = little};

    (void) state;
    actor_start(&first, region, 2);
    actor_start(&second, region, 3);
    sim_region_at(region, 6, 0, free_actor, &first);

    run_to_end(engine);

    assert_string_equal(trail->str, " second.take1@6");
}

static SimChannel *channel_in(SimRegion *region)
{
    return sim_channel_new(&(SimChannelConfig){.name = "c",
                                               .sender = region,
                                               .receiver = region,
                                               .item_bytes = sizeof(uint64_t),
                                               .capacity = 2,
                                               .latency_cycles = 1,
                                               .credit_cycles = 1});
}

static void who_finishes_in_line_is_not_resumed_again(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimChannel) channel = channel_in(region);
    const Act push[] = {{ACT_SLEEP, NULL, 4}, {ACT_PUSH, channel, 8}, {0}};
    const Act give_up[] = {{ACT_GIVE_UP, channel, 0}, {0}};
    const Act pop[] = {{ACT_POP, channel, 0}, {0}};
    g_auto(Actor) sender = {.name = "sender", .trail = trail, .acts = push};
    g_auto(Actor) first = {.name = "first", .trail = trail, .acts = give_up};
    g_auto(Actor) second = {.name = "second", .trail = trail, .acts = pop};

    (void) state;
    actor_start(&sender, region, 1);
    actor_start(&first, region, 2);
    actor_start(&second, region, 3);

    run_to_end(engine);

    assert_string_equal(trail->str, " sender.push8@4 second.pop8@5");
    assert_int_equal(first.resumptions, 1);
}

static void a_vain_attempt_does_not_restart_the_wait(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(SimSemaphore) semaphore = sim_semaphore_new("s", 0);
    const Act give[] = {{ACT_SLEEP, NULL, 9}, {ACT_GIVE, semaphore, 1}, {0}};
    const Act take[] = {{ACT_SLEEP, NULL, 2}, {ACT_TAKE, semaphore, 3}, {0}};
    g_auto(Actor) giver = {.name = "giver", .trail = trail, .acts = give};
    g_auto(Actor) taker = {.name = "taker", .trail = trail, .acts = take};

    (void) state;
    actor_start(&giver, region, 0);
    actor_start(&taker, region, 1);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_non_null(
        strstr(error->message, "taker waits for semaphore s since cycle 2"));
}

static void free_semaphore(SimRegion *region, gpointer data)
{
    (void) region;
    sim_semaphore_free(data);
}

static void what_a_process_waits_for_may_be_freed(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GError) error = NULL;
    SimSemaphore *semaphore = sim_semaphore_new("s", 0);
    const Act take[] = {{ACT_TAKE, semaphore, 1}, {0}};
    g_auto(Actor) taker = {.name = "taker", .acts = take};

    (void) state;
    actor_start(&taker, region, 0);
    sim_region_at(region, 3, 0, free_semaphore, semaphore);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_DEADLOCK);
    assert_non_null(strstr(error->message,
                           "taker waits for something that was freed since cycle 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_is_resumed_when_it_was_started),
        cmocka_unit_test(sleep_ends_on_its_cycle_and_not_before),
        cmocka_unit_test(sleeping_no_cycles_resumes_in_the_same_one),
        cmocka_unit_test(waking_resumes_once_in_the_same_cycle),
        cmocka_unit_test(waking_one_that_does_not_wait_does_nothing),
        cmocka_unit_test(a_worker_that_waits_for_ever_is_a_deadlock),
        cmocka_unit_test(services_and_the_finished_are_not_stuck),
        cmocka_unit_test(a_process_may_be_freed_while_it_sleeps),
        cmocka_unit_test(a_process_may_be_freed_while_it_waits),
        cmocka_unit_test(who_leaves_the_line_lets_the_next_try),
        cmocka_unit_test(who_finishes_in_line_is_not_resumed_again),
        cmocka_unit_test(a_vain_attempt_does_not_restart_the_wait),
        cmocka_unit_test(what_a_process_waits_for_may_be_freed),
    };

    return cmocka_run_group_tests_name("sim.process", tests, NULL, NULL);
}
