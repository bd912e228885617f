/* Operations that wait: for queues, for FIFOs, for each other. */
#include "arch/error.h"
#include "tests/arch/wse/bench.h"

enum {
    DONE = 9,
    COLOR = 4,
    OTHER = 5,
    EAST = 1, /* color of what PE 1 sends */
    WAY = 6,
};

static ArchWseVector moving(guint to, guint from)
{
    return parts_vector("fmovs", to, from, ARCH_WSE_NONE, ARCH_WSE_NONE);
}

static void emit_async(guint to, guint from, guint activated)
{
    parts_emit(&bench.parts, bench_async(moving(to, from), activated));
}

static guint array_row(const char *name, guint count)
{
    guint array = parts_array(&bench.parts, name, ARCH_WSE_F32, count);

    return parts_row(&bench.parts, array, 0, count, 1);
}

/* PE x sends 0, 1, 2... to the next, after so much work. */
static void put_source(guint x, guint color, guint count, guint work)
{
    bench_begin_go(&bench, "source");
    guint array = parts_array(&bench.parts, "u", ARCH_WSE_F32, count);

    for (guint i = 0; i < count; i++) {
        double value = i;

        assert_true(
            arch_wse_program_set(bench.parts.program, array, i, &value, 1, NULL));
    }
    bench_work(&bench, work);
    emit_async(parts_fabout(&bench.parts, color, 0, count),
               parts_row(&bench.parts, array, 0, count, 1), ARCH_WSE_NONE);
    bench_end_go(&bench);
    bench_put(&bench, x, 0, x, 0);
    bench_route(&bench, x, 0, color, R, E);
    bench_route(&bench, x + 1, 0, color, W, R);
}

/* PE 2 keeps what it gets; its mark is the end. */
static void put_keeper(guint count)
{
    bench_begin_go(&bench, "keeper");
    emit_async(array_row("kept", count), parts_fabin(&bench.parts, EAST, 0, count),
               DONE);
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 2, 0, 2, 0);
    bench_route(&bench, 1, 0, EAST, R, E);
    bench_route(&bench, 2, 0, EAST, W, R);
}

static void assert_kept(guint count)
{
    for (guint i = 0; i < count; i++) {
        assert_float_equal(bench_number(&bench, 2, 0, "kept", i), i, 0);
    }
}

/* --- FIFOs ---------------------------------------------------------------------- */

/* PE 1 passes 40 numbers on through a FIFO; it begins to pop after so much work. */
static void run_fifo(guint capacity, guint work)
{
    guint fifo = 0;

    bench_lay(&bench, 3, 1);
    put_source(0, COLOR, 40, 0);
    bench_begin_go(&bench, "passes");
    guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F32, capacity);

    assert_true(arch_wse_program_fifo(bench.parts.program, buffer, &fifo, NULL));
    emit_async(fifo, parts_fabin(&bench.parts, COLOR, 4, 40), ARCH_WSE_NONE);
    bench_work(&bench, work);
    emit_async(parts_fabout(&bench.parts, EAST, 0, 40), fifo, ARCH_WSE_NONE);
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    put_keeper(40);
    bench_run(&bench);
    assert_kept(40);
}

/* From 7 on a wavelet a cycle comes, and each takes two slots: a push and a pop. */
static void test_a_fifo_keeps_the_order(void **state G_GNUC_UNUSED)
{
    run_fifo(4, 0);
    /* Push at 7, then pop and push in turn, the last pop at 7 + 79; a cycle more for
     * its receive. */
    BENCH_MARKS(&bench, 7 + 79 + WAY + 1);
    assert_int_equal(bench_pe(&bench, 1, 0).busy, 2 + 80);
}

/* As much as there is at a time. */
static void test_a_fifo_keeps_the_order_of_streams(void **state G_GNUC_UNUSED)
{
    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    run_fifo(4, 0);
    run_fifo(64, 30);
}

static void test_a_fifo_of_one_number_works(void **state G_GNUC_UNUSED)
{
    run_fifo(1, 0);
    BENCH_MARKS(&bench, 7 + 79 + WAY + 1);
}

/* 27 words have a place while nothing is popped, the last of 28 has none: 16 are in the
 * FIFO, 4 in the input queue, 2 on the link, 3 behind the source's ramp and 2 in its
 * output queue. The main thread's work leaves slots to the pushes. */
