/* What stands still in the fabric: wavelets that nobody reads, copies that wait for
 * each other, and wavelets that meet. */
#include <string.h>

#include "tests/arch/wse/run.h"

enum {
    COLOR = 4,
};

/* Wavelets that the sender has issued when nothing moves any more. */
static guint issued(const char *report, guint pe)
{
    g_autofree char *start =
        g_strdup_printf("pe[%u,0] (sender); fmovs at element ", pe);
    const char *at = strstr(report, start);

    assert_non_null(at);
    return (guint) g_ascii_strtoull(at + strlen(start), NULL, 10);
}

static void open_held_row_of(WseRun *run,
                             guint columns,
                             guint output,
                             guint input,
                             guint count,
                             const char *const *overrides)
{
    const WseRunStep send = {WSE_RUN_SEND, COLOR, output, .count = count, .value = 1};
    const WseRunStep hold = {WSE_RUN_HOLD, COLOR, input, .count = 0};
    ArchWseTiles between = {1, 0, columns - 1, 0, 1, 1};

    wse_run_open(run, columns, 1, overrides);
    wse_run_steps(run, wse_rig_one(0, 0), "sender", &send, 1);
    wse_run_steps(run, between, "deaf", &hold, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_route(run->layout, between, COLOR, W, E);
    wse_rig_set_route(run->layout, wse_rig_one(columns - 1, 0), COLOR, W, R);
}

static void open_held_row(
    WseRun *run, guint columns, guint output, guint input, const char *const *overrides)
{
    open_held_row_of(run, columns, output, input, 100, overrides);
}

static void what_nobody_reads_fills_every_slot(void **state)
{
    (void) state;
    static const guint inputs[] = {6, 6, 4, 4, 2, 2, 2, 2};
    static const guint outputs[] = {2, 2, 6, 6, 2, 2};

    for (guint input = 0; input < 8; input++) {
        for (guint columns = 2; columns < 5; columns++) {
            guint output = (input + columns) % 6;
            guint slots = outputs[output] + 3 + 2 * (columns - 1) + inputs[input] + 2;
            WseRun run;

            open_held_row(&run, columns, output, input, NULL);

            g_autofree char *report = wse_run_into_deadlock(&run);

            assert_int_equal(issued(report, 0), slots);
            assert_int_equal(wse_run_end(&run, 0, 0), WSE_RUN_FIRST + slots);
            wse_run_close(&run);
        }
    }
}

static void slots_are_those_of_the_chip(void **state)
{
    (void) state;
    static const struct {
        const char *number;
        int more;
    } cases[] = {
        {"router.link_buffer_wavelets=5", 3 * 2},
        {"router.link_buffer_wavelets=1", -2},
        {"router.ramp_buffer_wavelets=7", 4},
        {"router.ramp_buffer_wavelets=1", -2},
        {"queues.input_ramp_wavelets=0", -2},
        {"queues.input_ramp_wavelets=9", 7},
        {"queues.input_wavelets=6,6,4,4,11,2,2,2", 9},
        {"queues.output_wavelets=1,2,6,6,2,2", -1},
        /* More than a byte counts. */
        {"router.link_buffer_wavelets=256", 2 * 254},
        {"router.link_buffer_wavelets=257", 2 * 255},
        {"router.link_buffer_wavelets=1024", 2 * 1022},
        {"router.ramp_buffer_wavelets=1024", 1021},
        {"queues.input_ramp_wavelets=255", 253},
        {"queues.input_ramp_wavelets=1024", 1022},
        {"queues.input_wavelets=6,6,4,4,1024,2,2,2", 1022},
        {"queues.output_wavelets=1024,2,6,6,2,2", 1022},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const overrides[] = {cases[i].number, NULL};
        WseRun run;

        open_held_row_of(&run, 3, 0, 4, 4000, overrides);

        g_autofree char *report = wse_run_into_deadlock(&run);

        assert_int_equal((int) issued(report, 0) - (2 + 3 + 2 * 2 + 2 + 2),
                         cases[i].more);
        wse_run_close(&run);
    }
}

static void a_deadlock_says_who_waits_for_what(void **state)
{
    (void) state;
    WseRun run;

    open_held_row(&run, 3, 3, 2, NULL);

    g_autofree char *report = wse_run_into_deadlock(&run);

    assert_string_equal(
        report,
        "deadlock at cycle 64: nothing can happen any more, 3 still wait:\n"
        "  pe[0,0] (sender); fmovs at element 19 of 100, to color 4, output queue 3; "
        "output queue 3 has 6 of 6; color 4 has 3 of 3 from RAMP, switch at 0: RAMP to "
        "EAST\n"
        "  pe[1,0] (deaf); color 4 has 2 of 2 from WEST, switch at 0: WEST to EAST\n"
        "  pe[2,0] (deaf); input queue 2 (color 4) has 6 of 6; color 4 has 2 of 2 from "
        "WEST, switch at 0: WEST to RAMP");
    wse_run_close(&run);
}

static void a_queue_says_how_full_it_is(void **state)
{
    (void) state;
    const WseRunStep send = {WSE_RUN_SEND, COLOR, 0, .count = 3, .value = 1};
    const WseRunStep hold = {WSE_RUN_HOLD, COLOR, 0, .count = 0};
    WseRun run;

    wse_run_open(&run, 2, 1, NULL);
    wse_run_steps(&run, wse_rig_one(0, 0), "sender", &send, 1);
    wse_run_steps(&run, wse_rig_one(1, 0), "deaf", &hold, 1);
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, W, R);

    g_autofree char *report = wse_run_into_deadlock(&run);

    assert_non_null(strstr(
        report, "1 still waits:\n  pe[1,0] (deaf); input queue 0 (color 4) has 3 "
                "of 8"));
    wse_run_close(&run);
}

