/* Vector operations whose operands are in registers. */
#include "arch/error.h"
#include "tests/arch/wse/bench.h"

enum {
    DONE = 9,
    COLOR = 4,
    EAST = 1,
    BEGIN = 10,
    SET_UP = 28 + 6,
};

static guint new_register(int32_t value)
{
    guint variable = 0;

    assert_true(
        arch_wse_program_variable(bench.parts.program, NULL, value, &variable, NULL));
    return variable;
}

/* Two registers for a descriptor's value. */
static guint new_value(void)
{
    const guint first = new_register(0);

    assert_int_equal(new_register(0), first + 1);
    return first;
}

static guint operand(ArchWseRegisterKind kind, guint variable)
{
    guint dsd = 0;

    assert_true(
        arch_wse_program_register_dsd(bench.parts.program, kind, variable, &dsd, NULL));
    return dsd;
}

static void give(guint variable, guint dsd)
{
    assert_true(arch_wse_program_dsd_value(bench.parts.program, dsd, variable, NULL));
}

static void set(guint variable, ArchWseDsdField field, int32_t value)
{
    assert_true(arch_wse_program_dsd_set(bench.parts.program, variable, field, false,
                                         value, NULL));
}

static void run(void)
{
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
}

static float number(const char *name, guint index)
{
    return bench_number(&bench, 0, 0, name, index);
}

/* y[1], y[3], y[5] = x[4..6] + x[0], in 3 + 28 + 6 cycles and one step an element */
static void test_values_say_where_and_how_far(void **state G_GNUC_UNUSED)
{
    bench_begin_go(&bench, "values");
    const guint from = bench_numbers(&bench, "x", 8, 10);
    const guint array = parts_array(&bench.parts, "y", ARCH_WSE_F32, 8);
    const guint x = new_value();
    const guint y = new_value();

    give(x, from);
    set(x, ARCH_WSE_OFFSET, 16);
    set(x, ARCH_WSE_LENGTH, 3);
    give(y, ARCH_WSE_NONE);
    set(y, ARCH_WSE_ADDRESS, 32 + 4);
    set(y, ARCH_WSE_STRIDE, 2);
    bench_mark(&bench);
    parts_emit(&bench.parts,
               parts_vector("fadds", operand(ARCH_WSE_IN_DSD, y),
                            operand(ARCH_WSE_IN_DSD, x),
                            parts_row(&bench.parts, 0, 0, 8, 0), ARCH_WSE_NONE));
    bench_mark(&bench);
    run();
    assert_int_equal(array, 1);
    assert_float_equal(number("y", 1), 24, 0);
    assert_float_equal(number("y", 3), 25, 0);
    assert_float_equal(number("y", 5), 26, 0);
    assert_float_equal(number("y", 0), 0, 0);
    assert_float_equal(number("y", 7), 0, 0);
    /* two values of 4 words, 4 fields; then a set-up and 2 elements a cycle */
    BENCH_MARKS(&bench, BEGIN + 12, BEGIN + 12 + SET_UP + 2);
}

/* m = max(m, x), s = s + x: two cycles an element */
static void test_a_pointer_folds_all_elements(void **state G_GNUC_UNUSED)
{
    bench_begin_go(&bench, "folds");
    const guint x = bench_numbers(&bench, "x", 5, 3);
    const guint start = new_register(0x41000000); /* 8 */
    const guint at = new_register(20);
    const guint last = new_register(24);

    (void) parts_array(&bench.parts, "m", ARCH_WSE_F32, 2);
    parts_emit(&bench.parts,
               parts_vector("fadds", operand(ARCH_WSE_IN_ADDRESS, at),
                            operand(ARCH_WSE_IN_SCALAR, start), x, ARCH_WSE_NONE));
    bench_mark(&bench);
    parts_emit(&bench.parts, parts_vector("fmovs", operand(ARCH_WSE_IN_ADDRESS, last),
                                          x, ARCH_WSE_NONE, ARCH_WSE_NONE));
    bench_mark(&bench);
    run();
    assert_float_equal(number("m", 0), 8 + 3 + 4 + 5 + 6 + 7, 0);
    assert_float_equal(number("m", 1), 7, 0);
    BENCH_MARKS(&bench, BEGIN + SET_UP + 10, BEGIN + SET_UP + 10 + SET_UP + 3);
}

