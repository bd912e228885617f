/* Chains of matrix products: the order of the fewest operations, and what moves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/chain/chain.h"
#include "arch/model/chain/plan.h"
#include "sim/random.h"
#include "tests/arch/near.h"

#define WORDS    65536
#define RELATIVE 1e-12

static const Chain published = {6, {936, 1008, 552, 368, 1016, 616, 544}};

static ChainPlan *plan_of(const Chain *chain, uint64_t words, ChainForm form)
{
    g_autofree ChainOrder *order = g_new0(ChainOrder, 1);
    ChainPlan *plan = g_new0(ChainPlan, 1);

    assert_true(chain_check(chain, words, NULL));
    assert_true(chain_order_init(order, chain, NULL));
    chain_plan_init(plan, chain, order, words, form);
    return plan;
}

static void the_published_example_is_exact(void **state)
{
    g_autofree ChainOrder *order = g_new0(ChainOrder, 1);
    g_autofree ChainPlan *plan = plan_of(&published, WORDS, CHAIN_AS_PRINTED);
    g_autofree char *text = NULL;

    (void) state;
    assert_true(chain_order_init(order, &published, NULL));
    text = chain_order_to_text(order, &published);
    assert_string_equal(text, "((A1(A2A3))((A4A5)A6))");
    assert_int_equal(plan->operations, 1092977664);
    assert_true(plan->single_words == 10190344);
    /* The thesis drops the part of a word. */
    assert_true(floor(plan->fused_before_output) == 7882874);
    assert_true(floor(plan->fused_words) == 8392058);
    assert_near("reduction", chain_plan_reduction(plan), 17.647, 5e-4);
}

/* Figure D.11, in 1e5 words; 0 is a dash. Order: hp hl hr, Fp Fl Fr, F. */
static void the_nodes_are_those_of_the_figure(void **state)
{
    static const struct {
        double local[3];
        double total[3];
        double least;
        ChainFusion fusion;
        double rows;
        double columns;
    } rows[] = {
        {{16, 0, 0}, {16, 0, 0}, 16, CHAIN_SINGLE, 256, 256},
        {{18, 0, 0}, {18, 0, 0}, 18, CHAIN_SINGLE, 256, 256},
        {{31, 0, 31}, {47, 0, 31}, 31, CHAIN_RIGHT, 311.6, 210.3},
        /* 297.3 is printed as 296. */
        {{12, 28, 0}, {30, 28, 0}, 28, CHAIN_LEFT, 220.4, 297.3},
        {{20, 44, 40}, {79, 88, 89}, 79, CHAIN_SINGLE, 256, 256},
    };
    g_autofree ChainPlan *plan = plan_of(&published, WORDS, CHAIN_AS_PRINTED);

    (void) state;
    assert_int_equal(plan->node_count, G_N_ELEMENTS(rows));
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const ChainNode *node = &plan->nodes[i];
        g_autofree char *name = g_strdup_printf("T%u", i + 1);

        for (guint k = 0; k < 3; k++) {
            assert_int_equal(isnan(node->local[k]) != 0, rows[i].local[k] == 0);
            assert_int_equal(isnan(node->total[k]) != 0, rows[i].total[k] == 0);
            if (rows[i].local[k] > 0) {
                assert_near(name, node->local[k] / 1e5, rows[i].local[k], 0.5);
                assert_near(name, node->total[k] / 1e5, rows[i].total[k], 0.5);
            }
        }
        assert_near(name, node->least / 1e5, rows[i].least, 0.5);
        assert_int_equal(node->fusion, rows[i].fusion);
        assert_near(name, node->costs[node->fusion].rows, rows[i].rows, 0.05);
        assert_near(name, node->costs[node->fusion].columns, rows[i].columns, 0.05);
        assert_int_equal(node->is_inside, i < 2);
    }
}

