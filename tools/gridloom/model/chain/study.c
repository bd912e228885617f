/* Asks the models of chains what the command line wants to know. */
#include <math.h>

#include "tools/gridloom/model/chain/chain.h"

/* Sums in another order differ in their last bits. */
#define ROUNDING 1e-12

void model_chain_study_free(ModelChainStudy *self)
{
    if (self != NULL) {
        if (self->survey != NULL) {
            g_array_unref(self->survey);
        }
        g_free(self);
    }
}

const ChainPlan *model_chain_plan(const ModelChainStudy *self)
{
    return &self->plans[self->options->form];
}

/* All orders and all fusions, of chains that are short enough. */
static void try_all(ModelChainStudy *self)
{
    const Chain *chain = &self->options->chain;
    const ChainPlan *plan = model_chain_plan(self);

    if (chain->matrix_count <= CHAIN_MOST_TRIED) {
        self->has_orders = true;
        self->is_wrong =
            self->is_wrong || chain_order_by_trial(chain) != plan->operations;
    }
    if (chain->matrix_count <= CHAIN_MOST_FUSED) {
        self->has_fusions = true;
        self->is_wrong =
            self->is_wrong || !(fabs(chain_plan_by_trial(plan) - plan->fused_words) <=
                                ROUNDING * plan->fused_words);
    }
}

static bool study_tree(ModelChainStudy *self, GError **error)
{
    const ModelChainOptions *options = self->options;

    if (!chain_order_init(&self->order, &options->chain, error)) {
        return false;
    }
    for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
        chain_plan_init(&self->plans[form], &options->chain, &self->order,
                        options->survey.words[0], (ChainForm) form);
    }
    return true;
}

static void study_methods(ModelChainStudy *self, ChainMethod first, ChainMethod last)
{
    const ModelChainOptions *options = self->options;

    for (guint method = first; method <= (guint) last; method++) {
        self->methods[self->method_count] = (ChainMethod) method;
        chain_cost_init(&self->costs[self->method_count++], (ChainMethod) method,
                        options->chain.sizes, options->survey.words[0], options->form);
    }
}

static bool check(ModelChainStudy *self, GError **error)
{
    const ModelChainOptions *options = self->options;
    const bool is_tree = options->kind == MODEL_CHAIN_TREE;

    if (!chain_trial_init(&self->trial, &options->chain, options->survey.words[0],
                          options->form, error) ||
        (is_tree && !chain_trial_run_plan(&self->trial, options->survey.seed, error))) {
        return false;
    }
    if (!is_tree) {
        chain_trial_run_methods(&self->trial, options->survey.seed);
    }
    self->is_wrong = !self->trial.is_right;
    if (is_tree) {
        try_all(self);
    }
    return true;
}

ModelChainStudy *model_chain_study_new(const ModelChainOptions *options, GError **error)
{
    g_autoptr(ModelChainStudy) self = g_new0(ModelChainStudy, 1);
    bool is_done = true;

    self->options = options;
    switch (options->kind) {
    case MODEL_CHAIN_TREE:
        is_done = study_tree(self, error);
        break;
    case MODEL_CHAIN_SINGLE:
        study_methods(self, CHAIN_KEEP_OUTPUT, CHAIN_KEEP_RIGHT);
        break;
    case MODEL_CHAIN_PAIR:
        study_methods(self, CHAIN_FUSE_LEFT, CHAIN_FUSE_RIGHT);
        break;
    case MODEL_CHAIN_SURVEY:
        self->survey = chain_survey_run(&options->survey, error);
        is_done = self->survey != NULL;
        break;
    }
    if (!is_done || (options->has_check && !check(self, error))) {
        return NULL;
    }
    return g_steal_pointer(&self);
}

double model_chain_unfused(const ModelChainStudy *self, bool is_left)
{
    const ModelChainOptions *options = self->options;
    const uint64_t *p = options->chain.sizes;
    const uint64_t first[] = {p[is_left ? 0 : 1], p[is_left ? 1 : 2],
                              p[is_left ? 2 : 3]};
    const uint64_t second[] = {p[0], p[is_left ? 2 : 1], p[3]};
    const uint64_t words = options->survey.words[0];
    ChainCost inner;
    ChainCost outer;

    chain_cost_init(&inner, CHAIN_KEEP_OUTPUT, first, words, options->form);
    chain_cost_init(&outer, CHAIN_KEEP_OUTPUT, second, words, options->form);
    return inner.words + outer.words;
}

const char *model_chain_kind(const ChainNode *node)
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

char *model_chain_factors(const ChainPlan *plan, guint node)
{
    const ChainNode *at = &plan->nodes[node];
    const bool is_pair = !at->is_inside;
    GString *text = g_string_new(NULL);

    append_side(text, plan, at->left, at->first, is_pair && at->fusion == CHAIN_LEFT);
    g_string_append_c(text, ' ');
    append_side(text, plan, at->right, at->last, is_pair && at->fusion == CHAIN_RIGHT);
    return g_string_free(text, FALSE);
}
