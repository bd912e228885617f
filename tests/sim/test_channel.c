/* Tests of channels: latency and back-pressure to the cycle, and whose turn it is. */
#include <stdbool.h>

#include "sim/error.h"
#include "tests/sim/actor.h"

typedef struct {
    guint capacity;
    SimTime latency;
    SimTime credit;
} Shape;

static SimChannel *
channel_between(const char *name, SimRegion *from, SimRegion *to, Shape shape)
{
    return sim_channel_new(&(SimChannelConfig){.name = name,
                                               .sender = from,
                                               .receiver = to,
                                               .key = sim_key(1000, 0),
                                               .item_bytes = sizeof(uint64_t),
                                               .capacity = shape.capacity,
                                               .latency_cycles = shape.latency,
                                               .credit_cycles = shape.credit});
}

/* Has an item that is pushed at 10 arrived after the cycle `limit`? */
static bool arrived_by(SimTime limit)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimChannel) channel =
        channel_between("c", region, region, (Shape){2, 5, 1});
    const Act push[] = {{ACT_SLEEP, NULL, 10}, {ACT_PUSH, channel, 8}, {0}};
    g_auto(Actor) sender = {.name = "sender", .trail = trail, .acts = push};
    uint64_t item;

    actor_start(&sender, region, 0);
    (void) sim_engine_run(engine, limit, NULL);
    return sim_channel_pop(channel, &item, NULL);
}

static void an_item_arrives_after_its_latency_and_not_before(void **state)
{
    (void) state;

    assert_false(arrived_by(14));
    assert_true(arrived_by(15));
}

/* What one sender and one receiver do, that know no pause. */
static char *transfer(Shape shape, guint count)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    GString *trail = g_string_new(NULL);
    g_autoptr(SimChannel) channel = channel_between("c", region, region, shape);
    g_autofree Act *push = g_new0(Act, count + 1);
    g_autofree Act *pop = g_new0(Act, count + 1);
    g_auto(Actor) sender = {.name = "s", .trail = trail, .acts = push};
    g_auto(Actor) receiver = {.name = "r", .trail = trail, .acts = pop};

    for (guint i = 0; i < count; i++) {
        push[i] = (Act){ACT_PUSH, channel, i};
        pop[i] = (Act){ACT_POP, channel, 0};
    }
    actor_start(&sender, region, 1);
    actor_start(&receiver, region, 2);
    run_to_end(engine);
    return g_string_free(trail, FALSE);
}

static void back_pressure_and_credits_are_exact(void **state)
{
    static const struct {
        Shape shape;
        guint count;
        const char *trail;
    } rows[] = {
        {{2, 3, 4},
         5,
         " s.push0@0 s.push1@0 r.pop0@3 r.pop1@3 s.push2@7 s.push3@7 r.pop2@10"
         " r.pop3@10 s.push4@14 r.pop4@17"},
        {{1, 1, 1}, 3, " s.push0@0 r.pop0@1 s.push1@2 r.pop1@3 s.push2@4 r.pop2@5"},
        {{1, 5, 0}, 2, " s.push0@0 r.pop0@5 s.push1@5 r.pop1@10"},
        {{1, 0, 5}, 2, " s.push0@0 r.pop0@0 s.push1@5 r.pop1@5"},
        {{2, 0, 0}, 3, " s.push0@0 s.push1@0 r.pop0@0 r.pop1@0 s.push2@0 r.pop2@0"},
    };

    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *trail = transfer(rows[i].shape, rows[i].count);

        if (!g_str_equal(trail, rows[i].trail)) {
            fail_msg("row %zu:%s", i, trail);
        }
    }
}

static void a_channel_holds_its_capacity(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(SimChannel) channel =
        channel_between("c", region, region, (Shape){3, 2, 2});
    uint64_t item = 0;

    (void) state;

    for (guint i = 0; i < 3; i++) {
        assert_true(sim_channel_push(channel, &item, NULL));
        item++;
    }
    assert_false(sim_channel_push(channel, &item, NULL));
    assert_false(sim_channel_pop(channel, &item, NULL));
    run_to_end(engine);
    assert_true(sim_channel_pop(channel, &item, NULL));
    assert_int_equal(item, 0);
    assert_false(sim_channel_push(channel, &item, NULL));
    run_to_end(engine);
    assert_int_equal(sim_engine_now(engine), 4);
    assert_true(sim_channel_push(channel, &item, NULL));
    assert_false(sim_channel_push(channel, &item, NULL));
}

static void items_of_any_size_are_copied(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(SimChannel) channel =
        sim_channel_new(&(SimChannelConfig){.name = "c",
                                            .sender = region,
                                            .receiver = region,
                                            .item_bytes = 3,
                                            .capacity = 5});
    char text[] = "abc";

    (void) state;
    for (char i = 0; i < 12; i++) {
        char out[4] = "";

        g_strlcpy(text, "?bc", sizeof text);
        text[0] = (char) ('a' + i);
        assert_true(sim_channel_push(channel, text, NULL));
        g_strlcpy(text, "???", sizeof text);
        assert_true(sim_channel_pop(channel, out, NULL));
        assert_int_equal(out[0], 'a' + i);
        assert_string_equal(out + 1, "bc");
    }
}

