/* Vector operations of a PE: set-up, elements per cycle, stalls of its memory and whom
 * they stop. */
#include "tests/arch/wse/bench.h"

enum {
    BEGIN = 10, /* of the first task */
    BUSY = 28,  /* of a set-up */
    SET_UP = 34,
    COLOR = 4,
    BACK = 5, /* color of what goes the other way */
};

static void begin_first(void)
{
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, 8, ARCH_WSE_NONE);
}

static void end_first(void)
{
    bench_end(&bench);
    assert_true(arch_wse_program_activate(bench.parts.program, 8, NULL));
}

static void run_alone(void)
{
    end_first();
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
}

static guint zero(ArchWseType type)
{
    return parts_number(&bench.parts, type, 0);
}

/* Numbers of an array of 200 at a multiple of 16 bytes. */
static guint row(const char *name, int offset, guint count)
{
    guint array = parts_aligned(&bench.parts, name, 200, 16);

    return parts_row(&bench.parts, array, offset, count, 1);
}

/* to (and source 0) is at a multiple of 16 bytes, `offset` numbers further is x. */
static void emit_in_place(const char *name, guint count, int offset)
{
    guint to = row("to", 0, count);
    guint x = row("x", offset, count);
    bool is_fma = g_str_equal(name, "fmacs");

    parts_emit(&bench.parts,
               parts_vector(name, to, to, x,
                            is_fma ? parts_number(&bench.parts, ARCH_WSE_F32, 2)
                                   : ARCH_WSE_NONE));
}

/* --- time of one ---------------------------------------------------------------- */

static void test_a_set_up_is_busy_and_then_waits(void **state G_GNUC_UNUSED)
{
    bench_program(&bench, "fill");
    begin_first();
    parts_emit(&bench.parts, parts_vector("fmovs", row("to", 0, 10), zero(ARCH_WSE_F32),
                                          ARCH_WSE_NONE, ARCH_WSE_NONE));
    bench_mark(&bench);
    bench_work(&bench, 3);
    bench_mark(&bench);
    run_alone();
    BENCH_MARKS(&bench, BEGIN + SET_UP + 5, BEGIN + SET_UP + 5 + 3);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, BUSY + 5 + 3);
    assert_int_equal(bench_pe(&bench, 0, 0).memory_idle, 0);
    assert_int_equal(bench_pe(&bench, 0, 0).end, BEGIN + SET_UP + 5 + 3);
}

static void test_set_up_is_the_chip_files(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "dsd.setup_busy_cycles=3", "dsd.setup_latency_cycles=17");
    bench_program(&bench, "fill");
    begin_first();
    parts_emit(&bench.parts, parts_vector("fmovs", row("to", 0, 10), zero(ARCH_WSE_F32),
                                          ARCH_WSE_NONE, ARCH_WSE_NONE));
    bench_mark(&bench);
    run_alone();
    BENCH_MARKS(&bench, BEGIN + 3 + 17 + 5);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 3 + 5);
}

/* Wavelets of a color are taken as they come, at no cost. */
static void add_sink(guint x, guint color)
{
    bench_program(&bench, "sink");
    assert_true(arch_wse_program_input_queue(bench.parts.program, 0, color, NULL));
    bench_begin(&bench, ARCH_WSE_TASK_DATA, color, ARCH_WSE_NONE);
    bench_end(&bench);
    bench_put(&bench, x, 0, x, 0);
}

static void route_east(void)
{
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
}

static ArchWseVector send_zeros(guint color, guint queue, guint count, guint activated)
{
    return bench_async(parts_vector("fmovs",
                                    parts_fabout(&bench.parts, color, queue, count),
                                    zero(ARCH_WSE_F32), ARCH_WSE_NONE, ARCH_WSE_NONE),
                       activated);
}

/* The task goes on after the set-up, the microthread beside it. */
static void test_the_same_set_up_if_asynchronous(void **state G_GNUC_UNUSED)
{
    BENCH_OVERRIDE(&bench, "task.dispatch_cycles=0");
    bench_lay(&bench, 2, 1);
    bench_program(&bench, "sender");
    begin_first();
    parts_emit(&bench.parts, send_zeros(COLOR, 0, 12, 9));
    bench_mark(&bench);
    bench_work(&bench, 4);
    end_first();
    bench_marker(&bench, 9);
    bench_put(&bench, 0, 0, 0, 0);
    add_sink(1, COLOR);
    route_east();
    bench_run(&bench);
    BENCH_MARKS(&bench, SET_UP, SET_UP + 4 + 12);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, BUSY + 4 + 12);
}

