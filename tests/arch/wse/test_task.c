/* Tasks of a PE: when they run and in which order. */
#include "tests/arch/wse/bench.h"

enum {
    COLOR = 4,
    QUEUE = 2,
    /* From the start of a task that sends one word until the neighbour has it: set-up
     * 28 and 6, into the queue 1, ramp 2, hop 1, ramp 2. */
    SET_UP = 34,
    WAY = 6,
};

static void begin_local(guint id)
{
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, id, ARCH_WSE_NONE);
}

static void activate(guint id)
{
    assert_true(arch_wse_program_activate(bench.parts.program, id, NULL));
}

static void block(guint id)
{
    assert_true(arch_wse_program_block(bench.parts.program, id, NULL));
}

static void unblock(guint id)
{
    assert_true(arch_wse_program_unblock(bench.parts.program, id, NULL));
}

static void run_alone(void)
{
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
}

/* Active from the start: so much work, then a mark. */
static void add_task(guint id, guint work)
{
    begin_local(id);
    bench_work(&bench, work);
    bench_mark(&bench);
    bench_end(&bench);
    activate(id);
}

/* --- order ---------------------------------------------------------------------- */

static void test_a_task_begins_after_its_dispatch(void **state G_GNUC_UNUSED)
{
    bench_program(&bench, "one");
    add_task(5, 0);
    run_alone();
    BENCH_MARKS(&bench, 10);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 0);
}

static void start_again(void)
{
    g_autoptr(GError) error = NULL;

    arch_wse_start(bench.wse);
    assert_true(sim_engine_run(bench.engine, SIM_TIME_NEVER, &error));
}

/* A round of the loop: a load and a branch not taken 5, an addition 4, the way back 6;
 * then the branch taken 8, after a dispatch of 10. */
static void test_variables_begin_with_what_a_launch_says(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    guint count = 0;

    bench_program(&bench, "counting");
    ArchWseProgram *program = bench.parts.program;

    assert_true(arch_wse_program_variable(program, "count", 2, &count, NULL));
    begin_local(5);
    assert_true(arch_wse_program_begin_while(program, count, ARCH_WSE_GREATER,
                                             (ArchWseOperand){.value = 0}, NULL));
    assert_true(
        arch_wse_program_add(program, count, (ArchWseOperand){.value = -1}, NULL));
    assert_true(arch_wse_program_end_while(program, NULL));
    bench_mark(&bench);
    bench_end(&bench);
    activate(5);
    run_alone();
    BENCH_MARKS(&bench, 10 + 2 * 15 + 8);
    assert_true(arch_wse_set_variable(bench.wse, "count", 5, NULL));
    start_again();
    BENCH_MARKS(&bench, 10 + 5 * 15 + 8);
    start_again();
    BENCH_MARKS(&bench, 10 + 5 * 15 + 8);
    assert_false(arch_wse_set_variable(bench.wse, "cuont", 5, &error));
    assert_string_equal(error->message,
                        "no PE has a variable cuont, pe:variable makes them");
}

static void add_three(void)
{
    bench_program(&bench, "three");
    add_task(7, 4);
    add_task(3, 1);
    add_task(5, 2);
}

static void test_the_lowest_id_runs_first(void **state G_GNUC_UNUSED)
{
    add_three();
    run_alone();
    BENCH_MARKS(&bench, 10 + 1, 11 + 10 + 2, 23 + 10 + 4);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 7);
}

static void test_or_the_highest(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "task.order=highest_id");
    add_three();
    run_alone();
    BENCH_MARKS(&bench, 10 + 4, 14 + 10 + 2, 26 + 10 + 1);
}

static void test_or_the_next_after_the_last(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "task.order=round_robin");
    add_three();
    run_alone();
    BENCH_MARKS(&bench, 10 + 1, 11 + 10 + 2, 23 + 10 + 4);
}

/* Task 3 runs `rounds` times by activating itself; task 5 is ready all the time. */
static void run_beside_one_that_activates_itself(int32_t rounds)
{
    bench_lay(&bench, 1, 1);
    ArchWseProgram *program = bench_program(&bench, "waiting");
    guint count = 0;

    assert_true(arch_wse_program_variable(program, "count", rounds, &count, NULL));
    begin_local(3);
    assert_true(
        arch_wse_program_add(program, count, (ArchWseOperand){.value = -1}, NULL));
    assert_true(arch_wse_program_begin_if(program, count, ARCH_WSE_GREATER,
                                          (ArchWseOperand){.value = 0}, NULL));
    activate(3);
    assert_true(arch_wse_program_end_if(program, NULL));
    bench_end(&bench);
    activate(3);
    add_task(5, 2);
    run_alone();
}

