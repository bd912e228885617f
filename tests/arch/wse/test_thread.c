/* Microthreads of a PE: which of them issues in a cycle, beside its main thread. */
#include "tests/arch/wse/bench.h"

enum {
    DONE = 9,   /* first of the tasks for ends */
    COLORS = 3, /* that go east, from 0 on */
    LEFT = 4,   /* color that comes from the west */
    NONE = 0,
    ALL = (1 << COLORS) - 1,
    WAY = 6, /* from an issue until the neighbour's CE has the wavelet */
};

static ArchWseVector sending(guint queue, guint count, guint activated)
{
    guint number = parts_number(&bench.parts, ARCH_WSE_F32, queue);

    return bench_async(parts_vector("fmovs",
                                    parts_fabout(&bench.parts, queue, queue, count),
                                    number, ARCH_WSE_NONE, ARCH_WSE_NONE),
                       activated);
}

/* Color `queue` by output queue `queue`. */
static void emit_send(guint queue, guint count, guint activated)
{
    parts_emit(&bench.parts, sending(queue, count, activated));
}

static ArchWseVector receiving(guint color, guint queue, guint count, guint activated)
{
    g_autofree char *name = g_strdup_printf("got%u", queue);
    guint to = parts_array(&bench.parts, name, ARCH_WSE_F32, count);

    return bench_async(parts_vector("fmovs", parts_row(&bench.parts, to, 0, count, 1),
                                    parts_fabin(&bench.parts, color, queue, count),
                                    ARCH_WSE_NONE, ARCH_WSE_NONE),
                       activated);
}

/* Takes what comes from the west, at once and at no cost; marks the colors of a set. */
static void put_sink(guint x, guint marked)
{
    bench_program(&bench, "sink");
    for (guint color = 0; color < COLORS; color++) {
        assert_true(
            arch_wse_program_input_queue(bench.parts.program, color, color, NULL));
        bench_begin(&bench, ARCH_WSE_TASK_DATA, color, ARCH_WSE_NONE);
        if ((marked >> color & 1) != 0) {
            bench_mark(&bench);
        }
        bench_end(&bench);
        bench_route(&bench, x - 1, 0, color, R, E);
        bench_route(&bench, x, 0, color, W, R);
    }
    bench_put(&bench, x, 0, x, 0);
}

/* The marks of the sink: `count` wavelets that were issued at `first` and every `step`
 * cycles after it. */
static void assert_issued(guint count, SimTime first, SimTime step)
{
    SimTime times[64];

    for (guint i = 0; i < count; i++) {
        times[i] = first + i * step + WAY;
    }
    bench_assert_marks(&bench, times, count);
}

/* The program at hand is for PE 0; the sink is PE 1. */
static void run_with_sink(guint marked)
{
    bench_put(&bench, 0, 0, 0, 0);
    put_sink(1, marked);
    bench_run(&bench);
}

/* --- arbitration ---------------------------------------------------------------- */

/* Three streams that begin one after the other, the one with the highest number first:
 * 6 words by thread 2 from cycle 4 on, 4 by thread 1 from 7 on, 3 by thread 0 from 9
 * on; set-ups take cycles 0, 3 and 6. */
static void run_three(const char *arbitration)
{
    BENCH_OVERRIDE(&bench, "dsd.setup_latency_cycles=2", arbitration);
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "three");
    emit_send(2, 6, DONE + 2);
    emit_send(1, 4, DONE + 1);
    emit_send(0, 3, DONE);
    bench_end_go(&bench);
    for (guint i = 0; i < 3; i++) {
        bench_marker(&bench, DONE + i);
    }
    run_with_sink(NONE);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 3 + 13);
}

/* 22.11.00011 2222 */
static void test_the_lowest_id_issues(void **state G_GNUC_UNUSED)
{
    run_three("pe.microthread_arbitration=lowest_id");
    BENCH_MARKS(&bench, 12, 14, 18);
}

/* 22.12.012012012 */
static void test_or_each_in_turn(void **state G_GNUC_UNUSED)
{
    run_three("pe.microthread_arbitration=round_robin");
    BENCH_MARKS(&bench, 16, 17, 18);
}

/* 22.22.220001111 */
static void test_or_the_one_that_did_until_it_cannot(void **state G_GNUC_UNUSED)
{
    run_three("pe.microthread_arbitration=sticky");
    BENCH_MARKS(&bench, 11, 14, 18);
}