/* Of 16-bit numbers, with a scalar from a register, and from DSRs without set-up. */
static void test_types_are_those_of_the_operation(void **state G_GNUC_UNUSED)
{
    ArchWseVector vector;

    bench_begin_go(&bench, "halves");
    const guint y = new_value();
    const guint seven = new_register(7);
    uint32_t got[2] = {0};
    const ArchWsePart part = {.tiles = {0, 0, 0, 0, 1, 1}, .name = "y", .count = 2};

    (void) parts_array(&bench.parts, "y", ARCH_WSE_U32, 2);
    give(y, ARCH_WSE_NONE);
    set(y, ARCH_WSE_LENGTH, 2);
    set(y, ARCH_WSE_ADDRESS, 2);
    vector =
        parts_vector("mov16", operand(ARCH_WSE_IN_DSD, y),
                     operand(ARCH_WSE_IN_SCALAR, seven), ARCH_WSE_NONE, ARCH_WSE_NONE);
    vector.is_loaded = true;
    vector.saved = 1;
    parts_emit(&bench.parts, vector);
    parts_emit(&bench.parts, vector); /* goes on where the first ended: the last half */
    bench_mark(&bench);
    set(y, ARCH_WSE_LENGTH, 0);
    parts_emit(&bench.parts, vector);
    bench_mark(&bench);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[0,0]: halves: mov16 reaches beyond the memory, operand 0 "
                         "at address 6");
    assert_true(arch_wse_read(bench.wse, &part, got, sizeof got, NULL));
    assert_int_equal(got[0], 7 << 16);
    assert_int_equal(got[1], 7);
}

/* Arrays of f16: moved as words of 32 bits, and multiplied into f32. */
static void
test_one_array_serves_operations_of_several_types(void **state G_GNUC_UNUSED)
{
    static const double halves[] = {1, 2, 3, 4};

    bench_begin_go(&bench, "sizes");
    const guint x = new_value();
    const guint y = new_value();
    const guint z = new_value();
    const guint three = new_register(0x4200); /* 3 */
    const guint from = parts_array(&bench.parts, "x", ARCH_WSE_F16, 4);

    (void) parts_array(&bench.parts, "y", ARCH_WSE_F16, 4); /* at 8 */
    (void) parts_array(&bench.parts, "z", ARCH_WSE_F32, 4); /* at 16 */
    assert_true(arch_wse_program_set(bench.parts.program, from, 0, halves, 4, NULL));
    give(x, ARCH_WSE_NONE);
    set(x, ARCH_WSE_LENGTH, 2);
    give(y, ARCH_WSE_NONE);
    set(y, ARCH_WSE_ADDRESS, 8);
    give(z, ARCH_WSE_NONE);
    set(z, ARCH_WSE_ADDRESS, 16);
    parts_emit(&bench.parts,
               parts_vector("mov32", operand(ARCH_WSE_IN_DSD, y),
                            operand(ARCH_WSE_IN_DSD, x), ARCH_WSE_NONE, ARCH_WSE_NONE));
    set(z, ARCH_WSE_LENGTH, 4);
    parts_emit(&bench.parts,
               parts_vector("fmachs", operand(ARCH_WSE_IN_DSD, z),
                            operand(ARCH_WSE_IN_DSD, z), operand(ARCH_WSE_IN_DSD, y),
                            operand(ARCH_WSE_IN_SCALAR, three)));
    parts_emit(&bench.parts, parts_vector("faddhs", operand(ARCH_WSE_IN_DSD, z),
                                          operand(ARCH_WSE_IN_DSD, z),
                                          operand(ARCH_WSE_IN_DSD, x), ARCH_WSE_NONE));
    run();
    for (guint i = 0; i < 4; i++) {
        assert_float_equal(number("z", i), 4 * (float) (i + 1), 0);
    }
}

/* A matrix of 4 x 4: its upper right corner of 2 x 2, then one row and one column on.
 */
