/* Options of vector operations: ends by control wavelets, FIFOs that are tried,
 * indices.
 */
#include "tests/arch/wse/bench.h"

enum {
    COLOR = 4,
    DONE = 9,
    CUT = 10,
    NOWHERE = 31, /* control task of a payload that calls none */
};

static ArchWseOperand constant(int32_t value)
{
    return (ArchWseOperand){.value = value};
}

static guint new_register(void)
{
    guint variable = 0;

    assert_true(
        arch_wse_program_variable(bench.parts.program, NULL, 0, &variable, NULL));
    return variable;
}

static uint32_t word(guint x, const char *name, guint index)
{
    const ArchWsePart part = {
        .tiles = {x, 0, x, 0, 1, 1}, .name = name, .first = index, .count = 1};
    uint32_t bits = 0;

    assert_true(arch_wse_read(bench.wse, &part, &bits, sizeof bits, NULL));
    return bits;
}

static void store(guint variable, int32_t address)
{
    const ArchWseOperand from = {.is_variable = true, .value = (int32_t) variable};

    assert_true(arch_wse_program_store(bench.parts.program, ARCH_WSE_U32, from,
                                       constant(address), 0, NULL));
}

/* PE 0 sends 3 numbers, then a control wavelet, so many times, then 3 numbers more if
 * it was more than once. */
static void put_sender(guint times)
{
    const ArchWseFaboutDsd stream = {.color = COLOR,
                                     .queue = 0,
                                     .extent = 1,
                                     .elements_per_wavelet = 1,
                                     .is_control = true};
    guint control = 0;
    guint payload = 0;

    bench_begin_go(&bench, "sender");
    const guint u = bench_numbers(&bench, "u", 3, 1);

    assert_true(
        arch_wse_program_fabout_dsd(bench.parts.program, &stream, &control, NULL));
    assert_true(arch_wse_program_word(bench.parts.program,
                                      arch_wse_control_payload(NULL, 0, NOWHERE),
                                      &payload, NULL));
    const ArchWseVector numbers =
        parts_vector("fmovs", parts_fabout(&bench.parts, COLOR, 0, 3), u, ARCH_WSE_NONE,
                     ARCH_WSE_NONE);

    for (guint i = 0; i < times; i++) {
        parts_emit(&bench.parts, numbers);
        parts_emit(&bench.parts, parts_vector("mov32", control, payload, ARCH_WSE_NONE,
                                              ARCH_WSE_NONE));
    }
    if (times > 1) {
        parts_emit(&bench.parts, numbers);
    }
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
}

static void test_a_control_wavelet_ends_an_operation(void **state G_GNUC_UNUSED)
{
    ArchWseVector vector;
    guint to = 0;

    bench_lay(&bench, 2, 1);
    put_sender(1);
    bench_begin_go(&bench, "taker");
    const guint low = new_register();

    (void) new_register();
    (void) parts_array(&bench.parts, "got", ARCH_WSE_F32, 8);
    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 1); /* at 32 */
    assert_true(
        arch_wse_program_dsd_value(bench.parts.program, ARCH_WSE_NONE, low, NULL));
    assert_true(arch_wse_program_register_dsd(bench.parts.program, ARCH_WSE_IN_DSD, low,
                                              &to, NULL));
    vector =
        bench_async(parts_vector("fmovs", to, parts_fabin(&bench.parts, COLOR, 1, 8),
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    DONE);
    vector.on_control = ARCH_WSE_CONTROL_ACTIVATES;
    vector.control_task = CUT;
    vector.saved = 1;
    parts_emit(&bench.parts, vector);
    bench_end_go(&bench);
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, DONE, ARCH_WSE_NONE);
    bench_end(&bench);
    bench_begin(&bench, ARCH_WSE_TASK_LOCAL, CUT, ARCH_WSE_NONE);
    bench_mark(&bench);
    store(low, 32);
    bench_end(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    assert_float_equal(bench_number(&bench, 1, 0, "got", 2), 3, 0);
    assert_float_equal(bench_number(&bench, 1, 0, "got", 3), 0, 0);
    assert_int_equal(word(1, "r", 0), 12); /* the address after 3 numbers */
    /* sent in cycle 10 + 34 + 3 + 34, there 6 later; 1 cycle, and a dispatch */
    BENCH_MARKS(&bench, 81 + 6 + 1 + 10);
}

