/* How much fusing saves on random chains: Table D.1. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/model/chain/chain.h"
#include "arch/model/chain/cost.h"

/* The thesis does not say how its 19,000 chains were drawn. Uniform multiples of 8 in
 * this range give its averages, which is why they are assumed. */
enum {
    CHAIN_SURVEY_LEAST_SIZE = 320,
    CHAIN_SURVEY_MOST_SIZE = 1024,
    CHAIN_SURVEY_STEP = 8,
    CHAIN_SURVEY_WORDS = 4,    /* sizes of fast memory at once, at most */
    CHAIN_SURVEY_AVERAGED = 3, /* matrices from which on the last line of the table
                                * averages */
    CHAIN_SURVEY_FORMS = CHAIN_WHOLE + 1,
};

typedef struct {
    guint chain_count; /* of each length */
    guint from;        /* matrices */
    guint to;
    uint64_t seed;
    guint words_count;
    uint64_t words[CHAIN_SURVEY_WORDS];
} ChainSurveySetting;

/* Percent of S that F saves, over all chains of a length. */
typedef struct {
    guint length;
    uint64_t words;
    ChainForm form;
    double average;
    double minimum;
    double maximum;
    uint64_t fused; /* hyper-nodes of all chains */
    uint64_t wide;  /* of them, those whose patch is longer than its matrix */
} ChainSurveyRow;

/* One of its chains, of so many matrices; `state` is that of sim/random.h. */
void chain_survey_draw(Chain *chain, guint length, uint64_t *state);

/* Rows by form, then words, then length; the caller frees it. All forms and words see
 * the same chains, and those of a length do not depend on other lengths. Fails with
 * ARCH_ERROR_UNMODELLED where sizes may be drawn for which the formulas do not hold. */
GArray *chain_survey_run(const ChainSurveySetting *setting, GError **error);

const ChainSurveyRow *
chain_survey_row(const GArray *self, ChainForm form, uint64_t words, guint length);

/* Of the averages of lengths from CHAIN_SURVEY_AVERAGED on; NAN where there is none. */
double chain_survey_average(const GArray *self, ChainForm form, uint64_t words);