static void test_the_place_of_a_matrix_moves(void **state G_GNUC_UNUSED)
{
    const ArchWseMemoryDsd shape = {.array = ARCH_WSE_NONE,
                                    .rank = 2,
                                    .extents = {2, 2},
                                    .strides = {4, 1},
                                    .variable = ARCH_WSE_NONE};

    bench_begin_go(&bench, "matrix");
    (void) bench_numbers(&bench, "x", 16, 0);
    const guint y = parts_array(&bench.parts, "y", ARCH_WSE_F32, 8);
    const guint corner = new_value();
    const guint bytes = new_register(4 * 5);

    give(corner, parts_memory(&bench.parts, &shape));
    set(corner, ARCH_WSE_ADDRESS, 4 * 2);
    parts_emit(&bench.parts, parts_vector("fmovs", parts_row(&bench.parts, y, 0, 4, 1),
                                          operand(ARCH_WSE_IN_DSD, corner),
                                          ARCH_WSE_NONE, ARCH_WSE_NONE));
    assert_true(arch_wse_program_dsd_set(bench.parts.program, corner, ARCH_WSE_OFFSET,
                                         true, (int32_t) bytes, NULL));
    parts_emit(&bench.parts, parts_vector("fmovs", parts_row(&bench.parts, y, 4, 4, 1),
                                          operand(ARCH_WSE_IN_DSD, corner),
                                          ARCH_WSE_NONE, ARCH_WSE_NONE));
    run();

    static const float wanted[] = {2, 3, 6, 7, 7, 8, 11, 12};

    for (guint i = 0; i < 8; i++) {
        assert_float_equal(number("y", i), wanted[i], 0);
    }
}

/* Pushes 3 of 8 numbers into a FIFO for 5, and pops 2 of them. */
static void test_fifos_get_a_length(void **state G_GNUC_UNUSED)
{
    guint fifo = 0;

    bench_begin_go(&bench, "fifos");
    const guint x = bench_numbers(&bench, "x", 8, 1);
    const guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F32, 5);
    const guint y = parts_array(&bench.parts, "y", ARCH_WSE_F32, 8);
    const guint value = new_value();
    const guint two = new_register(2);

    assert_true(arch_wse_program_fifo(bench.parts.program, buffer, &fifo, NULL));
    parts_emit(&bench.parts,
               parts_vector("fmovs", fifo, parts_row(&bench.parts, 0, 0, 3, 1),
                            ARCH_WSE_NONE, ARCH_WSE_NONE));
    give(value, fifo);
    assert_true(arch_wse_program_dsd_set(bench.parts.program, value, ARCH_WSE_LENGTH,
                                         true, (int32_t) two, NULL));
    parts_emit(&bench.parts, parts_vector("fmovs", parts_row(&bench.parts, y, 0, 8, 1),
                                          operand(ARCH_WSE_IN_DSD, value),
                                          ARCH_WSE_NONE, ARCH_WSE_NONE));
    bench_mark(&bench);
    run();
    assert_int_equal(x, 0);
    assert_float_equal(number("y", 1), 2, 0);
    assert_float_equal(number("y", 2), 0, 0);
    /* two a cycle: 3 pushed, the value and its length, 2 popped */
    BENCH_MARKS(&bench, BEGIN + SET_UP + 2 + 4 + 1 + SET_UP + 1);
}