static void the_right_beta_fuses_other_products(void **state)
{
    g_autofree ChainPlan *plan = plan_of(&published, WORDS, CHAIN_CORRECTED);

    (void) state;
    assert_true(floor(plan->fused_words) == 9323278);
    assert_near("reduction", chain_plan_reduction(plan), 8.51, 5e-3);
    assert_int_equal(plan->nodes[2].fusion, CHAIN_SINGLE);
    assert_int_equal(plan->nodes[4].fusion, CHAIN_LEFT);
    /* T5 = (T3 T4) with T3 fused into it: T1 is a product of its own again, and what T3
     * would do by itself does not matter. */
    assert_false(plan->nodes[0].is_inside);
    assert_true(plan->nodes[1].is_inside);
    assert_true(plan->nodes[2].is_inside);
    assert_false(plan->nodes[3].is_inside);
    assert_near("tile", plan->nodes[2].costs[CHAIN_RIGHT].rows, 326.7, 0.05);
    assert_near("tile", plan->nodes[2].costs[CHAIN_RIGHT].columns, 200.6, 0.05);
}

static void
draw(Chain *chain, guint length, uint32_t least, uint32_t range, uint64_t *random)
{
    chain->matrix_count = length;
    for (guint i = 0; i <= length; i++) {
        chain->sizes[i] = least + sim_random_below(random, range);
    }
}

static void of_equal_orders_the_first_split_is_taken(void **state)
{
    const Chain chain = {4, {300, 300, 300, 300, 300}};
    g_autofree ChainOrder *order = g_new0(ChainOrder, 1);
    g_autofree char *text = NULL;

    (void) state;
    assert_true(chain_order_init(order, &chain, NULL));
    text = chain_order_to_text(order, &chain);
    assert_string_equal(text, "(A1(A2(A3A4)))");
}

static void no_order_takes_fewer_operations(void **state)
{
    uint64_t random = sim_random_stream(1, 0);

    (void) state;
    for (guint i = 0; i < 200; i++) {
        g_autofree ChainOrder *order = g_new0(ChainOrder, 1);
        const guint length = 2 + i % (CHAIN_MOST_TRIED - 1 - 1);
        Chain chain;

        draw(&chain, length, 1, i % 2 == 0 ? 8 : 5000, &random);
        assert_true(chain_order_init(order, &chain, NULL));
        assert_int_equal(chain_order_operations(order, &chain),
                         chain_order_by_trial(&chain));
    }
}

static void no_legal_fusion_moves_fewer_words(void **state)
{
    uint64_t random = sim_random_stream(2, 0);

    (void) state;
    for (guint i = 0; i < 300; i++) {
        Chain chain;

        draw(&chain, 2 + i % (CHAIN_MOST_FUSED - 1), 260, 1200, &random);
        g_autofree ChainPlan *plan = plan_of(&chain, WORDS, (ChainForm) (i % 3));

        assert_near("F", chain_plan_by_trial(plan), plan->fused_words,
                    RELATIVE * plan->fused_words);
        assert_true(plan->fused_words <= plan->single_words);
    }
}

/* No two edges that meet: who is inside another has nobody inside. And what F adds up
 * to is what its passes move. */
static void hyper_nodes_have_three_factors_at_most(void **state)
{
    uint64_t random = sim_random_stream(3, 0);

    (void) state;
    for (guint i = 0; i < 100; i++) {
        Chain chain;
        double words = 0;

        draw(&chain, 20, 320, 700, &random);
        g_autofree ChainPlan *plan = plan_of(&chain, 98304, CHAIN_CORRECTED);

        for (guint k = 0; k < plan->node_count; k++) {
            const ChainNode *node = &plan->nodes[k];

            if (node->is_inside) {
                continue;
            }
            words += node->costs[node->fusion].words;
            assert_int_equal(node->left != CHAIN_LEAF &&
                                 plan->nodes[node->left].is_inside,
                             node->fusion == CHAIN_LEFT);
            assert_int_equal(node->right != CHAIN_LEAF &&
                                 plan->nodes[node->right].is_inside,
                             node->fusion == CHAIN_RIGHT);
        }
        assert_near("F", words, plan->fused_words, RELATIVE * words);
    }
}