/* By id, the task that activates itself keeps all others waiting. */
static void test_a_task_in_turn_waits_for_the_others(void **state G_GNUC_UNUSED)
{
    const guint round = 10 + 4 + 5 + 1; /* dispatch, add, branch, activate */

    BENCH_OVERRIDE(&bench, "task.order=round_robin");
    run_beside_one_that_activates_itself(4);
    BENCH_MARKS(&bench, round + 10 + 2);
    BENCH_OVERRIDE(&bench, "task.order=lowest_id");
    run_beside_one_that_activates_itself(4);
    BENCH_MARKS(&bench, 3 * round + (10 + 4 + 8) + 10 + 2);
}

static void test_activation_is_one_bit(void **state G_GNUC_UNUSED)
{
    bench_program(&bench, "twice");
    begin_local(3);
    activate(5);
    activate(5);
    bench_end(&bench);
    bench_marker(&bench, 5);
    activate(3);
    run_alone();
    BENCH_MARKS(&bench, 10 + 2 + 10);
}

/* One that activates itself runs again; the bit was cleared when it began. */
static void test_a_running_task_can_be_activated(void **state G_GNUC_UNUSED)
{
    ArchWseProgram *program = bench_program(&bench, "again");
    guint left = parts_variable(&bench.parts, "left", 3);

    begin_local(5);
    assert_true(
        arch_wse_program_add(program, left, (ArchWseOperand){.value = -1}, NULL));
    bench_mark(&bench);
    assert_true(arch_wse_program_begin_if(program, left, ARCH_WSE_GREATER,
                                          (ArchWseOperand){.value = 0}, NULL));
    activate(5);
    assert_true(arch_wse_program_end_if(program, NULL));
    bench_end(&bench);
    activate(5);
    run_alone();
    /* add 4, branch not taken 5, activate 1 */
    BENCH_MARKS(&bench, 14, 20 + 14, 40 + 14);
    assert_int_equal(bench_pe(&bench, 0, 0).end, 54 + 8);
}

static void test_a_blocked_task_waits_with_its_bit(void **state G_GNUC_UNUSED)
{
    bench_program(&bench, "blocked");
    bench_marker(&bench, 2);
    block(2);
    activate(2);
    add_task(6, 5);
    begin_local(8);
    bench_work(&bench, 3);
    unblock(2);
    bench_end(&bench);
    activate(8);
    run_alone();
    BENCH_MARKS(&bench, 10 + 5, 15 + 10 + 4 + 10);
}

static void test_a_task_can_block_another(void **state G_GNUC_UNUSED)
{
    bench_program(&bench, "blocking");
    begin_local(1);
    block(2);
    bench_end(&bench);
    activate(1);
    add_task(2, 0);
    begin_local(3);
    bench_mark(&bench);
    unblock(2);
    bench_end(&bench);
    activate(3);
    run_alone();
    BENCH_MARKS(&bench, 10 + 1 + 10, 21 + 1 + 10);
}

static void test_a_task_runs_to_its_end(void **state G_GNUC_UNUSED)
{
    bench_program(&bench, "long");
    begin_local(9);
    activate(2);
    bench_work(&bench, 20);
    bench_mark(&bench);
    bench_end(&bench);
    activate(9);
    bench_marker(&bench, 2);
    run_alone();
    BENCH_MARKS(&bench, 10 + 21, 31 + 10);
}