static void test_a_length_of_0_ends_at_once(void **state G_GNUC_UNUSED)
{
    bench_begin_go(&bench, "nothing");
    const guint y = new_value();
    const guint task = new_register(DONE);
    ArchWseVector vector =
        bench_async(parts_vector("fmovs", operand(ARCH_WSE_IN_DSD, y),
                                 parts_number(&bench.parts, ARCH_WSE_F32, 1),
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    task);

    give(y, parts_fabout(&bench.parts, COLOR, 2, 5));
    set(y, ARCH_WSE_LENGTH, 0);
    vector.is_activated_in_register = true;
    parts_emit(&bench.parts, vector);
    bench_mark(&bench);
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_lay(&bench, 2, 1);
    bench_put(&bench, 0, 0, 0, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
    bench_begin_go(&bench, "sink");
    assert_true(arch_wse_program_input_queue(bench.parts.program, 0, COLOR, NULL));
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    BENCH_MARKS(&bench, 10 + 5 + 28 + 6, 49 + 10);
}

static guint array_row(const char *name, guint count)
{
    guint array = parts_array(&bench.parts, name, ARCH_WSE_F32, count);

    return parts_row(&bench.parts, array, 0, count, 1);
}

/* PE 0 sends, PE 1 passes on for ever, PE 2 keeps. Queues, colors and lengths are those
 * of values, the task to activate that of a register. */
static void put_stream(bool is_live)
{
    ArchWseVector vector;

    bench_lay(&bench, 3, 1);
    bench_begin_go(&bench, "source");
    const guint sent = bench_numbers(&bench, "u", 20, 0);
    const guint to = new_value();
    const guint from = new_value();
    const guint out = parts_fabout(&bench.parts, COLOR, 0, 20);

    if (is_live) {
        give(to, out);
        give(from, sent);
    }
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fmovs", is_live ? operand(ARCH_WSE_IN_DSD, to) : out,
                                 is_live ? operand(ARCH_WSE_IN_DSD, from) : sent,
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_begin_go(&bench, "passes");
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fmovs",
                                 parts_fabout(&bench.parts, EAST, 1, ARCH_WSE_ENDLESS),
                                 parts_fabin(&bench.parts, COLOR, 0, ARCH_WSE_ENDLESS),
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_begin_go(&bench, "keeper");
    const guint in = new_value();
    const guint task = new_register(DONE);
    const guint stream = parts_fabin(&bench.parts, EAST, 3, 20);

    if (is_live) {
        give(in, stream);
    }
    vector = bench_async(parts_vector("fmovs", array_row("kept", 20),
                                      is_live ? operand(ARCH_WSE_IN_DSD, in) : stream,
                                      ARCH_WSE_NONE, ARCH_WSE_NONE),
                         is_live ? task : DONE);
    vector.is_activated_in_register = is_live;
    parts_emit(&bench.parts, vector);
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 2, 0, 2, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
    bench_route(&bench, 1, 0, EAST, R, E);
    bench_route(&bench, 2, 0, EAST, W, R);
}

static void assert_kept(void)
{
    for (guint i = 0; i < 20; i++) {
        assert_float_equal(bench_number(&bench, 2, 0, "kept", i), i, 0);
    }
}

static double end_of_all(void)
{
    g_autoptr(GArray) ends = arch_wse_iterations(bench.wse);

    assert_int_equal(ends->len, 1);
    return (double) g_array_index(ends, ArchWseIteration, 0).last;
}

static void test_streams_may_be_values(void **state G_GNUC_UNUSED)
{
    put_stream(false);
    bench_run(&bench);
    assert_kept();
    const double still = end_of_all();

    put_stream(true);
    bench_run(&bench);
    assert_kept();
    /* two values on the way */
    assert_float_equal(end_of_all(), still + 8, 0);
    put_stream(true);
    bench.options.is_functional = false;
    bench_run(&bench);
    assert_float_equal(end_of_all(), still + 8, 0);
    put_stream(true);
    bench.options.grain = ARCH_WSE_GRAIN_STREAM;
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                         "program source: its operations find operands in registers, "
                         "which only grain=wavelet can do");
}

static void test_wrong_values_stop_the_run(void **state G_GNUC_UNUSED)
{
    bench_begin_go(&bench, "wrong");
    const guint y = new_value();
    const guint x = bench_numbers(&bench, "x", 4, 0);

    give(y, parts_fabin(&bench.parts, COLOR, 0, 4));
    parts_emit(&bench.parts, parts_vector("fmovs", operand(ARCH_WSE_IN_DSD, y), x,
                                          ARCH_WSE_NONE, ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[0,0]: program wrong: fmovs: the destination is a fabin, "
                         "allowed are memory, fabout and FIFO");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_values_say_where_and_how_far),
        BENCH_TEST(test_a_pointer_folds_all_elements),
        BENCH_TEST(test_types_are_those_of_the_operation),
        BENCH_TEST(test_one_array_serves_operations_of_several_types),
        BENCH_TEST(test_the_place_of_a_matrix_moves),
        BENCH_TEST(test_fifos_get_a_length),
        BENCH_TEST(test_a_length_of_0_ends_at_once),
        BENCH_TEST(test_streams_may_be_values),
        BENCH_TEST(test_wrong_values_stop_the_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
