/* Registers of a router that programs write, and routes that lead nowhere. */
#include <string.h>

#include "arch/error.h"
#include "arch/wse/router/config.h"
#include "tests/arch/wse/bench.h"

enum {
    COLOR = 4,
    DONE = 9,
    ROUTES = 0x7f20 + COLOR,
    SWITCHES = 0x7f40 + COLOR,
    TX_EAST = 1 << 1,
    TX_RAMP = 1 << 4,
    RX_WEST = 1 << 5,
    RX_RAMP = 1 << 9,
};

static ArchWseOperand constant(int32_t value)
{
    return (ArchWseOperand){.value = value};
}

static void test_words_are_those_of_the_registers(void **state G_GNUC_UNUSED)
{
    WseRoute route = {.color = COLOR,
                      .position_count = 2,
                      .rx = {W, W},
                      .tx = {E | R, S},
                      .pop_mode = ARCH_WSE_ALWAYS_POP,
                      .is_ring = true};
    WseColor color = {.position = 1, .is_torn_down = true};

    /* tx E and RAMP, rx W, pop mode 1, torn down */
    assert_int_equal(wse_config_routes(&route, &color),
                     TX_EAST | TX_RAMP | RX_WEST | 1 << 12 | 1 << 14);
    /* position 1 sends to S, which is 2; 2 and 3 are none; a ring, now at 1 */
    assert_int_equal(wse_config_switches(&route, &color, true),
                     2 | 5 << 4 | 5 << 8 | 1 << 12 | 1 << 13);
    /* position 1 takes from E, 2 sends to N; not a ring, at 2 */
    wse_config_set_switches(&route, &color, (8 | 1) | 3 << 4 | 5 << 8 | 2 << 13, true);
    assert_int_equal(route.position_count, 3);
    assert_false(route.is_ring);
    assert_int_equal(color.position, 2);
    assert_int_equal(route.rx[1], E);
    assert_int_equal(route.tx[1], E | R);
    assert_int_equal(route.rx[2], E);
    assert_int_equal(route.tx[2], N);
    wse_config_set_routes(&route, &color, 1 << 3 | RX_RAMP | 2 << 12, true);
    assert_false(color.is_torn_down);
    assert_int_equal(route.pop_mode, ARCH_WSE_POP_ON_ADVANCE);
    assert_int_equal(route.rx[0], R);
    assert_int_equal(route.tx[0], N);
    assert_int_equal(route.rx[1], E);
    assert_int_equal(route.tx[1], N);
    /* the register stays as it was written, though position 2 changes nothing now */
    assert_int_equal(wse_config_switches(&route, &color, true),
                     (8 | 1) | 3 << 4 | 5 << 8 | 2 << 13);
    /* so does the bit that would make an invalid position one of rx */
    wse_config_set_switches(&route, &color, 8 | 5 | 5 << 4 | 5 << 8, true);
    assert_int_equal(route.position_count, 1);
    assert_int_equal(wse_config_switches(&route, &color, true),
                     8 | 5 | 5 << 4 | 5 << 8);
    wse_config_set_switches(&route, &color, 8 | 4 | 5 << 4 | 5 << 8, true);
    assert_int_equal(route.rx[1], R);
}

static void set_config(ArchWseOperand address, int32_t value)
{
    assert_true(arch_wse_program_set_config(bench.parts.program, address,
                                            constant(value), NULL));
}

/* PE 0 sends 3 words after so much work. */
static void put_source(guint work)
{
    bench_begin_go(&bench, "source");
    const guint u = bench_numbers(&bench, "u", 3, 1);

    bench_work(&bench, work);
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fmovs", parts_fabout(&bench.parts, COLOR, 0, 3), u,
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
}