/* 22.22.221111000 */
static void test_or_the_one_that_began_first(void **state G_GNUC_UNUSED)
{
    run_three("pe.microthread_arbitration=oldest_first");
    BENCH_MARKS(&bench, 11, 15, 18);
}

/* Sends a word every other cycle, from `at` + 1 on. */
static void put_slow_source(guint at, guint count)
{
    bench_begin_go(&bench, "source");
    guint to = parts_fabout(&bench.parts, LEFT, 0, 1);
    guint number = parts_number(&bench.parts, ARCH_WSE_F32, 1);

    bench_work(&bench, at);
    for (guint i = 0; i < count; i++) {
        parts_emit(&bench.parts,
                   parts_vector("fmovs", to, number, ARCH_WSE_NONE, ARCH_WSE_NONE));
    }
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_route(&bench, 0, 0, LEFT, R, E);
    bench_route(&bench, 1, 0, LEFT, W, R);
}

/* A receive gets a wavelet at 7, 9, 11 ... 21, a send can issue 12 from 8 on. */
static void run_slow_receive(const char *arbitration)
{
    BENCH_OVERRIDE(&bench, arbitration);
    bench_lay(&bench, 3, 1);
    put_slow_source(0, 8);
    bench_begin_go(&bench, "both");
    parts_emit(&bench.parts, receiving(LEFT, 5, 8, DONE));
    bench_work(&bench, 5);
    emit_send(0, 12, DONE + 1);
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_marker(&bench, DONE + 1);
    bench_put(&bench, 1, 0, 1, 0);
    put_sink(2, NONE);
    bench_run(&bench);
    assert_int_equal(bench_pe(&bench, 1, 0).busy, 5 + 2 + 20);
}

static void test_a_thread_that_waits_loses_its_turn(void **state G_GNUC_UNUSED)
{
    run_slow_receive("pe.microthread_arbitration=sticky");
    BENCH_MARKS(&bench, 19, 27);
}

static void test_the_oldest_gets_it_back(void **state G_GNUC_UNUSED)
{
    run_slow_receive("pe.microthread_arbitration=oldest_first");
    BENCH_MARKS(&bench, 22, 27);
}

/* 4 wavelets are here when a receive and a send of 10 begin. */
static void run_backlog(guint input, guint output, ArchWsePriority priority)
{
    bench_lay(&bench, 3, 1);
    put_slow_source(0, 4);
    bench_begin_go(&bench, "both");
    ArchWseVector receive = receiving(LEFT, input, 4, DONE);

    receive.priority = priority;
    bench_work(&bench, 30);
    parts_emit(&bench.parts, receive);
    emit_send(output, 10, DONE + 1);
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_marker(&bench, DONE + 1);
    bench_put(&bench, 1, 0, 1, 0);
    put_sink(2, NONE);
    bench_run(&bench);
}

static void test_sends_come_before_receives(void **state G_GNUC_UNUSED)
{
    run_backlog(4, 2, ARCH_WSE_PRIORITY_LOW);
    BENCH_MARKS(&bench, 32 + 10, 42 + 4);
}

/* It is the number of the queue that counts. */
static void test_unless_the_queue_has_a_lower_number(void **state G_GNUC_UNUSED)
{
    run_backlog(1, 2, ARCH_WSE_PRIORITY_LOW);
    BENCH_MARKS(&bench, 32 + 4, 36 + 10);
}

/* --- the main thread ------------------------------------------------------------ */

static void run_beside_work(ArchWsePriority priority)
{
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "both");
    ArchWseVector send = sending(1, 20, ARCH_WSE_NONE);

    send.priority = priority;
    parts_emit(&bench.parts, send);
    bench_work(&bench, 30);
    bench_end_go(&bench);
    run_with_sink(ALL);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 1 + 30 + 20);
    assert_int_equal(bench_pe(&bench, 0, 0).end, 1 + 30 + 20);
}

static void test_the_main_thread_is_above_low_priority(void **state G_GNUC_UNUSED)
{
    run_beside_work(ARCH_WSE_PRIORITY_LOW);
    assert_issued(20, 31, 1);
}

static void test_and_below_medium_and_high(void **state G_GNUC_UNUSED)
{
    run_beside_work(ARCH_WSE_PRIORITY_MEDIUM);
    assert_issued(20, 1, 1);
    run_beside_work(ARCH_WSE_PRIORITY_HIGH);
    assert_issued(20, 1, 1);
}

