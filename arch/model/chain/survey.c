/* How much fusing saves on random chains. */
#include "arch/model/chain/survey.h"

#include <math.h>

#include "arch/error.h"
#include "arch/model/chain/plan.h"
#include "sim/random.h"

enum {
    CHAINS_TOLD = 100, /* between two words to who waits */
};

/* What is needed for one chain after the other; too much for a stack. */
typedef struct {
    Chain chain;
    ChainOrder order;
    ChainPlan plan;
} Desk;

static bool check(const ChainSurveySetting *setting, GError **error)
{
    const uint64_t least = CHAIN_SURVEY_LEAST_SIZE;
    char root[G_ASCII_DTOSTR_BUF_SIZE];

    for (guint i = 0; i < setting->words_count; i++) {
        if (least * least <= setting->words[i]) {
            return sim_fail(
                error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                "random chains: the formula does not hold: size %d, the least "
                "that is drawn, is not above sqrt(%" G_GUINT64_FORMAT ") = %s",
                CHAIN_SURVEY_LEAST_SIZE, setting->words[i],
                g_ascii_formatd(root, sizeof(root), "%.6g",
                                sqrt((double) setting->words[i])));
        }
    }
    return true;
}

void chain_survey_draw(Chain *chain, guint length, uint64_t *state)
{
    const guint32 choices =
        (CHAIN_SURVEY_MOST_SIZE - CHAIN_SURVEY_LEAST_SIZE) / CHAIN_SURVEY_STEP + 1;

    chain->matrix_count = length;
    for (guint i = 0; i <= length; i++) {
        chain->sizes[i] =
            CHAIN_SURVEY_LEAST_SIZE +
            CHAIN_SURVEY_STEP * (uint64_t) sim_random_below(state, choices);
    }
}

static void count(ChainSurveyRow *row, const ChainPlan *plan)
{
    const double reduction = chain_plan_reduction(plan);

    row->average += reduction; /* for now the sum */
    row->minimum = MIN(row->minimum, reduction);
    row->maximum = MAX(row->maximum, reduction);
    for (guint i = 0; i < plan->node_count; i++) {
        const ChainNode *node = &plan->nodes[i];

        if (!node->is_inside && node->fusion != CHAIN_SINGLE) {
            row->fused++;
            row->wide += node->costs[node->fusion].is_wide ? 1 : 0;
        }
    }
}

static GArray *new_rows(const ChainSurveySetting *setting)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(ChainSurveyRow));

    for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
        for (guint i = 0; i < setting->words_count; i++) {
            for (guint length = setting->from; length <= setting->to; length++) {
                const ChainSurveyRow row = {
                    .length = length,
                    .words = setting->words[i],
                    .form = (ChainForm) form,
                    .minimum = INFINITY,
                    .maximum = -INFINITY,
                };

                g_array_append_val(rows, row);
            }
        }
    }
    return rows;
}

/* One chain, for all rows of its length. */
static bool survey(GArray *rows, Desk *desk, GError **error)
{
    if (!chain_order_init(&desk->order, &desk->chain, error)) {
        return false;
    }
    for (guint i = 0; i < rows->len; i++) {
        ChainSurveyRow *row = &g_array_index(rows, ChainSurveyRow, i);

        if (row->length == desk->chain.matrix_count) {
            chain_plan_init(&desk->plan, &desk->chain, &desk->order, row->words,
                            row->form);
            count(row, &desk->plan);
        }
    }
    return true;
}

/* Tells how much is done before chain `index` of a length: the work on a chain grows
 * with the cube of its length. */
static void tell(const ChainSurveySetting *setting, guint length, guint index)
{
    double done = 0;
    double all = 0;

    for (guint i = setting->from; i <= setting->to; i++) {
        const double cube = (double) i * i * i;

        all += cube;
        done += i < length ? cube : 0;
        done += i == length ? cube * index / setting->chain_count : 0;
    }
    setting->tell(setting->tell_data, done / all);
}

GArray *chain_survey_run(const ChainSurveySetting *setting, GError **error)
{
    g_autofree Desk *desk = g_new0(Desk, 1);
    g_autoptr(GArray) rows = new_rows(setting);

    if (!check(setting, error)) {
        return NULL;
    }
    for (guint length = setting->from; length <= setting->to; length++) {
        uint64_t state = sim_random_stream(setting->seed, length);

        for (guint i = 0; i < setting->chain_count; i++) {
            chain_survey_draw(&desk->chain, length, &state);
            if (setting->tell != NULL && i % CHAINS_TOLD == 0) {
                tell(setting, length, i);
            }
            if (!survey(rows, desk, error)) {
                return NULL;
            }
        }
    }
    for (guint i = 0; i < rows->len; i++) {
        g_array_index(rows, ChainSurveyRow, i).average /= setting->chain_count;
    }
    return g_steal_pointer(&rows);
}

const ChainSurveyRow *
chain_survey_row(const GArray *self, ChainForm form, uint64_t words, guint length)
{
    for (guint i = 0; i < self->len; i++) {
        const ChainSurveyRow *row = &g_array_index(self, ChainSurveyRow, i);

        if (row->form == form && row->words == words && row->length == length) {
            return row;
        }
    }
    return NULL;
}

double chain_survey_average(const GArray *self, ChainForm form, uint64_t words)
{
    double sum = 0;
    guint row_count = 0;

    for (guint i = 0; i < self->len; i++) {
        const ChainSurveyRow *row = &g_array_index(self, ChainSurveyRow, i);

        if (row->form == form && row->words == words &&
            row->length >= CHAIN_SURVEY_AVERAGED) {
            sum += row->average;
            row_count++;
        }
    }
    return row_count > 0 ? sum / row_count : NAN;
}
