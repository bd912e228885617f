/* A study of chains as a picture. */
#include <math.h>

#include "tools/gridloom/model/chain/chain.h"
#include "traces/file/quantity.h"
#include "traces/picture/plot_list.h"
#include "traces/picture/tree.h"

enum {
    CURVE_POINTS = 61,
};

/* Words along the hyperbola of tiles with one area: a curve, and its best point. */
static void add_method(TracePlotList *plot, const ChainStudy *study, guint index)
{
    const double spread = 4; /* of the sides, from the square on */
    const ChainMethod method = study->methods[index];
    const ChainCost *cost = &study->costs[index];
    const double words = (double) study->words;

    trace_plot_list_series(plot, TRACE_PLOT_LINE, "%s", chain_method_name(method));
    for (guint i = 0; i < CURVE_POINTS; i++) {
        const double share = 2.0 * i / (CURVE_POINTS - 1) - 1;
        const double rows = sqrt(words) * pow(spread, share);

        trace_plot_list_add(
            plot, rows,
            chain_patch_words(method, study->chain.sizes, rows, words / rows));
    }
    trace_plot_list_series(plot, TRACE_PLOT_POINTS, "%s: tile of %.1f x %.1f",
                           chain_method_name(method), cost->rows, cost->columns);
    trace_plot_list_add(plot, cost->rows, cost->words);
}

static char *methods_svg(const ChainStudy *study, bool is_pair)
{
    g_autoptr(TracePlotList) plot = trace_plot_list_new();
    g_autofree char *title =
        g_strdup_printf("%s through %" G_GUINT64_FORMAT " words of fast memory (%s)",
                        is_pair ? "Two products in one pass" : "One product",
                        study->words, chain_form_name(study->form));

    for (guint i = 0; i < study->method_count; i++) {
        add_method(plot, study, i);
    }
    return trace_plot_list_draw(
        plot,
        &(TracePlot){
            .title = title,
            .x = "rows of the tile that stays, words (columns: what is left of M)",
            .y = "words moved",
            .is_log_x = true,
            .note = "Lines: equations D.2, D.4, D.7, D.11; points: closed forms",
        },
        trace_plot_to_svg);
}

static void add_savings(TracePlotList *plot,
                        const ModelChainStudy *study,
                        ChainForm form,
                        uint64_t words)
{
    const ChainSurveySetting *setting = &study->options->survey;
    const bool has_band = form == study->options->form;

    trace_plot_list_series(plot, TRACE_PLOT_BOTH, "%" G_GUINT64_FORMAT " words, %s%s",
                           words, chain_form_name(form),
                           has_band ? ", least to most" : "");
    for (guint length = setting->from; length <= setting->to; length++) {
        const ChainSurveyRow *row =
            chain_survey_row(study->survey, form, words, length);

        if (has_band) {
            trace_plot_list_add_span(plot, row->length, row->average, row->minimum,
                                     row->maximum);
        } else {
            trace_plot_list_add(plot, row->length, row->average);
        }
    }
}

static char *survey_svg(const ModelChainStudy *study)
{
    const ChainSurveySetting *setting = &study->options->survey;
    g_autoptr(TracePlotList) plot = trace_plot_list_new();
    g_autofree char *title =
        g_strdup_printf("What hyper-nodes save on %u random chains of each length",
                        setting->chain_count);

    for (guint i = 0; i < setting->words_count; i++) {
        for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
            add_savings(plot, study, (ChainForm) form, setting->words[i]);
        }
    }
    return trace_plot_list_draw(
        plot,
        &(TracePlot){
            .title = title,
            .x = "matrices in the chain",
            .y = "fewer words moved, F against S, %",
            .note = "Sizes: multiples of 8 in 320..1024, each as likely (assumed)",
        },
        trace_plot_to_svg);
}

/* A node in the picture; its texts are stored in `texts`. */
static TraceTreeNode node_of(const ChainPlan *plan, guint node, GStringChunk *texts)
{
    const ChainNode *at = &plan->nodes[node];
    const ChainCost *cost = &at->costs[at->fusion];
    g_autofree char *words = quantity_count((uint64_t) at->least);
    g_autofree char *title = g_strdup_printf("F = %s words", words);
    g_autofree char *name = g_strdup_printf("T%u", node + 1);
    g_autofree char *tile = g_strdup_printf("%.1f x %.1f", cost->rows, cost->columns);
    TraceTreeNode drawn = {
        .name = g_string_chunk_insert(texts, name),
        .note = g_string_chunk_insert(texts, at->is_inside ? "not written" : tile),
        .title = g_string_chunk_insert(texts, title),
        .first = at->first,
        .last = at->last,
        .left = at->left == CHAIN_LEAF ? TRACE_TREE_LEAF : at->left,
        .right = at->right == CHAIN_LEAF ? TRACE_TREE_LEAF : at->right,
        .is_hollow = at->is_inside,
    };

    if (!at->is_inside && at->fusion != CHAIN_SINGLE) {
        drawn.bold = at->fusion == CHAIN_LEFT ? TRACE_TREE_LEFT : TRACE_TREE_RIGHT;
    }
    return drawn;
}

static char *tree_svg(const ChainPlan *plan)
{
    const uint64_t *sizes = plan->chain.sizes;
    g_autoptr(GStringChunk) texts = g_string_chunk_new(1024);
    g_autofree char *single = quantity_count((uint64_t) plan->single_words);
    g_autofree char *fused = quantity_count((uint64_t) plan->fused_words);
    g_autofree char *title =
        g_strdup_printf("%u matrices: F = %s words, %.2f %% below S = %s (%s)",
                        plan->chain.matrix_count, fused, chain_plan_reduction(plan),
                        single, chain_form_name(plan->form));
    TraceTreeLeaf leaves[CHAIN_MATRICES];
    TraceTreeNode nodes[CHAIN_NODES];

    for (guint i = 0; i < plan->chain.matrix_count; i++) {
        g_autofree char *name = g_strdup_printf("A%u", i + 1);
        g_autofree char *size = g_strdup_printf(
            "%" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT, sizes[i], sizes[i + 1]);

        leaves[i] = (TraceTreeLeaf){g_string_chunk_insert(texts, name),
                                    g_string_chunk_insert(texts, size)};
    }
    for (guint i = 0; i < plan->node_count; i++) {
        nodes[i] = node_of(plan, i, texts);
    }
    return trace_tree_to_svg(&(TraceTree){
        .title = title,
        .bold_note = "fused into one pass: a hyper-node, whose inner result is never "
                     "written",
        .note = "Beside nodes: the tile that stays in fast memory, words x words",
        .leaves = leaves,
        .leaf_count = plan->chain.matrix_count,
        .nodes = nodes,
        .node_count = plan->node_count,
    });
}

char *model_chain_svg(gconstpointer study)
{
    const ModelChainStudy *self = study;
    const ModelChainKind kind = self->options->kind;

    if (kind == MODEL_CHAIN_SURVEY) {
        return survey_svg(self);
    }
    return kind == MODEL_CHAIN_TREE
               ? tree_svg(chain_study_plan(self->study))
               : methods_svg(self->study, kind == MODEL_CHAIN_PAIR);
}
