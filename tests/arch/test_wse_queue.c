/* Operations that wait: for queues, for FIFOs, for each other; and what is not allowed
 * to happen at once. */
#include "arch/error.h"
#include "tests/arch/wse_bench.h"

enum {
    GO = 8,
    DONE = 9,
    COLOR = 4,
    OTHER = 5,
    EAST = 1, /* color of what PE 1 sends */
    WAY = 6,
};

static Bench bench;

static int open_bench(void **state G_GNUC_UNUSED)
{
    bench_open(&bench);
    bench_make_quick(&bench);
    return 0;
}

static int close_bench(void **state G_GNUC_UNUSED)
{
    bench_close(&bench);
    return 0;
}

static void begin_program(const char *name)
{
    bench_program(&bench, name);
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, GO, ARCH_WSE_NONE);
}

static void end_go(void)
{
    bench_end(&bench);
    assert_true(arch_wse_program_activate(bench.parts.program, GO, NULL));
}

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
    begin_program("source");
    guint array = parts_array(&bench.parts, "u", ARCH_WSE_F32, count);

    for (guint i = 0; i < count; i++) {
        double value = i;

        assert_true(
            arch_wse_program_set(bench.parts.program, array, i, &value, 1, NULL));
    }
    bench_work(&bench, work);
    emit_async(parts_fabout(&bench.parts, color, 0, count),
               parts_row(&bench.parts, array, 0, count, 1), ARCH_WSE_NONE);
    end_go();
    bench_put(&bench, x, 0, x, 0);
    bench_route(&bench, x, 0, x, 0, color, R, E);
    bench_route(&bench, x + 1, 0, x + 1, 0, color, W, R);
}

/* PE 2 keeps what it gets; its mark is the end. */
static void put_keeper(guint count)
{
    begin_program("keeper");
    emit_async(array_row("kept", count), parts_fabin(&bench.parts, EAST, 0, count),
               DONE);
    end_go();
    bench_marker(&bench, DONE);
    bench_put(&bench, 2, 0, 2, 0);
    bench_route(&bench, 1, 0, 1, 0, EAST, R, E);
    bench_route(&bench, 2, 0, 2, 0, EAST, W, R);
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
    begin_program("passes");
    guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F32, capacity);

    assert_true(arch_wse_program_fifo(bench.parts.program, buffer, &fifo, NULL));
    emit_async(fifo, parts_fabin(&bench.parts, COLOR, 4, 40), ARCH_WSE_NONE);
    bench_work(&bench, work);
    emit_async(parts_fabout(&bench.parts, EAST, 0, 40), fifo, ARCH_WSE_NONE);
    end_go();
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

        bench_override(&bench, "pe.main_thread=alternate", NULL);
        bench_lay(&bench, 3, 1);
        put_source(0, COLOR, count, 0);
        begin_program("passes");
        guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F32, 16);

        assert_true(arch_wse_program_fifo(bench.parts.program, buffer, &fifo, NULL));
        emit_async(fifo, parts_fabin(&bench.parts, COLOR, 4, count), ARCH_WSE_NONE);
        bench_work(&bench, 500);
        emit_async(parts_fabout(&bench.parts, EAST, 0, count), fifo, ARCH_WSE_NONE);
        end_go();
        bench_put(&bench, 1, 0, 1, 0);
        put_keeper(count);
        bench_run(&bench);
        assert_kept(count);
        assert_true((bench_pe(&bench, 0, 0).end > 500) == (more > 0));
    }
}

/* Between a microthread that pushes and the main thread, which pops: in turn from 2 on.
 */
static void test_a_fifo_between_main_and_microthread(void **state G_GNUC_UNUSED)
{
    const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    guint fifo = 0;

    begin_program("turns");
    guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F32, 4);
    guint from = parts_array(&bench.parts, "from", ARCH_WSE_F32, 10);

    assert_true(arch_wse_program_set(bench.parts.program, from, 0, numbers, 10, NULL));
    assert_true(arch_wse_program_fifo(bench.parts.program, buffer, &fifo, NULL));
    emit_async(fifo, parts_row(&bench.parts, from, 0, 10, 1), ARCH_WSE_NONE);
    parts_emit(&bench.parts, moving(array_row("to", 10), fifo));
    bench_mark(&bench);
    end_go();
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    BENCH_MARKS(&bench, 2 + 20);
    for (guint i = 0; i < 10; i++) {
        assert_float_equal(bench_number(&bench, 0, 0, "to", i), i + 1, 0);
    }
}

/* --- completion ----------------------------------------------------------------- */

static void test_an_end_unblocks_a_task(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 1);
    put_source(0, COLOR, 5, 0);
    begin_program("waits");
    ArchWseVector receive =
        bench_async(moving(array_row("u", 5), parts_fabin(&bench.parts, COLOR, 4, 5)),
                    ARCH_WSE_NONE);

    receive.unblocked = DONE;
    parts_emit(&bench.parts, receive);
    end_go();
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
    begin_program("both");
    emit_async(parts_fabout(&bench.parts, EAST, 1, 20),
               parts_number(&bench.parts, ARCH_WSE_F32, 1), ARCH_WSE_NONE);
    parts_emit(&bench.parts,
               moving(array_row("u", 5), parts_fabin(&bench.parts, COLOR, 4, 5)));
    end_go();
    bench_put(&bench, 1, 0, 1, 0);
    put_keeper(20);
    bench_run(&bench);
    BENCH_MARKS(&bench, 2 + 20 + WAY);
    assert_int_equal(bench_pe(&bench, 1, 0).end, 101 + WAY + 5);
    assert_float_equal(bench_number(&bench, 1, 0, "u", 4), 4, 0);
}