static void test_elements_per_cycle(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *name;
        ArchWseType type;
        guint sources;
        guint cycles; /* for 21 elements */
    } cases[] = {
        {"fmovs", ARCH_WSE_F32, 1, 11}, {"fadds", ARCH_WSE_F32, 2, 11},
        {"fsubs", ARCH_WSE_F32, 2, 11}, {"fmuls", ARCH_WSE_F32, 2, 21},
        {"fmaxs", ARCH_WSE_F32, 2, 21}, {"fmacs", ARCH_WSE_F32, 3, 21},
        {"fmovh", ARCH_WSE_F16, 1, 6},  {"faddh", ARCH_WSE_F16, 2, 6},
        {"fmulh", ARCH_WSE_F16, 2, 6},  {"fmach", ARCH_WSE_F16, 3, 6},
        {"fmaxh", ARCH_WSE_F16, 2, 21}, {"mov16", ARCH_WSE_U16, 1, 6},
        {"sll16", ARCH_WSE_U16, 2, 21}, {"mov32", ARCH_WSE_U32, 1, 11},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const guint none = ARCH_WSE_NONE;

        bench_lay(&bench, 1, 1);
        bench_program(&bench, cases[i].name);
        begin_first();
        guint to = parts_array(&bench.parts, "to", cases[i].type, 21);
        guint number = zero(cases[i].type);

        parts_emit(&bench.parts,
                   parts_vector(cases[i].name, parts_row(&bench.parts, to, 0, 21, 1),
                                number, cases[i].sources > 1 ? number : none,
                                cases[i].sources > 2 ? number : none));
        bench_mark(&bench);
        run_alone();
        BENCH_MARKS(&bench, BEGIN + SET_UP + cases[i].cycles);
        assert_int_equal(bench_pe(&bench, 0, 0).busy, BUSY + cases[i].cycles);
    }
}

/* --- stalls --------------------------------------------------------------------- */

static void assert_in_place(const char *name, int offset, guint steps, guint stalls)
{
    bench_lay(&bench, 1, 1);
    bench_program(&bench, "in place");
    begin_first();
    emit_in_place(name, 100, offset);
    bench_mark(&bench);
    run_alone();
    BENCH_MARKS(&bench, BEGIN + SET_UP + steps + stalls);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, BUSY + steps);
    assert_int_equal(bench_pe(&bench, 0, 0).memory_idle, stalls);
    assert_int_equal(bench_pe(&bench, 0, 0).end, BEGIN + SET_UP + steps + stalls);
}

static void test_banks_collide_by_alignment(void **state G_GNUC_UNUSED)
{
    assert_in_place("fmacs", 0, 100, 100);
    assert_in_place("fmacs", 1, 100, 0);
    assert_in_place("fmacs", 2, 100, 100);
    assert_in_place("fadds", 0, 50, 30);
    assert_in_place("fadds", 1, 50, 0);
    assert_in_place("fadds", 2, 50, 0);
    assert_in_place("fadds", 4, 50, 30);
    assert_in_place("fsubs", 0, 50, 30);
    assert_in_place("fsubs", 1, 50, 0);
}

/* 0.6 of a cycle each: what is left over is carried to the next. */
static void test_parts_of_cycles_are_not_lost(void **state G_GNUC_UNUSED)
{
    static const guint stalls[] = {0, 1, 0, 1, 1, 0, 1, 0, 1, 1};
    SimTime times[10];
    SimTime now = BEGIN;

    bench_program(&bench, "short");
    guint to = row("to", 0, 2);
    guint x = row("x", 0, 2);

    begin_first();
    for (guint i = 0; i < 10; i++) {
        parts_emit(&bench.parts, parts_vector("fadds", to, to, x, ARCH_WSE_NONE));
        bench_mark(&bench);
        now += SET_UP + 1 + stalls[i];
        times[i] = now;
    }
    run_alone();
    bench_assert_marks(&bench, times, 10);
    assert_int_equal(bench_pe(&bench, 0, 0).memory_idle, 6);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 10 * (BUSY + 1));
}

