/* Time through routers and ramps: latencies, rates, and who shares what. */
#include "tests/arch/wse/run.h"

enum {
    COLOR = 4,
    ONE = 1, /* a lower color and a higher one */
    TWO = 2,
};

/* PE 0 sends `count` wavelets east; everybody else takes them, by this queue. */
static void open_row(WseRun *run,
                     guint columns,
                     guint count,
                     guint output,
                     guint input,
                     const char *const *overrides)
{
    const WseRunStep send = {WSE_RUN_SEND, COLOR, output, .count = count, .value = 1};
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, input, .count = count};
    ArchWseTiles others = {1, 0, columns - 1, 0, 1, 1};

    wse_run_open(run, columns, 1, overrides);
    wse_run_steps(run, wse_rig_one(0, 0), "sender", &send, 1);
    wse_run_steps(run, others, "receiver", &receive, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_route(run->layout, others, COLOR, W, E | R);
    wse_rig_set_route(run->layout, wse_rig_one(columns - 1, 0), COLOR, W, R);
}

static void a_wavelet_takes_its_time(void **state)
{
    (void) state;
    static const struct {
        const char *number;
        guint hops;  /* more cycles for each */
        guint ramps; /* and once */
    } cases[] = {
        {"fabric.hop_cycles=1", 0, 0},
        {"fabric.hop_cycles=2", 1, 0},
        {"fabric.hop_cycles=5", 4, 0},
        {"ramp.in_latency_cycles=3", 0, 1},
        {"ramp.in_latency_cycles=7", 0, 5},
        {"ramp.out_latency_cycles=3", 0, 1},
        {"ramp.out_latency_cycles=9", 0, 7},
        {"ramp.enqueue_cycles=2", 0, 1},
        {"ramp.enqueue_cycles=4", 0, 3},
        {"router.link_buffer_wavelets=1", 0, 0},
        {"router.ramp_buffer_wavelets=1", 0, 0},
        {"fabric.hop_cycles=20", 19, 0},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const overrides[] = {cases[i].number, NULL};
        WseRun run;

        open_row(&run, 5, 1, 0, 4, overrides);
        wse_run(&run);
        assert_int_equal(wse_run_end(&run, 0, 0), WSE_RUN_FIRST + 1);
        for (guint x = 1; x < 5; x++) {
            assert_int_equal(wse_run_end(&run, x, 0), WSE_RUN_FIRST + WSE_RUN_STAGE +
                                                          cases[i].ramps +
                                                          x * (1 + cases[i].hops) + 1);
            wse_run_assert(&run, x, 0, "r0", 0, 1, 1);
        }
        wse_run_close(&run);
    }
}

static void every_queue_sustains_a_wavelet_a_cycle(void **state)
{
    (void) state;
    const guint count = 300;

    for (guint input = 0; input < 8; input++) {
        WseRun run;

        open_row(&run, 4, count, input % 6, input, NULL);
        wse_run(&run);
        assert_int_equal(wse_run_end(&run, 0, 0), WSE_RUN_FIRST + count);
        for (guint x = 1; x < 4; x++) {
            assert_int_equal(wse_run_end(&run, x, 0),
                             WSE_RUN_FIRST + WSE_RUN_STAGE + x + count);
            wse_run_assert(&run, x, 0, "r0", 0, count, 1);
        }
        assert_int_equal(arch_wse_profile(run.wse).link_wavelets, 3 * count);
        assert_int_equal(arch_wse_profile(run.wse).ramp_wavelets, 3 * count);
        wse_run_close(&run);
    }
}