/* PE 1 sends both ways; nobody reads in the west. */
static void multicast_is_atomic_or_not(void **state)
{
    (void) state;
    static const char *const choices[] = {"router.multicast=atomic",
                                          "router.multicast=independent"};
    const WseRunStep send = {WSE_RUN_SEND, COLOR, 0, .count = 100, .value = 1};
    const WseRunStep hold = {WSE_RUN_HOLD, COLOR, 4, .count = 0};
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = 100};
    const guint held = 2 + 2 + 2; /* in the west: router, ramp, queue */

    for (guint i = 0; i < 2; i++) {
        const char *const overrides[] = {choices[i], NULL};
        guint taken = held + i;
        WseRun run;

        wse_run_open(&run, 3, 1, overrides);
        wse_run_steps(&run, wse_rig_one(1, 0), "sender", &send, 1);
        wse_run_steps(&run, wse_rig_one(0, 0), "deaf", &hold, 1);
        wse_run_steps(&run, wse_rig_one(2, 0), "receiver", &receive, 1);
        wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, R, E | W);
        wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, E, R);
        wse_rig_set_route(run.layout, wse_rig_one(2, 0), COLOR, W, R);

        g_autofree char *report = wse_run_into_deadlock(&run);

        assert_int_equal(issued(report, 1), held + 3 + 2);
        wse_run_assert(&run, 2, 0, "r0", 0, taken, 1);
        wse_run_assert(&run, 2, 0, "r0", taken, 1, 0);
        assert_int_equal(wse_run_end(&run, 2, 0),
                         WSE_RUN_FIRST + WSE_RUN_STAGE + 1 + taken);
        wse_run_close(&run);
    }
}

