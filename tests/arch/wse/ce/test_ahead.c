/* CEs go ahead of the fabric where that concerns nobody else. That it changes nothing
 * is tested with random programs (test_stress.c). */
#include <string.h>

#include "arch/wse/fabric.h"
#include "arch/wse/region.h"
#include "tests/arch/wse/run.h"

enum {
    COLOR = 4,
    AFTER_TEARDOWNS = WSE_TEARDOWN_TASK + 1, /* the lowest task goes first */
};

static void look(gpointer data, const SimProbeRecord *record)
{
    guint *records = data;

    (void) record;
    (*records)++;
}

/* Operations on memory, one after the other: a PE is visited when they begin, and naps
 * when all are over. */
static void a_ce_goes_ahead_of_the_fabric(void **state)
{
    (void) state;
    static const WseRunStep steps[] = {{WSE_RUN_COMPUTE, .count = 20, .is_sync = true},
                                       {WSE_RUN_COMPUTE, .count = 30, .is_sync = true}};
    guint records = 0;
    uint64_t polls[2];
    SimTime ends[2];

    for (guint i = 0; i < 2; i++) {
        WseRun run;

        wse_run_open(&run, 1, 1, NULL);
        wse_run_steps(&run, wse_rig_one(0, 0), "busy", steps, G_N_ELEMENTS(steps));
        if (i == 1) {
            run.watch =
                (SimWatch){.func = look, .data = &records, .to = SIM_TIME_NEVER};
        }
        wse_run(&run);
        polls[i] = wse_fabric_of(run.wse)->regions[0].polls;
        ends[i] = wse_run_end(&run, 0, 0);
        wse_run_close(&run);
    }
    assert_true(records > 0);
    assert_int_equal(ends[0], ends[1]);
    assert_int_equal(polls[0], 1);
    assert_in_range(polls[1], 5, 20);
}

/* A task that activates itself for ever does not keep the fabric from going on: another
 * PE fails. */
static void nobody_waits_for_a_ce_that_is_never_done(void **state)
{
    (void) state;
    static const WseRunStep twice[] = {
        {WSE_RUN_RECEIVE, COLOR, 4, .count = 1, .delay = 3000},
        {WSE_RUN_RECEIVE, COLOR, 4, .count = 1}};
    WseRun run;
    g_autoptr(GError) error = NULL;

    wse_run_open(&run, 2, 1, NULL);

    Parts endless = {run.params, arch_wse_program_new(run.params, "endless")};

    parts_begin(&endless, 10);
    assert_true(arch_wse_program_activate(endless.program, 10, NULL));
    parts_end(&endless);
    assert_true(arch_wse_program_activate(endless.program, 10, NULL));
    wse_run_place(&run, wse_rig_one(0, 0), &endless);
    wse_run_steps(&run, wse_rig_one(1, 0), "twice", twice, 2);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, W, R);
    assert_false(wse_run_try(&run, &error));
    assert_non_null(strstr(error->message, "which has one user at a time"));
    wse_run_close(&run);
}

/* The middle one of three PEs works for 500 cycles, then turns the color away from the
 * last. It may not do so before, even if its second task begins at once: a wavelet
 * comes by meanwhile. */
static void what_concerns_others_waits_for_the_fabric(void **state)
{
    (void) state;
    static const char *const at_once[] = {"task.dispatch_cycles=0", NULL};
    const WseRunStep send = {WSE_RUN_SEND, COLOR, 0, .count = 1, .delay = 200};
    const WseRunStep receive = {WSE_RUN_RECEIVE, COLOR, 4, .count = 1};
    WseRun run;

    wse_run_open(&run, 3, 1, at_once);

    Parts turner = {run.params, arch_wse_program_new(run.params, "turner")};
    const guint row =
        parts_row(&turner, parts_array(&turner, "u", ARCH_WSE_F32, 500), 0, 500, 1);

    assert_true(arch_wse_program_input_queue(turner.program, COLOR, 4, NULL));
    parts_begin(&turner, 10);
    parts_emit(&turner,
               parts_vector("fmuls", row, row, parts_number(&turner, ARCH_WSE_F32, 2),
                            ARCH_WSE_NONE));
    assert_true(arch_wse_program_activate(turner.program, 11, NULL));
    parts_end(&turner);
    parts_begin(&turner, 11);
    assert_true(arch_wse_program_route(turner.program, COLOR, ARCH_WSE_WEST,
                                       ARCH_WSE_RAMP, NULL));
    parts_end(&turner);
    assert_true(arch_wse_program_activate(turner.program, 10, NULL));
    wse_run_steps(&run, wse_rig_one(0, 0), "sender", &send, 1);
    wse_run_place(&run, wse_rig_one(1, 0), &turner);
    wse_run_steps(&run, wse_rig_one(2, 0), "receiver", &receive, 1);
    wse_rig_set_route(run.layout, wse_rig_one(0, 0), COLOR, R, E);
    wse_rig_set_route(run.layout, wse_rig_one(1, 0), COLOR, W, E);
    wse_rig_set_route(run.layout, wse_rig_one(2, 0), COLOR, W, R);
    wse_run(&run);
    assert_in_range(wse_run_end(&run, 2, 0), 200, 300);
    assert_in_range(wse_run_end(&run, 1, 0), 500, 600);
    wse_run_close(&run);
}

