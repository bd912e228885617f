/* Tasks with arguments, blocked colors, and functions that the host launches. */
#include <string.h>

#include "arch/error.h"
#include "sim/error.h"
#include "tests/arch/wse/bench.h"

enum {
    COLOR = 4,
    QUEUE = 2,
    TAKE = 20, /* a control task */
    OPEN = 9,
};

static ArchWseOperand constant(int32_t value)
{
    return (ArchWseOperand){.value = value};
}

static ArchWseOperand reg(guint variable)
{
    return (ArchWseOperand){.is_variable = true, .value = (int32_t) variable};
}

static guint new_register(const char *name)
{
    guint variable = 0;

    assert_true(
        arch_wse_program_variable(bench.parts.program, name, 0, &variable, NULL));
    return variable;
}

static void store(guint variable, int address)
{
    assert_true(arch_wse_program_store(bench.parts.program, ARCH_WSE_U32, reg(variable),
                                       constant(address), 0, NULL));
}

static uint32_t word(guint x, guint index)
{
    const ArchWsePart part = {
        .tiles = {x, 0, x, 0, 1, 1}, .name = "r", .first = index, .count = 1};
    uint32_t bits = 0;

    assert_true(arch_wse_read(bench.wse, &part, &bits, sizeof bits, NULL));
    return bits;
}

/* PE 0 sends one word to PE 1. */
static void put_sender(uint32_t bits, bool is_control)
{
    const ArchWseFaboutDsd stream = {.color = COLOR,
                                     .queue = 0,
                                     .extent = 1,
                                     .elements_per_wavelet = 1,
                                     .is_control = is_control};
    guint out = 0;
    guint payload = 0;

    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "sender");
    assert_true(arch_wse_program_fabout_dsd(bench.parts.program, &stream, &out, NULL));
    assert_true(arch_wse_program_word(bench.parts.program, bits, &payload, NULL));
    parts_emit(&bench.parts, bench_async(parts_vector("mov32", out, payload,
                                                      ARCH_WSE_NONE, ARCH_WSE_NONE),
                                         ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
}

static void
put_taker(ArchWseTaskKind kind, guint id, const ArchWseType *types, guint count)
{
    guint first = 0;

    bench_program(&bench, "taker");
    first = new_register(NULL);
    (void) new_register(NULL);
    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 2);
    bench_begin(&bench, kind, id, ARCH_WSE_NONE);
    assert_true(
        arch_wse_program_arguments(bench.parts.program, types, count, first, NULL));
    bench_mark(&bench);
    store(first, 0);
    store(first + 1, 4);
    bench_end(&bench);
}

static void test_data_tasks_get_their_wavelet_in_registers(void **state G_GNUC_UNUSED)
{
    static const ArchWseType pair[] = {ARCH_WSE_I16, ARCH_WSE_U16};
    static const ArchWseType single[] = {ARCH_WSE_F32};

    put_sender(0xfedc8001, false);
    put_taker(ARCH_WSE_TASK_DATA, COLOR, pair, 2);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    assert_int_equal(word(1, 0), 0xffff8001);
    assert_int_equal(word(1, 1), 0xfedc);
    put_sender(0xfedc8001, false);
    put_taker(ARCH_WSE_TASK_DATA, COLOR, single, 1);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    assert_int_equal(word(1, 0), 0xfedc8001);
}

static void test_control_tasks_get_the_lower_half(void **state G_GNUC_UNUSED)
{
    static const ArchWseType half[] = {ARCH_WSE_U16};
    const uint32_t payload = arch_wse_control_payload(NULL, 0, TAKE) | 0x1234;

    put_sender(payload, true);
    put_taker(ARCH_WSE_TASK_CONTROL, TAKE, half, 1);
    assert_true(arch_wse_program_input_queue(bench.parts.program, QUEUE, COLOR, NULL));
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    assert_int_equal(word(1, 0), 0x1234);
    /* dispatch 10, set-up 34, into the queue 1, ramps and hop 5, dispatch 10 */
    BENCH_MARKS(&bench, 60);
}