/* A task that is dispatched already is not displaced by one with a lower id. */
static void test_dispatch_is_not_taken_back(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "task.dispatch_cycles=40");
    bench_program(&bench, "late");
    bench_lay(&bench, 2, 1);
    begin_local(9);
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fmovs", parts_fabout(&bench.parts, COLOR, 0, 1),
                                 parts_number(&bench.parts, ARCH_WSE_F32, 1),
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    2));
    activate(8);
    bench_end(&bench);
    activate(9);
    bench_marker(&bench, 2);
    begin_local(8);
    bench_work(&bench, 5);
    bench_mark(&bench);
    bench_end(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_program(&bench, "sink");
    assert_true(arch_wse_program_input_queue(bench.parts.program, QUEUE, COLOR, NULL));
    bench_begin(&bench, ARCH_WSE_TASK_DATA, COLOR, ARCH_WSE_NONE);
    bench_end(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
    bench_run(&bench);
    /* 8 is chosen at 75; the send, whose end activates 2, issues in that cycle. */
    BENCH_MARKS(&bench, 40 + SET_UP + 1 + 40 + 5, 120 + 40);
}

/* --- wavelets ------------------------------------------------------------------- */

/* PE 0 sends `count` of 1, 2, 3...; PE 1 gets the program that follows. */
static void send_numbers(guint count)
{
    ArchWseProgram *program = bench_program(&bench, "sender");
    guint array = parts_array(&bench.parts, "u", ARCH_WSE_F32, count);

    for (guint i = 0; i < count; i++) {
        double value = i + 1;

        assert_true(arch_wse_program_set(program, array, i, &value, 1, NULL));
    }
    begin_local(9);
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fmovs", parts_fabout(&bench.parts, COLOR, 0, count),
                                 parts_row(&bench.parts, array, 0, count, 1),
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    ARCH_WSE_NONE));
    bench_end(&bench);
    activate(9);
    bench_lay(&bench, 2, 1);
    bench_put(&bench, 0, 0, 0, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
    program = bench_program(&bench, "receiver");
    assert_true(arch_wse_program_input_queue(program, QUEUE, COLOR, NULL));
}

/* sum = 2 * sum + argument, so that the order shows; marked. */
static void add_summing_task(void)
{
    ArchWseProgram *program = bench.parts.program;
    guint argument = parts_array(&bench.parts, "argument", ARCH_WSE_F32, 1);
    guint sum = parts_array(&bench.parts, "sum", ARCH_WSE_F32, 1);

    bench_begin(&bench, ARCH_WSE_TASK_DATA, COLOR, argument);
    assert_true(arch_wse_program_scalar(program, "add", sum, sum, sum, NULL));
    assert_true(arch_wse_program_scalar(program, "add", sum, sum, argument, NULL));
    bench_mark(&bench);
    bench_end(&bench);
}

/* Of a stream that moves as one, too. */
static void test_a_data_task_runs_for_each_wavelet(void **state G_GNUC_UNUSED)
{
    static const ArchWseGrain grains[] = {ARCH_WSE_GRAIN_WAVELET,
                                          ARCH_WSE_GRAIN_STREAM};
    const guint here = 10 + SET_UP + WAY;

    for (guint i = 0; i < 2 * G_N_ELEMENTS(grains); i++) {
        const guint each = i < 2 ? 24 : 46; /* the last two are entered later */

        if (i == 2) {
            BENCH_OVERRIDE(&bench, "task.data_entry_cycles=22");
        }
        bench.options.grain = grains[i % 2];
        send_numbers(3);
        add_summing_task();
        bench_put(&bench, 1, 0, 1, 0);
        bench_run(&bench);
        BENCH_MARKS(&bench, here + each, here + 2 * each, here + 3 * each);
        assert_float_equal(bench_number(&bench, 1, 0, "sum", 0), 1 * 4 + 2 * 2 + 3, 0);
    }
}