/* An endless stream into memory, from a register: as far as the control wavelet. */
static void test_an_endless_stream_fills_memory(void **state G_GNUC_UNUSED)
{
    ArchWseProgram *program = NULL;
    ArchWseVector take;
    guint to = 0;
    guint from = 0;

    bench_lay(&bench, 2, 1);
    put_sender(1);
    bench_begin_go(&bench, "taker");
    program = bench.parts.program;
    const guint in = new_register();
    const guint length = bench_register(&bench, ARCH_WSE_ENDLESS);
    const guint out = new_register();

    (void) new_register();
    assert_int_equal(length, in + 1);
    (void) parts_array(&bench.parts, "got", ARCH_WSE_F32, 8);
    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 1); /* at 32 */
    assert_true(arch_wse_program_dsd_value(program, ARCH_WSE_NONE, out, NULL));
    assert_true(
        arch_wse_program_register_dsd(program, ARCH_WSE_IN_DSD, out, &to, NULL));
    assert_true(
        arch_wse_program_register_dsd(program, ARCH_WSE_IN_DSD, in, &from, NULL));
    assert_true(arch_wse_program_dsd_value(
        program, parts_fabin(&bench.parts, COLOR, 1, 8), in, NULL));
    assert_true(arch_wse_program_dsd_set(program, in, ARCH_WSE_LENGTH, false,
                                         ARCH_WSE_ENDLESS, NULL));
    take = parts_vector("fmovs", to, from, ARCH_WSE_NONE, ARCH_WSE_NONE);
    take.on_control = ARCH_WSE_CONTROL_ENDS;
    take.saved = 1;
    parts_emit(&bench.parts, take);
    store(out, 32);
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    assert_float_equal(bench_number(&bench, 1, 0, "got", 2), 3, 0);
    assert_int_equal(word(1, "r", 0), 12); /* where the fourth would go */
}

