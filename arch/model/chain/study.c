/* Asks the models of chains. */
#include "arch/model/chain/study.h"

#include <math.h>

#include "sim/narrow.h"

/* Sums in another order differ in their last bits. */
#define ROUNDING 1e-12

const ChainPlan *chain_study_plan(const ChainStudy *self)
{
    return &self->plans[self->form];
}

bool chain_study_tree(ChainStudy *self, GError **error)
{
    if (!chain_order_init(&self->order, &self->chain, error)) {
        return false;
    }
    for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
        chain_plan_init(&self->plans[form], &self->chain, &self->order, self->words,
                        (ChainForm) form);
    }
    return true;
}

void chain_study_methods(ChainStudy *self, ChainMethod first, ChainMethod last)
{
    for (guint method = first; method <= sim_u32(last); method++) {
        self->methods[self->method_count] = (ChainMethod) method;
        chain_cost_init(&self->costs[self->method_count++], (ChainMethod) method,
                        self->chain.sizes, self->words, self->form);
    }
}

/* All orders and all fusions, of chains that are short enough. */
static void try_all(ChainStudy *self)
{
    const ChainPlan *plan = chain_study_plan(self);

    self->has_orders = self->chain.matrix_count <= CHAIN_MOST_TRIED;
    self->has_fusions = self->chain.matrix_count <= CHAIN_MOST_FUSED;
    if (self->has_orders && chain_order_by_trial(&self->chain) != plan->operations) {
        self->is_wrong = true;
    }
    if (self->has_fusions && !(fabs(chain_plan_by_trial(plan) - plan->fused_words) <=
                               ROUNDING * plan->fused_words)) {
        self->is_wrong = true;
    }
}

bool chain_study_check(ChainStudy *self, uint64_t seed, GError **error)
{
    const bool is_tree = chain_study_plan(self)->node_count > 0;

    if (!chain_trial_init(&self->trial, &self->chain, self->words, self->form, error) ||
        (is_tree && !chain_trial_run_plan(&self->trial, seed, error))) {
        return false;
    }
    if (!is_tree) {
        chain_trial_run_methods(&self->trial, seed);
    }
    self->is_wrong = !self->trial.is_right;
    if (is_tree) {
        try_all(self);
    }
    return true;
}

double chain_study_unfused(const ChainStudy *self, bool is_left)
{
    const uint64_t *p = self->chain.sizes;
    const uint64_t first[] = {p[is_left ? 0 : 1], p[is_left ? 1 : 2],
                              p[is_left ? 2 : 3]};
    const uint64_t second[] = {p[0], p[is_left ? 2 : 1], p[3]};
    ChainCost inner;
    ChainCost outer;

    chain_cost_init(&inner, CHAIN_KEEP_OUTPUT, first, self->words, self->form);
    chain_cost_init(&outer, CHAIN_KEEP_OUTPUT, second, self->words, self->form);
    return inner.words + outer.words;
}

double chain_study_loop_words(const ChainStudy *self, guint place)
{
    const ChainMethod method = self->methods[place];
    ChainTile tile;

    chain_tile_init(&tile, method, self->chain.sizes, self->words, self->form, false);
    return chain_tile_words(&tile, method, self->chain.sizes);
}

const char *chain_node_kind(const ChainNode *node)
{
    return node->is_inside ? "inside" : chain_fusion_name(node->fusion);
}

static void append_factor(GString *text, guint node, guint matrix)
{
    if (node == CHAIN_LEAF) {
        g_string_append_printf(text, "A%u", matrix);
    } else {
        g_string_append_printf(text, "T%u", node + 1);
    }
}

/* One factor, or in parentheses what a fused child reads. */
static void append_side(
    GString *text, const ChainPlan *plan, guint node, guint matrix, bool is_fused)
{
    if (!is_fused) {
        append_factor(text, node, matrix);
        return;
    }
    const ChainNode *child = &plan->nodes[node];

    g_string_append_c(text, '(');
    append_factor(text, child->left, child->first);
    g_string_append_c(text, ' ');
    append_factor(text, child->right, child->last);
    g_string_append_c(text, ')');
}

char *chain_plan_factors(const ChainPlan *plan, guint node)
{
    const ChainNode *at = &plan->nodes[node];
    const bool is_pair = !at->is_inside;
    GString *text = g_string_new(NULL);

    append_side(text, plan, at->left, at->first, is_pair && at->fusion == CHAIN_LEFT);
    g_string_append_c(text, ' ');
    append_side(text, plan, at->right, at->last, is_pair && at->fusion == CHAIN_RIGHT);
    return g_string_free(text, FALSE);
}