/* They come in the order a, b, c; their keys say the opposite. */
static void senders_are_served_first_come_first_served(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimChannel) channel =
        channel_between("c", region, region, (Shape){1, 1, 1});
    const Act a_acts[] = {{ACT_PUSH, channel, 0}, {ACT_PUSH, channel, 3}, {0}};
    const Act b_acts[] = {{ACT_SLEEP, NULL, 1}, {ACT_PUSH, channel, 1}, {0}};
    const Act c_acts[] = {{ACT_SLEEP, NULL, 2}, {ACT_PUSH, channel, 2}, {0}};
    const Act pops[] = {{ACT_SLEEP, NULL, 10}, {ACT_POP, channel, 0},
                        {ACT_POP, channel, 0}, {ACT_POP, channel, 0},
                        {ACT_POP, channel, 0}, {0}};
    g_auto(Actor) a = {.name = "a", .trail = trail, .acts = a_acts};
    g_auto(Actor) b = {.name = "b", .trail = trail, .acts = b_acts};
    g_auto(Actor) c = {.name = "c", .trail = trail, .acts = c_acts};
    g_auto(Actor) r = {.name = "r", .trail = trail, .acts = pops};

    (void) state;
    actor_start(&c, region, 1);
    actor_start(&b, region, 2);
    actor_start(&a, region, 3);
    actor_start(&r, region, 4);

    run_to_end(engine);

    assert_string_equal(trail->str, " a.push0@0 r.pop0@10 a.push3@11 r.pop3@12"
                                    " b.push1@13 r.pop1@14 c.push2@15 r.pop2@16");
}

/* Two items arrive in one cycle: both waiters get theirs in it, whether they run
 * between the two arrivals or after them. */
static void check_two_receivers(SimKey base)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimChannel) channel =
        channel_between("c", region, region, (Shape){2, 3, 1});
    const Act push[] = {{ACT_SLEEP, NULL, 5},
                        {ACT_PUSH, channel, 1},
                        {ACT_PUSH, channel, 2},
                        {ACT_PUSH, channel, 3},
                        {0}};
    const Act a_acts[] = {{ACT_POP, channel, 0}, {ACT_POP, channel, 0}, {0}};
    const Act b_acts[] = {{ACT_SLEEP, NULL, 1}, {ACT_POP, channel, 0}, {0}};
    g_auto(Actor) s = {.name = "s", .trail = trail, .acts = push};
    g_auto(Actor) a = {.name = "a", .trail = trail, .acts = a_acts};
    g_auto(Actor) b = {.name = "b", .trail = trail, .acts = b_acts};

    actor_start(&b, region, base + 1);
    actor_start(&a, region, base + 2);
    actor_start(&s, region, base + 3);

    run_to_end(engine);

    assert_string_equal(trail->str, " s.push1@5 s.push2@5 a.pop1@8 b.pop2@8 s.push3@9"
                                    " a.pop3@12");
}

static void receivers_are_served_first_come_first_served(void **state)
{
    (void) state;

    check_two_receivers(0);
    check_two_receivers(sim_key(2000, 0));
}

/* The same for two credits and two who wait for space. */
static void check_two_senders(SimKey base)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimChannel) channel =
        channel_between("c", region, region, (Shape){2, 1, 3});
    const Act a_acts[] = {
        {ACT_PUSH, channel, 1}, {ACT_PUSH, channel, 2}, {ACT_PUSH, channel, 3}, {0}};
    const Act b_acts[] = {{ACT_SLEEP, NULL, 1}, {ACT_PUSH, channel, 4}, {0}};
    const Act pops[] = {
        {ACT_SLEEP, NULL, 5}, {ACT_POP, channel, 0}, {ACT_POP, channel, 0}, {0}};
    g_auto(Actor) a = {.name = "a", .trail = trail, .acts = a_acts};
    g_auto(Actor) b = {.name = "b", .trail = trail, .acts = b_acts};
    g_auto(Actor) r = {.name = "r", .trail = trail, .acts = pops};

    actor_start(&b, region, base + 1);
    actor_start(&a, region, base + 2);
    actor_start(&r, region, base + 3);

    run_to_end(engine);

    assert_string_equal(trail->str, " a.push1@0 a.push2@0 r.pop1@5 r.pop2@5 a.push3@8"
                                    " b.push4@8");
}

static void two_credits_serve_two_senders(void **state)
{
    (void) state;

    check_two_senders(0);
    check_two_senders(sim_key(2000, 0));
}

typedef struct {
    SimChannel *channel;
    bool is_done;
} Intruder;

static void try_pop(SimRegion *region, gpointer data)
{
    Intruder *self = data;
    uint64_t item;

    (void) region;
    self->is_done = sim_channel_pop(self->channel, &item, NULL);
}

