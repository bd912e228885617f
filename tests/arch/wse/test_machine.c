/* The scalar machine of a PE: what its code does, and how long it takes. */
#include "arch/error.h"
#include "tests/arch/wse/bench.h"

static ArchWseOperand constant(int32_t value)
{
    return (ArchWseOperand){.value = value};
}

static ArchWseOperand reg(guint variable)
{
    return (ArchWseOperand){.is_variable = true, .value = (int32_t) variable};
}

static guint new_register(int32_t value)
{
    guint variable = 0;

    assert_true(
        arch_wse_program_variable(bench.parts.program, NULL, value, &variable, NULL));
    return variable;
}

static void operate(
    const char *name, ArchWseType type, guint to, ArchWseOperand a, ArchWseOperand b)
{
    const ArchWseOperand operands[] = {a, b};

    assert_true(
        arch_wse_program_operate(bench.parts.program, name, type, to, operands, NULL));
}

static void load(ArchWseType type, guint to, ArchWseOperand base, int offset)
{
    assert_true(
        arch_wse_program_load(bench.parts.program, type, to, base, offset, NULL));
}

static void
store(ArchWseType type, ArchWseOperand from, ArchWseOperand base, int offset)
{
    assert_true(
        arch_wse_program_store(bench.parts.program, type, from, base, offset, NULL));
}

static guint new_label(void)
{
    guint label = 0;

    assert_true(arch_wse_program_label(bench.parts.program, &label, NULL));
    return label;
}

static void place(guint label)
{
    assert_true(arch_wse_program_place(bench.parts.program, label, NULL));
}

static void run(void)
{
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
}

static uint32_t word(const char *name, guint index)
{
    const ArchWsePart part = {
        .tiles = {0, 0, 0, 0, 1, 1}, .name = name, .first = index, .count = 1};
    uint32_t bits = 0;

    assert_true(arch_wse_read(bench.wse, &part, &bits, sizeof bits, NULL));
    return bits;
}

static void test_64_bits_take_two_registers(void **state G_GNUC_UNUSED)
{
    bench_begin_go(&bench, "wide");
    const guint a = new_register(-1); /* 0x1ffffffff */
    const guint b = new_register(1);
    guint result = 0;

    assert_int_equal(b, a + 1);
    result = parts_array(&bench.parts, "r", ARCH_WSE_U32, 4);
    operate("add", ARCH_WSE_I64, a, reg(a), constant(1)); /* 0x200000000 */
    bench_mark(&bench);
    store(ARCH_WSE_I64, reg(a), constant(0), 0);
    bench_mark(&bench);
    operate("mul", ARCH_WSE_I64, a, reg(a), constant(-3));
    operate("shr", ARCH_WSE_I64, a, reg(a), constant(33));
    store(ARCH_WSE_I64, reg(a), constant(0), 8);
    run();
    assert_int_equal(result, 0);
    assert_int_equal(word("r", 0), 0);
    assert_int_equal(word("r", 1), 2);
    assert_int_equal(word("r", 2), (uint32_t) -3);
    assert_int_equal(word("r", 3), UINT32_MAX);
    /* an instruction for each of 4 words; two stores */
    BENCH_MARKS(&bench, 14, 16);
}

/* for (i = 0; i < 5; i++) sum += x[i], over u16 in memory */
static void test_a_loop_takes_what_its_instructions_do(void **state G_GNUC_UNUSED)
{
    static const double numbers[] = {10, 20, 30, 65535, 50};
    guint x = 0;
    guint head = 0;
    guint out = 0;

    bench_begin_go(&bench, "loop");
    x = parts_array(&bench.parts, "x", ARCH_WSE_U16, 6);
    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 1); /* at 12 */
    assert_true(arch_wse_program_set(bench.parts.program, x, 0, numbers, 5, NULL));
    const guint i = new_register(0);
    const guint sum = new_register(0);
    const guint at = new_register(0);
    const guint value = new_register(0);

    head = new_label();
    out = new_label();
    place(head);
    operate("lt", ARCH_WSE_U16, at, reg(i), constant(5));
    assert_true(arch_wse_program_jump_if(bench.parts.program, at, true, out, NULL));
    operate("shl", ARCH_WSE_U16, at, reg(i), constant(1));
    load(ARCH_WSE_U16, value, reg(at), 0);
    operate("add", ARCH_WSE_U32, sum, reg(sum), reg(value));
    operate("add", ARCH_WSE_U16, i, reg(i), constant(1));
    assert_true(arch_wse_program_jump(bench.parts.program, head, NULL));
    place(out);
    bench_mark(&bench);
    store(ARCH_WSE_U32, reg(sum), constant(10), 2);
    bench_mark(&bench);
    run();
    assert_int_equal(word("r", 0), 65645);
    /* lt 1, branch 3, shl 1, load 2, add 2, add 1, back 6; out of it 1 + 6 */
    BENCH_MARKS(&bench, 10 + 5 * 16 + 7, 10 + 5 * 16 + 8);
}