/* Takes what comes, after writing the register if it is not 0. */
static void put_taker(guint x, int32_t address, int32_t value)
{
    guint got = 0;

    bench_begin_go(&bench, "taker");
    got = parts_array(&bench.parts, "got", ARCH_WSE_F32, 3);
    if (address != 0) {
        set_config(constant(address), value);
    }
    parts_emit(&bench.parts,
               bench_async(parts_vector("fmovs", parts_row(&bench.parts, got, 0, 3, 1),
                                        parts_fabin(&bench.parts, COLOR, 1, 3),
                                        ARCH_WSE_NONE, ARCH_WSE_NONE),
                           DONE));
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, x, 0, x, 0);
}

static void assert_got(guint x)
{
    for (guint i = 0; i < 3; i++) {
        assert_float_equal(bench_number(&bench, x, 0, "got", i), 1.0F + (float) i, 0);
    }
}

static void test_a_program_reroutes_to_several(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 3, 1);
    put_source(50);
    put_taker(1, ROUTES, RX_WEST | TX_RAMP | TX_EAST);
    put_taker(2, 0, 0);
    bench_route(&bench, 1, 0, COLOR, E, R);
    bench_route(&bench, 2, 0, COLOR, W, R);
    bench_run(&bench);
    assert_got(1);
    assert_got(2);
}

/* The layout knows no route: both PEs make one, by a constant or by a register. */
static void put_without_routes(bool is_register)
{
    guint got = 0;

    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "source");
    const guint u = bench_numbers(&bench, "u", 3, 1);
    ArchWseOperand address = constant(ROUTES);

    if (is_register) {
        address = bench_in(bench_register(&bench, ROUTES));
    }
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fmovs", parts_fabout(&bench.parts, COLOR, 0, 3), u,
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    ARCH_WSE_NONE));
    set_config(address, RX_RAMP | TX_EAST);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_begin_go(&bench, "taker");
    got = parts_array(&bench.parts, "got", ARCH_WSE_F32, 3);
    if (is_register) {
        address = bench_in(bench_register(&bench, ROUTES));
    }
    parts_emit(&bench.parts,
               bench_async(parts_vector("fmovs", parts_row(&bench.parts, got, 0, 3, 1),
                                        parts_fabin(&bench.parts, COLOR, 1, 3),
                                        ARCH_WSE_NONE, ARCH_WSE_NONE),
                           DONE));
    bench_work(&bench, 100); /* what has come meanwhile waits */
    set_config(address, RX_WEST | TX_RAMP);
    set_config(constant(0x7f20 + 17), RX_WEST); /* of a color that nobody uses */
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 1, 0, 1, 0);
}

static void test_a_program_makes_the_first_route_of_a_color(void **state G_GNUC_UNUSED)
{
    put_without_routes(false);
    bench_run(&bench);
    assert_got(1);
    put_without_routes(true);
    bench_run(&bench);
    assert_got(1);
    /* dispatch 10, set-up 34, work 100; 3 until the first is in its queue, 2 more until
     * the third is, which takes 1; dispatch 10 */
    BENCH_MARKS(&bench, 160);
}

/* Descriptors without a color; registers have it. */
static guint late_value(guint dsd)
{
    ArchWseProgram *program = bench.parts.program;
    const guint value = bench_register(&bench, 0);
    const guint color = bench_register(&bench, COLOR);

    (void) bench_register(&bench, 0);
    (void) bench_register(&bench, 0);
    assert_int_equal(color, value + 1);
    assert_true(arch_wse_program_dsd_value(program, dsd, color + 1, NULL));
    assert_true(arch_wse_program_dsd_set(program, color + 1, ARCH_WSE_COLOR, true,
                                         (int32_t) color, NULL));
    assert_true(
        arch_wse_program_register_dsd(program, ARCH_WSE_IN_DSD, color + 1, &dsd, NULL));
    return dsd;
}

static guint late_in(const ArchWseFabinDsd *in)
{
    guint dsd = 0;

    assert_true(arch_wse_program_fabin_dsd(bench.parts.program, in, &dsd, NULL));
    return dsd;
}