static void test_or_the_main_thread_alternates(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "pe.main_thread=alternate");
    run_beside_work(ARCH_WSE_PRIORITY_LOW);
    assert_issued(20, 1, 2);
}

/* Also with what it does element by element: 10 receives and 10 sends. */
static void run_synchronous_receive(const char *main_thread)
{
    BENCH_OVERRIDE(&bench, main_thread);
    bench_lay(&bench, 3, 1);
    put_slow_source(0, 6);
    bench_begin_go(&bench, "both");
    ArchWseVector receive = receiving(LEFT, 0, 6, ARCH_WSE_NONE);

    receive.is_async = false;
    bench_work(&bench, 30);
    emit_send(1, 6, ARCH_WSE_NONE);
    parts_emit(&bench.parts, receive);
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    put_sink(2, ALL);
    bench_run(&bench);
    assert_int_equal(bench_pe(&bench, 1, 0).end, 32 + 12);
}

static void test_a_synchronous_stream_is_above_too(void **state G_GNUC_UNUSED)
{
    run_synchronous_receive("pe.main_thread=above");
    assert_issued(6, 38, 1);
}

/* The send has the slot at 31, between set-ups; then both in turn from 32 on. */
static void test_or_alternates_with_the_others(void **state G_GNUC_UNUSED)
{
    run_synchronous_receive("pe.main_thread=alternate");
    assert_issued(6, 31, 2);
}

/* Passes on what comes from the west. */
static void
emit_passing(guint color, guint queue, guint count, ArchWsePriority priority)
{
    ArchWseVector pass = bench_async(
        parts_vector("fmovs", parts_fabout(&bench.parts, queue, queue, count),
                     parts_fabin(&bench.parts, color, color, count), ARCH_WSE_NONE,
                     ARCH_WSE_NONE),
        ARCH_WSE_NONE);

    pass.priority = priority;
    parts_emit(&bench.parts, pass);
    bench_route(&bench, 0, 0, color, R, E);
    bench_route(&bench, 1, 0, color, W, R);
}

/* Priorities come before numbers: 4 for thread 0 and 3 for thread 1 stand in the queues
 * when a stall of the PE ends. */
static void run_two_priorities(ArchWsePriority first, ArchWsePriority second)
{
    const guint counts[] = {4, 3};

    BENCH_OVERRIDE(&bench, "memory.conflict_factor=20");
    bench_lay(&bench, 3, 1);
    bench_begin_go(&bench, "source");
    for (guint i = 0; i < 2; i++) {
        parts_emit(
            &bench.parts,
            bench_async(parts_vector("fmovs",
                                     parts_fabout(&bench.parts, LEFT + i, i, counts[i]),
                                     parts_number(&bench.parts, ARCH_WSE_F32, 1),
                                     ARCH_WSE_NONE, ARCH_WSE_NONE),
                        ARCH_WSE_NONE));
    }
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_begin_go(&bench, "both");
    guint x = parts_row(&bench.parts, parts_aligned(&bench.parts, "x", 8, 16), 0, 4, 1);

    emit_passing(LEFT, 0, counts[0], first);
    emit_passing(LEFT + 1, 1, counts[1], second);
    parts_emit(&bench.parts, parts_vector("fmacs", x, x, x, x));
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    put_sink(2, 1 << 1);
    bench_run(&bench);
}

/* Three set-ups, 4 steps, 19 cycles for each of them and one for its third read: 87. */
static void test_high_comes_before_medium(void **state G_GNUC_UNUSED)
{
    run_two_priorities(ARCH_WSE_PRIORITY_MEDIUM, ARCH_WSE_PRIORITY_HIGH);
    assert_issued(3, 87, 1);
    run_two_priorities(ARCH_WSE_PRIORITY_HIGH, ARCH_WSE_PRIORITY_HIGH);
    assert_issued(3, 91, 1);
    run_two_priorities(ARCH_WSE_PRIORITY_LOW, ARCH_WSE_PRIORITY_MEDIUM);
    assert_issued(3, 87, 1);
}

/* What is set up while another thread takes every other slot begins after its set-up:
 * 40 words from 25 on, and 20 cycles of set-up from 26 to 65. */