/* --- one user at a time --------------------------------------------------------- */

/* PE 1 has color 4 in queue 4 and color 5 in queue 5, none of which ever comes, and
 * sends color 1. */
static void begin_idle(void)
{
    bench_lay(&bench, 2, 1);
    bench_program(&bench, "idle");
    guint dsd = parts_fabout(&bench.parts, COLOR, 0, 1);

    assert_int_equal(dsd, 0);
    assert_int_equal(parts_fabout(&bench.parts, OTHER, 0, 1), 1);
    assert_true(arch_wse_program_input_queue(bench.parts.program, 0, EAST, NULL));
    bench_put(&bench, 0, 0, 0, 0);
    for (guint color = COLOR; color <= OTHER; color++) {
        bench_route(&bench, 0, 0, 0, 0, color, R, E);
        bench_route(&bench, 1, 0, 1, 0, color, W, R);
    }
    bench_route(&bench, 1, 0, 1, 0, EAST, R, W);
    bench_route(&bench, 0, 0, 0, 0, EAST, E, R);
    begin_program("greedy");
    for (guint color = COLOR; color <= OTHER; color++) {
        assert_true(
            arch_wse_program_input_queue(bench.parts.program, color, color, NULL));
    }
}

static guint in(guint color)
{
    return parts_fabin(&bench.parts, color, color, 9);
}

static guint out(guint queue)
{
    return parts_fabout(&bench.parts, EAST, queue, 9);
}

static void assert_refused(const char *message)
{
    end_go();
    bench_put(&bench, 1, 0, 1, 0);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID, message);
}

static void emit_sum(guint to, guint source0, guint source1)
{
    parts_emit(&bench.parts,
               bench_async(parts_vector("fadds", to, source0, source1, ARCH_WSE_NONE),
                           ARCH_WSE_NONE));
}

static void test_two_operations_of_one_microthread(void **state G_GNUC_UNUSED)
{
    begin_idle();
    emit_async(array_row("u", 9), in(COLOR), ARCH_WSE_NONE);
    emit_sum(array_row("v", 9), in(COLOR), array_row("w", 9));
    assert_refused(
        "pe[1,0]: greedy: fadds starts while fmovs still uses microthread 4, "
        "which has one user at a time");
}

static void test_two_operations_of_one_input_queue(void **state G_GNUC_UNUSED)
{
    begin_idle();
    emit_async(array_row("u", 9), in(COLOR), ARCH_WSE_NONE);
    emit_sum(out(2), in(COLOR), array_row("w", 9));
    assert_refused(
        "pe[1,0]: greedy: fadds starts while fmovs still uses input queue 4, "
        "which has one user at a time");
}

static void test_of_the_second_source_too(void **state G_GNUC_UNUSED)
{
    begin_idle();
    emit_sum(array_row("u", 9), in(COLOR), in(OTHER));
    emit_async(array_row("v", 9), in(OTHER), ARCH_WSE_NONE);
    assert_refused(
        "pe[1,0]: greedy: fmovs starts while fadds still uses input queue 5, "
        "which has one user at a time");

    begin_idle();
    emit_async(array_row("v", 9), in(OTHER), ARCH_WSE_NONE);
    emit_sum(array_row("u", 9), in(COLOR), in(OTHER));
    assert_refused(
        "pe[1,0]: greedy: fadds starts while fmovs still uses input queue 5, "
        "which has one user at a time");
}

/* The other one is on the main thread. */
static void test_two_operations_of_one_output_queue(void **state G_GNUC_UNUSED)
{
    begin_idle();
    emit_sum(out(3), in(COLOR), array_row("w", 9));
    parts_emit(&bench.parts, moving(out(3), array_row("u", 9)));
    assert_refused("pe[1,0]: greedy: fmovs starts while fadds still uses output queue "
                   "3, which has one user at a time");
}

/* --- control wavelets ----------------------------------------------------------- */

/* Two control wavelets for task 40 by one operation. */
static void run_controls(bool is_from_memory)
{
    const ArchWseControl nothing = {ARCH_WSE_NOP, false};
    const ArchWseFaboutDsd control = {COLOR, 0, 2, 1, true, false, 0};
    const double payload = arch_wse_control_payload(&nothing, 1, 40);
    guint to = 0;
    guint from = 0;

    bench_lay(&bench, 2, 1);
    begin_program("source");
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
    end_go();
    bench_put(&bench, 0, 0, 0, 0);
    bench_program(&bench, "called");
    assert_true(arch_wse_program_input_queue(bench.parts.program, 4, COLOR, NULL));
    bench_begin(&bench, ARCH_WSE_TASK_CONTROL, 40, ARCH_WSE_NONE);
    bench_work(&bench, 5);
    bench_mark(&bench);
    bench_end(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_route(&bench, 0, 0, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, 1, 0, COLOR, W, R);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_bench, close_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_fifo_keeps_the_order),
        TEST(test_a_fifo_keeps_the_order_of_streams),
        TEST(test_a_fifo_of_one_number_works),
        TEST(test_a_fifo_holds_its_capacity_and_no_more),
        TEST(test_a_fifo_between_main_and_microthread),
        TEST(test_an_end_unblocks_a_task),
        TEST(test_microthreads_go_on_while_a_task_waits),
        TEST(test_two_operations_of_one_microthread),
        TEST(test_two_operations_of_one_input_queue),
        TEST(test_of_the_second_source_too),
        TEST(test_two_operations_of_one_output_queue),
        TEST(test_control_wavelets_stay_single),
        TEST(test_control_wavelets_from_memory_need_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
