/* What routers keep from their CEs: filters, and colors that are torn down. */
#include <string.h>

#include "arch/error.h"
#include "arch/wse/region.h"
#include "tests/arch/wse/run.h"

enum {
    COLOR = 4,
    TASK = 5,
    TEARDOWN = 29,
};

/* PE 0 sends 1, 2, ... to PE 1, which has the filter and takes `passed` of them, and
 * through it to PE 2, which takes all. */
static void
open_filtered(WseRun *run, const ArchWseFilter *filter, guint count, guint passed)
{
    const WseRunStep send = {WSE_RUN_SEND, COLOR, 0, .count = count, .value = 1};
    const WseRunStep take = {WSE_RUN_RECEIVE, COLOR, 4, .count = passed};
    const WseRunStep take_all = {WSE_RUN_RECEIVE, COLOR, 4, .count = count};
    const ArchWseColorConfig config = {
        .position_count = 1, .positions = {{W, R | E}}, .filter = *filter};

    wse_run_open(run, 3, 1, NULL);
    wse_run_steps(run, wse_rig_one(0, 0), "sender", &send, 1);
    wse_run_steps(run, wse_rig_one(1, 0), "filtered", &take, 1);
    wse_run_steps(run, wse_rig_one(2, 0), "all", &take_all, 1);
    wse_rig_set_route(run->layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_config(run->layout, wse_rig_one(1, 0), COLOR, &config);
    wse_rig_set_route(run->layout, wse_rig_one(2, 0), COLOR, W, R);
}

static void filters_let_some_through(void **state)
{
    (void) state;
    /* The upper halves of 2.0f and 3.0f. */
    const struct {
        ArchWseFilter filter;
        guint passed;
        float values[8]; /* of the first ones */
    } cases[] = {
        {{.kind = ARCH_WSE_FILTER_COUNTER,
          .is_data_counted = true,
          .limit1 = 1,
          .maximum = 4},
         10,
         {1, 2, 6, 7, 11, 12, 16, 17}},
        {{.kind = ARCH_WSE_FILTER_COUNTER,
          .is_data_counted = true,
          .limit1 = 1,
          .initial = 3,
          .maximum = 4},
         9,
         {3, 4, 8, 9, 13, 14, 18, 19}},
        {{.kind = ARCH_WSE_FILTER_COUNTER,
          .is_data_counted = false,
          .limit1 = 1,
          .maximum = 4},
         23,
         {1, 2, 3, 4, 5, 6, 7, 8}},
        {{.kind = ARCH_WSE_FILTER_SPARSE,
          .is_data_counted = true,
          .limit1 = 2,
          .limit2 = 3,
          .maximum = 4},
         9,
         {3, 4, 8, 9, 13, 14, 18, 19}},
        {{.kind = ARCH_WSE_FILTER_SPARSE,
          .is_data_counted = true,
          .limit1 = 1,
          .limit2 = 1,
          .maximum = 2},
         8,
         {2, 5, 8, 11, 14, 17, 20, 23}},
        {{.kind = ARCH_WSE_FILTER_RANGE, .limit1 = 0x4000, .limit2 = 0x4040},
         2,
         {2, 3}},
        {{.kind = ARCH_WSE_FILTER_RANGE, .limit1 = 0x4001, .limit2 = 0x4080},
         2,
         {3, 4}},
        {{.kind = ARCH_WSE_FILTER_TWICE,
          .is_data_counted = true,
          .limit1 = 1,
          .limit2 = 2,
          .maximum = 4},
         19,
         {1, 2, 6, 7, 9, 10, 11, 12}},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        WseRun run;

        open_filtered(&run, &cases[i].filter, 23, cases[i].passed);
        wse_run(&run);
        for (guint j = 0; j < MIN(8, cases[i].passed); j++) {
            wse_run_assert(&run, 1, 0, "r0", j, 1, cases[i].values[j]);
        }
        wse_run_assert(&run, 2, 0, "r0", 0, 23, 1);
        assert_int_equal(wse_run_end(&run, 2, 0),
                         WSE_RUN_FIRST + WSE_RUN_STAGE + 2 + 23);
        wse_run_close(&run);
    }
}

/* Five control wavelets, for each of which PE 1 runs a task if it gets it. */
static guint controls_heard(const ArchWseFilter *filter)
{
    const ArchWseControl nop = {ARCH_WSE_NOP, false};
    const WseRunStep send = {WSE_RUN_CONTROL, COLOR, 0, .count = 5,
                             .bits = arch_wse_control_payload(&nop, 1, TASK)};
    const WseRunStep hold = {WSE_RUN_HOLD, COLOR, 4, .count = 0};
    const ArchWseColorConfig config = {
        .position_count = 1, .positions = {{W, R}}, .filter = *filter};
    WseRun run;

    wse_run_open(&run, 2, 1, NULL);

    Parts listener = wse_run_program(&run, "listener", &hold, 1);

    assert_true(arch_wse_program_begin_task(listener.program, ARCH_WSE_TASK_CONTROL,
                                            TASK, "listen", ARCH_WSE_NONE, NULL));
    assert_true(arch_wse_program_iteration(listener.program, NULL));
    parts_end(&listener);
    wse_run_steps(&run, wse_rig_one(0, 0), "sender", &send, 1);
    wse_run_place(&run, wse_rig_one(1, 0), &listener);
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_config(run.layout, wse_rig_one(1, 0), COLOR, &config);
    wse_run(&run);

    g_autoptr(GArray) iterations = arch_wse_iterations(run.wse);
    guint heard = iterations->len;

    wse_run_close(&run);
    return heard;
}

static void filters_treat_control_as_told(void **state)
{
    (void) state;
    ArchWseFilter filter = {.kind = ARCH_WSE_FILTER_COUNTER, .limit1 = 1, .maximum = 9};

    filter.is_data_counted = true;
    assert_int_equal(controls_heard(&filter), 5);
    filter.is_control_counted = true;
    assert_int_equal(controls_heard(&filter), 5);
    filter.is_control_filtered = true;
    assert_int_equal(controls_heard(&filter), 2);
    filter.is_control_exact = true;
    assert_int_equal(controls_heard(&filter), 1);
    filter.is_control_exact = false;
    filter.is_control_counted = false;
    assert_int_equal(controls_heard(&filter), 5);
}

static void streams_have_no_filters(void **state)
{
    (void) state;
    const ArchWseFilter filter = {.kind = ARCH_WSE_FILTER_COUNTER, .maximum = 4};
    g_autoptr(GError) error = NULL;
    WseRun run;

    open_filtered(&run, &filter, 23, 1);
    run.options.grain = ARCH_WSE_GRAIN_STREAM;
    assert_false(wse_run_try(&run, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
    assert_string_equal(error->message, "color 4 has a filter, which looks at every "
                                        "wavelet: only grain=wavelet can do that");
    wse_run_close(&run);
}

/* Without numbers nobody knows what a filter by index lets through. */
static void ranges_need_data(void **state)
{
    (void) state;
    const ArchWseFilter range = {
        .kind = ARCH_WSE_FILTER_RANGE, .limit1 = 0x4000, .limit2 = 0x4040};
    const ArchWseFilter counter = {.kind = ARCH_WSE_FILTER_COUNTER,
                                   .is_data_counted = true,
                                   .limit1 = 1,
                                   .maximum = 99};
    g_autoptr(GError) error = NULL;
    WseRun run;

    open_filtered(&run, &range, 23, 2);
    run.options.is_functional = false;
    assert_false(wse_run_try(&run, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
    assert_string_equal(error->message,
                        "color 4 has a filter by index, which needs the numbers that "
                        "wavelets carry (--timing-only)");
    wse_run_close(&run);

    open_filtered(&run, &counter, 23, 2);
    run.options.is_functional = false;
    wse_run(&run);
    wse_run_close(&run);
}

/* PE 0 sends three words to PE 1, tears the color down there, and sends three more;
 * what PE 1's teardown task does, `reroute` says. PE 1 takes `kept` words, or lets
 * all pass by; PE 2 takes `taken`. */
typedef void (*RerouteFunc)(ArchWseProgram *program);

static void open_torn_down(WseRun *run, RerouteFunc reroute, guint kept, guint taken)
{
    static const char *const overrides[] = {"task.dispatch_cycles=60", NULL};
    const ArchWseControl commands[] = {{ARCH_WSE_NOP, true}, {ARCH_WSE_TEARDOWN, true}};
    const WseRunStep sends[] = {
        {WSE_RUN_SEND, COLOR, 0, .count = 3, .value = 1, .is_sync = true},
        {WSE_RUN_CONTROL, COLOR, 0, .count = 1,
         .bits = arch_wse_control_payload(commands, 2, 31), .is_sync = true},
        {WSE_RUN_SEND, COLOR, 0, .count = 3, .value = 4, .is_sync = true},
    };
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = kept};
    const WseRunStep compute = {WSE_RUN_COMPUTE, .count = 1};
    const WseRunStep other = {WSE_RUN_RECEIVE, COLOR, 4, .count = taken};
    const WseRunStep hold = {WSE_RUN_HOLD, COLOR, 4, .count = 0};
    ArchWseColorConfig config = {
        .position_count = 1, .positions = {{R, E}}, .pop_mode = ARCH_WSE_ALWAYS_POP};

    wse_run_open(run, 3, 1, overrides);

    Parts middle = wse_run_program(run, "middle", kept > 0 ? &receive : &compute, 1);

    if (reroute != NULL) {
        parts_begin(&middle, TEARDOWN);
        reroute(middle.program);
        parts_end(&middle);
    }
    wse_run_steps(run, wse_rig_one(0, 0), "sender", sends, G_N_ELEMENTS(sends));
    wse_run_place(run, wse_rig_one(1, 0), &middle);
    wse_run_steps(run, wse_rig_one(2, 0), "east", taken > 0 ? &other : &hold, 1);
    wse_rig_set_config(run->layout, wse_rig_one(0, 0), COLOR, &config);
    config.positions[0] = (ArchWsePosition){W, R};
    wse_rig_set_config(run->layout, wse_rig_one(2, 0), COLOR, &config);
    config.positions[0].tx = kept > 0 ? R : E;
    wse_rig_set_config(run->layout, wse_rig_one(1, 0), COLOR, &config);
}

static void to_the_east(ArchWseProgram *program)
{
    assert_true(
        arch_wse_program_route(program, COLOR, ARCH_WSE_WEST, ARCH_WSE_EAST, NULL));
    assert_true(arch_wse_program_teardown_exit(program, COLOR, NULL));
}

static void to_the_north(ArchWseProgram *program)
{
    assert_true(
        arch_wse_program_route(program, COLOR, ARCH_WSE_WEST, ARCH_WSE_NORTH, NULL));
}

static void to_the_ramp(ArchWseProgram *program)
{
    assert_true(
        arch_wse_program_route(program, COLOR, ARCH_WSE_WEST, ARCH_WSE_RAMP, NULL));
    assert_true(arch_wse_program_teardown_exit(program, COLOR, NULL));
}

static void do_nothing(ArchWseProgram *program)
{
    (void) program;
}

static void torn_down_colors_are_rerouted(void **state)
{
    (void) state;
    const guint dispatch = 60;
    const guint control = dispatch + WSE_RUN_SETUP + 3 + WSE_RUN_SETUP; /* its issue */
    const guint moved = control + 4 + 1 + dispatch + 1; /* what waits at PE 1 goes on */
    WseRun run;

    open_torn_down(&run, to_the_east, 3, 3);
    wse_run(&run);
    wse_run_assert(&run, 1, 0, "r0", 0, 3, 1);
    wse_run_assert(&run, 2, 0, "r0", 0, 3, 4);
    assert_int_equal(wse_run_end(&run, 2, 0), moved + 1 + 2 + 3);
    wse_run_close(&run);
}

static void torn_down_colors_stand_still(void **state)
{
    (void) state;
    WseRun run;

    open_torn_down(&run, do_nothing, 3, 0);

    g_autofree char *report = wse_run_into_deadlock(&run);

    assert_non_null(strstr(report, "pe[1,0] (middle); color 4 has 2 of 2 from WEST, "
                                   "switch at 0: WEST to RAMP, torn down"));
    wse_run_assert(&run, 1, 0, "r0", 0, 3, 1);
    wse_run_close(&run);
}

static void routes_cannot_lead_nowhere(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;
    WseRun run;

    open_torn_down(&run, to_the_north, 3, 0);
    assert_false(wse_run_try(&run, &error));
    wse_rig_assert_error(error,
                         "pe[1,0]: color 4 is rerouted from WEST to NORTH, where "
                         "it cannot go");
    wse_run_close(&run);
}

static void routes_lead_to_a_pe_that_reads(void **state)
{
    (void) state;
    WseRun run;

    open_torn_down(&run, to_the_ramp, 6, 0);
    wse_run(&run);
    wse_run_assert(&run, 1, 0, "r0", 0, 6, 1);
    wse_run_close(&run);
}

static void routes_cannot_lead_to_a_pe_that_does_not_read(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;
    WseRun run;

    open_torn_down(&run, to_the_ramp, 0, 3);
    assert_false(wse_run_try(&run, &error));
    wse_rig_assert_error(error, "pe[1,0]: color 4 is rerouted from WEST to RAMP, where "
                                "it cannot go");
    wse_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_let_some_through),
        cmocka_unit_test(filters_treat_control_as_told),
        cmocka_unit_test(streams_have_no_filters),
        cmocka_unit_test(ranges_need_data),
        cmocka_unit_test(torn_down_colors_are_rerouted),
        cmocka_unit_test(torn_down_colors_stand_still),
        cmocka_unit_test(routes_cannot_lead_nowhere),
        cmocka_unit_test(routes_lead_to_a_pe_that_reads),
        cmocka_unit_test(routes_cannot_lead_to_a_pe_that_does_not_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
