/* Queues and microthreads have one user at a time: what is refused as it runs. */
#include "arch/error.h"
#include "tests/arch/wse/bench.h"

enum {
    COLOR = 4,
    OTHER = 5,
    EAST = 1, /* color of what PE 1 sends */
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
        bench_route(&bench, 0, 0, color, R, E);
        bench_route(&bench, 1, 0, color, W, R);
    }
    bench_route(&bench, 1, 0, EAST, R, W);
    bench_route(&bench, 0, 0, EAST, E, R);
    bench_begin_go(&bench, "greedy");
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
    bench_end_go(&bench);
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

/* They have no queue in common. */
static void test_two_fifo_operations_at_once(void **state G_GNUC_UNUSED)
{
    guint fifo = 0;

    begin_idle();
    guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F32, 4);

    assert_true(arch_wse_program_fifo(bench.parts.program, buffer, &fifo, NULL));
    emit_async(fifo, array_row("u", 9), ARCH_WSE_NONE);
    emit_sum(array_row("v", 9), fifo, array_row("w", 9));
    assert_refused(
        "pe[1,0]: greedy: fadds starts while fmovs still uses microthread 7, "
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST_QUICKLY(test_two_operations_of_one_microthread),
        BENCH_TEST_QUICKLY(test_two_fifo_operations_at_once),
        BENCH_TEST_QUICKLY(test_two_operations_of_one_input_queue),
        BENCH_TEST_QUICKLY(test_of_the_second_source_too),
        BENCH_TEST_QUICKLY(test_two_operations_of_one_output_queue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