static guint late_out(const ArchWseFaboutDsd *out)
{
    guint dsd = 0;

    assert_true(arch_wse_program_fabout_dsd(bench.parts.program, out, &dsd, NULL));
    return dsd;
}

static void test_registers_name_colors_of_streams(void **state G_GNUC_UNUSED)
{
    const ArchWseFabinDsd in = {
        .color = ARCH_WSE_NONE, .queue = 3, .extent = 3, .elements_per_wavelet = 1};
    const ArchWseFaboutDsd out = {
        .color = ARCH_WSE_NONE, .queue = 0, .extent = 3, .elements_per_wavelet = 1};
    guint got = 0;

    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "source");
    const guint u = bench_numbers(&bench, "u", 3, 1);

    parts_emit(&bench.parts,
               bench_async(parts_vector("fmovs", late_value(late_out(&out)), u,
                                        ARCH_WSE_NONE, ARCH_WSE_NONE),
                           ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_begin_go(&bench, "taker");
    got = parts_array(&bench.parts, "got", ARCH_WSE_F32, 3);
    parts_emit(&bench.parts,
               bench_async(parts_vector("fmovs", parts_row(&bench.parts, got, 0, 3, 1),
                                        late_value(late_in(&in)), ARCH_WSE_NONE,
                                        ARCH_WSE_NONE),
                           DONE));
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 1, 0, 1, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
    arch_wse_layout_allow_loose_ends(bench.layout);
    bench_run(&bench);
    assert_got(1);
}

static void test_a_stream_without_a_color_is_refused(void **state G_GNUC_UNUSED)
{
    const ArchWseFabinDsd in = {
        .color = ARCH_WSE_NONE, .queue = 3, .extent = 3, .elements_per_wavelet = 1};
    g_autoptr(GError) error = NULL;
    guint dsd = 0;
    guint u = 0;

    bench_begin_go(&bench, "late");
    u = bench_numbers(&bench, "u", 3, 1);
    assert_true(arch_wse_program_fabin_dsd(bench.parts.program, &in, &dsd, NULL));

    const ArchWseVector vector =
        parts_vector("fmovs", u, dsd, ARCH_WSE_NONE, ARCH_WSE_NONE);

    assert_false(arch_wse_program_vector(bench.parts.program, &vector, &error));
    assert_string_equal(error->message,
                        "program late: task 8 (work): fmovs: operand 1 has no color, "
                        "values of it in registers may have one");
}

static void test_a_register_that_is_not_there_stops(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 1);
    put_source(0);
    put_taker(1, 0x7e00, 0);
    bench_route(&bench, 1, 0, COLOR, W, R);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[1,0]: taker: register 0x7e00 is not modelled, there are "
                         "0x7f20 and 0x7f40 of colors and 0x7ec0 of tasks");
}

/* The register is written after the work before it, and read back. */
static void test_registers_are_read_back(void **state G_GNUC_UNUSED)
{
    const ArchWsePart part = {.tiles = {0, 0, 0, 0, 1, 1}, .name = "r", .count = 2};
    uint32_t got[2] = {0};
    guint variable = 0;

    bench_begin_go(&bench, "reads");
    assert_true(
        arch_wse_program_variable(bench.parts.program, NULL, 0, &variable, NULL));
    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 2);
    bench_work(&bench, 5);
    for (guint i = 0; i < 2; i++) {
        assert_true(arch_wse_program_get_config(
            bench.parts.program, variable, constant(i == 0 ? ROUTES : SWITCHES), NULL));
        assert_true(arch_wse_program_store(
            bench.parts.program, ARCH_WSE_U32,
            (ArchWseOperand){.is_variable = true, .value = (int32_t) variable},
            constant((int32_t) i * 4), 0, NULL));
    }
    bench_mark(&bench);
    bench_end_go(&bench);
    bench_lay(&bench, 2, 1);
    bench_put(&bench, 0, 0, 1, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    arch_wse_layout_allow_loose_ends(bench.layout);
    bench_run(&bench);
    assert_true(arch_wse_read(bench.wse, &part, got, sizeof got, NULL));
    assert_int_equal(got[0], TX_EAST | RX_RAMP);
    assert_int_equal(got[1], 5 | 5 << 4 | 5 << 8);
}