/* The PE has nothing to do from 110 to 120, yet takes none of them. */
static void test_wavelets_wait_for_a_blocked_data_task(void **state G_GNUC_UNUSED)
{
    SimTime times[21];

    send_numbers(20);
    add_summing_task();
    block(COLOR);
    begin_local(9);
    bench_work(&bench, 99);
    activate(10);
    bench_end(&bench);
    activate(9);
    begin_local(10);
    bench_work(&bench, 190);
    bench_mark(&bench);
    unblock(COLOR);
    bench_end(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    for (guint i = 0; i < 21; i++) {
        times[i] = i == 0 ? 310 : 311 + i * 24;
    }
    bench_assert_marks(&bench, times, 21);
    assert_float_equal(bench_number(&bench, 1, 0, "sum", 0), 2097130, 0);
    /* The sender could put away so many meanwhile, not all. */
    assert_true(bench_pe(&bench, 0, 0).end > 310);
}

/* A wavelet is here when tasks above and below its color are activated. */
static void run_data_among_local(void)
{
    send_numbers(1);
    add_summing_task();
    begin_local(COLOR - 1);
    bench_work(&bench, 1);
    bench_mark(&bench);
    bench_end(&bench);
    begin_local(COLOR + 1);
    bench_work(&bench, 2);
    bench_mark(&bench);
    bench_end(&bench);
    begin_local(9);
    bench_work(&bench, 88);
    activate(COLOR - 1);
    activate(COLOR + 1);
    bench_end(&bench);
    activate(9);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
}

static void test_data_tasks_are_ordered_with_the_others(void **state G_GNUC_UNUSED)
{
    run_data_among_local();
    BENCH_MARKS(&bench, 100 + 11, 111 + 24, 135 + 12);
    BENCH_OVERRIDE(&bench, "task.order=highest_id");
    run_data_among_local();
    BENCH_MARKS(&bench, 100 + 12, 112 + 24, 136 + 11);
}

/* Between data: 1, then a control wavelet for task `called`, then 2. */
static void send_control(guint called)
{
    const ArchWseControl nothing = {ARCH_WSE_NOP, false};
    const ArchWseFaboutDsd control = {
        .color = COLOR, .extent = 1, .elements_per_wavelet = 1, .is_control = true};
    ArchWseProgram *program = bench_program(&bench, "sender");
    guint to = 0;
    guint word = 0;

    assert_true(arch_wse_program_fabout_dsd(program, &control, &to, NULL));
    assert_true(arch_wse_program_word(
        program, arch_wse_control_payload(&nothing, 1, called), &word, NULL));
    begin_local(9);
    for (guint i = 1; i <= 2; i++) {
        parts_emit(&bench.parts,
                   parts_vector("fmovs", parts_fabout(&bench.parts, COLOR, 0, 1),
                                parts_number(&bench.parts, ARCH_WSE_F32, i),
                                ARCH_WSE_NONE, ARCH_WSE_NONE));
        if (i == 1) {
            parts_emit(&bench.parts,
                       parts_vector("mov32", to, word, ARCH_WSE_NONE, ARCH_WSE_NONE));
        }
    }
    bench_end(&bench);
    activate(9);
    bench_lay(&bench, 2, 1);
    bench_put(&bench, 0, 0, 0, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
    program = bench_program(&bench, "receiver");
    assert_true(arch_wse_program_input_queue(program, QUEUE, COLOR, NULL));
    add_summing_task();
    for (guint i = 0; i < 2; i++) {
        bench_begin(&bench, ARCH_WSE_TASK_CONTROL, 40 + i, ARCH_WSE_NONE);
        bench_work(&bench, 3 + i);
        bench_mark(&bench);
        bench_end(&bench);
    }
    bench_put(&bench, 1, 0, 1, 0);
}

static void test_a_control_wavelet_calls_its_task(void **state G_GNUC_UNUSED)
{
    const guint here = 10 + SET_UP + WAY;

    for (guint i = 0; i < 2; i++) {
        send_control(40 + i);
        bench_run(&bench);
        /* Each after one more synchronous send of 28 + 6 + 1 cycles. */
        BENCH_MARKS(&bench, here + 24, here + 35 + 10 + 3 + i, here + 70 + 24);
        assert_float_equal(bench_number(&bench, 1, 0, "sum", 0), 1 * 2 + 2, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_task_begins_after_its_dispatch),
        BENCH_TEST(test_variables_begin_with_what_a_launch_says),
        BENCH_TEST(test_the_lowest_id_runs_first),
        BENCH_TEST(test_or_the_highest),
        BENCH_TEST(test_or_the_next_after_the_last),
        BENCH_TEST(test_a_task_in_turn_waits_for_the_others),
        BENCH_TEST(test_activation_is_one_bit),
        BENCH_TEST(test_a_running_task_can_be_activated),
        BENCH_TEST(test_a_blocked_task_waits_with_its_bit),
        BENCH_TEST(test_a_task_can_block_another),
        BENCH_TEST(test_a_task_runs_to_its_end),
        BENCH_TEST(test_dispatch_is_not_taken_back),
        BENCH_TEST(test_a_data_task_runs_for_each_wavelet),
        BENCH_TEST(test_wavelets_wait_for_a_blocked_data_task),
        BENCH_TEST(test_data_tasks_are_ordered_with_the_others),
        BENCH_TEST(test_a_control_wavelet_calls_its_task),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