static void test_a_fifo_holds_its_capacity_and_no_more(void **state G_GNUC_UNUSED)
{
    for (guint more = 0; more < 2; more++) {
        const guint count = 16 + 4 + 2 + 3 + 2 + more;
        guint fifo = 0;

        BENCH_OVERRIDE(&bench, "pe.main_thread=alternate");
        bench_lay(&bench, 3, 1);
        put_source(0, COLOR, count, 0);
        bench_begin_go(&bench, "passes");
        guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F32, 16);

        assert_true(arch_wse_program_fifo(bench.parts.program, buffer, &fifo, NULL));
        emit_async(fifo, parts_fabin(&bench.parts, COLOR, 4, count), ARCH_WSE_NONE);
        bench_work(&bench, 500);
        emit_async(parts_fabout(&bench.parts, EAST, 0, count), fifo, ARCH_WSE_NONE);
        bench_end_go(&bench);
        bench_put(&bench, 1, 0, 1, 0);
        put_keeper(count);
        bench_run(&bench);
        assert_kept(count);
        assert_true((bench_pe(&bench, 0, 0).end > 500) == (more > 0));
    }
}

/* Pairs of halves, of which a FIFO of three has room for one, and then for none. */
static void test_a_fifo_takes_whole_wavelets(void **state G_GNUC_UNUSED)
{
    const ArchWseFabinDsd pairs = {COLOR, 4, 7, 2, ARCH_WSE_NARROW};
    const ArchWseFaboutDsd out = {COLOR, 0, 7, 2, false, false, 0, 0, ARCH_WSE_NARROW};
    const double numbers[] = {1, 2, 3, 4, 5, 6, 7};
    guint dsds[3] = {0};

    bench_begin_go(&bench, "pairs");
    const guint from = parts_array(&bench.parts, "from", ARCH_WSE_F16, 7);
    const guint to = parts_array(&bench.parts, "to", ARCH_WSE_F16, 7);
    const guint sum = parts_array(&bench.parts, "sum", ARCH_WSE_F32, 7);
    const guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F16, 3);
    ArchWseProgram *program = bench.parts.program;

    assert_true(arch_wse_program_set(program, from, 0, numbers, 7, NULL));
    assert_true(arch_wse_program_fabin_dsd(program, &pairs, &dsds[0], NULL));
    assert_true(arch_wse_program_fabout_dsd(program, &out, &dsds[1], NULL));
    assert_true(arch_wse_program_fifo(program, buffer, &dsds[2], NULL));
    parts_emit(&bench.parts, bench_async(parts_vector("fmovh", dsds[2], dsds[0],
                                                      ARCH_WSE_NONE, ARCH_WSE_NONE),
                                         ARCH_WSE_NONE));
    parts_emit(&bench.parts,
               bench_async(parts_vector("fmovh", dsds[1],
                                        parts_row(&bench.parts, from, 0, 7, 1),
                                        ARCH_WSE_NONE, ARCH_WSE_NONE),
                           ARCH_WSE_NONE));
    parts_emit(&bench.parts, parts_vector("fmovh", parts_row(&bench.parts, to, 0, 7, 1),
                                          dsds[2], ARCH_WSE_NONE, ARCH_WSE_NONE));
    parts_emit(&bench.parts, parts_vector("fh2s", parts_row(&bench.parts, sum, 0, 7, 1),
                                          parts_row(&bench.parts, to, 0, 7, 1),
                                          ARCH_WSE_NONE, ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_route(&bench, 0, 0, COLOR, R, R);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    for (guint i = 0; i < 7; i++) {
        assert_float_equal(bench_number(&bench, 0, 0, "sum", i), i + 1, 0);
    }
}

/* Between a microthread that pushes and the main thread, which pops: in turn from 2 on.
 */
static void test_a_fifo_between_main_and_microthread(void **state G_GNUC_UNUSED)
{
    const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    guint fifo = 0;

    bench_begin_go(&bench, "turns");
    guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F32, 4);
    guint from = parts_array(&bench.parts, "from", ARCH_WSE_F32, 10);

    assert_true(arch_wse_program_set(bench.parts.program, from, 0, numbers, 10, NULL));
    assert_true(arch_wse_program_fifo(bench.parts.program, buffer, &fifo, NULL));
    emit_async(fifo, parts_row(&bench.parts, from, 0, 10, 1), ARCH_WSE_NONE);
    parts_emit(&bench.parts, moving(array_row("to", 10), fifo));
    bench_mark(&bench);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    BENCH_MARKS(&bench, 2 + 10); /* two numbers of f32 in each */
    for (guint i = 0; i < 10; i++) {
        assert_float_equal(bench_number(&bench, 0, 0, "to", i), i + 1, 0);
    }
}