/* The west is slow to read, and PE 1 sends to both. */
static void copies_arrive_once_and_in_order(void **state)
{
    (void) state;
    static const char *const choices[] = {"router.multicast=atomic",
                                          "router.multicast=independent"};
    const WseRunStep send = {WSE_RUN_SEND, COLOR, 0, .count = 50, .value = 1};
    const WseRunStep early = {WSE_RUN_RECEIVE, COLOR, 4, .count = 50};
    const WseRunStep late = {WSE_RUN_RECEIVE, COLOR, 4, .count = 50, .delay = 200};

    for (guint i = 0; i < 2; i++) {
        const char *const overrides[] = {choices[i], NULL};
        WseRun run;

        wse_run_open(&run, 3, 1, overrides);
        wse_run_steps(&run, wse_rig_one(1, 0), "sender", &send, 1);
        wse_run_steps(&run, wse_rig_one(0, 0), "late", &late, 1);
        wse_run_steps(&run, wse_rig_one(2, 0), "early", &early, 1);
        wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, R, E | W);
        wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, E, R);
        wse_rig_set_route(run.layout, wse_rig_one(2, 0), COLOR, W, R);
        wse_run(&run);
        wse_run_assert(&run, 0, 0, "r0", 0, 50, 1);
        wse_run_assert(&run, 2, 0, "r0", 0, 50, 1);
        assert_int_equal(wse_run_end(&run, 0, 0), WSE_RUN_FIRST + 200 + 50);
        wse_run_close(&run);
    }
}

/* The link to the west is taken by a lower color all the while; copies of another
 * color for both sides leave together, or the one to the east alone. */
static void copies_wait_for_a_link_together_or_not(void **state)
{
    (void) state;
    static const char *const choices[] = {"router.multicast=atomic",
                                          "router.multicast=independent"};
    const guint count = 60;
    const WseRunStep stream = {WSE_RUN_SEND, 1, 0, .count = count, .value = 100};
    const WseRunStep one = {WSE_RUN_SEND, COLOR,       0,
                            .count = 1,   .delay = 20, .value = 1};
    const WseRunStep west[] = {{WSE_RUN_RECEIVE, 1, 5, .count = count},
                               {WSE_RUN_RECEIVE, COLOR, 4, .count = 1}};
    const WseRunStep east = {WSE_RUN_RECEIVE, COLOR, 4, .count = 1};

    for (guint i = 0; i < 2; i++) {
        const char *const overrides[] = {
            choices[i], "router.color_arbitration=lowest_color",
            "queues.input_wavelets=6,6,4,4,2,99,2,2", NULL};
        /* In router 1: after the last of PE 3's, which come from the 5th cycle after
         * their issue on, or as soon as it is there. */
        guint link = WSE_RUN_FIRST + (i == 0 ? 5 + count : 20 + 3);
        ArchWseTiles middle = wse_rig_one(1, 0);
        WseRun run;

        wse_run_open(&run, 4, 1, overrides);
        wse_run_steps(&run, wse_rig_one(0, 0), "west", west, 2);
        wse_run_steps(&run, middle, "middle", &one, 1);
        wse_run_steps(&run, wse_rig_one(2, 0), "east", &east, 1);
        wse_run_steps(&run, wse_rig_one(3, 0), "stream", &stream, 1);
        wse_rig_set_route(run.layout, wse_rig_one(3, 0), 1, R, W);
        wse_rig_set_route(run.layout, (ArchWseTiles){1, 0, 2, 0, 1, 1}, 1, E, W);
        wse_rig_set_route(run.layout, wse_rig_one(0, 0), 1, E, R);
        wse_rig_set_route(run.layout, middle, COLOR, R, E | W);
        wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, E, R);
        wse_rig_set_route(run.layout, wse_rig_one(2, 0), COLOR, W, R);
        wse_run(&run);
        assert_int_equal(wse_run_end(&run, 2, 0), link + 1 + 2 + 1);
        wse_run_close(&run);
    }
}

/* PE 1 takes the color from both sides. */
static void open_funnel(WseRun *run, guint count, guint delay, bool is_vertical)
{
    const WseRunStep near = {WSE_RUN_SEND, COLOR, 0, .count = count, .value = 1};
    const WseRunStep far = {WSE_RUN_SEND,   COLOR,          0,
                            .count = count, .delay = delay, .value = 100};
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = 2 * count};

    wse_run_open(run, is_vertical ? 1 : 3, is_vertical ? 3 : 1, NULL);

    ArchWseTiles first = wse_rig_one(0, 0);
    ArchWseTiles middle = is_vertical ? wse_rig_one(0, 1) : wse_rig_one(1, 0);
    ArchWseTiles last = is_vertical ? wse_rig_one(0, 2) : wse_rig_one(2, 0);

    wse_run_steps(run, first, "first", &near, 1);
    wse_run_steps(run, middle, "middle", &receive, 1);
    wse_run_steps(run, last, "last", &far, 1);
    wse_rig_set_route(run->layout, first, COLOR, R, is_vertical ? S : E);
    wse_rig_set_route(run->layout, middle, COLOR, is_vertical ? N | S : W | E, R);
    wse_rig_set_route(run->layout, last, COLOR, R, is_vertical ? N : W);
}