static void two_matrices_leave_nothing_to_fuse(void **state)
{
    const Chain chain = {2, {300, 400, 500}};
    g_autofree ChainPlan *plan = plan_of(&chain, WORDS, CHAIN_CORRECTED);

    (void) state;
    assert_int_equal(plan->node_count, 1);
    assert_int_equal(plan->operations, 60000000);
    assert_true(plan->single_words == 2 * 60000000.0 / 256 + 150000);
    assert_true(plan->fused_words == plan->single_words);
    assert_true(chain_plan_reduction(plan) == 0);
}

static void
assert_refused(const Chain *chain, uint64_t words, gint code, const char *says)
{
    g_autoptr(GError) error = NULL;

    assert_false(chain_check(chain, words, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, code));
    assert_string_equal(error->message, says);
}

static void chains_that_the_formulas_do_not_cover_are_refused(void **state)
{
    (void) state;
    assert_refused(&(Chain){0, {5}}, WORDS, ARCH_ERROR_INVALID,
                   "a chain of 0 matrices, allowed are 2..64 matrices: 3..65 sizes");
    assert_refused(&(Chain){1, {500, 500}}, WORDS, ARCH_ERROR_INVALID,
                   "a chain of 1 matrix, allowed are 2..64 matrices: 3..65 sizes");
    assert_refused(&(Chain){65, {0}}, WORDS, ARCH_ERROR_INVALID,
                   "a chain of 65 matrices, allowed are 2..64 matrices: 3..65 sizes");
    assert_refused(&(Chain){2, {500, 0, 500}}, WORDS, ARCH_ERROR_INVALID,
                   "P1 = 0, allowed is 1..1000000000");
    assert_refused(
        &(Chain){2, {500, 500, 200}}, WORDS, ARCH_ERROR_UNMODELLED,
        "P2: the formula does not hold: size 200 is below sqrt(65536) = 256");
    assert_refused(
        &(Chain){2, {500, 256, 500}}, WORDS, ARCH_ERROR_UNMODELLED,
        "P1: the formula does not hold: size 256 is not above sqrt(65536) = 256");
    assert_refused(
        &(Chain){2, {313, 500, 500}}, 98304, ARCH_ERROR_UNMODELLED,
        "P0: the formula does not hold: size 313 is below sqrt(98304) = 313.535");
    assert_true(chain_check(&(Chain){2, {257, 257, 257}}, WORDS, NULL));
}

static void counts_beyond_63_bits_are_refused_and_never_wrap(void **state)
{
    g_autofree ChainOrder *order = g_new0(ChainOrder, 1);
    g_autoptr(GError) error = NULL;
    const Chain huge = {2, {CHAIN_MOST_SIZE, CHAIN_MOST_SIZE, CHAIN_MOST_SIZE}};
    /* One order overflows, the other does not. */
    const Chain flat = {3, {1000000000, 1000, 1000000000, 1000}};
    Chain longest = {CHAIN_MATRICES, {0}};

    (void) state;
    assert_false(chain_order_init(order, &huge, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
    assert_true(chain_order_init(order, &flat, NULL));
    assert_int_equal(chain_order_operations(order, &flat), 2000000000000000);
    for (guint i = 0; i <= CHAIN_MATRICES; i++) {
        longest.sizes[i] = 300 + i;
    }
    assert_true(chain_order_init(order, &longest, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_example_is_exact),
        cmocka_unit_test(the_nodes_are_those_of_the_figure),
        cmocka_unit_test(the_right_beta_fuses_other_products),
        cmocka_unit_test(of_equal_orders_the_first_split_is_taken),
        cmocka_unit_test(no_order_takes_fewer_operations),
        cmocka_unit_test(no_legal_fusion_moves_fewer_words),
        cmocka_unit_test(hyper_nodes_have_three_factors_at_most),
        cmocka_unit_test(two_matrices_leave_nothing_to_fuse),
        cmocka_unit_test(chains_that_the_formulas_do_not_cover_are_refused),
        cmocka_unit_test(counts_beyond_63_bits_are_refused_and_never_wrap),
    };

    return cmocka_run_group_tests_name("arch.chain", tests, NULL, NULL);
}
