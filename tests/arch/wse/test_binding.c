/* Input queues of several colors: bound by the operation that starts. */
#include "arch/error.h"
#include "tests/arch/wse/bench.h"

enum {
    NEXT = 9,
    DONE = 10,
    FIRST = 4, /* colors */
    SECOND = 5,
    QUEUE = 4,
    WAY = 6,
};

/* PE 0 sends `count` numbers of each color to PE 1, both from cycle 2 on: the first
 * ones 10, 11 ..., the second ones 20, 21 ... */
static void put_source(guint count)
{
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "source");
    for (guint i = 0; i < 2; i++) {
        guint from = bench_numbers(&bench, i == 0 ? "a" : "b", count, 10 + 10 * i);

        parts_emit(
            &bench.parts,
            bench_async(parts_vector("fmovs",
                                     parts_fabout(&bench.parts, FIRST + i, i, count),
                                     from, ARCH_WSE_NONE, ARCH_WSE_NONE),
                        ARCH_WSE_NONE));
        bench_route(&bench, 0, 0, FIRST + i, R, E);
        bench_route(&bench, 1, 0, FIRST + i, W, R);
    }
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
}

static void receive(const char *name, guint color, guint count, guint activated)
{
    guint to = parts_array(&bench.parts, name, ARCH_WSE_F32, count);

    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fmovs", parts_row(&bench.parts, to, 0, count, 1),
                                 parts_fabin(&bench.parts, color, QUEUE, count),
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    activated));
}

/* PE 1 takes `count` numbers of the second color, then `taken` of the first. */
static void put_taker(guint count, guint taken, guint work)
{
    bench_begin_go(&bench, "taker");
    receive("second", SECOND, count, NEXT);
    bench_end_go(&bench);
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, NEXT, ARCH_WSE_NONE);
    bench_mark(&bench);
    bench_work(&bench, work);
    receive("first", FIRST, taken, DONE);
    bench_end(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 1, 0, 1, 0);
}

/* The first color waits in the router until the second is all here. */
static void test_a_queue_serves_one_color_after_the_other(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 2; i++) {
        bench.options.grain = i == 0 ? ARCH_WSE_GRAIN_WAVELET : ARCH_WSE_GRAIN_STREAM;
        put_source(3);
        put_taker(3, 3, 0);
        bench_run(&bench);
        for (guint k = 0; k < 3; k++) {
            assert_float_equal(bench_number(&bench, 1, 0, "first", k), (float) (10 + k),
                               0);
            assert_float_equal(bench_number(&bench, 1, 0, "second", k),
                               (float) (20 + k), 0);
        }
    }
}

/* The source's second send issues after the first, at 3; its number is taken WAY later,
 * and the task marks in the next cycle. It binds the queue before its work of 100, so
 * the other number is there when the operation has been set up. */
static void test_what_waits_comes_when_its_queue_is_bound(void **state G_GNUC_UNUSED)
{
    put_source(1);
    put_taker(1, 1, 100);
    bench_run(&bench);
    BENCH_MARKS(&bench, 3 + WAY + 1, 3 + WAY + 1 + 100 + 1 + 1);
}

static void test_a_queue_must_be_empty_of_another_color(void **state G_GNUC_UNUSED)
{
    put_source(3);
    bench_begin_go(&bench, "taker");
    receive("second", SECOND, 2, NEXT);
    bench_end_go(&bench);
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, NEXT, ARCH_WSE_NONE);
    bench_work(&bench, 20);
    receive("first", FIRST, 3, DONE);
    bench_end(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 1, 0, 1, 0);
    bench_assert_failure(
        &bench, ARCH_ERROR, ARCH_ERROR_INVALID,
        "pe[1,0]: taker: input queue 4 is to take color 4, wavelets of "
        "color 5 are still in it");
}

static void test_data_tasks_need_a_queue_of_their_own(void **state G_GNUC_UNUSED)
{
    GError *error = NULL;

    bench_begin_go(&bench, "both");
    receive("second", SECOND, 1, ARCH_WSE_NONE);
    receive("first", FIRST, 1, ARCH_WSE_NONE);
    bench_end_go(&bench);
    bench_begin(&bench, ARCH_WSE_TASK_DATA, FIRST, ARCH_WSE_NONE);
    bench_end(&bench);
    assert_false(arch_wse_program_finish(bench.parts.program, &error));
    assert_non_null(strstr(error->message, "input queue 4 of color 4 has other colors "
                                           "too, data tasks need one of their own"));
    g_clear_error(&error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST_QUICKLY(test_a_queue_serves_one_color_after_the_other),
        BENCH_TEST_QUICKLY(test_what_waits_comes_when_its_queue_is_bound),
        BENCH_TEST_QUICKLY(test_a_queue_must_be_empty_of_another_color),
        BENCH_TEST_QUICKLY(test_data_tasks_need_a_queue_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