static void test_loads_extend_and_stores_cut(void **state G_GNUC_UNUSED)
{
    bench_begin_go(&bench, "bytes");
    const guint r = new_register(0);

    (void) parts_array(&bench.parts, "x", ARCH_WSE_U32, 6);
    store(ARCH_WSE_U32, constant(0x1234f6f8), constant(0), 0);
    load(ARCH_WSE_I8, r, constant(0), 1);
    store(ARCH_WSE_U32, reg(r), constant(0), 4);
    load(ARCH_WSE_U8, r, constant(0), 1);
    store(ARCH_WSE_U32, reg(r), constant(0), 8);
    load(ARCH_WSE_I16, r, constant(0), 0);
    store(ARCH_WSE_U32, reg(r), constant(0), 12);
    load(ARCH_WSE_U16, r, constant(4), -4); /* modulo 2^16 */
    store(ARCH_WSE_U32, reg(r), constant(0), 16);
    store(ARCH_WSE_U8, constant(0x1ff), constant(0), 22);
    run();
    assert_int_equal(word("x", 1), 0xfffffff6);
    assert_int_equal(word("x", 2), 0xf6);
    assert_int_equal(word("x", 3), 0xfffff6f8);
    assert_int_equal(word("x", 4), 0xf6f8);
    assert_int_equal(word("x", 5), 0x00ff0000);
}

static guint new_function(const char *name)
{
    guint function = 0;

    assert_true(arch_wse_program_function(bench.parts.program, name, &function, NULL));
    return function;
}

static void begin_function(guint function)
{
    assert_true(arch_wse_program_begin_function(bench.parts.program, function, NULL));
}

static void end_function(void)
{
    assert_true(arch_wse_program_end_function(bench.parts.program, NULL));
}

static void call(guint function)
{
    assert_true(arch_wse_program_call(bench.parts.program, function, NULL));
}

/* double(x) = twice(x) = x + x; called directly and through a pointer */
static void test_functions_call_and_return(void **state G_GNUC_UNUSED)
{
    ArchWseProgram *program = bench_program(&bench, "calls");
    const guint x = new_register(3);
    const guint pointer = new_register(0);
    const guint twice = new_function("twice");
    const guint outer = new_function("outer");

    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 1);
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, BENCH_GO, ARCH_WSE_NONE);
    call(outer);
    bench_mark(&bench);
    operate("mov", ARCH_WSE_U16, pointer, constant((int32_t) twice + 1), constant(0));
    assert_true(arch_wse_program_call_pointer(program, pointer, NULL));
    bench_mark(&bench);
    store(ARCH_WSE_U32, reg(x), constant(0), 0);
    assert_true(arch_wse_program_return(program, NULL));
    store(ARCH_WSE_U32, constant(-1), constant(0), 0);
    bench_end(&bench);
    begin_function(outer);
    call(twice);
    assert_true(arch_wse_program_return(program, NULL));
    operate("mov", ARCH_WSE_U16, x, constant(99), constant(0));
    end_function();
    begin_function(twice);
    operate("add", ARCH_WSE_I16, x, reg(x), reg(x));
    end_function();
    assert_true(arch_wse_program_activate(program, BENCH_GO, NULL));
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    assert_int_equal(word("r", 0), 12);
    /* call 6, call 6, add 1, return 6, return 6; mov 1, call 6, add 1, return 6 */
    BENCH_MARKS(&bench, 35, 49);
}

static void test_recursion_is_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    bench_program(&bench, "loops");
    const guint one = new_function("one");
    const guint two = new_function("two");

    begin_function(one);
    call(two);
    end_function();
    begin_function(two);
    call(one);
    end_function();
    assert_false(arch_wse_program_finish(bench.parts.program, &error));
    assert_string_equal(error->message,
                        "program loops: function one calls itself, directly or by "
                        "others; its variables exist once");
}

static void test_recursion_by_pointers_stops_the_run(void **state G_GNUC_UNUSED)
{
    bench_program(&bench, "round");
    const guint pointer = new_register(1);
    const guint one = new_function("one");

    begin_function(one);
    assert_true(arch_wse_program_call_pointer(bench.parts.program, pointer, NULL));
    end_function();
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, BENCH_GO, ARCH_WSE_NONE);
    call(one);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[0,0]: round: a function is called while it runs, from "
                         "instruction 3");
}

static void test_code_that_is_not_whole_is_refused(void **state G_GNUC_UNUSED)
{
    const ArchWseOperand operands[] = {constant(1), constant(2)};
    g_autoptr(GError) error = NULL;
    ArchWseProgram *program = NULL;
    guint label = 0;

    bench_begin_go(&bench, "half");
    program = bench.parts.program;
    assert_false(
        arch_wse_program_operate(program, "rem", ARCH_WSE_F32, 0, operands, &error));
    assert_string_equal(error->message,
                        "program half: task 8 (work): rem of f32, there are mov, add, "
                        "sub, mul, div, neg, abs, max, min, sqrt, eq, ne, lt, le, gt, "
                        "ge");
    g_clear_error(&error);
    assert_false(
        arch_wse_program_operate(program, "add", ARCH_WSE_I64, 0, operands, &error));
    assert_string_equal(error->message, "program half: task 8 (work): variable number "
                                        "1, there are 1");
    g_clear_error(&error);
    label = new_label();
    assert_true(arch_wse_program_jump(program, label, NULL));
    assert_false(arch_wse_program_end_task(program, &error));
    assert_string_equal(error->message, "program half: task 8 (work): a jump to label "
                                        "1, which has no place");
}

