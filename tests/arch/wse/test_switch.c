/* Switches of routers: positions, what moves them, and who waits for them. */
#include <string.h>

#include "arch/wse/region.h"
#include "tests/arch/wse/run.h"

enum {
    COLOR = 4,
    TASK = 5,
    ROUTERS = 5,
};

static uint32_t command(ArchWseCommand which)
{
    const ArchWseControl control = {.command = which, .is_ce_filtered = true};

    return arch_wse_control_payload(&control, 1, 31);
}

static guint position_of(const WseRun *run, guint x, guint y)
{
    uint32_t number = 0;
    const WseFabric *fabric = wse_fabric_of(run->wse);
    const WseRegion *region = wse_fabric_find(fabric, x, y, &number);
    WsePe *pe = wse_region_pe(region, number);
    guint slot = wse_region_kind(region, pe)->router->slots[COLOR];

    return wse_pe_colors(pe, &fabric->block)[slot].position;
}

/* The routes of the 25-point stencil's sources: from the west on, own on, own to
 * itself, from the west to itself. Wavelets from the west come while the switch stands
 * at the second position, and wait. */
static void open_stencil_row(WseRun *run, const char *const *overrides)
{
    const WseRunStep west[] = {
        {WSE_RUN_SEND, COLOR, 0, .count = 2, .value = 1, .is_sync = true},
        {WSE_RUN_CONTROL, COLOR, 0, .count = 1, .bits = command(ARCH_WSE_SWITCH_ADV),
         .is_sync = true},
        {WSE_RUN_SEND, COLOR, 0, .count = 20, .value = 3, .is_sync = true},
    };
    const WseRunStep middle[] = {
        {WSE_RUN_RECEIVE, COLOR, 4, .count = 26},
        {WSE_RUN_SEND, COLOR, 0, .count = 2, .delay = 200, .value = 100,
         .is_sync = true, .is_switch_advanced = true},
        {WSE_RUN_SEND, COLOR, 0, .count = 2, .value = 200, .is_sync = true,
         .is_switch_advanced = true},
    };
    const WseRunStep east = {WSE_RUN_RECEIVE, COLOR, 4, .count = 4};
    const ArchWseColorConfig config = {
        .position_count = 4,
        .positions = {{W, E | R}, {.rx = R}, {.tx = R}, {.rx = W}},
    };

    wse_run_open(run, 3, 1, overrides);
    wse_run_steps(run, wse_rig_one(0, 0), "west", west, G_N_ELEMENTS(west));
    wse_run_steps(run, wse_rig_one(1, 0), "middle", middle, G_N_ELEMENTS(middle));
    wse_run_steps(run, wse_rig_one(2, 0), "east", &east, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_config(run->layout, wse_rig_one(1, 0), COLOR, &config);
    wse_rig_set_route(run->layout, wse_rig_one(2, 0), COLOR, W, R);
}

static void positions_keep_what_they_do_not_name(void **state)
{
    (void) state;
    const guint sent = WSE_RUN_FIRST + 200 + WSE_RUN_SETUP + 2; /* the first two */
    const guint last = sent + WSE_RUN_SETUP + 1; /* issue of the 2nd pair */
    WseRun run;

    open_stencil_row(&run, NULL);
    wse_run(&run);
    wse_run_assert(&run, 1, 0, "r0", 0, 2, 1);
    wse_run_assert(&run, 1, 0, "r0", 2, 2, 100);
    wse_run_assert(&run, 1, 0, "r0", 4, 2, 200);
    wse_run_assert(&run, 1, 0, "r0", 6, 20, 3);
    wse_run_assert(&run, 2, 0, "r0", 0, 2, 1);
    wse_run_assert(&run, 2, 0, "r0", 2, 2, 100);
    assert_int_equal(position_of(&run, 1, 0), 3);
    /* The last of its own is routed 3 cycles after its issue; then those that wait. */
    assert_int_equal(wse_run_end(&run, 1, 0), last + 3 + 20 + 2 + 1);
    wse_run_close(&run);
}

static void or_take_it_from_the_first(void **state)
{
    (void) state;
    static const char *const overrides[] = {"router.switch_rule=from_base", NULL};
    WseRun run;

    open_stencil_row(&run, overrides);

    g_autofree char *report = wse_run_into_deadlock(&run);

    assert_non_null(strstr(report, "pe[1,0] (middle); fmovs at element 24 of 26, from "
                                   "color 4, input queue 4, needs a wavelet of that "
                                   "color; color 4 has 2 of 3 from RAMP, switch at 2: "
                                   "WEST to RAMP"));
    wse_run_assert(&run, 1, 0, "r0", 2, 2, 100);
    wse_run_assert(&run, 1, 0, "r0", 4, 20, 3);
    wse_run_close(&run);
}

/* Own wavelets wait in the ramp-side buffer while those from the west pass. */
static void own_wavelets_wait_for_their_position(void **state)
{
    (void) state;
    const WseRunStep west[] = {
        {WSE_RUN_SEND, COLOR, 0, .count = 20, .delay = 100, .value = 1,
         .is_sync = true},
        {WSE_RUN_CONTROL, COLOR, 0, .count = 1, .bits = command(ARCH_WSE_SWITCH_ADV),
         .is_sync = true},
    };
    const WseRunStep east[] = {
        {WSE_RUN_RECEIVE, COLOR, 4, .count = 28},
        {WSE_RUN_SEND, COLOR, 0, .count = 8, .value = 100},
    };
    const ArchWseColorConfig config = {.position_count = 2,
                                       .positions = {{W, R}, {.rx = R}}};
    const guint control = WSE_RUN_FIRST + 100 + 20 + WSE_RUN_SETUP;
    WseRun run;

    wse_run_open(&run, 2, 1, NULL);
    wse_run_steps(&run, wse_rig_one(0, 0), "west", west, G_N_ELEMENTS(west));
    wse_run_steps(&run, wse_rig_one(1, 0), "east", east, G_N_ELEMENTS(east));
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_config(run.layout, wse_rig_one(1, 0), COLOR, &config);
    wse_run(&run);
    wse_run_assert(&run, 1, 0, "r0", 0, 20, 1);
    wse_run_assert(&run, 1, 0, "r0", 20, 8, 100);
    /* Buffers hold five of them; to send the rest takes the issue slot three times. */
    assert_int_equal(wse_run_end(&run, 1, 0), control + 4 + 8 + 2 + 1 + 3);
    wse_run_close(&run);
}

/* PE (0,0) sends eight times two words and advances its own switch each time: which of
 * them go east, south, and to both. */
static void open_corner(WseRun *run,
                        const ArchWseColorConfig *config,
                        guint east,
                        guint south,
                        guint reset_after)
{
    WseRunStep steps[9];
    const WseRunStep receives[] = {{WSE_RUN_RECEIVE, COLOR, 4, .count = east},
                                   {WSE_RUN_RECEIVE, COLOR, 4, .count = south}};
    const ArchWseColorConfig other = {.position_count = 3,
                                      .positions = {{W, R}, {.tx = R}, {.tx = R}}};
    guint count = 0;

    for (guint i = 0; i < 8; i++) {
        if (i == reset_after) {
            steps[count] = (WseRunStep){WSE_RUN_CONTROL,
                                        COLOR,
                                        0,
                                        .count = 1,
                                        .bits = command(ARCH_WSE_SWITCH_RST),
                                        .is_sync = true};
            count++;
        }
        steps[count] = (WseRunStep){WSE_RUN_SEND,
                                    COLOR,
                                    0,
                                    .count = 2,
                                    .value = 10 * (float) i,
                                    .is_sync = true,
                                    .is_switch_advanced = true};
        count++;
    }
    wse_run_open(run, 2, 2, NULL);
    wse_run_steps(run, wse_rig_one(0, 0), "corner", steps, count);
    wse_run_steps(run, wse_rig_one(1, 0), "east", &receives[0], 1);
    wse_run_steps(run, wse_rig_one(0, 1), "south", &receives[1], 1);
    wse_run_steps(run, wse_rig_one(1, 1), "nobody", NULL, 0);
    wse_rig_set_config(run->layout, wse_rig_one(0, 0), COLOR, config);
    wse_rig_set_config(run->layout, wse_rig_one(1, 0), COLOR, &other);
    wse_rig_set_route(run->layout, wse_rig_one(0, 1), COLOR, N, R);
}

static void
assert_sends(const WseRun *run, guint x, guint y, const guint *sends, guint count)
{
    for (guint i = 0; i < count; i++) {
        wse_run_assert(run, x, y, "r0", 2 * i, 2, 10 * (float) sends[i]);
    }
}

static void switches_stick_or_go_round(void **state)
{
    (void) state;
    static const struct {
        bool is_ring;
        guint reset_after;
    } cases[] = {{true, 99}, {false, 99}, {false, 4}, {true, 5}, {true, 4}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const ArchWseColorConfig config = {
            .position_count = 3,
            .positions = {{R, E}, {.tx = S}, {.tx = E | S}},
            .is_ring = cases[i].is_ring,
        };
        guint east[8];
        guint south[8];
        guint east_count = 0;
        guint south_count = 0;
        guint position = 0;
        WseRun run;

        /* What the rules say, one send after the other. */
        for (guint j = 0; j < 8; j++) {
            position = j == cases[i].reset_after ? 0 : position;
            if (position != 1) {
                east[east_count++] = j;
            }
            if (position != 0) {
                south[south_count++] = j;
            }
            position = position < 2 ? position + 1 : cases[i].is_ring ? 0 : 2;
        }
        open_corner(&run, &config, 2 * east_count, 2 * south_count,
                    cases[i].reset_after);
        wse_run(&run);
        assert_sends(&run, 1, 0, east, east_count);
        assert_sends(&run, 0, 1, south, south_count);
        assert_int_equal(position_of(&run, 0, 0), position);
        if (cases[i].reset_after > 8) {
            assert_int_equal(position_of(&run, 1, 0), 0); /* its own is not meant */
        }
        wse_run_close(&run);
    }
}

/* One control wavelet along a row whose switches all stand at position 1. */
static void pop_modes_choose_the_command(void **state)
{
    (void) state;
    const ArchWseControl commands[] = {
        {ARCH_WSE_SWITCH_ADV, true}, {ARCH_WSE_NOP, true},
        {ARCH_WSE_SWITCH_RST, true}, {ARCH_WSE_SWITCH_ADV, true},
        {ARCH_WSE_SWITCH_RST, true}, {ARCH_WSE_SWITCH_ADV, true},
    };
    static const struct {
        ArchWsePopMode mode;
        guint first; /* command of the wavelet */
        guint positions[ROUTERS];
        bool are_last; /* they stand at position 2, and cannot advance */
    } cases[] = {
        {ARCH_WSE_NO_POP, 0, {2, 2, 2, 2, 2}, false},
        {ARCH_WSE_NO_POP, 2, {0, 0, 0, 0, 0}, false},
        {ARCH_WSE_ALWAYS_POP, 0, {2, 1, 0, 2, 0}, false},
        {ARCH_WSE_ALWAYS_POP, 1, {1, 0, 2, 0, 2}, false},
        {ARCH_WSE_POP_ON_ADVANCE, 0, {2, 1, 1, 1, 1}, false},
        {ARCH_WSE_POP_ON_ADVANCE, 3, {2, 0, 0, 0, 0}, false},
        {ARCH_WSE_POP_ON_ADVANCE_NOP, 0, {2, 1, 0, 0, 0}, false},
        {ARCH_WSE_POP_ON_ADVANCE_NOP, 2, {0, 0, 0, 0, 0}, false},
        {ARCH_WSE_POP_ON_ADVANCE, 3, {2, 2, 2, 2, 2}, true},
        {ARCH_WSE_POP_ON_ADVANCE_NOP, 3, {2, 2, 2, 2, 2}, true},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const WseRunStep send = {WSE_RUN_CONTROL, COLOR, 0, .count = 1,
                                 .bits = arch_wse_control_payload(
                                     commands + cases[i].first,
                                     (guint) G_N_ELEMENTS(commands) - cases[i].first,
                                     31)};
        const WseRunStep hold = {WSE_RUN_HOLD, COLOR, 4, .count = 0};
        ArchWseColorConfig config = {
            .position_count = 3,
            .positions = {{R, E}, {.tx = E}, {.tx = E}},
            .current = cases[i].are_last ? 2 : 1,
            .pop_mode = cases[i].mode,
        };
        WseRun run;

        wse_run_open(&run, ROUTERS, 1, NULL);
        wse_run_steps(&run, wse_rig_one(0, 0), "sender", &send, 1);
        wse_run_steps(&run, (ArchWseTiles){1, 0, ROUTERS - 1, 0, 1, 1}, "row", &hold,
                      1);
        wse_rig_set_config(run.layout, wse_rig_one(0, 0), COLOR, &config);
        config.positions[0].rx = W;
        wse_rig_set_config(run.layout, (ArchWseTiles){1, 0, ROUTERS - 2, 0, 1, 1},
                           COLOR, &config);
        for (guint j = 0; j < 3; j++) {
            config.positions[j].tx = R;
        }
        wse_rig_set_config(run.layout, wse_rig_one(ROUTERS - 1, 0), COLOR, &config);
        wse_run(&run);
        for (guint x = 0; x < ROUTERS; x++) {
            assert_int_equal(position_of(&run, x, 0), cases[i].positions[x]);
        }
        wse_run_close(&run);
    }
}

static Parts listener_new(const WseRun *run)
{
    const WseRunStep hold = {WSE_RUN_HOLD, COLOR, 4, .count = 0};
    Parts parts = wse_run_program(run, "listener", &hold, 1);

    assert_true(arch_wse_program_begin_task(parts.program, ARCH_WSE_TASK_CONTROL, TASK,
                                            "listen", ARCH_WSE_NONE, NULL));
    assert_true(arch_wse_program_iteration(parts.program, NULL));
    parts_end(&parts);
    return parts;
}

/* Bits of columns whose control task has run. */
static guint listeners(const WseRun *run)
{
    guint heard = 0;

    for (guint x = 1; x < 4; x++) {
        uint32_t number = 0;
        const WseRegion *region =
            wse_fabric_find(wse_fabric_of(run->wse), x, 0, &number);

        heard |= (guint) (wse_region_pe(region, number)->iteration > 0) << x;
    }
    return heard;
}

static void the_ce_filter_is_that_of_the_command_in_front(void **state)
{
    (void) state;
    static const struct {
        ArchWsePopMode mode;
        bool filters[4]; /* of the commands */
        guint heard;
    } cases[] = {
        {ARCH_WSE_NO_POP, {false, true, true, true}, 0xe},
        {ARCH_WSE_NO_POP, {true, false, false, false}, 0},
        {ARCH_WSE_ALWAYS_POP, {false, true, false, true}, 0x4},
        {ARCH_WSE_ALWAYS_POP, {true, false, true, false}, 0xa},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        ArchWseControl commands[4];
        ArchWseColorConfig config = {
            .position_count = 1, .positions = {{R, E}}, .pop_mode = cases[i].mode};
        WseRun run;

        for (guint j = 0; j < 4; j++) {
            commands[j] = (ArchWseControl){ARCH_WSE_NOP, cases[i].filters[j]};
        }

        const WseRunStep send = {WSE_RUN_CONTROL, COLOR, 0, .count = 1,
                                 .bits = arch_wse_control_payload(commands, 4, TASK)};

        wse_run_open(&run, 4, 1, NULL);
        wse_run_steps(&run, wse_rig_one(0, 0), "sender", &send, 1);
        wse_rig_set_config(run.layout, wse_rig_one(0, 0), COLOR, &config);
        for (guint x = 1; x < 4; x++) {
            const Parts listener = listener_new(&run);

            wse_run_place(&run, wse_rig_one(x, 0), &listener);
            config.positions[0] = (ArchWsePosition){W, x < 3 ? E | R : R};
            wse_rig_set_config(run.layout, wse_rig_one(x, 0), COLOR, &config);
        }
        wse_run(&run);
        assert_int_equal(listeners(&run), cases[i].heard);
        if (cases[i].heard != 0) {
            guint furthest = (guint) g_bit_nth_msf(cases[i].heard, -1);

            assert_int_equal(wse_run_mark(&run, 0), WSE_RUN_FIRST + WSE_RUN_STAGE +
                                                        furthest + WSE_RUN_DISPATCH);
        }
        wse_run_close(&run);
    }
}

/* The wavelet that advances a switch goes where it stood before. */
static void a_control_wavelet_is_routed_before_it_switches(void **state)
{
    (void) state;
    const ArchWseControl advance = {ARCH_WSE_SWITCH_ADV, false};
    const WseRunStep steps[] = {
        {WSE_RUN_CONTROL, COLOR, 0, .count = 1,
         .bits = arch_wse_control_payload(&advance, 1, TASK), .is_sync = true},
        {WSE_RUN_SEND, COLOR, 0, .count = 3, .value = 1},
    };
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = 3};
    const ArchWseColorConfig config = {.position_count = 2,
                                       .positions = {{R, E}, {.tx = S}}};
    WseRun run;

    wse_run_open(&run, 2, 2, NULL);
    const Parts listener = listener_new(&run);

    wse_run_steps(&run, wse_rig_one(0, 0), "corner", steps, G_N_ELEMENTS(steps));
    wse_run_steps(&run, wse_rig_one(0, 1), "south", &receive, 1);
    wse_run_steps(&run, wse_rig_one(1, 1), "nobody", NULL, 0);
    wse_run_place(&run, wse_rig_one(1, 0), &listener);
    wse_rig_set_config(run.layout, wse_rig_one(0, 0), COLOR, &config);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, W, R);
    wse_rig_set_route(run.layout, wse_rig_one(0, 1), COLOR, N, R);
    wse_run(&run);
    assert_int_equal(wse_run_mark(&run, 0),
                     WSE_RUN_FIRST + WSE_RUN_STAGE + 1 + WSE_RUN_DISPATCH);
    wse_run_assert(&run, 0, 1, "r0", 0, 3, 1);
    wse_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_keep_what_they_do_not_name),
        cmocka_unit_test(or_take_it_from_the_first),
        cmocka_unit_test(own_wavelets_wait_for_their_position),
        cmocka_unit_test(switches_stick_or_go_round),
        cmocka_unit_test(pop_modes_choose_the_command),
        cmocka_unit_test(the_ce_filter_is_that_of_the_command_in_front),
        cmocka_unit_test(a_control_wavelet_is_routed_before_it_switches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
