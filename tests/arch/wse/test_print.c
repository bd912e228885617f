/* Lines that PEs print piece by piece, records for the host, random numbers. */
#include "arch/error.h"
#include "tests/arch/wse/bench.h"

static void print_text(const char *text)
{
    assert_true(arch_wse_program_print_text(bench.parts.program, text, NULL));
}

static void print_value(ArchWseType type, ArchWseFormat format, ArchWseOperand value)
{
    assert_true(
        arch_wse_program_print_value(bench.parts.program, type, format, value, NULL));
}

static void record(const char *key, guint kind, const char *text, ArchWseOperand value)
{
    assert_true(
        arch_wse_program_record(bench.parts.program, key, kind, text, value, NULL));
}

/* All lines, each as "x @ cycle: text". */
static char *lines(void)
{
    g_autoptr(GArray) prints = arch_wse_take_prints(bench.wse);
    GString *all = g_string_new(NULL);

    for (guint i = 0; i < prints->len; i++) {
        const ArchWsePrint *print = &g_array_index(prints, ArchWsePrint, i);
        g_autofree char *text = arch_wse_print_text(print);

        g_string_append_printf(all, "%u @ %u: %s\n", print->x, (guint) print->when,
                               text);
    }
    return g_string_free(all, FALSE);
}

static void test_a_newline_ends_a_line_of_pieces(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "prints");
    const guint x = bench_register(&bench, 0);

    assert_true(arch_wse_program_sense(bench.parts.program, ARCH_WSE_COLUMN, x, NULL));
    print_text("PE(");
    print_value(ARCH_WSE_U16, ARCH_WSE_DECIMAL, bench_in(x));
    bench_work(&bench, 3);
    assert_true(arch_wse_program_print(bench.parts.program, "whole", x, NULL));
    print_text("): one\ntwo\n");
    print_text("never complete");
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 1, 0);
    bench_run(&bench);

    g_autofree char *all = lines();

    /* from 1 on: dispatch 10, sense 2, work 3; prints take no time */
    assert_string_equal(all, "0 @ 16: whole 0\n0 @ 16: PE(0): one\n0 @ 16: two\n"
                             "1 @ 16: whole 1\n1 @ 16: PE(1): one\n1 @ 16: two\n");
}

/* Code that has begun prints in advance what it prints later. */
static void test_what_is_printed_before_a_failure_is_kept(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 1, 1);
    bench_begin_go(&bench, "fails");
    const guint task = bench_register(&bench, 21);

    bench_work(&bench, 3);
    print_text("the last words\n");
    assert_true(
        arch_wse_program_signal(bench.parts.program, ARCH_WSE_ACTIVATE, task, NULL));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[0,0]: fails: a register names task 21, no task is bound "
                         "to it");

    g_autofree char *all = lines();

    assert_string_equal(all, "0 @ 14: the last words\n");
}

static void test_values_are_printed_by_type_and_format(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchWseType type;
        ArchWseFormat format;
        uint32_t bits;
    } values[] = {
        {ARCH_WSE_U16, ARCH_WSE_DECIMAL, 0xfffe},
        {ARCH_WSE_I16, ARCH_WSE_DECIMAL, 0xfffffffe},
        {ARCH_WSE_U32, ARCH_WSE_DECIMAL, 0xfffffffe},
        {ARCH_WSE_I32, ARCH_WSE_DECIMAL, 0xfffffffe},
        {ARCH_WSE_I16, ARCH_WSE_HEX, 0xfffffabc},
        {ARCH_WSE_U32, ARCH_WSE_HEX, 0xdeadbeef},
        {ARCH_WSE_U16, ARCH_WSE_HEX, 42},
        {ARCH_WSE_U16, ARCH_WSE_BINARY, 5},
        {ARCH_WSE_F32, ARCH_WSE_DECIMAL, 0xbfc00000},
        {ARCH_WSE_F16, ARCH_WSE_DECIMAL, 0x4000},
        {ARCH_WSE_F32, ARCH_WSE_HEX, 0x3f800000},
    };

    bench_begin_go(&bench, "values");
    for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
        print_value(values[i].type, values[i].format,
                    bench_constant((int32_t) values[i].bits));
        print_text(" ");
    }
    print_text("\n");
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);

    g_autofree char *all = lines();

    assert_string_equal(all, "0 @ 11: 65534 -2 4294967294 -2 FABC DEADBEEF 002A "
                             "0000000000000101 -1.5 2.0 3F800000 \n");
}