/* Between them is one that does not collide, and one of another kind. */
static void test_every_operation_uses_the_same_remainder(void **state G_GNUC_UNUSED)
{
    bench_program(&bench, "mixed");
    guint to = row("to", 0, 6);
    guint x = row("x", 0, 6);
    guint y = row("y", 1, 6);

    begin_first();
    parts_emit(&bench.parts, parts_vector("fadds", to, to, x, ARCH_WSE_NONE));
    bench_mark(&bench);
    parts_emit(&bench.parts, parts_vector("fadds", to, to, y, ARCH_WSE_NONE));
    bench_mark(&bench);
    parts_emit(&bench.parts, parts_vector("fmacs", to, to, x, zero(ARCH_WSE_F32)));
    bench_mark(&bench);
    parts_emit(&bench.parts, parts_vector("fadds", to, to, x, ARCH_WSE_NONE));
    bench_mark(&bench);
    run_alone();
    /* 1.8, 0, 6, 1.8: 9.6 */
    BENCH_MARKS(&bench, BEGIN + SET_UP + 3 + 1, 48 + SET_UP + 3, 85 + SET_UP + 6 + 6,
                131 + SET_UP + 3 + 2);
    assert_int_equal(bench_pe(&bench, 0, 0).memory_idle, 9);
}

/* The main thread's operation stalls for 50 cycles at its end, while a microthread has
 * 30 words to send. */
static void run_stall_beside_send(const char *scope)
{
    bench_make_quick(&bench);
    BENCH_OVERRIDE(&bench, scope);
    bench_lay(&bench, 2, 1);
    bench_program(&bench, "both");
    begin_first();
    parts_emit(&bench.parts, send_zeros(COLOR, 0, 30, ARCH_WSE_NONE));
    emit_in_place("fmacs", 50, 0);
    bench_mark(&bench);
    end_first();
    bench_put(&bench, 0, 0, 0, 0);
    add_sink(1, COLOR);
    route_east();
    bench_run(&bench);
    BENCH_MARKS(&bench, 2 + 50 + 50);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 2 + 50 + 30);
    assert_int_equal(bench_pe(&bench, 0, 0).memory_idle, 50);
}

static void test_a_stall_stops_the_pe(void **state G_GNUC_UNUSED)
{
    run_stall_beside_send("memory.stall_scope=pe");
    assert_int_equal(bench_pe(&bench, 0, 0).end, 102 + 30);
}

static void test_or_only_the_thread(void **state G_GNUC_UNUSED)
{
    run_stall_beside_send("memory.stall_scope=thread");
    assert_int_equal(bench_pe(&bench, 0, 0).end, 102);
}

/* PE 1 receives 10 wavelets with stalls, and in turn sends `sent`. */
static void run_stalling_receive(const char *scope, guint sent)
{
    bench_make_quick(&bench);
    BENCH_OVERRIDE(&bench, scope, "pe.microthread_arbitration=round_robin");
    bench_lay(&bench, 2, 1);
    bench_program(&bench, "source");
    assert_true(arch_wse_program_input_queue(bench.parts.program, 0, BACK, NULL));
    bench_begin(&bench, ARCH_WSE_TASK_DATA, BACK, ARCH_WSE_NONE);
    bench_end(&bench);
    begin_first();
    parts_emit(&bench.parts, send_zeros(COLOR, 0, 10, ARCH_WSE_NONE));
    end_first();
    bench_put(&bench, 0, 0, 0, 0);
    bench_program(&bench, "both");
    guint to = row("to", 0, 10);
    guint x = row("x", 0, 10);

    begin_first();
    /* Both begin when several wavelets are here. */
    bench_work(&bench, 20);
    parts_emit(&bench.parts,
               bench_async(parts_vector("fmacs", to, to, x,
                                        parts_fabin(&bench.parts, COLOR, 0, 10)),
                           ARCH_WSE_NONE));
    parts_emit(&bench.parts, send_zeros(BACK, 1, sent, ARCH_WSE_NONE));
    end_first();
    bench_put(&bench, 1, 0, 1, 0);
    route_east();
    bench_route(&bench, 1, 0, BACK, R, W);
    bench_route(&bench, 0, 0, BACK, E, R);
    bench_run(&bench);
    assert_int_equal(bench_pe(&bench, 1, 0).memory_idle, 10);
    assert_int_equal(bench_pe(&bench, 1, 0).busy, 20 + 2 + 10 + sent);
}

static void test_a_microthreads_stall_stops_the_pe(void **state G_GNUC_UNUSED)
{
    run_stalling_receive("memory.stall_scope=pe", 10);
    assert_int_equal(bench_pe(&bench, 1, 0).end, 22 + 10 * 3);
}

static void test_or_only_itself(void **state G_GNUC_UNUSED)
{
    run_stalling_receive("memory.stall_scope=thread", 10);
    assert_int_equal(bench_pe(&bench, 1, 0).end, 22 + 10 * 2);
    /* The send, 22; then the receive alone, every other cycle. */
    run_stalling_receive("memory.stall_scope=thread", 1);
    assert_int_equal(bench_pe(&bench, 1, 0).end, 23 + 9 * 2 + 1);
}