static void test_loose_ends_matter_when_they_are_taken(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 3, 1);
    put_source(0);
    put_taker(1, 0, 0);
    put_taker(2, 0, 0);
    bench_route(&bench, 1, 0, COLOR, W, R | E);
    arch_wse_layout_allow_loose_ends(bench.layout);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[1,0]: a wavelet of color 4 leaves to EAST in cycle 48, "
                         "where nobody takes it");

    bench_lay(&bench, 1, 1);
    put_source(0);
    bench_route(&bench, 0, 0, COLOR, W, E);
    arch_wse_layout_allow_loose_ends(bench.layout);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[0,0]: source: fmovs sends color 4 in cycle 10, which no "
                         "route takes from RAMP");
}

/* The fabric beyond is not simulated. */
static void test_wavelets_over_the_edge_are_lost(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 1);
    put_source(0);
    put_taker(1, 0, 0);
    bench_route(&bench, 1, 0, COLOR, W, R | E);
    arch_wse_layout_allow_loose_ends(bench.layout);
    bench_run(&bench);
    assert_got(1);
    g_autofree char *loss = arch_wse_loss(bench.wse);

    assert_non_null(loss);
    assert_non_null(strstr(loss, "of color 4 from pe[1,0] to EAST"));

    bench_lay(&bench, 1, 1);
    put_source(0);
    arch_wse_layout_allow_loose_ends(bench.layout);
    bench_run(&bench);
}

static void test_signals_by_number(void **state G_GNUC_UNUSED)
{
    guint task = 0;

    bench_begin_go(&bench, "signals");
    assert_true(
        arch_wse_program_variable(bench.parts.program, NULL, DONE, &task, NULL));
    assert_true(
        arch_wse_program_signal(bench.parts.program, ARCH_WSE_ACTIVATE, task, NULL));
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    BENCH_MARKS(&bench, 21);
}

/* Rings of 1024 slots: in the middle of 9 PEs, four of each color. */
static void test_more_slots_than_can_be_numbered_are_refused(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "router.link_buffer_wavelets=1024",
                   "router.ramp_buffer_wavelets=1024");
    bench_lay(&bench, 3, 3);
    bench_begin_go(&bench, "deep");
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 2, 2);
    for (guint color = 0; color < 24; color++) {
        bench_route(&bench, 0, 1, color, R, E);
        bench_route(&bench, 1, 0, color, R, S);
        bench_route(&bench, 1, 1, color, W | N | S | R, E);
        bench_route(&bench, 2, 1, color, W, S);
        bench_route(&bench, 2, 2, color, N, W);
        bench_route(&bench, 1, 2, color, E, N);
    }
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                         "program deep: the router and the queues of a PE hold 98304 "
                         "wavelets, at most 65535 can be simulated");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_are_those_of_the_registers),
        BENCH_TEST(test_a_program_reroutes_to_several),
        BENCH_TEST(test_a_program_makes_the_first_route_of_a_color),
        BENCH_TEST(test_registers_name_colors_of_streams),
        BENCH_TEST(test_a_stream_without_a_color_is_refused),
        BENCH_TEST(test_a_register_that_is_not_there_stops),
        BENCH_TEST(test_registers_are_read_back),
        BENCH_TEST(test_loose_ends_matter_when_they_are_taken),
        BENCH_TEST(test_wavelets_over_the_edge_are_lost),
        BENCH_TEST(test_signals_by_number),
        BENCH_TEST(test_more_slots_than_can_be_numbered_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
