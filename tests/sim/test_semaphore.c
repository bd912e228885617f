/* Tests of the counting semaphore. */
#include <string.h>

#include "sim/error.h"
#include "tests/sim/actor.h"

static void takes_what_is_there(void **state)
{
    g_autoptr(SimSemaphore) semaphore = sim_semaphore_new("s", 5);

    (void) state;

    assert_true(sim_semaphore_take(semaphore, 2, NULL));
    assert_false(sim_semaphore_take(semaphore, 4, NULL));
    assert_true(sim_semaphore_take(semaphore, 3, NULL));
    sim_semaphore_give(semaphore, 7);
    assert_false(sim_semaphore_take(semaphore, 8, NULL));
    assert_true(sim_semaphore_take(semaphore, 7, NULL));
}

static void a_taker_goes_on_in_the_cycle_of_the_gift(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimSemaphore) semaphore = sim_semaphore_new("s", 0);
    const Act give[] = {{ACT_SLEEP, NULL, 5},
                        {ACT_GIVE, semaphore, 1},
                        {ACT_SLEEP, NULL, 5},
                        {ACT_GIVE, semaphore, 1},
                        {0}};
    const Act take[] = {{ACT_TAKE, semaphore, 2}, {0}};
    g_auto(Actor) giver = {.name = "giver", .trail = trail, .acts = give};
    g_auto(Actor) taker = {.name = "taker", .trail = trail, .acts = take};

    (void) state;
    actor_start(&giver, region, 9);
    actor_start(&taker, region, 1);

    run_to_end(engine);

    assert_string_equal(trail->str, " taker.take2@10");
    assert_false(sim_semaphore_take(semaphore, 1, NULL));
}

/* By arrival, not by key and not by how little they want. */
static void takers_are_served_first_come_first_served(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimSemaphore) semaphore = sim_semaphore_new("s", 0);
    const Act give[] = {{ACT_SLEEP, NULL, 10},
                        {ACT_GIVE, semaphore, 2},
                        {ACT_SLEEP, NULL, 10},
                        {ACT_GIVE, semaphore, 3},
                        {0}};
    const Act a_acts[] = {{ACT_SLEEP, NULL, 1}, {ACT_TAKE, semaphore, 3}, {0}};
    const Act b_acts[] = {{ACT_SLEEP, NULL, 2}, {ACT_TAKE, semaphore, 1}, {0}};
    const Act c_acts[] = {{ACT_SLEEP, NULL, 3}, {ACT_TAKE, semaphore, 1}, {0}};
    g_auto(Actor) giver = {.name = "giver", .trail = trail, .acts = give};
    g_auto(Actor) a = {.name = "a", .trail = trail, .acts = a_acts};
    g_auto(Actor) b = {.name = "b", .trail = trail, .acts = b_acts};
    g_auto(Actor) c = {.name = "c", .trail = trail, .acts = c_acts};

    (void) state;
    actor_start(&giver, region, 0);
    actor_start(&c, region, 1);
    actor_start(&b, region, 2);
    actor_start(&a, region, 3);

    run_to_end(engine);

    assert_string_equal(trail->str, " a.take3@20 b.take1@20 c.take1@20");
}

/* What is there is not for those who come while others wait. */
static void nobody_overtakes(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimSemaphore) semaphore = sim_semaphore_new("core[1,1].go", 1);
    const Act take[] = {{ACT_TAKE, semaphore, 2}, {0}};
    g_auto(Actor) taker = {.name = "taker", .trail = trail, .acts = take};

    (void) state;
    actor_start(&taker, sim_engine_region(engine, 0), 0);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_DEADLOCK);
    assert_non_null(
        strstr(error->message, "taker waits for semaphore core[1,1].go since cycle 0"));
    assert_false(sim_semaphore_take(semaphore, 1, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_is_there),
        cmocka_unit_test(a_taker_goes_on_in_the_cycle_of_the_gift),
        cmocka_unit_test(takers_are_served_first_come_first_served),
        cmocka_unit_test(nobody_overtakes),
    };

    return cmocka_run_group_tests_name("sim.semaphore", tests, NULL, NULL);
}