/* Where a loop of so many slots is shorter than the way through it and back. */
static void slots_and_rates_limit_a_stream(void **state)
{
    (void) state;
    static const struct {
        const char *number;
        guint slots;  /* go in a row */
        guint cycles; /* before as many go again */
    } cases[] = {
        {"fabric.link_cycles_per_wavelet=2", 1, 2},
        {"fabric.link_cycles_per_wavelet=2.5", 2, 5},
        {"fabric.link_cycles_per_wavelet=1.125", 8, 9},
        {"ramp.transfer_cycles_per_wavelet=1.25", 4, 5},
        {"ramp.transfer_cycles_per_wavelet=2", 1, 2},
        {"queues.input_ramp_wavelets=0", 2, 3},
        {"queues.credit_return_cycles=3", 4, 5},
        {"router.ramp_buffer_wavelets=2", 2, 3},
        {"router.ramp_buffer_wavelets=1", 1, 3},
        {"router.link_buffer_wavelets=1", 1, 2},
        {"router.link_credit_cycles=4", 2, 5},
        {"ramp.in_latency_cycles=6", 4, 7},
        {"ramp.out_latency_cycles=7", 3, 8},
        {"fabric.hop_cycles=4", 2, 5},
        {"queues.output_wavelets=1,2,6,6,2,2", 1, 2},
    };
    const guint count = 241;
    const guint last = count - 1;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const overrides[] = {cases[i].number, NULL};
        guint slots = cases[i].slots;
        WseRun one;
        WseRun run;

        open_row(&one, 4, 1, 0, 4, overrides);
        wse_run(&one);
        open_row(&run, 4, count, 0, 4, overrides);
        wse_run(&run);
        assert_int_equal(wse_run_end(&run, 3, 0) - wse_run_end(&one, 3, 0),
                         last / slots * cases[i].cycles + last % slots);
        wse_run_assert(&run, 3, 0, "r0", 0, count, 1);
        wse_run_close(&run);
        wse_run_close(&one);
    }
}

/* PE 0 to PE 2 by `first`, PE 1 to PE 3 by `second`: one link is the way of both, and
 * they reach it in one cycle. */
static void open_shared_link(
    WseRun *run, guint first, guint second, guint count, const char *const *overrides)
{
    const WseRunStep send = {WSE_RUN_SEND, first, 0, .count = count, .value = 1};
    const WseRunStep send_later = {WSE_RUN_SEND,   second,     0,
                                   .count = count, .delay = 1, .value = 1000};
    const WseRunStep receive = {WSE_RUN_RECEIVE, first, 4, .count = count};
    const WseRunStep receive_other = {WSE_RUN_RECEIVE, second, 4, .count = count};

    wse_run_open(run, 4, 1, overrides);
    wse_run_steps(run, wse_rig_one(0, 0), "a", &send, 1);
    wse_run_steps(run, wse_rig_one(1, 0), "b", &send_later, 1);
    wse_run_steps(run, wse_rig_one(2, 0), "c", &receive, 1);
    wse_run_steps(run, wse_rig_one(3, 0), "d", &receive_other, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), first, R, E);
    wse_rig_set_route(run->layout, wse_rig_one(1, 0), first, W, E);
    wse_rig_set_route(run->layout, wse_rig_one(2, 0), first, W, R);
    wse_rig_set_route(run->layout, wse_rig_one(1, 0), second, R, E);
    wse_rig_set_route(run->layout, wse_rig_one(2, 0), second, W, E);
    wse_rig_set_route(run->layout, wse_rig_one(3, 0), second, W, R);
}

static void colors_share_a_link(void **state)
{
    (void) state;
    static const char *const lowest[] = {"router.color_arbitration=lowest_color", NULL};
    const guint count = 100;
    const guint meet = WSE_RUN_FIRST + 4; /* in router 1, before its link */
    const struct {
        guint first;
        guint second;
        const char *const *overrides;
        guint first_last; /* when the last wavelet takes the link */
        guint second_last;
    } cases[] = {
        {ONE, TWO, NULL, meet + 2 * count - 2, meet + 2 * count - 1},
        {TWO, ONE, NULL, meet + 2 * count - 1, meet + 2 * count - 2},
        {ONE, TWO, lowest, meet + count - 1, meet + 2 * count - 1},
        {TWO, ONE, lowest, meet + 2 * count - 1, meet + count - 1},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        WseRun run;

        open_shared_link(&run, cases[i].first, cases[i].second, count,
                         cases[i].overrides);
        wse_run(&run);
        assert_int_equal(wse_run_end(&run, 2, 0), cases[i].first_last + 1 + 2 + 1);
        assert_int_equal(wse_run_end(&run, 3, 0), cases[i].second_last + 2 + 2 + 1);
        wse_run_assert(&run, 2, 0, "r0", 0, count, 1);
        wse_run_assert(&run, 3, 0, "r0", 0, count, 1000);
        wse_run_close(&run);
    }
}

