/* Scalar code of tasks: what it takes, and where iterations end. */
#include "arch/error.h"
#include "tests/arch/wse/bench.h"

static void begin_local(guint id)
{
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, id, ARCH_WSE_NONE);
}

static void activate(guint id)
{
    assert_true(arch_wse_program_activate(bench.parts.program, id, NULL));
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

/* Marks what stands before it. */
static void test_whole_numbers_are_loaded_and_stored(void **state G_GNUC_UNUSED)
{
    ArchWseProgram *program = bench_program(&bench, "whole");
    const ArchWseOperand five = {.value = 5};

    begin_local(5);
    assert_true(arch_wse_program_assign(program, 0, five, NULL));
    bench_mark(&bench);
    assert_true(arch_wse_program_add(program, 0, five, NULL));
    bench_mark(&bench);
    bench_mark(&bench);
    bench_end(&bench);
    activate(5);
    run_alone();
    /* a store 1; a load 2, the sum 1, a store 1 */
    BENCH_MARKS(&bench, 11, 15, 15);
}

static void test_floats_take_what_the_chip_says(void **state G_GNUC_UNUSED)
{
    ArchWseProgram *program = bench_program(&bench, "floats");
    guint x = parts_array(&bench.parts, "x", ARCH_WSE_F32, 1);
    const double six = 6;

    assert_true(arch_wse_program_set(program, x, 0, &six, 1, NULL));
    begin_local(5);
    assert_true(arch_wse_program_scalar(program, "mul", x, x, x, NULL));
    bench_mark(&bench);
    assert_true(arch_wse_program_scalar(program, "sqrt", x, x, ARCH_WSE_NONE, NULL));
    bench_mark(&bench);
    assert_true(arch_wse_program_scalar(program, "div", x, x, x, NULL));
    bench_mark(&bench);
    bench_end(&bench);
    activate(5);
    run_alone();
    /* loads of 2 cycles each, 2, 51 and 50, stores of 1 */
    BENCH_MARKS(&bench, 17, 17 + 54, 71 + 55);
    assert_float_equal(bench_number(&bench, 0, 0, "x", 0), 1, 0);
}

/* if (x == 1) { 10 } else { 20 } */
static void add_choice(int32_t x)
{
    ArchWseProgram *program = bench_program(&bench, "choice");
    guint variable = parts_variable(&bench.parts, "x", x);

    begin_local(5);
    assert_true(arch_wse_program_begin_if(program, variable, ARCH_WSE_EQUAL,
                                          (ArchWseOperand){.value = 1}, NULL));
    bench_work(&bench, 10);
    bench_mark(&bench);
    assert_true(arch_wse_program_begin_else(program, NULL));
    bench_work(&bench, 20);
    bench_mark(&bench);
    assert_true(arch_wse_program_end_if(program, NULL));
    bench_mark(&bench);
    bench_end(&bench);
    activate(5);
}

static void test_an_if_takes_one_of_two_ways(void **state G_GNUC_UNUSED)
{
    add_choice(1);
    run_alone();
    BENCH_MARKS(&bench, 10 + 5 + 10, 25 + 6);

    bench_lay(&bench, 1, 1);
    add_choice(2);
    run_alone();
    BENCH_MARKS(&bench, 10 + 8 + 20, 38);
}

static void test_a_while_jumps_back(void **state G_GNUC_UNUSED)
{
    ArchWseProgram *program = bench_program(&bench, "loop");
    guint i = parts_variable(&bench.parts, "i", 0);
    guint most = parts_variable(&bench.parts, "most", 3);

    begin_local(5);
    assert_true(arch_wse_program_begin_while(
        program, i, ARCH_WSE_LESS, (ArchWseOperand){true, (int32_t) most}, NULL));
    assert_true(arch_wse_program_add(program, i, (ArchWseOperand){.value = 1}, NULL));
    bench_mark(&bench);
    assert_true(arch_wse_program_end_while(program, NULL));
    bench_mark(&bench);
    bench_end(&bench);
    activate(5);
    run_alone();
    /* two loads and not taken 7, add 4, back 6; out of it 10 */
    BENCH_MARKS(&bench, 21, 38, 55, 55 + 6 + 10);
    assert_int_equal(bench_pe(&bench, 0, 0).busy, 61);
}

/* More instructions than are executed in one go. */
static void test_a_long_loop_is_counted_in_full(void **state G_GNUC_UNUSED)
{
    ArchWseProgram *program = bench_program(&bench, "loop");
    guint i = parts_variable(&bench.parts, "i", 0);

    begin_local(5);
    assert_true(arch_wse_program_begin_while(program, i, ARCH_WSE_LESS,
                                             (ArchWseOperand){.value = 5000}, NULL));
    assert_true(arch_wse_program_add(program, i, (ArchWseOperand){.value = 1}, NULL));
    assert_true(arch_wse_program_end_while(program, NULL));
    bench_mark(&bench);
    bench_end(&bench);
    activate(5);
    run_alone();
    BENCH_MARKS(&bench, 10 + 5000 * 15 + 8);
}

static void test_iterations_of_several_pes_are_put_together(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 3, 1);
    for (guint x = 0; x < 3; x++) {
        bench_program(&bench, "row");
        add_task(5, 3 * (2 - x));
        if (x == 1) {
            add_task(6, 0);
        }
        bench_put(&bench, x, 0, x, 0);
    }
    bench_run(&bench);
    BENCH_MARKS(&bench, 16, 23);
    g_autoptr(GArray) ends = arch_wse_iterations(bench.wse);

    assert_int_equal(g_array_index(ends, ArchWseIteration, 0).pe_count, 3);
    assert_float_equal(g_array_index(ends, ArchWseIteration, 0).mean, 13, 0);
    assert_int_equal(g_array_index(ends, ArchWseIteration, 0).first, 10);
    assert_int_equal(g_array_index(ends, ArchWseIteration, 1).first, 23);
    assert_int_equal(g_array_index(ends, ArchWseIteration, 1).pe_count, 1);
}

