/* A study of chains as a page of text. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/model/chain/chain.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/rows.h"

#define PERCENT 100.0

/* Whole words, with commas while they can be counted. */
static char *words_text(double words)
{
    const double countable = 1e18;

    return words < countable ? quantity_count((uint64_t) floor(words))
                             : g_strdup_printf("%.6g", words);
}

static void print_sizes(const ModelChainOptions *options)
{
    const Chain *chain = &options->chain;
    g_autofree char *words = quantity_count(options->survey.words[0]);

    printf("model chain of %u matrices, fast memory of %s words\n  sizes       ",
           chain->matrix_count, words);
    for (guint i = 0; i <= chain->matrix_count; i++) {
        printf("%s%" G_GUINT64_FORMAT, i > 0 ? " " : "", chain->sizes[i]);
    }
    printf("\n");
}

static void print_fused(const char *label, const ChainPlan *plan, const char *remark)
{
    g_autofree char *single = words_text(plan->single_words);
    g_autofree char *fused = words_text(plan->fused_words);

    printf("  %-11s S = %s words, F = %s words: %.2f %% fewer%s\n", label, single,
           fused, chain_plan_reduction(plan), remark);
}

static void print_loops(const ChainPlan *plan)
{
    const double single = chain_plan_tile_words(plan, false, false);
    const double fused = chain_plan_tile_words(plan, true, false);
    g_autofree char *single_text = words_text(single);
    g_autofree char *fused_text = words_text(fused);

    printf("  its loops   S moves %s, F %s words in tiles of whole words: %.2f %% %s\n",
           single_text, fused_text, PERCENT * fabs(1 - fused / single),
           fused > single ? "more" : "fewer");
}

static void print_totals(const ChainStudy *self)
{
    const ChainPlan *plan = chain_study_plan(self);
    /* The corrected forms are the least that any tile moves. */
    const bool is_unreal = self->plans[CHAIN_AS_PRINTED].fused_words <
                           self->plans[CHAIN_CORRECTED].fused_words;
    const char *const remarks[CHAIN_SURVEY_FORMS] = {
        [CHAIN_CORRECTED] = "; beta = P0/P2",
        [CHAIN_AS_PRINTED] =
            is_unreal ? "; beta = P0/P1, which no loops reach" : "; beta = P0/P1",
        [CHAIN_WHOLE] = "; exact, with the best tiles",
    };
    g_autofree char *order = chain_order_to_text(&self->order, &plan->chain);
    g_autofree char *operations = quantity_count(plan->operations);
    g_autofree char *before = words_text(plan->fused_before_output);

    printf("  order       %s: %s multiplications\n", order, operations);
    for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
        print_fused(chain_form_name((ChainForm) form), &self->plans[form],
                    remarks[form]);
    }
    printf("\n  What follows is '%s'.\n"
           "  F           %s words before the result is written\n",
           chain_form_name(plan->form), before);
    print_loops(plan);
}

/* The tree from the root down, a line for each node and matrix, as many strokes before
 * it as it lies deep. */
typedef struct {
    const ChainPlan *plan;
    GString *strokes;
} Branch;

static void print_leaf(const Branch *self, guint matrix, const char *stroke)
{
    const uint64_t *sizes = self->plan->chain.sizes;

    printf("  %s%sA%u  %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT "\n",
           self->strokes->str, stroke, matrix, sizes[matrix - 1], sizes[matrix]);
}

static void print_node(const Branch *self, guint node, const char *stroke)
{
    const ChainNode *at = &self->plan->nodes[node];
    const ChainCost *cost = &at->costs[at->fusion];
    const uint64_t *sizes = self->plan->chain.sizes;
    g_autofree char *factors = chain_plan_factors(self->plan, node);

    printf("  %s%sT%u  %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT, self->strokes->str,
           stroke, node + 1, sizes[at->first - 1], sizes[at->last]);
    if (at->is_inside) {
        printf(", never in slow memory\n");
        return;
    }
    printf(" = %s, ", factors);
    if (at->fusion == CHAIN_SINGLE) {
        printf("a pass of its own");
    } else {
        printf("fused with T%u", (at->fusion == CHAIN_LEFT ? at->left : at->right) + 1);
    }
    printf(", tile %.1f x %.1f%s\n", cost->rows, cost->columns,
           cost->is_wide ? ", longer than its matrix" : "");
}

static void print_branch(Branch *self, guint node);

static void
print_child(Branch *self, guint node, guint matrix, bool is_fused, bool is_last)
{
    const gsize depth = self->strokes->len;
    const char *stroke = is_fused ? "+==" : "+--";

    if (node == CHAIN_LEAF) {
        print_leaf(self, matrix, stroke);
        return;
    }
    print_node(self, node, stroke);
    g_string_append(self->strokes, is_last ? "   " : "|  ");
    print_branch(self, node);
    g_string_truncate(self->strokes, depth);
}

static void print_branch(Branch *self, guint node)
{
    const ChainNode *at = &self->plan->nodes[node];
    const ChainFusion fusion = at->is_inside ? CHAIN_SINGLE : at->fusion;

    print_child(self, at->left, at->first, fusion == CHAIN_LEFT, false);
    print_child(self, at->right, at->last, fusion == CHAIN_RIGHT, true);
}

static void print_tree(const ChainPlan *plan)
{
    g_autoptr(GString) strokes = g_string_new(NULL);
    Branch branch = {plan, strokes};

    printf("\n  The tree; === joins what is fused into one pass, a hyper-node:\n");
    print_node(&branch, plan->node_count - 1, "");
    print_branch(&branch, plan->node_count - 1);
}