static void two_in_one_cycle_are_an_error(void **state)
{
    (void) state;
    static const char *const names[] = {"pe[1,0]", "WEST",  "EAST",
                                        "pe[0,1]", "NORTH", "SOUTH"};

    for (guint count = 1; count < 4; count++) {
        for (guint i = 0; i < 2; i++) {
            g_autoptr(GError) error = NULL;
            g_autofree char *message = g_strdup_printf(
                "%s: two wavelets of color 4 arrived in cycle %u, from %s and from %s, "
                "and the router takes both",
                names[3 * i], WSE_RUN_FIRST + 4 + count - 1, names[3 * i + 1],
                names[3 * i + 2]);
            WseRun run;

            open_funnel(&run, count, count - 1, i == 1);
            assert_false(wse_run_try(&run, &error));
            wse_rig_assert_error(error, message);
            wse_run_close(&run);
        }
    }
}

static void one_after_the_other_is_none(void **state)
{
    (void) state;
    for (guint count = 1; count < 4; count++) {
        for (guint i = 0; i < 2; i++) {
            guint x = i == 0 ? 1 : 0;
            WseRun run;

            open_funnel(&run, count, count, i == 1);
            wse_run(&run);
            wse_run_assert(&run, x, 1 - x, "r0", 0, count, 1);
            wse_run_assert(&run, x, 1 - x, "r0", count, count, 100);
            assert_int_equal(wse_run_end(&run, x, 1 - x),
                             WSE_RUN_FIRST + WSE_RUN_STAGE + 1 + 2 * count);
            wse_run_close(&run);
        }
    }
}

/* Behind wavelets that wait in the router: nobody reads, and of ten from the west two
 * wait there when the ones from the east come. */
static void two_in_one_cycle_are_seen_behind_others(void **state)
{
    (void) state;
    const WseRunStep near = {WSE_RUN_SEND, COLOR, 0, .count = 6, .value = 1};
    const WseRunStep far = {WSE_RUN_SEND, COLOR,      0,
                            .count = 1,   .delay = 5, .value = 100};
    const WseRunStep hold = {WSE_RUN_HOLD, COLOR, 4, .count = 0};
    g_autoptr(GError) error = NULL;
    WseRun run;

    wse_run_open(&run, 3, 1, NULL);
    wse_run_steps(&run, wse_rig_one(0, 0), "first", &near, 1);
    wse_run_steps(&run, wse_rig_one(1, 0), "deaf", &hold, 1);
    wse_run_steps(&run, wse_rig_one(2, 0), "last", &far, 1);
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, W | E, R);
    wse_rig_set_route(run.layout, wse_rig_one(2, 0), COLOR, R, W);
    assert_false(wse_run_try(&run, &error));
    wse_rig_assert_error(error, "pe[1,0]: two wavelets of color 4 arrived in cycle 53, "
                                "from WEST and from EAST, and the router takes both");
    wse_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_reads_fills_every_slot),
        cmocka_unit_test(slots_are_those_of_the_chip),
        cmocka_unit_test(a_deadlock_says_who_waits_for_what),
        cmocka_unit_test(multicast_is_atomic_or_not),
        cmocka_unit_test(a_queue_says_how_full_it_is),
        cmocka_unit_test(copies_arrive_once_and_in_order),
        cmocka_unit_test(copies_wait_for_a_link_together_or_not),
        cmocka_unit_test(two_in_one_cycle_are_an_error),
        cmocka_unit_test(one_after_the_other_is_none),
        cmocka_unit_test(two_in_one_cycle_are_seen_behind_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
