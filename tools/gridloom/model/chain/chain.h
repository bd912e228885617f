/* The options of `gridloom model chain` and its findings. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/model/chain/study.h"
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
    ChainSurveySetting survey; /* it shares its first words with a chain */
    bool has_check;
    ModelOutput output;
} ModelChainOptions;

typedef struct {
    const ModelChainOptions *options;
    ChainStudy *study; /* NULL for a survey */
    GArray *survey;    /* of ChainSurveyRow; NULL for none */
} ModelChainStudy;

/* For ModelPage; `study` is a ModelChainStudy. The picture shows the tree with its
 * hyper-nodes, words over the shape of tiles of one area, or savings over lengths. */
JsonObject *model_chain_parameters(gconstpointer study);
JsonObject *model_chain_metrics(gconstpointer study);
char *model_chain_csv(gconstpointer study);
void model_chain_print(gconstpointer study);
char *model_chain_svg(gconstpointer study);

/* Rows of tables: the nodes of a tree, the methods of one product or two. */
JsonArray *model_chain_nodes_json(const ChainPlan *plan);
JsonArray *model_chain_methods_json(const ChainStudy *study);