static void print_nodes(const ChainPlan *plan)
{
    printf("\n");
    trace_rows_print(model_chain_nodes_json(plan),
                     "NODE=name|HP=hp:%.0f|HL=hl:%.0f|HR=hr:%.0f|FP=fp:%.0f|FL=fl:%.0f|"
                     "FR=fr:%.0f|F=f:%.0f|KIND=kind|X=tile.x:%.1f|Y=tile.y:%.1f");
}

#define METHOD_COLUMNS                                                                 \
    "METHOD=method|WORDS=words:%.0f|TILE ROWS=rows:%.2f|COLUMNS=columns:%.2f|"         \
    "IN WHOLE TILES=loop_words:%.0f"

static void print_methods(const ChainStudy *study, bool is_pair)
{
    printf("  form        %s\n\n", chain_form_name(study->form));
    trace_rows_print(model_chain_methods_json(study),
                     is_pair ? METHOD_COLUMNS
                         "|NOT FUSED=unfused_words:%.0f|RATIO=ratio:%.4f"
                             : METHOD_COLUMNS);
}

static void print_averages(const ModelChainStudy *self)
{
    const ChainSurveySetting *setting = &self->options->survey;

    printf("\n  Averages of lengths from %d on:\n", CHAIN_SURVEY_AVERAGED);
    for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
        printf("  %-11s", chain_form_name((ChainForm) form));
        for (guint i = 0; i < setting->words_count; i++) {
            trace_number_text_print(
                "%s %.2f %% at %" G_GUINT64_FORMAT " words", i > 0 ? "," : "",
                chain_survey_average(self->survey, (ChainForm) form, setting->words[i]),
                setting->words[i]);
        }
        printf("\n");
    }
}

static void print_survey(const ModelChainStudy *self)
{
    const ModelChainOptions *options = self->options;
    const ChainSurveySetting *setting = &options->survey;
    g_autoptr(Grid) grid =
        grid_with("MATRICES|WORDS|SAVED %|LEAST|MOST|TILES TOO LONG");

    printf("model chain: %u random chains of each length, seed %" G_GUINT64_FORMAT
           "\n  sizes       multiples of %d in %d..%d, each as likely: assumed, the "
           "thesis does not say\n  form        %s\n\n",
           setting->chain_count, setting->seed, CHAIN_SURVEY_STEP,
           CHAIN_SURVEY_LEAST_SIZE, CHAIN_SURVEY_MOST_SIZE,
           chain_form_name(options->form));
    for (guint i = 0; i < self->survey->len; i++) {
        const ChainSurveyRow *row = &g_array_index(self->survey, ChainSurveyRow, i);
        const double wide =
            row->fused > 0 ? (double) row->wide / (double) row->fused : 0;
        g_autofree char *share = quantity_percent(PERCENT * wide);

        if (row->form == options->form) {
            grid_printf(grid, "%u|%" G_GUINT64_FORMAT "|%.2f|%.2f|%.2f|%s", row->length,
                        row->words, row->average, row->minimum, row->maximum, share);
        }
    }
    grid_print(grid, stdout, 2);
    print_averages(self);
}

static void print_trial(const ChainStudy *study, bool is_tree)
{
    const ChainTrial *trial = &study->trial;
    g_autoptr(Grid) grid =
        grid_with("LOOPS|STREAMS|FORMULA|COUNTED|EXCESS %|PEAK|NUMBERS");

    printf("\n  check       sizes / %" G_GUINT64_FORMAT ":", trial->scale);
    for (guint i = 0; i <= trial->chain.matrix_count; i++) {
        printf(" %" G_GUINT64_FORMAT, trial->chain.sizes[i]);
    }
    printf("; fast memory of %" G_GUINT64_FORMAT " words\n", trial->words);
    for (guint i = 0; i < trial->row_count; i++) {
        const ChainTrialRow *row = &trial->rows[i];
        const uint64_t moved = row->traffic.loaded + row->traffic.stored;

        grid_printf(grid,
                    "%s|%s|%.0f|%" G_GUINT64_FORMAT "|%.2f|%" G_GUINT64_FORMAT "|%s",
                    row->name, row->is_strict ? "inside M" : "beside M", row->formula,
                    moved, PERCENT * ((double) moved / row->formula - 1),
                    row->traffic.peak, row->is_equal ? "equal" : "WRONG");
    }
    grid_print(grid, stdout, 2);
    if (is_tree) {
        printf("  orders      %s\n  fusions     %s\n",
               study->has_orders ? "all tried, none takes fewer operations"
                                 : "too many to try all",
               study->has_fusions ? "all tried, none moves fewer words"
                                  : "too many to try all");
    }
}

void model_chain_print(gconstpointer study)
{
    const ModelChainStudy *self = study;
    const ModelChainKind kind = self->options->kind;

    if (kind == MODEL_CHAIN_SURVEY) {
        print_survey(self);
        return;
    }
    print_sizes(self->options);
    if (kind == MODEL_CHAIN_TREE) {
        const ChainPlan *plan = chain_study_plan(self->study);

        print_totals(self->study);
        print_tree(plan);
        print_nodes(plan);
    } else {
        print_methods(self->study, kind == MODEL_CHAIN_PAIR);
    }
    if (self->options->has_check) {
        print_trial(self->study, kind == MODEL_CHAIN_TREE);
    }
}
