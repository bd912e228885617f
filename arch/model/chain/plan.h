/* The words that a chain of matrix products moves on the tree with the fewest
 * operations: with each product as a separate pass (S), and with some fused in pairs,
 * hyper-nodes (F). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/chain/chain.h"
#include "arch/model/chain/cost.h"

enum {
    CHAIN_NODES = CHAIN_MATRICES - 1,
    CHAIN_MOST_FUSED = 14, /* most matrices for which all fusions are tried */
};

/* A child that is a matrix of the chain, not a node. */
#define CHAIN_LEAF G_MAXUINT

typedef enum {
    CHAIN_SINGLE, /* Fp: not fused */
    CHAIN_LEFT,   /* Fl: with its left child */
    CHAIN_RIGHT,  /* Fr: with its right child */
} ChainFusion;

/* "single", "left", "right". */
const char *chain_fusion_name(ChainFusion fusion);

/* The product of matrices first..last, whose factors end and begin at `split`. Costs
 * are words, or NAN if the fusion does not exist: a leaf cannot be fused. */
typedef struct {
    guint first;
    guint last;
    guint split;
    guint left; /* nodes, or CHAIN_LEAF */
    guint right;
    double local[CHAIN_RIGHT + 1];    /* hp, hl, hr (D.20 to D.22), without the write of
                                       * the node itself */
    double total[CHAIN_RIGHT + 1];    /* Fp, Fl, Fr (D.24 to D.26), of its tree */
    double least;                     /* F (D.23) */
    ChainFusion fusion;               /* the one with the least total */
    bool is_inside;                   /* fused into its parent: never in slow memory */
    ChainCost costs[CHAIN_RIGHT + 1]; /* with their patches */
} ChainNode;

typedef struct {
    Chain chain;
    uint64_t words; /* M */
    ChainForm form;
    uint64_t operations;
    double single_words;          /* S (D.18) */
    double fused_before_output;   /* F of the root */
    double fused_words;           /* with the write of the result */
    guint node_count;             /* the root is the last */
    ChainNode nodes[CHAIN_NODES]; /* T1, T2 and so on: short ones first, then from the
                                   * left */
} ChainPlan;

/* The chain must pass chain_check(), and `order` must be its order. */
void chain_plan_init(ChainPlan *self,
                     const Chain *chain,
                     const ChainOrder *order,
                     uint64_t words,
                     ChainForm form);

/* Percent of S that F saves. */
double chain_plan_reduction(const ChainPlan *self);

/* The loops that compute a node, and their sizes: P0, P1, P2 and, if it is fused, P3.
 */
ChainMethod chain_plan_method(const ChainPlan *self,
                              guint node,
                              ChainFusion fusion,
                              uint64_t sizes[CHAIN_METHOD_SIZES]);

/* Words that loops over whole tiles move for all of the tree, fused or not; `is_strict`
 * as in chain_tile_init(). */
double chain_plan_tile_words(const ChainPlan *self, bool is_fused, bool is_strict);

/* The total without a recurrence: tries all legal fusions, in which no two edges of the
 * tree meet. For at most CHAIN_MOST_FUSED matrices. */
double chain_plan_by_trial(const ChainPlan *self);