/* --- queues --------------------------------------------------------------------- */

/* PE 1 takes `count` wavelets by a data task of so many cycles, and marks before them.
 */
static void run_data_tasks(guint count, guint work)
{
    bench_lay(&bench, 2, 1);
    put_source(0, COLOR, count, 0);
    bench_program(&bench, "taker");
    assert_true(arch_wse_program_input_queue(bench.parts.program, 4, COLOR, NULL));
    bench_begin(&bench, ARCH_WSE_TASK_DATA, COLOR, ARCH_WSE_NONE);
    bench_mark(&bench);
    bench_work(&bench, work);
    bench_end(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
}

static void assert_every(guint count, SimTime first, SimTime step)
{
    SimTime times[64];

    for (guint i = 0; i < count; i++) {
        times[i] = first + i * step;
    }
    bench_assert_marks(&bench, times, count);
}

/* A wavelet a cycle, or as fast as the task is, also behind a full queue. */
static void test_data_tasks_keep_pace(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 2; i++) {
        bench.options.grain = i == 0 ? ARCH_WSE_GRAIN_WAVELET : ARCH_WSE_GRAIN_STREAM;
        run_data_tasks(40, 0);
        assert_every(40, 1 + WAY, 1);
        run_data_tasks(40, 3);
        assert_every(40, 1 + WAY, 3);
    }
}

/* A queue of one wavelet: the next is let go when the credit is back. */
static void test_credits_take_their_time(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "queues.input_wavelets=1,1,1,1,1,1,1,1",
                   "queues.input_ramp_wavelets=0", "queues.credit_return_cycles=20");
    run_data_tasks(5, 0);
    assert_every(5, 1 + WAY, 20 + 2);

    bench_lay(&bench, 2, 1);
    put_source(0, COLOR, 5, 0);
    bench_begin_go(&bench, "taker");
    emit_async(array_row("u", 5), parts_fabin(&bench.parts, COLOR, 4, 5), DONE);
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    BENCH_MARKS(&bench, 1 + WAY + 4 * 22 + 1);
}

/* With one place, a wavelet goes in a cycle and out in the next. */
static void test_an_output_queue_of_one_halves_a_stream(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "queues.output_wavelets=1,1,1,1,1,1");
    run_data_tasks(10, 0);
    assert_every(10, 1 + WAY, 2);
}

/* The second source is 50 cycles later than the first. */
static void test_a_sum_waits_for_both_its_sources(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "source");
    for (guint i = 0; i < 2; i++) {
        bench_work(&bench, 50 * i);
        emit_async(parts_fabout(&bench.parts, COLOR + i, i, 3),
                   parts_number(&bench.parts, ARCH_WSE_F32, 1 + i), ARCH_WSE_NONE);
        bench_route(&bench, 0, 0, COLOR + i, R, E);
        bench_route(&bench, 1, 0, COLOR + i, W, R);
    }
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_begin_go(&bench, "sum");
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fadds", array_row("u", 3),
                                 parts_fabin(&bench.parts, COLOR, 4, 3),
                                 parts_fabin(&bench.parts, OTHER, 5, 3), ARCH_WSE_NONE),
                    DONE));
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    /* The second begins at 52, after which the first, of thread 0, has 3 issues. */
    BENCH_MARKS(&bench, 52 + 3 + WAY + 3);
    assert_float_equal(bench_number(&bench, 1, 0, "u", 2), 3, 0);
}

/* --- completion ----------------------------------------------------------------- */

static void test_an_end_unblocks_a_task(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 1);
    put_source(0, COLOR, 5, 0);
    bench_begin_go(&bench, "waits");
    ArchWseVector receive =
        bench_async(moving(array_row("u", 5), parts_fabin(&bench.parts, COLOR, 4, 5)),
                    ARCH_WSE_NONE);

    receive.unblocked = DONE;
    parts_emit(&bench.parts, receive);
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    assert_true(arch_wse_program_block(bench.parts.program, DONE, NULL));
    assert_true(arch_wse_program_activate(bench.parts.program, DONE, NULL));
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    BENCH_MARKS(&bench, 1 + WAY + 5);
}

