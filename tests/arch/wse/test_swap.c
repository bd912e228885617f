/* Colors that swap with their neighbours as wavelets go from router to router. */
#include "arch/error.h"
#include "sim/narrow.h"
#include "tests/arch/wse/bench.h"

enum {
    RED = 4,
    BLUE = 5,
    WIDTH = 4,
    WORDS = 8,
};

static void configure(guint x, guint y, guint color, guint rx, guint tx)
{
    const ArchWseColorConfig config = {
        .position_count = 1,
        .positions = {{sim_u8(rx), sim_u8(tx)}},
        .is_swapped_x = true,
    };

    wse_rig_set_config(bench.layout, wse_rig_one(x, y), color, &config);
}

/* Sums up what comes on one color, and twice what comes on the other. */
static void put_sums(guint x, bool is_sender)
{
    bench_program(&bench, "sums");
    ArchWseProgram *program = bench.parts.program;
    const ArchWseType type = ARCH_WSE_U32;
    const guint sum = bench_register(&bench, 0);
    const guint u = parts_array(&bench.parts, "u", ARCH_WSE_U32, WORDS);

    (void) parts_array(&bench.parts, "sum", ARCH_WSE_U32, 1);
    for (guint i = 0; i < WORDS; i++) {
        const double value = i + 1;

        assert_true(arch_wse_program_set(program, u, i, &value, 1, NULL));
    }
    for (guint color = RED; color <= BLUE; color++) {
        const guint word = bench_register(&bench, 0);
        const ArchWseOperand operands[] = {bench_in(sum), bench_in(word)};

        bench_begin(&bench, ARCH_WSE_TASK_DATA, color, ARCH_WSE_NONE);
        assert_true(arch_wse_program_arguments(program, &type, 1, word, NULL));
        for (guint i = RED; i <= color; i++) {
            assert_true(
                arch_wse_program_operate(program, "add", type, sum, operands, NULL));
        }
        assert_true(arch_wse_program_store(program, type, bench_in(sum),
                                           bench_constant(4 * WORDS), 0, NULL));
        bench_end(&bench);
    }
    if (is_sender) {
        bench_begin(&bench, ARCH_WSE_TASK_LOCAL, BENCH_GO, ARCH_WSE_NONE);
        parts_emit(&bench.parts,
                   parts_vector("mov32", parts_fabout(&bench.parts, BLUE, 2, WORDS),
                                parts_row(&bench.parts, u, 0, WORDS, 1), ARCH_WSE_NONE,
                                ARCH_WSE_NONE));
        bench_end_go(&bench);
    }
    bench_put(&bench, x, 0, x, 0);
}

/* Every second PE takes what began as blue for red. */
static void test_colors_swap_from_router_to_router(void **state G_GNUC_UNUSED)
{
    const guint sum = WORDS * (WORDS + 1) / 2;

    bench_lay(&bench, WIDTH, 1);
    for (guint x = 0; x < WIDTH; x++) {
        put_sums(x, x == 0);
        for (guint color = RED; color <= BLUE; color++) {
            configure(x, 0, color, x == 0 ? R : W, x + 1 < WIDTH ? R | E : R);
        }
    }
    bench_run(&bench);
    for (guint x = 0; x < WIDTH; x++) {
        assert_int_equal(bench_word(&bench, x, 0, "sum", 0),
                         x % 2 == 0 ? 2 * sum : sum);
    }
}

/* With both axes what the PE sends is swapped, too. */
static void test_both_axes_swap_at_the_ramp(void **state G_GNUC_UNUSED)
{
    const ArchWseColorConfig config = {
        .position_count = 1,
        .positions = {{R, R}},
        .is_swapped_x = true,
        .is_swapped_y = true,
    };

    put_sums(0, true);
    wse_rig_set_config(bench.layout, wse_rig_one(0, 0), RED, &config);
    wse_rig_set_config(bench.layout, wse_rig_one(0, 0), BLUE, &config);
    bench_run(&bench);
    assert_int_equal(bench_word(&bench, 0, 0, "sum", 0), WORDS * (WORDS + 1) / 2);
}

static void test_one_color_of_a_pair_does_not_swap_alone(void **state G_GNUC_UNUSED)
{
    put_sums(0, true);
    configure(0, 0, RED, R, R);
    bench_route(&bench, 0, 0, BLUE, R, R);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                         "pe[0,0] color 4: it swaps in another way than color 5, "
                         "modelled is a swap of both");
}

/* Registers show the swap, and cannot change it. */
static void test_a_swap_stays_as_it_is(void **state G_GNUC_UNUSED)
{
    bench_begin_go(&bench, "registers");
    const guint word = bench_register(&bench, 0);
    const ArchWseOperand address = bench_constant(0x7f20 + RED);

    (void) parts_array(&bench.parts, "sum", ARCH_WSE_U32, 1);
    assert_true(arch_wse_program_get_config(bench.parts.program, word, address, NULL));
    assert_true(arch_wse_program_store(bench.parts.program, ARCH_WSE_U32,
                                       bench_in(word), bench_constant(0), 0, NULL));
    assert_true(arch_wse_program_set_config(bench.parts.program, address,
                                            bench_in(word), NULL));
    assert_true(arch_wse_program_set_config(bench.parts.program, address,
                                            bench_constant(0), NULL));
    bench_end_go(&bench);
    bench_put(&bench, 0, 0, 0, 0);
    configure(0, 0, RED, R, R);
    arch_wse_layout_allow_loose_ends(bench.layout);
    bench_assert_failure(&bench, ARCH_ERROR, ARCH_ERROR_INVALID,
                         "pe[0,0]: registers: the swap of color 4 changes, which is "
                         "modelled only from the start on");
    assert_int_equal(bench_word(&bench, 0, 0, "sum", 0), 1 << 4 | 1 << 9 | 1 << 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_colors_swap_from_router_to_router),
        BENCH_TEST(test_both_axes_swap_at_the_ramp),
        BENCH_TEST(test_one_color_of_a_pair_does_not_swap_alone),
        BENCH_TEST(test_a_swap_stays_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