/* Between the arrival and the receiver's turn in the same cycle. */
static void nobody_takes_the_item_of_who_waits(void **state)
{
    g_autoptr(SimEngine) engine = engine_of(1, 1);
    SimRegion *region = sim_engine_region(engine, 0);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(SimChannel) channel =
        channel_between("c", region, region, (Shape){2, 3, 1});
    const Act push[] = {{ACT_PUSH, channel, 1}, {0}};
    const Act pop[] = {{ACT_POP, channel, 0}, {0}};
    Intruder intruder = {channel, true};
    g_auto(Actor) s = {.name = "s", .trail = trail, .acts = push};
    g_auto(Actor) r = {.name = "r", .trail = trail, .acts = pop};

    (void) state;
    actor_start(&s, region, 1);
    actor_start(&r, region, sim_key(1000, 9));
    sim_region_at(region, 3, sim_key(1000, 5), try_pop, &intruder);

    run_to_end(engine);

    assert_false(intruder.is_done);
    assert_string_equal(trail->str, " s.push1@0 r.pop1@3");
}

static void check_across(guint thread_count, SimTime window)
{
    SimEngineConfig config = sim_engine_config_default();

    config.region_count = 2;
    config.thread_count = thread_count;
    config.window_cycles = window;

    g_autoptr(SimEngine) engine = sim_engine_new(config);
    SimRegion *from = sim_engine_region(engine, 0);
    SimRegion *to = sim_engine_region(engine, 1);
    g_autoptr(GString) sent = g_string_new(NULL);
    g_autoptr(GString) received = g_string_new(NULL);
    g_autoptr(SimChannel) channel = channel_between("c", from, to, (Shape){2, 5, 7});
    const Act push[] = {{ACT_PUSH, channel, 1}, {ACT_SLEEP, NULL, 1},
                        {ACT_PUSH, channel, 2}, {ACT_PUSH, channel, 3},
                        {ACT_PUSH, channel, 4}, {0}};
    const Act pop[] = {{ACT_POP, channel, 0},
                       {ACT_POP, channel, 0},
                       {ACT_POP, channel, 0},
                       {ACT_POP, channel, 0},
                       {0}};
    g_auto(Actor) s = {.name = "s", .trail = sent, .acts = push};
    g_auto(Actor) r = {.name = "r", .trail = received, .acts = pop};

    actor_start(&s, from, 1);
    actor_start(&r, to, 2);

    run_to_end(engine);

    assert_string_equal(sent->str, " s.push1@0 s.push2@1 s.push3@12 s.push4@13");
    assert_string_equal(received->str, " r.pop1@5 r.pop2@6 r.pop3@17 r.pop4@18");
}

static void a_channel_between_regions_keeps_the_same_time(void **state)
{
    (void) state;

    for (SimTime window = 1; window <= 5; window++) {
        check_across(1, window);
        check_across(2, window);
    }
}

/* Each first wants what only the other can send. */
static void check_deadlock(guint region_count)
{
    g_autoptr(SimEngine) engine = engine_of(region_count, 2);
    SimRegion *here = sim_engine_region(engine, 0);
    SimRegion *there = sim_engine_region(engine, region_count - 1);
    g_autoptr(GString) trail = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(SimChannel) ab = channel_between("cb[0]", here, there, (Shape){1, 2, 2});
    g_autoptr(SimChannel) ba = channel_between("cb[1]", there, here, (Shape){1, 2, 2});
    const Act a_acts[] = {{ACT_PUSH, ab, 1}, {ACT_PUSH, ab, 1}, {ACT_POP, ba, 0}, {0}};
    const Act b_acts[] = {{ACT_SLEEP, NULL, 9}, {ACT_POP, ba, 0}, {0}};
    g_auto(Actor) a = {.name = "core[0,0].writer", .trail = trail, .acts = a_acts};
    g_auto(Actor) b = {.name = "core[0,1].reader", .trail = trail, .acts = b_acts};

    actor_start(&a, here, 1);
    actor_start(&b, there, 2);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_error(error, SIM_ERROR, SIM_ERROR_DEADLOCK);
    assert_string_equal(
        error->message,
        "deadlock at cycle 9: nothing can happen any more, 2 still wait:\n"
        "  core[0,0].writer waits for space in cb[0] (full, 1) since cycle 0\n"
        "  core[0,1].reader waits for an item from cb[1] (empty) since cycle 9");
}

static void a_deadlock_says_which_channel_each_waits_for(void **state)
{
    (void) state;

    check_deadlock(1);
    check_deadlock(2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_arrives_after_its_latency_and_not_before),
        cmocka_unit_test(back_pressure_and_credits_are_exact),
        cmocka_unit_test(a_channel_holds_its_capacity),
        cmocka_unit_test(items_of_any_size_are_copied),
        cmocka_unit_test(senders_are_served_first_come_first_served),
        cmocka_unit_test(receivers_are_served_first_come_first_served),
        cmocka_unit_test(two_credits_serve_two_senders),
        cmocka_unit_test(nobody_takes_the_item_of_who_waits),
        cmocka_unit_test(a_channel_between_regions_keeps_the_same_time),
        cmocka_unit_test(a_deadlock_says_which_channel_each_waits_for),
    };

    return cmocka_run_group_tests_name("sim.channel", tests, NULL, NULL);
}