static void begin_zone(const char *name)
{
    assert_true(arch_wse_program_zone(bench.parts.program, name, NULL));
}

/* Of two PEs one runs: a zone of 4 cycles that begins twice, another one in between
 * that goes on until a task begins, and time that counts for none. */
static void test_zones_count_work_and_waits(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 1);
    bench_program(&bench, "zones");
    begin_local(5);
    bench_work(&bench, 100);
    begin_zone("work");
    bench_work(&bench, 4);
    begin_zone("wait");
    activate(6);
    bench_end(&bench);
    begin_local(6);
    begin_zone("work");
    bench_work(&bench, 4);
    begin_zone("");
    bench_work(&bench, 100);
    begin_zone("open");
    bench_end(&bench);
    activate(5);
    bench_put(&bench, 0, 0, 0, 0);
    bench_program(&bench, "idle");
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    g_autoptr(GArray) zones = arch_wse_zones(bench.wse, NULL);

    assert_int_equal(zones->len, 3);
    assert_string_equal(g_array_index(zones, ArchWseZone, 0).name, "work");
    assert_float_equal(g_array_index(zones, ArchWseZone, 0).cycles, 8.0 / 2, 0);
    assert_string_equal(g_array_index(zones, ArchWseZone, 1).name, "wait");
    /* The activation takes a cycle and the dispatch 10. */
    assert_float_equal(g_array_index(zones, ArchWseZone, 1).cycles, 11.0 / 2, 0);
    assert_float_equal(g_array_index(zones, ArchWseZone, 2).cycles, 0, 0);
    g_autoptr(GArray) none = arch_wse_zones(bench.wse, "idle");

    assert_int_equal(none->len, 0);
}

static void test_branches_on_numbers_need_the_numbers(void **state G_GNUC_UNUSED)
{
    ArchWseProgram *program = bench_program(&bench, "chooses");
    guint x = parts_array(&bench.parts, "x", ARCH_WSE_F32, 1);

    begin_local(5);
    assert_true(
        arch_wse_program_begin_if_scalar(program, x, ARCH_WSE_GREATER, x, NULL));
    assert_true(arch_wse_program_end_if(program, NULL));
    bench_end(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench.options.is_functional = false;
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                         "program chooses: what it does depends on its numbers, so it "
                         "cannot run without them (--timing-only)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_whole_numbers_are_loaded_and_stored),
        BENCH_TEST(test_floats_take_what_the_chip_says),
        BENCH_TEST(test_an_if_takes_one_of_two_ways),
        BENCH_TEST(test_a_while_jumps_back),
        BENCH_TEST(test_a_long_loop_is_counted_in_full),
        BENCH_TEST(test_iterations_of_several_pes_are_put_together),
        BENCH_TEST(test_zones_count_work_and_waits),
        BENCH_TEST(test_branches_on_numbers_need_the_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
