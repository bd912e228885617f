/* Multiplies a small chain with the loops that its plan chose, and checks that the
 * numbers equal the plain product and that as many words move as modelled. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/chain/chain.h"
#include "arch/model/chain/loops.h"
#include "arch/model/chain/plan.h"

enum {
    CHAIN_TRIAL_ROWS = 2 * CHAIN_METHODS, /* at most */
};

typedef struct {
    char name[32];    /* "keep_output", "chain, single", "chain, fused" */
    bool is_strict;   /* fast memory holds the streams, too */
    double formula;   /* words of the closed form */
    double predicted; /* by whole tiles; exact */
    ChainTraffic traffic;
    uint64_t capacity; /* of fast memory: M, or M plus the streams */
    bool is_equal;     /* to the plain product, in every number */
    bool is_right; /* equal, with as many words moved as predicted and no more held than
                    * fit */
} ChainTrialRow;

typedef struct {
    uint64_t scale; /* sizes are divided by it, words by its square */
    Chain chain;
    uint64_t words;
    ChainForm form;
    guint row_count;
    ChainTrialRow rows[CHAIN_TRIAL_ROWS];
    bool is_right; /* all rows are */
} ChainTrial;

/* Sizes are divided by about the least number with which the plain product takes at
 * most 2^24 multiplications, and rounded up. Numbers are whole and so small that no sum
 * is rounded, so that the order of additions does not matter. Fails with
 * ARCH_ERROR_UNMODELLED if too few words of fast memory are left. */
bool chain_trial_init(ChainTrial *self,
                      const Chain *chain,
                      uint64_t words,
                      ChainForm form,
                      GError **error);

/* The five methods on two or three matrices, those that fit the chain's length. */
void chain_trial_run_methods(ChainTrial *self, uint64_t seed);

/* Runs the whole tree twice: as single products, and with the plan's fusions. Fails
 * like chain_order_init(). */
bool chain_trial_run_plan(ChainTrial *self, uint64_t seed, GError **error);
