/* Functions that run when colors are torn down. */
#include "arch/error.h"
#include "sim/error.h"
#include "tests/arch/wse/bench.h"

enum {
    ONE = 4,
    OTHER = 5,
    WORDS = 3,
};

static guint send_of(guint color, guint queue, bool is_control, guint extent)
{
    const ArchWseFaboutDsd config = {.color = color,
                                     .queue = queue,
                                     .extent = extent,
                                     .elements_per_wavelet = 1,
                                     .is_control = is_control};
    guint dsd = 0;

    assert_true(arch_wse_program_fabout_dsd(bench.parts.program, &config, &dsd, NULL));
    return dsd;
}

static void emit_send(const char *name, guint to, guint from)
{
    parts_emit(&bench.parts,
               parts_vector(name, to, from, ARCH_WSE_NONE, ARCH_WSE_NONE));
}

/* PE 0 tears `OTHER` down at PE 1, then `ONE`, and sends three words on `ONE`. */
static void put_sender(void)
{
    const ArchWseControl teardown[] = {{ARCH_WSE_NOP, true}, {ARCH_WSE_TEARDOWN, true}};
    ArchWseColorConfig config = {
        .position_count = 1, .positions = {{R, E}}, .pop_mode = ARCH_WSE_ALWAYS_POP};
    guint payload = 0;

    bench_lay(&bench, 2, 1);
    bench_begin_go(&bench, "sender");
    const guint u = bench_numbers(&bench, "u", WORDS, 1);

    assert_true(arch_wse_program_word(bench.parts.program,
                                      arch_wse_control_payload(teardown, 2, 31),
                                      &payload, NULL));
    emit_send("mov32", send_of(OTHER, 2, true, 1), payload);
    emit_send("mov32", send_of(ONE, 3, true, 1), payload);
    emit_send("fmovs", send_of(ONE, 3, false, WORDS), u);
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    for (guint color = ONE; color <= OTHER; color++) {
        config.positions[0] = (ArchWsePosition){R, E};
        wse_rig_set_config(bench.layout, wse_rig_one(0, 0), color, &config);
        config.positions[0] = (ArchWsePosition){W, R};
        wse_rig_set_config(bench.layout, wse_rig_one(1, 0), color, &config);
    }
}

/* A handler counts its calls in word `at` of r, and lets traffic go on if it should. */
static void add_handler(guint color, int at, bool is_exit)
{
    ArchWseProgram *program = bench.parts.program;
    const guint count = bench_register(&bench, 0);
    const ArchWseOperand operands[] = {bench_in(count), bench_constant(1)};
    guint function = 0;

    assert_true(arch_wse_program_function(program, "handler", &function, NULL));
    assert_true(arch_wse_program_begin_function(program, function, NULL));
    assert_true(
        arch_wse_program_operate(program, "add", ARCH_WSE_U16, count, operands, NULL));
    assert_true(arch_wse_program_store(program, ARCH_WSE_U32, bench_in(count),
                                       bench_constant(4 * at), 0, NULL));
    if (is_exit) {
        assert_true(arch_wse_program_teardown_exit(program, color, NULL));
    }
    assert_true(arch_wse_program_end_function(program, NULL));
    assert_true(arch_wse_program_teardown_handler(program, function, color, NULL));
}

static void begin_taker(void)
{
    guint got = 0;

    bench_begin_go(&bench, "taker");
    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 2);
    got = parts_array(&bench.parts, "got", ARCH_WSE_F32, WORDS);
    parts_emit(
        &bench.parts,
        bench_async(parts_vector("fmovs", parts_row(&bench.parts, got, 0, WORDS, 1),
                                 parts_fabin(&bench.parts, ONE, 1, WORDS),
                                 ARCH_WSE_NONE, ARCH_WSE_NONE),
                    ARCH_WSE_NONE));
    (void) parts_fabin(&bench.parts, OTHER, 2, WORDS);
    bench_end_go(&bench);
}

static void test_each_color_calls_its_handler_once(void **state G_GNUC_UNUSED)
{
    put_sender();
    begin_taker();
    add_handler(ONE, 0, true);
    add_handler(OTHER, 1, false); /* stays torn down while the other's runs */
    bench_put(&bench, 1, 0, 1, 0);
    bench_run(&bench);
    assert_int_equal(bench_word(&bench, 1, 0, "r", 0), 1);
    assert_int_equal(bench_word(&bench, 1, 0, "r", 1), 1);
    assert_float_equal(bench_number(&bench, 1, 0, "got", WORDS - 1), WORDS, 0);
}

/* Nobody lets its words go on, and nobody is called for a color without a handler. */
static void test_without_a_handler_the_color_stands_still(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    put_sender();
    begin_taker();
    bench_put(&bench, 1, 0, 1, 0);
    bench.engine = sim_engine_new(sim_engine_config_default());
    bench.wse = arch_wse_new(bench.engine, bench.parts.params);
    assert_true(
        arch_wse_load(bench.wse, g_steal_pointer(&bench.layout), &bench.options, NULL));
    arch_wse_start(bench.wse);
    assert_false(sim_engine_run(bench.engine, SIM_TIME_NEVER, &error));
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_DEADLOCK));
}

static void test_handlers_that_clash_are_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    ArchWseProgram *program = bench_program(&bench, "clash");

    (void) parts_array(&bench.parts, "r", ARCH_WSE_U32, 2);
    add_handler(ONE, 0, true);
    assert_false(arch_wse_program_teardown_handler(program, 0, ONE, &error));
    assert_string_equal(error->message,
                        "program clash: a second teardown handler of color 4");
    g_clear_error(&error);
    assert_false(arch_wse_program_teardown_handler(program, 7, OTHER, &error));
    assert_string_equal(error->message, "program clash: function 7, there are 1");
    g_clear_error(&error);
    bench_marker(&bench, 29);
    assert_false(arch_wse_program_finish(program, &error));
    assert_string_equal(error->message,
                        "program clash: task 29 for teardown, it is work already");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_each_color_calls_its_handler_once),
        BENCH_TEST(test_without_a_handler_the_color_stands_still),
        BENCH_TEST(test_handlers_that_clash_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
