/* How much fusing saves on random chains: Table D.1. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/model/chain/chain.h"
#include "arch/model/chain/cost.h"

/* The thesis does not say how its 19,000 chains were drawn. Uniform multiples of 8 in
 * this range reproduce its averages and are therefore assumed. */
enum {
    CHAIN_SURVEY_LEAST_SIZE = 320,
    CHAIN_SURVEY_MOST_SIZE = 1024,
    CHAIN_SURVEY_STEP = 8,
    CHAIN_SURVEY_WORDS = 4,    /* most sizes of fast memory at once */
    CHAIN_SURVEY_AVERAGED = 3, /* fewest matrices in the average of the table's last
                                * line */
    CHAIN_SURVEY_FORMS = CHAIN_WHOLE + 1,
};

typedef struct {
    guint chain_count; /* of each length */
    guint from;        /* matrices */
    guint to;
    uint64_t seed;
    guint words_count;
    uint64_t words[CHAIN_SURVEY_WORDS];
    void (*tell)(gpointer data, double share); /* how much is done, 0..1; or NULL */
    gpointer tell_data;
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
    uint64_t wide;  /* hyper-nodes whose patch is longer than its matrix */
} ChainSurveyRow;

/* Draws a chain of `length` matrices. `state` is that of sim/random.h. */
void chain_survey_draw(Chain *chain, guint length, uint64_t *state);

/* Rows by form, then words, then length; the caller frees the array. All forms and
 * words use the same chains, and the chains of one length do not depend on other
 * lengths. Fails with ARCH_ERROR_UNMODELLED if the formulas do not hold for all sizes
 * that may be drawn. */
GArray *chain_survey_run(const ChainSurveySetting *setting, GError **error);

const ChainSurveyRow *
chain_survey_row(const GArray *self, ChainForm form, uint64_t words, guint length);

/* The mean of the averages of lengths from CHAIN_SURVEY_AVERAGED on; NAN if there is
 * none. */
double chain_survey_average(const GArray *self, ChainForm form, uint64_t words);