/* The main thread waits from 2 to 107 for the first of 5; 20 sends go on beside it. */
static void test_microthreads_go_on_while_a_task_waits(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 3, 1);
    put_source(0, COLOR, 5, 100);
    bench_begin_go(&bench, "both");
    emit_async(parts_fabout(&bench.parts, EAST, 1, 20),
               parts_number(&bench.parts, ARCH_WSE_F32, 1), ARCH_WSE_NONE);
    parts_emit(&bench.parts,
               moving(array_row("u", 5), parts_fabin(&bench.parts, COLOR, 4, 5)));
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    put_keeper(20);
    bench_run(&bench);
    BENCH_MARKS(&bench, 2 + 20 + WAY);
    assert_int_equal(bench_pe(&bench, 1, 0).end, 101 + WAY + 5);
    assert_float_equal(bench_number(&bench, 1, 0, "u", 4), 4, 0);
}

/* --- control wavelets ----------------------------------------------------------- */

/* Two control wavelets for task 40 by one operation. */
static void run_controls(bool is_from_memory)
{
    const ArchWseControl nothing = {ARCH_WSE_NOP, false};
    const ArchWseFaboutDsd control = {
        .color = COLOR, .extent = 2, .elements_per_wavelet = 1, .is_control = true};
    const double payload = arch_wse_control_payload(&nothing, 1, 40);
    guint to = 0;
    guint from = 0;

    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "source");
    assert_true(arch_wse_program_fabout_dsd(bench.parts.program, &control, &to, NULL));
    if (is_from_memory) {
        const double payloads[] = {payload, payload};
        guint array = parts_array(&bench.parts, "u", ARCH_WSE_U32, 2);

        assert_true(
            arch_wse_program_set(bench.parts.program, array, 0, payloads, 2, NULL));
        from = parts_row(&bench.parts, array, 0, 2, 1);
    } else {
        assert_true(arch_wse_program_word(bench.parts.program, (uint32_t) payload,
                                          &from, NULL));
    }
    parts_emit(&bench.parts, bench_async(parts_vector("mov32", to, from, ARCH_WSE_NONE,
                                                      ARCH_WSE_NONE),
                                         ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_program(&bench, "called");
    assert_true(arch_wse_program_input_queue(bench.parts.program, 4, COLOR, NULL));
    bench_begin(&bench, ARCH_WSE_TASK_CONTROL, 40, ARCH_WSE_NONE);
    bench_work(&bench, 5);
    bench_mark(&bench);
    bench_end(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
}

static void test_control_wavelets_stay_single(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 4; i++) {
        bench.options.is_functional = (i & 1) != 0;
        bench.options.grain =
            (i & 2) != 0 ? ARCH_WSE_GRAIN_STREAM : ARCH_WSE_GRAIN_WAVELET;
        run_controls(false);
        bench_run(&bench);
        BENCH_MARKS(&bench, 1 + WAY + 5, 1 + WAY + 10);
    }
}

static void test_control_wavelets_from_memory_need_it(void **state G_GNUC_UNUSED)
{
    run_controls(true);
    bench_run(&bench);
    BENCH_MARKS(&bench, 1 + WAY + 5, 1 + WAY + 10);
    bench.options.is_functional = false;
    run_controls(true);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                         "program source: what it does depends on its numbers, so it "
                         "cannot run without them (--timing-only)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST_QUICKLY(test_a_fifo_keeps_the_order),
        BENCH_TEST_QUICKLY(test_a_fifo_keeps_the_order_of_streams),
        BENCH_TEST_QUICKLY(test_a_fifo_of_one_number_works),
        BENCH_TEST_QUICKLY(test_a_fifo_holds_its_capacity_and_no_more),
        BENCH_TEST_QUICKLY(test_a_fifo_takes_whole_wavelets),
        BENCH_TEST_QUICKLY(test_a_fifo_between_main_and_microthread),
        BENCH_TEST_QUICKLY(test_data_tasks_keep_pace),
        BENCH_TEST_QUICKLY(test_credits_take_their_time),
        BENCH_TEST_QUICKLY(test_an_output_queue_of_one_halves_a_stream),
        BENCH_TEST_QUICKLY(test_a_sum_waits_for_both_its_sources),
        BENCH_TEST_QUICKLY(test_an_end_unblocks_a_task),
        BENCH_TEST_QUICKLY(test_microthreads_go_on_while_a_task_waits),
        BENCH_TEST_QUICKLY(test_control_wavelets_stay_single),
        BENCH_TEST_QUICKLY(test_control_wavelets_from_memory_need_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