/* 30 steps on memory beside 20 sends: each of those in turn, from 1 on. */
static void test_a_long_operation_gives_way_if_told(void **state G_GNUC_UNUSED)
{
    SimTime times[20];

    bench_make_quick(&bench);
    BENCH_OVERRIDE(&bench, "pe.main_thread=alternate");
    bench_lay(&bench, 2, 1);
    bench_program(&bench, "both");
    begin_first();
    parts_emit(&bench.parts, send_zeros(COLOR, 0, 20, ARCH_WSE_NONE));
    emit_in_place("fmacs", 30, 1);
    end_first();
    bench_put(&bench, 0, 0, 0, 0);
    bench_program(&bench, "sink");
    assert_true(arch_wse_program_input_queue(bench.parts.program, 0, COLOR, NULL));
    bench_begin(&bench, ARCH_WSE_TASK_DATA, COLOR, ARCH_WSE_NONE);
    bench_mark(&bench);
    bench_end(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    route_east();
    bench_run(&bench);
    for (guint i = 0; i < 20; i++) {
        times[i] = 1 + 2 * i + 6;
    }
    bench_assert_marks(&bench, times, 20);
    assert_int_equal(bench_pe(&bench, 0, 0).end, 2 + 30 + 20);
}

/* --- work ----------------------------------------------------------------------- */

static void test_work_is_counted_by_operation(void **state G_GNUC_UNUSED)
{
    bench_program(&bench, "in place");
    begin_first();
    emit_in_place("fmacs", 100, 1);
    run_alone();
    g_auto(ArchWseWork) work = arch_wse_work(bench.wse, "in place");
    ArchWseProfile profile = arch_wse_profile(bench.wse);

    assert_int_equal(work.pe_count, 1);
    assert_int_equal(work.operations->len, 1);
    assert_string_equal(g_array_index(work.operations, ArchWseExecuted, 0).name,
                        "fmacs");
    assert_int_equal(g_array_index(work.operations, ArchWseExecuted, 0).elements, 100);
    assert_int_equal(work.flops, 200);
    assert_int_equal(work.memory_words, 300);
    assert_int_equal(work.ramp_words, 0);
    assert_int_equal(profile.memory_bytes, 1200);
    assert_int_equal(profile.cycles, BEGIN + SET_UP + 100);
}

/* 20 numbers from the PE before, added up into one; cycles until it has them all. */
static uint64_t sum_of_a_stream(const char *rate)
{
    BENCH_OVERRIDE(&bench, rate);
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "sender");
    parts_emit(&bench.parts,
               parts_vector("fmovs", parts_fabout(&bench.parts, COLOR, 0, 20),
                            parts_number(&bench.parts, ARCH_WSE_F32, 1), ARCH_WSE_NONE,
                            ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_begin_go(&bench, "taker");
    guint sum =
        parts_row(&bench.parts, parts_aligned(&bench.parts, "sum", 1, 16), 0, 20, 0);

    parts_emit(&bench.parts,
               parts_vector("fadds", sum, parts_fabin(&bench.parts, COLOR, 0, 20), sum,
                            ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
    bench_run(&bench);
    return bench_pe(&bench, 1, 0).end;
}

static void test_a_sum_waits_for_the_one_before(void **state G_GNUC_UNUSED)
{
    const uint64_t fast = sum_of_a_stream("dsd.reduction_cycles_per_element=0");

    bench_tear_down(NULL);
    bench_set_up(NULL);
    assert_int_equal(sum_of_a_stream("dsd.reduction_cycles_per_element=3"),
                     fast + 19 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_set_up_is_busy_and_then_waits),
        BENCH_TEST(test_set_up_is_the_chip_files),
        BENCH_TEST(test_the_same_set_up_if_asynchronous),
        BENCH_TEST(test_elements_per_cycle),
        BENCH_TEST(test_banks_collide_by_alignment),
        BENCH_TEST(test_parts_of_cycles_are_not_lost),
        BENCH_TEST(test_every_operation_uses_the_same_remainder),
        BENCH_TEST(test_a_stall_stops_the_pe),
        BENCH_TEST(test_or_only_the_thread),
        BENCH_TEST(test_a_microthreads_stall_stops_the_pe),
        BENCH_TEST(test_or_only_itself),
        BENCH_TEST(test_a_long_operation_gives_way_if_told),
        BENCH_TEST(test_work_is_counted_by_operation),
        BENCH_TEST(test_a_sum_waits_for_the_one_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
