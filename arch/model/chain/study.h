/* A study of a chain: its tree in all forms of the model, or the methods of one or two
 * products, and a check by loops on real numbers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/chain/chain.h"
#include "arch/model/chain/cost.h"
#include "arch/model/chain/plan.h"
#include "arch/model/chain/survey.h"
#include "arch/model/chain/trial.h"

typedef struct {
    Chain chain;
    uint64_t words; /* of fast memory */
    ChainForm form; /* the form to report */
    ChainOrder order;
    ChainPlan plans[CHAIN_SURVEY_FORMS]; /* by form; without nodes unless a tree was
                                          * studied */
    guint method_count;                  /* of one product or two */
    ChainMethod methods[CHAIN_METHODS];
    ChainCost costs[CHAIN_METHODS];
    ChainTrial trial; /* without rows if nothing was checked */
    bool has_orders;  /* all orders were tried */
    bool has_fusions;
    bool is_wrong; /* the trial, an order or a fusion disagreed */
} ChainStudy;

/* Chain, words and form must be set, all else 0. The first studies a whole chain and
 * fails like chain_order_init(); the second studies the methods first..last of one or
 * two products. */
bool chain_study_tree(ChainStudy *self, GError **error);
void chain_study_methods(ChainStudy *self, ChainMethod first, ChainMethod last);

/* Runs the loops, and tries all orders and fusions of chains that are short enough.
 * Fails like chain_trial_init() and chain_trial_run_plan(). */
bool chain_study_check(ChainStudy *self, uint64_t seed, GError **error);

/* The plan of the reported form. */
const ChainPlan *chain_study_plan(const ChainStudy *self);

/* Two products that are not fused, either way (D.16, D.17). */
double chain_study_unfused(const ChainStudy *self, bool is_left);

/* Words that loops over whole-word tiles move, for the method at `place`. */
double chain_study_loop_words(const ChainStudy *self, guint place);

/* The product that a node computes, in terms of the matrices and nodes that its pass
 * reads: "A1 (A2 A3)". The caller frees it. */
char *chain_plan_factors(const ChainPlan *plan, guint node);

/* "inside" where the node is fused into its parent, else chain_fusion_name(). */
const char *chain_node_kind(const ChainNode *node);