static void test_set_up_waits_for_the_slot(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "dsd.setup_busy_cycles=20", "dsd.setup_latency_cycles=5",
                   "pe.main_thread=alternate");
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "both");
    emit_send(1, 40, ARCH_WSE_NONE);
    emit_send(0, 3, ARCH_WSE_NONE);
    bench_end_go(&bench);
    run_with_sink(1 << 0);
    assert_issued(3, 65 + 5, 1);
    assert_int_equal(bench_pe(&bench, 0, 0).end, 25 + 40 + 20 + 3);
}

/* A mark is where the main thread has come to, not where it would have: wavelets take 8
 * of its cycles. */
static void test_marks_wait_for_the_slot(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 1);
    put_slow_source(0, 8);
    bench_begin_go(&bench, "both");
    ArchWseVector receive = receiving(LEFT, 4, 8, ARCH_WSE_NONE);

    receive.priority = ARCH_WSE_PRIORITY_MEDIUM;
    parts_emit(&bench.parts, receive);
    bench_work(&bench, 20);
    bench_mark(&bench);
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    BENCH_MARKS(&bench, 1 + 20 + 8);
    assert_int_equal(bench_pe(&bench, 1, 0).end, 29);
}

/* --- switches and reissue ------------------------------------------------------- */

/* 5 words each by threads 0 and 1, from cycle 2 on. */
static void run_two(const char *first, const char *second)
{
    BENCH_OVERRIDE(&bench, first, second);
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "two");
    emit_send(0, 5, DONE);
    emit_send(1, 5, DONE + 1);
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_marker(&bench, DONE + 1);
    run_with_sink(NONE);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 2 + 10);
}

static void test_a_switch_of_threads_takes_time(void **state G_GNUC_UNUSED)
{
    run_two("pe.thread_switch_cycles=3", "pe.microthread_arbitration=lowest_id");
    BENCH_MARKS(&bench, 2 + 5, 7 + 3 + 5);
}

/* The first issue is thread 1's: thread 0 counts as the last. */
static void test_each_in_turn_switches_every_time(void **state G_GNUC_UNUSED)
{
    run_two("pe.thread_switch_cycles=1", "pe.microthread_arbitration=round_robin");
    BENCH_MARKS(&bench, 20, 22);
}

static void test_reissue_halves_a_stream(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "pe.reissue_cycles=2");
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "one");
    emit_send(0, 10, ARCH_WSE_NONE);
    bench_end_go(&bench);
    run_with_sink(ALL);
    assert_issued(10, 1, 2);
}

static void test_and_lets_another_in_between(void **state G_GNUC_UNUSED)
{
    run_two("pe.reissue_cycles=2", "pe.microthread_arbitration=lowest_id");
    BENCH_MARKS(&bench, 2 + 9, 2 + 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST_QUICKLY(test_the_lowest_id_issues),
        BENCH_TEST_QUICKLY(test_or_each_in_turn),
        BENCH_TEST_QUICKLY(test_or_the_one_that_did_until_it_cannot),
        BENCH_TEST_QUICKLY(test_or_the_one_that_began_first),
        BENCH_TEST_QUICKLY(test_a_thread_that_waits_loses_its_turn),
        BENCH_TEST_QUICKLY(test_the_oldest_gets_it_back),
        BENCH_TEST_QUICKLY(test_sends_come_before_receives),
        BENCH_TEST_QUICKLY(test_unless_the_queue_has_a_lower_number),
        BENCH_TEST_QUICKLY(test_the_main_thread_is_above_low_priority),
        BENCH_TEST_QUICKLY(test_and_below_medium_and_high),
        BENCH_TEST_QUICKLY(test_or_the_main_thread_alternates),
        BENCH_TEST_QUICKLY(test_a_synchronous_stream_is_above_too),
        BENCH_TEST_QUICKLY(test_or_alternates_with_the_others),
        BENCH_TEST_QUICKLY(test_high_comes_before_medium),
        BENCH_TEST_QUICKLY(test_set_up_waits_for_the_slot),
        BENCH_TEST_QUICKLY(test_marks_wait_for_the_slot),
        BENCH_TEST_QUICKLY(test_a_switch_of_threads_takes_time),
        BENCH_TEST_QUICKLY(test_each_in_turn_switches_every_time),
        BENCH_TEST_QUICKLY(test_reissue_halves_a_stream),
        BENCH_TEST_QUICKLY(test_and_lets_another_in_between),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
