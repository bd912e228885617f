/* Tests of resources: slots, turns, and how long they were busy. */
#include <string.h>

#include "sim/error.h"
#include "tests/sim/actor.h"

static void a_resource_has_so_many_slots(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(SimResource) resource =
        sim_resource_new(sim_engine_region(engine, 0), "dram[2]", 3);

    (void) state;

    assert_true(sim_resource_acquire(resource, NULL));
    assert_true(sim_resource_acquire(resource, NULL));
    assert_true(sim_resource_acquire(resource, NULL));
    assert_false(sim_resource_acquire(resource, NULL));
    sim_resource_release(resource);
    assert_true(sim_resource_acquire(resource, NULL));
}

/* Two slots: held 3..13 and 5..9. */
static void busy_cycles_count_each_slot(void **state)
{
    static const struct {
        SimTime when;
        uint64_t busy;
    } rows[] = {{0, 0}, {3, 0}, {4, 1}, {5, 2}, {9, 10}, {10, 11}, {13, 14}, {50, 14}};
    g_autoptr(GString) trail = g_string_new(NULL);

    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(SimEngine) engine = engine_of(1, 1);
        SimRegion *region = sim_engine_region(engine, 0);
        g_autoptr(SimResource) resource = sim_resource_new(region, "r", 2);
        const Act long_acts[] = {{ACT_SLEEP, NULL, 3},
                                 {ACT_ACQUIRE, resource, 0},
                                 {ACT_SLEEP, NULL, 10},
                                 {ACT_RELEASE, resource, 0},
                                 {0}};
        const Act short_acts[] = {{ACT_SLEEP, NULL, 5},
                                  {ACT_ACQUIRE, resource, 0},
                                  {ACT_SLEEP, NULL, 4},
                                  {ACT_RELEASE, resource, 0},
                                  {0}};
        g_auto(Actor) a = {.name = "a", .trail = trail, .acts = long_acts};
        g_auto(Actor) b = {.name = "b", .trail = trail, .acts = short_acts};
        Step until = {"until", trail};

        actor_start(&a, region, 0);
        actor_start(&b, region, 1);
        sim_region_at(region, rows[i].when, 9, step, &until);
        (void) sim_engine_run(engine, rows[i].when, NULL);
        if (sim_resource_busy_cycles(resource) != rows[i].busy) {
            fail_msg("at %d: busy for %d cycles", (int) rows[i].when,
                     (int) sim_resource_busy_cycles(resource));
        }
    }
}

static void a_slot_held_while_idle_is_busy(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    g_autoptr(SimResource) resource =
        sim_resource_new(sim_engine_region(engine, 0), "r", 4);

    (void) state;
    sim_engine_idle_until(engine, 100);
    assert_true(sim_resource_acquire(resource, NULL));
    assert_true(sim_resource_acquire(resource, NULL));

    assert_int_equal(sim_resource_busy_cycles(resource), 0);
    sim_engine_idle_until(engine, 103);
    assert_int_equal(sim_resource_busy_cycles(resource), 6);
    sim_resource_release(resource);
    sim_engine_idle_until(engine, 104);
    assert_int_equal(sim_resource_busy_cycles(resource), 7);
}

static void waiters_are_served_first_come_first_served(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimResource) resource = sim_resource_new(region, "r", 1);
    Act acts[3][5];
    g_auto(Actor) a = {.name = "a", .trail = trail, .acts = acts[0]};
    g_auto(Actor) b = {.name = "b", .trail = trail, .acts = acts[1]};
    g_auto(Actor) c = {.name = "c", .trail = trail, .acts = acts[2]};

    (void) state;
    for (guint i = 0; i < 3; i++) {
        acts[i][0] = (Act){ACT_SLEEP, NULL, i};
        acts[i][1] = (Act){ACT_ACQUIRE, resource, 0};
        acts[i][2] = (Act){ACT_SLEEP, NULL, 10};
        acts[i][3] = (Act){ACT_RELEASE, resource, 0};
        acts[i][4] = (Act){0};
    }
    actor_start(&c, region, 0);
    actor_start(&b, region, 1);
    actor_start(&a, region, 2);

    run_to_end(engine);

    assert_string_equal(trail->str, " a.acquire0@0 b.acquire0@10 c.acquire0@20");
    assert_int_equal(sim_resource_busy_cycles(resource), 30);
}

/* Both slots come free in one cycle: both waiters get one in it. */
static void two_free_slots_serve_two_waiters(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimResource) resource = sim_resource_new(region, "r", 2);
    const Act hold[] = {{ACT_ACQUIRE, resource, 0}, {ACT_ACQUIRE, resource, 1},
                        {ACT_SLEEP, NULL, 6},       {ACT_RELEASE, resource, 0},
                        {ACT_RELEASE, resource, 0}, {0}};
    const Act want[] = {{ACT_ACQUIRE, resource, 2}, {0}};
    g_auto(Actor) holder = {.name = "holder", .trail = trail, .acts = hold};
    g_auto(Actor) a = {.name = "a", .trail = trail, .acts = want};
    g_auto(Actor) b = {.name = "b", .trail = trail, .acts = want};

    (void) state;
    actor_start(&holder, region, 5);
    actor_start(&a, region, 6);
    actor_start(&b, region, 7);

    run_to_end(engine);

    assert_string_equal(
        trail->str, " holder.acquire0@0 holder.acquire1@0 a.acquire2@6 b.acquire2@6");
    assert_int_equal(sim_resource_busy_cycles(resource), 12);
}

static void who_waits_for_a_slot_is_named(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(SimResource) resource = sim_resource_new(region, "dram[2]", 1);
    const Act want[] = {{ACT_SLEEP, NULL, 2}, {ACT_ACQUIRE, resource, 0}, {0}};
    g_auto(Actor) actor = {.name = "actor", .acts = want};

    (void) state;
    assert_true(sim_resource_acquire(resource, NULL));
    actor_start(&actor, region, 0);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_DEADLOCK);
    assert_non_null(
        strstr(error->message,
               "actor waits for a slot of dram[2] (all 1 in use) since cycle 2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resource_has_so_many_slots),
        cmocka_unit_test(busy_cycles_count_each_slot),
        cmocka_unit_test(a_slot_held_while_idle_is_busy),
        cmocka_unit_test(waiters_are_served_first_come_first_served),
        cmocka_unit_test(two_free_slots_serve_two_waiters),
        cmocka_unit_test(who_waits_for_a_slot_is_named),
    };

    return cmocka_run_group_tests_name("sim.resource", tests, NULL, NULL);
}