/* PE 1 works for five rounds of 300 cycles. Its task of teardowns is called in the
 * first of them, runs after it, and ends an iteration. */
static void place_torn_down(const WseRun *run)
{
    Parts parts = {run->params, arch_wse_program_new(run->params, "torn down")};
    ArchWseProgram *program = parts.program;
    const ArchWseOperand one = {.value = 1};
    const ArchWseOperand rounds = {.value = 5};
    const guint round = parts_variable(&parts, "round", 0);
    const guint row =
        parts_row(&parts, parts_array(&parts, "u", ARCH_WSE_F32, 300), 0, 300, 1);

    (void) parts_fabin(&parts, COLOR, 4, 1);
    parts_begin(&parts, AFTER_TEARDOWNS);
    parts_emit(&parts,
               parts_vector("fmuls", row, row, parts_number(&parts, ARCH_WSE_F32, 2),
                            ARCH_WSE_NONE));
    assert_true(arch_wse_program_add(program, round, one, NULL));
    assert_true(arch_wse_program_begin_if(program, round, ARCH_WSE_LESS, rounds, NULL));
    assert_true(arch_wse_program_activate(program, AFTER_TEARDOWNS, NULL));
    assert_true(arch_wse_program_end_if(program, NULL));
    parts_end(&parts);
    parts_begin(&parts, WSE_TEARDOWN_TASK);
    assert_true(arch_wse_program_iteration(program, NULL));
    parts_end(&parts);
    assert_true(arch_wse_program_activate(program, AFTER_TEARDOWNS, NULL));
    wse_run_place(run, wse_rig_one(1, 0), &parts);
}

static void teardowns_reach_a_ce_in_time(void **state)
{
    (void) state;
    const ArchWseControl teardown[] = {{ARCH_WSE_NOP, true}, {ARCH_WSE_TEARDOWN, true}};
    const WseRunStep send = {WSE_RUN_CONTROL, COLOR, .count = 1, .delay = 100,
                             .bits = arch_wse_control_payload(teardown, 2, 31)};
    ArchWseColorConfig config = {
        .position_count = 1, .positions = {{R, E}}, .pop_mode = ARCH_WSE_ALWAYS_POP};
    guint records = 0;

    for (guint i = 0; i < 2; i++) {
        WseRun run;

        wse_run_open(&run, 2, 1, NULL);
        wse_run_steps(&run, wse_rig_one(0, 0), "sender", &send, 1);
        place_torn_down(&run);
        config.positions[0] = (ArchWsePosition){R, E};
        wse_rig_set_config(run.layout, wse_rig_one(0, 0), COLOR, &config);
        config.positions[0] = (ArchWsePosition){W, R};
        wse_rig_set_config(run.layout, wse_rig_one(1, 0), COLOR, &config);
        if (i == 1) {
            run.watch =
                (SimWatch){.func = look, .data = &records, .to = SIM_TIME_NEVER};
        }
        wse_run(&run);
        g_autoptr(GArray) iterations = arch_wse_iterations(run.wse);

        assert_int_equal(iterations->len, 1);
        assert_in_range(g_array_index(iterations, ArchWseIteration, 0).last, 300, 500);
        assert_false(wse_fabric_of(run.wse)->may_nap);
        wse_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ce_goes_ahead_of_the_fabric),
        cmocka_unit_test(what_concerns_others_waits_for_the_fabric),
        cmocka_unit_test(teardowns_reach_a_ce_in_time),
        cmocka_unit_test(nobody_waits_for_a_ce_that_is_never_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