/* Both neighbours send to PE 1, which has been ready for long. */
static void colors_share_the_ramp_in(void **state)
{
    (void) state;
    static const char *const lowest[] = {"router.color_arbitration=lowest_color", NULL};
    static const char *const *const overrides[] = {NULL, lowest};
    const guint count = 100;
    const guint meet = WSE_RUN_FIRST + 100 + 4;
    const guint after = 2 + 1 + WSE_RUN_DISPATCH;
    const guint lasts[][2] = {{meet + 2 * count - 2, meet + 2 * count - 1},
                              {meet + count - 1, meet + 2 * count - 1}};
    const WseRunStep sends[] = {
        {WSE_RUN_SEND, ONE, 0, .count = count, .delay = 100, .value = 1},
        {WSE_RUN_SEND, TWO, 0, .count = count, .delay = 100, .value = 1000},
    };
    const WseRunStep receives[] = {
        {WSE_RUN_RECEIVE, ONE, 5, .count = count, .is_marked = true},
        {WSE_RUN_RECEIVE, TWO, 4, .count = count, .is_marked = true},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(overrides); i++) {
        WseRun run;

        wse_run_open(&run, 3, 1, overrides[i]);
        wse_run_steps(&run, wse_rig_one(0, 0), "west", &sends[0], 1);
        wse_run_steps(&run, wse_rig_one(2, 0), "east", &sends[1], 1);
        wse_run_steps(&run, wse_rig_one(1, 0), "middle", receives, 2);
        wse_rig_set_route(run.layout, wse_rig_one(0, 0), ONE, R, E);
        wse_rig_set_route(run.layout, wse_rig_one(2, 0), TWO, R, W);
        wse_rig_set_route(run.layout, wse_rig_one(1, 0), ONE, W, R);
        wse_rig_set_route(run.layout, wse_rig_one(1, 0), TWO, E, R);
        wse_run(&run);
        assert_int_equal(wse_run_mark(&run, 0), lasts[i][0] + after);
        assert_int_equal(
            wse_run_mark(&run, 1),
            MAX(lasts[i][1] + after, lasts[i][0] + after + WSE_RUN_DISPATCH));
        wse_run_assert(&run, 1, 0, "r0", 0, count, 1);
        wse_run_assert(&run, 1, 0, "r1", 0, count, 1000);
        wse_run_close(&run);
    }
}

/* PE 1 sends west and, 34 cycles later, east; the ramp takes one in two cycles, and the
 * queues in turn. */
static void queues_share_the_ramp_out(void **state)
{
    (void) state;
    static const char *const overrides[] = {"ramp.transfer_cycles_per_wavelet=2", NULL};
    const WseRunStep sends[] = {
        {WSE_RUN_SEND, ONE, 0, .count = 100, .value = 1},
        {WSE_RUN_SEND, TWO, 1, .count = 20, .value = 1000},
    };
    const WseRunStep west = {WSE_RUN_RECEIVE, ONE, 4, .count = 100};
    const WseRunStep east = {WSE_RUN_RECEIVE, TWO, 4, .count = 20};
    const guint first = WSE_RUN_FIRST + 28 + 1; /* after the set-up of the second */
    const guint second =
        WSE_RUN_FIRST + WSE_RUN_SETUP + 3; /* the issue slot was taken */
    const guint after = WSE_RUN_STAGE + 1;
    WseRun run;

    wse_run_open(&run, 3, 1, overrides);
    wse_run_steps(&run, wse_rig_one(1, 0), "middle", sends, 2);
    wse_run_steps(&run, wse_rig_one(0, 0), "west", &west, 1);
    wse_run_steps(&run, wse_rig_one(2, 0), "east", &east, 1);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), ONE, R, W);
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), ONE, E, R);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), TWO, R, E);
    wse_rig_set_route(run.layout, wse_rig_one(2, 0), TWO, W, R);
    wse_run(&run);
    assert_int_equal(wse_run_end(&run, 0, 0), first + 2 * 119 + after);
    assert_int_equal(wse_run_end(&run, 2, 0), second + 4 * 19 + after);
    wse_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wavelet_takes_its_time),
        cmocka_unit_test(every_queue_sustains_a_wavelet_a_cycle),
        cmocka_unit_test(slots_and_rates_limit_a_stream),
        cmocka_unit_test(colors_share_a_link),
        cmocka_unit_test(colors_share_the_ramp_in),
        cmocka_unit_test(queues_share_the_ramp_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