static void test_a_blocked_color_holds_control_wavelets(void **state G_GNUC_UNUSED)
{
    static const ArchWseType half[] = {ARCH_WSE_U16};

    put_sender(arch_wse_control_payload(NULL, 0, TAKE) | 7, true);
    put_taker(ARCH_WSE_TASK_CONTROL, TAKE, half, 1);
    assert_true(arch_wse_program_input_queue(bench.parts.program, QUEUE, COLOR, NULL));
    assert_true(arch_wse_program_block(bench.parts.program, COLOR, NULL));
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, OPEN, ARCH_WSE_NONE);
    bench_work(&bench, 100);
    assert_true(arch_wse_program_unblock(bench.parts.program, COLOR, NULL));
    bench_end(&bench);
    assert_true(arch_wse_program_activate(bench.parts.program, OPEN, NULL));
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    assert_int_equal(word(1, 0), 7);
    BENCH_MARKS(&bench, 10 + 101 + 10);
}

/* PE 0 sends 1, 2, 3... on two colors; it ends when PE 1 has taken most of them. */
static void put_two_streams(guint count)
{
    guint array = 0;

    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "sender");
    array = parts_array(&bench.parts, "u", ARCH_WSE_U32, count);
    for (guint i = 0; i < count; i++) {
        const double value = i + 1;

        assert_true(
            arch_wse_program_set(bench.parts.program, array, i, &value, 1, NULL));
    }
    for (guint i = 0; i < 2; i++) {
        parts_emit(&bench.parts,
                   bench_async(
                       parts_vector("mov32",
                                    parts_fabout(&bench.parts, COLOR + i, 2 + i, count),
                                    parts_row(&bench.parts, array, 0, count, 1),
                                    ARCH_WSE_NONE, ARCH_WSE_NONE),
                       ARCH_WSE_NONE));
        bench_route(&bench, 0, 0, COLOR + i, R, E);
        bench_route(&bench, 1, 0, COLOR + i, W, R);
    }
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
}

/* Adds what comes to a word of r. */
static void add_adding_task(guint color, int address)
{
    static const ArchWseType whole[] = {ARCH_WSE_U32};
    const guint value = new_register(NULL);
    const guint sum = new_register(NULL);
    const ArchWseOperand operands[] = {reg(sum), reg(value)};

    bench_begin(&bench, ARCH_WSE_TASK_DATA, color, ARCH_WSE_NONE);
    assert_true(arch_wse_program_arguments(bench.parts.program, whole, 1, value, NULL));
    assert_true(arch_wse_program_operate(bench.parts.program, "add", ARCH_WSE_U32, sum,
                                         operands, NULL));
    store(sum, address);
    bench_end(&bench);
    assert_true(arch_wse_program_block(bench.parts.program, color, NULL));
}

/* While its task is blocked a color serves a stream, and others wait in their queues,
 * back to the sender. */
static void test_a_blocked_color_serves_a_stream_first(void **state G_GNUC_UNUSED)
{
    const guint count = 30;
    const guint taken = 12;
    guint got = 0;

    put_two_streams(count);
    bench_program(&bench, "taker");
    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 2);
    got = parts_array(&bench.parts, "got", ARCH_WSE_U32, taken);
    add_adding_task(COLOR, 0);
    add_adding_task(COLOR + 1, 4); /* in a queue that is free */
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, BENCH_GO, ARCH_WSE_NONE);
    bench_work(&bench, 200);
    parts_emit(&bench.parts,
               parts_vector("mov32", parts_row(&bench.parts, got, 0, taken, 1),
                            parts_fabin(&bench.parts, COLOR, 1, taken), ARCH_WSE_NONE,
                            ARCH_WSE_NONE));
    bench_mark(&bench);
    assert_true(arch_wse_program_unblock(bench.parts.program, COLOR, NULL));
    bench_work(&bench, 100);
    assert_true(arch_wse_program_unblock(bench.parts.program, COLOR + 1, NULL));
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    for (guint i = 0; i < taken; i++) {
        assert_int_equal(bench_word(&bench, 1, 0, "got", i), i + 1);
    }
    assert_int_equal(word(1, 0), count * (count + 1) / 2 - taken * (taken + 1) / 2);
    assert_int_equal(word(1, 1), count * (count + 1) / 2);
    assert_true(bench_pe(&bench, 0, 0).end > 300);
    BENCH_MARKS(&bench, 10 + 200 + 34 + 12);
}