/* CSL's @dfilt: all goes into one word until the second control wavelet. */
static void test_data_are_dropped_until_the_last_control(void **state G_GNUC_UNUSED)
{
    ArchWseVector drop;
    guint nowhere = 0;

    bench_lay(&bench, 2, 1);
    put_sender(2);
    bench_begin_go(&bench, "taker");
    const guint address = new_register();
    const guint got = parts_array(&bench.parts, "lost", ARCH_WSE_U32, 1);
    const guint kept = parts_array(&bench.parts, "got", ARCH_WSE_F32, 3);

    assert_int_equal(got, 0);
    assert_true(arch_wse_program_register_dsd(bench.parts.program, ARCH_WSE_IN_ADDRESS,
                                              address, &nowhere, NULL));
    drop = parts_vector("mov32", nowhere,
                        parts_fabin(&bench.parts, COLOR, 1, ARCH_WSE_ENDLESS),
                        ARCH_WSE_NONE, ARCH_WSE_NONE);
    drop.on_control = ARCH_WSE_CONTROL_ENDS;
    drop.control_count = 2;
    parts_emit(&bench.parts, drop);
    bench_mark(&bench);
    parts_emit(&bench.parts,
               parts_vector("fmovs", parts_row(&bench.parts, kept, 0, 3, 1),
                            parts_fabin(&bench.parts, COLOR, 1, 3), ARCH_WSE_NONE,
                            ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    assert_float_equal(bench_number(&bench, 1, 0, "got", 0), 1, 0);
    assert_float_equal(bench_number(&bench, 1, 0, "got", 2), 3, 0);
    /* the second is sent 34 + 3 + 34 + 1 after the first, in 10 + 71 */
    BENCH_MARKS(&bench, 81 + 72 + 6 + 1);
}

/* Sends a + b, after which b is 0. */
static void test_a_source_is_zeroed_as_it_is_sent(void **state G_GNUC_UNUSED)
{
    const ArchWseFaboutDsd stream = {.color = COLOR,
                                     .queue = 0,
                                     .extent = 3,
                                     .elements_per_wavelet = 1,
                                     .zeroed = 2};
    guint out = 0;

    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "sender");
    const guint a = bench_numbers(&bench, "a", 3, 1);
    const guint b = bench_numbers(&bench, "b", 3, 10);

    assert_true(arch_wse_program_fabout_dsd(bench.parts.program, &stream, &out, NULL));
    parts_emit(&bench.parts, parts_vector("fadds", out, a, b, ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_begin_go(&bench, "taker");
    const guint got = parts_array(&bench.parts, "got", ARCH_WSE_F32, 3);

    parts_emit(&bench.parts,
               parts_vector("fmovs", parts_row(&bench.parts, got, 0, 3, 1),
                            parts_fabin(&bench.parts, COLOR, 1, 3), ARCH_WSE_NONE,
                            ARCH_WSE_NONE));
    bench_end_go(&bench);
    bench_put(&bench, 1, 0, 1, 0);
    bench_route(&bench, 0, 0, COLOR, R, E);
    bench_route(&bench, 1, 0, COLOR, W, R);
    bench_run(&bench);
    for (guint i = 0; i < 3; i++) {
        assert_float_equal(bench_number(&bench, 1, 0, "got", i), 11 + 2 * (float) i, 0);
        assert_float_equal(bench_number(&bench, 0, 0, "a", i), 1 + (float) i, 0);
        assert_float_equal(bench_number(&bench, 0, 0, "b", i), 0, 0);
    }
}

static void assert_refused(const ArchWseVector *vector, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(arch_wse_program_vector(bench.parts.program, vector, &error));
    assert_string_equal(error->message, message);
}

static void test_what_nobody_knows_is_refused(void **state G_GNUC_UNUSED)
{
    const ArchWseFaboutDsd zeroing = {.color = COLOR,
                                      .queue = 0,
                                      .extent = 3,
                                      .elements_per_wavelet = 1,
                                      .zeroed = 2};
    const ArchWseFabinDsd packed = {
        .color = COLOR, .queue = 1, .extent = 3, .elements_per_wavelet = 2};
    ArchWseVector vector;
    guint out = 0;
    guint in = 0;

    bench_begin_go(&bench, "odd");
    const guint u = bench_numbers(&bench, "u", 3, 1);

    vector = parts_vector("fnorms", u, u, ARCH_WSE_NONE, ARCH_WSE_NONE);
    assert_refused(&vector,
                   "program odd: task 8 (work): fnorms: what it computes is not "
                   "public, so it is not modelled");
    assert_true(arch_wse_program_fabout_dsd(bench.parts.program, &zeroing, &out, NULL));
    vector = parts_vector("fmovs", out, u, ARCH_WSE_NONE, ARCH_WSE_NONE);
    assert_refused(&vector, "program odd: task 8 (work): fmovs: source 1 is to be "
                            "zeroed, it has 1");
    out = parts_fabout(&bench.parts, COLOR, 0, 3);
    assert_true(arch_wse_program_fabin_dsd(bench.parts.program, &packed, &in, NULL));
    vector = parts_vector("mov16", out, in, ARCH_WSE_NONE, ARCH_WSE_NONE);
    assert_refused(&vector, "program odd: task 8 (work): mov16: streams of 1 and of 2 "
                            "elements in a wavelet");
}

/* Pushes 5 numbers into a FIFO for 3; then pops 2. */
static void test_a_full_fifo_is_given_up(void **state G_GNUC_UNUSED)
{
    ArchWseVector vector;
    guint fifo = 0;

    bench_begin_go(&bench, "tries");
    const guint u = bench_numbers(&bench, "u", 5, 1);
    const guint buffer = parts_array(&bench.parts, "buffer", ARCH_WSE_F32, 3);
    const guint y = parts_array(&bench.parts, "y", ARCH_WSE_F32, 2);
    const guint first = new_register();
    const guint second = new_register();

    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 2); /* at 40 */
    assert_true(arch_wse_program_fifo(bench.parts.program, buffer, &fifo, NULL));
    assert_true(arch_wse_program_fifo_tasks(bench.parts.program, fifo, DONE,
                                            ARCH_WSE_NONE, NULL));
    vector = parts_vector("fmovs", fifo, u, ARCH_WSE_NONE, ARCH_WSE_NONE);
    vector.is_tried = true;
    vector.tried = first;
    parts_emit(&bench.parts, vector);
    vector = parts_vector("fmovs", parts_row(&bench.parts, y, 0, 2, 1), fifo,
                          ARCH_WSE_NONE, ARCH_WSE_NONE);
    vector.is_tried = true;
    vector.tried = second;
    parts_emit(&bench.parts, vector);
    store(first, 40);
    store(second, 44);
    bench_end_go(&bench);
    bench_marker(&bench, DONE);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    assert_int_equal(word(0, "r", 0), 0);
    assert_int_equal(word(0, "r", 1), 1);
    assert_float_equal(bench_number(&bench, 0, 0, "buffer", 2), 3, 0);
    assert_float_equal(bench_number(&bench, 0, 0, "y", 1), 2, 0);
    /* 10; 34, 3 in 2 and 1 to give up; 34, 2 in 1; 2 stores; the task that pushes
     * activated */
    BENCH_MARKS(&bench, 10 + 37 + 35 + 2 + 10);
}

/* y[2..3] = u[1..2], both moved by the index */
static void test_an_index_moves_what_is_indexed(void **state G_GNUC_UNUSED)
{
    ArchWseVector vector;
    guint from = 0;
    guint to = 0;

    bench_begin_go(&bench, "index");
    (void) bench_numbers(&bench, "u", 4, 1);
    const guint y = parts_array(&bench.parts, "y", ARCH_WSE_F32, 4);

    from = parts_row(&bench.parts, 0, 0, 2, 1);
    assert_true(arch_wse_program_indexed(bench.parts.program, from, NULL));
    to = parts_row(&bench.parts, y, 2, 2, 1);
    vector = parts_vector("fmovs", to, from, ARCH_WSE_NONE, ARCH_WSE_NONE);
    vector.has_index = true;
    vector.index = constant(2);
    parts_emit(&bench.parts, vector);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    bench_run(&bench);
    assert_float_equal(bench_number(&bench, 0, 0, "y", 2), 2, 0);
    assert_float_equal(bench_number(&bench, 0, 0, "y", 3), 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_control_wavelet_ends_an_operation),
        BENCH_TEST(test_an_endless_stream_fills_memory),
        BENCH_TEST(test_data_are_dropped_until_the_last_control),
        BENCH_TEST(test_a_source_is_zeroed_as_it_is_sent),
        BENCH_TEST(test_what_nobody_knows_is_refused),
        BENCH_TEST(test_a_full_fifo_is_given_up),
        BENCH_TEST(test_an_index_moves_what_is_indexed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
