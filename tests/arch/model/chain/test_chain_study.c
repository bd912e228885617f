/* Studies of chains: trees, methods of one and two products, and checks of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/model/chain/study.h"

static ChainStudy *study_of(const uint64_t *sizes, guint matrix_count, uint64_t words)
{
    ChainStudy *self = g_new0(ChainStudy, 1);

    self->chain.matrix_count = matrix_count;
    memcpy(self->chain.sizes, sizes, (matrix_count + 1) * sizeof *sizes);
    self->words = words;
    return self;
}

/* The example of the thesis. */
static void a_tree_is_planned_in_all_forms_and_checked(void **state G_GNUC_UNUSED)
{
    static const uint64_t sizes[] = {936, 1008, 552, 368, 1016, 616, 544};
    g_autofree ChainStudy *study = study_of(sizes, 6, 65536);

    assert_true(chain_study_tree(study, NULL));
    assert_ptr_equal(chain_study_plan(study), &study->plans[CHAIN_CORRECTED]);
    assert_true(study->plans[CHAIN_AS_PRINTED].fused_words <
                study->plans[CHAIN_CORRECTED].fused_words);
    assert_true(chain_study_check(study, 1, NULL));
    assert_true(study->has_orders);
    assert_true(study->has_fusions);
    assert_false(study->is_wrong);
    assert_true(study->trial.row_count > 0);
}

static void nodes_say_what_they_are_made_of(void **state G_GNUC_UNUSED)
{
    static const uint64_t sizes[] = {936, 1008, 552, 368};
    g_autofree ChainStudy *study = study_of(sizes, 3, 65536);

    assert_true(chain_study_tree(study, NULL));
    const ChainPlan *plan = chain_study_plan(study);
    const ChainNode *root = &plan->nodes[1];
    g_autofree char *inner = chain_plan_factors(plan, 0);
    g_autofree char *outer = chain_plan_factors(plan, 1);

    assert_int_equal(plan->node_count, 2);
    assert_string_equal(inner, root->left == CHAIN_LEAF ? "A2 A3" : "A1 A2");
    if (root->fusion == CHAIN_SINGLE) {
        assert_string_equal(outer, root->left == CHAIN_LEAF ? "A1 T1" : "T1 A3");
    } else {
        assert_string_equal(outer,
                            root->left == CHAIN_LEAF ? "A1 (A2 A3)" : "(A1 A2) A3");
        assert_string_equal(chain_node_kind(&plan->nodes[0]), "inside");
    }
    assert_string_equal(chain_node_kind(root), chain_fusion_name(root->fusion));
}

static void methods_are_asked_and_checked(void **state G_GNUC_UNUSED)
{
    static const uint64_t sizes[] = {60, 55, 50, 70};
    g_autofree ChainStudy *pair = study_of(sizes, 3, 64);
    ChainCost first;
    ChainCost second;

    chain_study_methods(pair, CHAIN_FUSE_LEFT, CHAIN_FUSE_RIGHT);
    assert_int_equal(pair->method_count, 2);
    /* A tile cannot move fewer words than the closed form. */
    assert_true(chain_study_loop_words(pair, 0) >= pair->costs[0].words);
    chain_cost_init(&first, CHAIN_KEEP_OUTPUT, (uint64_t[]){60, 55, 50}, 64,
                    CHAIN_CORRECTED);
    chain_cost_init(&second, CHAIN_KEEP_OUTPUT, (uint64_t[]){60, 50, 70}, 64,
                    CHAIN_CORRECTED);
    assert_true(chain_study_unfused(pair, true) == first.words + second.words);
    assert_true(chain_study_check(pair, 1, NULL));
    assert_false(pair->is_wrong);
    assert_false(pair->has_orders);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_planned_in_all_forms_and_checked),
        cmocka_unit_test(nodes_say_what_they_are_made_of),
        cmocka_unit_test(methods_are_asked_and_checked),
    };

    return cmocka_run_group_tests_name("arch.chain_study", tests, NULL, NULL);
}