static void test_arguments_that_no_wavelet_has_are_refused(void **state G_GNUC_UNUSED)
{
    static const ArchWseType wide[] = {ARCH_WSE_U64};
    g_autoptr(GError) error = NULL;

    bench_program(&bench, "odd");
    bench_begin(&bench, ARCH_WSE_TASK_DATA, COLOR, ARCH_WSE_NONE);
    assert_false(arch_wse_program_arguments(bench.parts.program, wide, 1, 0, &error));
    assert_string_equal(error->message,
                        "program odd: task 4 (work): 1 arguments, the first of u64; "
                        "allowed are one of 32 bits, one or two of 16, and of control "
                        "tasks one of 16");
}

/* add(n): sum += n; the launch ends there, or in a task that it activates */
static void put_adder(bool is_unblocked, bool is_later)
{
    ArchWseProgram *program = bench_program(&bench, "adder");
    const guint n = new_register("n");
    const guint sum = new_register("sum");
    const ArchWseOperand operands[] = {reg(sum), reg(n)};
    guint function = 0;

    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 1);
    assert_true(arch_wse_program_function(program, "add", &function, NULL));
    assert_true(arch_wse_program_begin_function(program, function, NULL));
    assert_true(
        arch_wse_program_operate(program, "add", ARCH_WSE_I32, sum, operands, NULL));
    store(sum, 0);
    bench_mark(&bench);
    if (is_later) {
        assert_true(arch_wse_program_activate(program, OPEN, NULL));
    } else if (is_unblocked) {
        assert_true(arch_wse_program_unblock_stream(program, NULL));
    }
    assert_true(arch_wse_program_end_function(program, NULL));
    assert_true(arch_wse_program_entry(program, function, NULL));
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, OPEN, ARCH_WSE_NONE);
    assert_true(arch_wse_program_unblock_stream(program, NULL));
    bench_end(&bench);
    bench_put(&bench, 0, 0, 1, 0);
}

static bool launch(const char *function, int32_t value, GError **error)
{
    static const char *const names[] = {"n"};
    const ArchWseLaunch add = {.tiles = {0, 0, 1, 0, 1, 1},
                               .function = function,
                               .names = names,
                               .values = &value,
                               .count = 1};

    return arch_wse_launch(bench.wse, &add, error) &&
           sim_engine_run(bench.engine, SIM_TIME_NEVER, error);
}

static void test_launches_follow_each_other(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    bench_lay(&bench, 2, 1);
    put_adder(true, false);
    bench_run(&bench);
    assert_true(launch("add", 5, &error));
    assert_true(launch("add", -2, &error));
    assert_int_equal(word(0, 0), 3);
    assert_int_equal(word(1, 0), 3);
    assert_false(launch("sub", 1, &error));
    assert_string_equal(error->message,
                        "program adder has no function sub for the host");
    bench_lay(&bench, 2, 1);
    put_adder(true, true);
    bench_run(&bench);
    assert_true(launch("add", 7, NULL));
    assert_int_equal(word(1, 0), 7);
}

static void test_a_launch_that_is_not_over_waits(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    bench_lay(&bench, 2, 1);
    put_adder(false, false);
    bench_run(&bench);
    assert_false(launch("add", 5, &error));
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_DEADLOCK));
    assert_non_null(
        strstr(error->message, "pe[0,0] (adder); the launch of add is not over"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_data_tasks_get_their_wavelet_in_registers),
        BENCH_TEST(test_control_tasks_get_the_lower_half),
        BENCH_TEST(test_a_blocked_color_holds_control_wavelets),
        BENCH_TEST(test_a_blocked_color_serves_a_stream_first),
        BENCH_TEST(test_arguments_that_no_wavelet_has_are_refused),
        BENCH_TEST(test_launches_follow_each_other),
        BENCH_TEST(test_a_launch_that_is_not_over_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
