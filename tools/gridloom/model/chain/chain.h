/* What `gridloom model chain` was asked and finds out. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/model/chain/chain.h"
#include "arch/model/chain/cost.h"
#include "arch/model/chain/plan.h"
#include "arch/model/chain/survey.h"
#include "arch/model/chain/trial.h"
#include "tools/gridloom/model/output.h"

typedef enum {
    MODEL_CHAIN_TREE,   /* a whole chain */
    MODEL_CHAIN_SINGLE, /* one product: R, A1 or A2 stays */
    MODEL_CHAIN_PAIR,   /* two products: fused to the left or to the right */
    MODEL_CHAIN_SURVEY, /* random chains */
} ModelChainKind;

typedef struct {
    ModelChainKind kind;
    ChainForm form;
    Chain chain;               /* not for a survey */
    ChainSurveySetting survey; /* its first words are those of a chain, too */
    bool has_check;
    ModelOutput output;
} ModelChainOptions;

/* Takes ModelChainOptions. */
int model_chain_run(gpointer options);

typedef struct {
    const ModelChainOptions *options;
    ChainOrder order;
    ChainPlan plans[CHAIN_SURVEY_FORMS]; /* of a tree, by form */
    guint method_count;                  /* of a product or a pair */
    ChainMethod methods[CHAIN_METHODS];
    ChainCost costs[CHAIN_METHODS];
    GArray *survey;   /* of ChainSurveyRow; NULL for none */
    ChainTrial trial; /* without rows where nothing was checked */
    bool has_orders;  /* all of them were tried */
    bool has_fusions;
    bool is_wrong; /* the trial, an order or a fusion */
} ModelChainStudy;

/* Fails as chain_order_init(), chain_trial_init() and chain_survey_run(). */
ModelChainStudy *model_chain_study_new(const ModelChainOptions *options,
                                       GError **error);
void model_chain_study_free(ModelChainStudy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ModelChainStudy, model_chain_study_free)

/* Of the form that was asked for. */
const ChainPlan *model_chain_plan(const ModelChainStudy *self);

/* Two products that are not fused, either way (D.16, D.17), for a pair. */
double model_chain_unfused(const ModelChainStudy *self, bool is_left);

/* What a node makes, of the matrices and nodes that its pass reads: "A1 (A2 A3)". The
 * caller frees it. */
char *model_chain_factors(const ChainPlan *plan, guint node);

/* "inside" where the node is fused into its parent, else chain_fusion_name(). */
const char *model_chain_kind(const ChainNode *node);

/* What a ModelPage asks; `study` is a ModelChainStudy. */
JsonObject *model_chain_parameters(gconstpointer study);
JsonObject *model_chain_metrics(gconstpointer study);
char *model_chain_csv(gconstpointer study);
void model_chain_print(gconstpointer study);

/* The tree with its hyper-nodes; words over the shape of tiles of one area; or savings
 * over lengths. */
char *model_chain_svg(gconstpointer study);

/* The first of these, for a study of a tree. */
char *model_chain_tree_svg(const ModelChainStudy *self);