static void test_what_is_wide_is_not_printed(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    bench_begin_go(&bench, "wide");
    assert_false(arch_wse_program_print_value(bench.parts.program, ARCH_WSE_U64,
                                              ARCH_WSE_HEX, bench_constant(1), &error));
    assert_string_equal(error->message,
                        "program wide: task 8 (work): a u64 is printed, "
                        "allowed are up to 32 bits");
    g_clear_error(&error);
    assert_false(arch_wse_program_record(bench.parts.program, "k", 65536, NULL,
                                         bench_constant(1), &error));
    assert_string_equal(error->message, "program wide: task 8 (work): a record of kind "
                                        "65536, allowed are 0..65535");
}

static void test_records_are_read_in_order(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "records");
    const guint x = bench_register(&bench, 0);

    assert_true(arch_wse_program_sense(bench.parts.program, ARCH_WSE_COLUMN, x, NULL));
    record("a", 3, NULL, bench_in(x));
    record("b", 7, "done", bench_constant(-5));
    bench_mark(&bench);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 1, 0);
    bench_run(&bench);

    g_autoptr(GArray) got = arch_wse_records(bench.wse, 1, 0);
    const ArchWsePrint *first = &g_array_index(got, ArchWsePrint, 0);
    const ArchWsePrint *second = &g_array_index(got, ArchWsePrint, 1);

    assert_int_equal(got->len, 2);
    assert_string_equal(first->key, "a");
    assert_int_equal(first->kind, 3);
    assert_int_equal(first->value, 1);
    assert_null(first->text);
    assert_string_equal(second->key, "b");
    assert_string_equal(second->text, "done");
    assert_int_equal(second->value, -5);
    /* dispatch 10, sense 2, a store each */
    BENCH_MARKS(&bench, 14);

    g_autofree char *all = lines();

    assert_string_equal(all, "");
}

static void test_random_numbers_follow_from_the_seed(void **state G_GNUC_UNUSED)
{
    bench_begin_go(&bench, "random");
    ArchWseProgram *program = bench.parts.program;
    const guint r = bench_register(&bench, 0);

    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 3);
    for (int i = 0; i < 3; i++) {
        if (i == 2) {
            assert_true(arch_wse_program_seed(
                program, bench_constant((int32_t) 0xdeadbeef), NULL));
        }
        assert_true(arch_wse_program_sense(program, ARCH_WSE_RANDOM, r, NULL));
        assert_true(arch_wse_program_store(program, ARCH_WSE_U32, bench_in(r),
                                           bench_constant(4 * i), 0, NULL));
    }
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    assert_true(bench_word(&bench, 0, 0, "r", 0) <= UINT16_MAX);
    assert_int_not_equal(bench_word(&bench, 0, 0, "r", 0),
                         bench_word(&bench, 0, 0, "r", 1));
    assert_int_equal(bench_word(&bench, 0, 0, "r", 0),
                     bench_word(&bench, 0, 0, "r", 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_newline_ends_a_line_of_pieces),
        BENCH_TEST(test_what_is_printed_before_a_failure_is_kept),
        BENCH_TEST(test_values_are_printed_by_type_and_format),
        BENCH_TEST(test_what_is_wide_is_not_printed),
        BENCH_TEST(test_records_are_read_in_order),
        BENCH_TEST(test_random_numbers_follow_from_the_seed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