static void test_bad_accesses_stop_the_run(void **state G_GNUC_UNUSED)
{
    bench_begin_go(&bench, "wild");
    const guint r = new_register(0);

    (void) parts_array(&bench.parts, "x", ARCH_WSE_U32, 1);
    arch_wse_program_at(bench.parts.program, (ArchPlace){"wild.csl", 7});
    load(ARCH_WSE_U16, r, reg(r), 3);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[0,0]: wild (wild.csl:7): a load from beyond the memory, "
                         "address 3");

    bench_lay(&bench, 1, 1);
    bench_begin_go(&bench, "zero");
    operate("div", ARCH_WSE_U16, 0, constant(1), reg(0));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[0,0]: zero: an integer is divided by 0");
}

static void test_a_pe_knows_its_place_and_time(void **state G_GNUC_UNUSED)
{
    bench_lay(&bench, 2, 2);
    bench_begin_go(&bench, "sense");
    const guint low = new_register(0);
    const guint x = new_register(0);

    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 2);
    assert_true(arch_wse_program_sense(bench.parts.program, ARCH_WSE_CLOCK, low, NULL));
    store(ARCH_WSE_U32, reg(low), constant(0), 0);
    assert_true(arch_wse_program_sense(bench.parts.program, ARCH_WSE_COLUMN, x, NULL));
    assert_true(arch_wse_program_sense(bench.parts.program, ARCH_WSE_ROW, low, NULL));
    operate("shl", ARCH_WSE_U16, x, reg(x), constant(8));
    operate("or", ARCH_WSE_U16, x, reg(x), reg(low));
    store(ARCH_WSE_U32, reg(x), constant(0), 4);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 1, 1);
    bench_run(&bench);

    const ArchWsePart part = {.tiles = {1, 0, 1, 1, 1, 1}, .name = "r", .count = 2};
    uint32_t got[4] = {0};

    assert_true(arch_wse_read(bench.wse, &part, got, sizeof got, NULL));
    assert_int_equal(got[0], 10);
    assert_int_equal(got[1], 0x100);
    assert_int_equal(got[3], 0x101);
}

/* Counts in registers; what is loaded decides nothing, or does. */
static void add_counting(bool is_deciding)
{
    bench_begin_go(&bench, "counts");
    const guint i = new_register(3);
    const guint x = new_register(0);
    const guint head = new_label();

    (void) parts_array(&bench.parts, "r", ARCH_WSE_F32, 1);
    place(head);
    load(ARCH_WSE_F32, x, constant(0), 0);
    operate("add", ARCH_WSE_F32, x, reg(x), constant(0x3f800000));
    store(ARCH_WSE_F32, reg(x), constant(0), 0);
    operate("sub", ARCH_WSE_U16, i, reg(i), constant(1));
    if (is_deciding) {
        operate("lt", ARCH_WSE_F32, i, reg(x), constant(0x40400000));
    }
    assert_true(arch_wse_program_jump_if(bench.parts.program, i, false, head, NULL));
    bench_mark(&bench);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
}

static void test_registers_count_without_data(void **state G_GNUC_UNUSED)
{
    add_counting(false);
    bench_run(&bench);
    assert_float_equal(bench_number(&bench, 0, 0, "r", 0), 3, 0);
    /* load 2, add 2, store 1, sub 1, back 6 or 3 */
    BENCH_MARKS(&bench, 10 + 12 + 12 + 9);
    bench_lay(&bench, 1, 1);
    add_counting(false);
    bench.options.is_functional = false;
    bench_run(&bench);
    BENCH_MARKS(&bench, 10 + 12 + 12 + 9);
}

static void test_a_branch_on_memory_needs_data(void **state G_GNUC_UNUSED)
{
    add_counting(true);
    bench_run(&bench);
    BENCH_MARKS(&bench, 10 + 14 + 14 + 11);
    bench_lay(&bench, 1, 1);
    add_counting(true);
    bench.options.is_functional = false;
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                         "program counts: what it does depends on its numbers, so it "
                         "cannot run without them (--timing-only)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_64_bits_take_two_registers),
        BENCH_TEST(test_a_loop_takes_what_its_instructions_do),
        BENCH_TEST(test_loads_extend_and_stores_cut),
        BENCH_TEST(test_functions_call_and_return),
        BENCH_TEST(test_recursion_is_refused),
        BENCH_TEST(test_recursion_by_pointers_stops_the_run),
        BENCH_TEST(test_code_that_is_not_whole_is_refused),
        BENCH_TEST(test_bad_accesses_stop_the_run),
        BENCH_TEST(test_a_pe_knows_its_place_and_time),
        BENCH_TEST(test_registers_count_without_data),
        BENCH_TEST(test_a_branch_on_memory_needs_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
