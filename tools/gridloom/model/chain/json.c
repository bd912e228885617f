/* A study of chains for other programs: JSON and CSV. */
#include <math.h>

#include "tools/gridloom/model/chain/chain.h"
#include "tools/gridloom/number_text.h"
#include "traces/file/json_member.h"

#define MOST_WHOLE 9e18 /* that JSON has a whole number for */

/* Words as the thesis prints them: a part of a word is dropped. */
static void set_words(JsonObject *object, const char *name, double words)
{
    if (words < MOST_WHOLE) {
        json_object_set_int_member(object, name, (gint64) floor(words));
    } else {
        json_object_set_double_member(object, name, words);
    }
}

JsonObject *model_chain_parameters(gconstpointer study)
{
    const ModelChainStudy *self = study;
    const ModelChainOptions *options = self->options;
    const ChainSurveySetting *survey = &options->survey;
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "form", chain_form_name(options->form));
    json_object_set_int_member(object, "seed", (gint64) survey->seed);
    if (options->kind != MODEL_CHAIN_SURVEY) {
        trace_json_set_counts(object, "sizes", options->chain.sizes,
                              options->chain.matrix_count + 1);
        json_object_set_int_member(object, "words", (gint64) survey->words[0]);
        json_object_set_boolean_member(object, "check", options->has_check);
        return object;
    }
    trace_json_set_counts(object, "words", survey->words, survey->words_count);
    json_object_set_int_member(object, "random_chains", survey->chain_count);
    json_object_set_int_member(object, "length_from", survey->from);
    json_object_set_int_member(object, "length_to", survey->to);
    json_object_set_int_member(object, "size_from", CHAIN_SURVEY_LEAST_SIZE);
    json_object_set_int_member(object, "size_to", CHAIN_SURVEY_MOST_SIZE);
    json_object_set_int_member(object, "size_step", CHAIN_SURVEY_STEP);
    json_object_set_string_member(object, "size_source",
                                  "assumed: uniform, as the thesis does not say");
    return object;
}

/* Which sides of tiles the thesis calls x, y and z: along P0, P2 and P1 of a product,
 * and x, y for what a fused pair keeps. */
static JsonObject *tile_object(ChainMethod method, const ChainCost *cost)
{
    JsonObject *tile = json_object_new();

    json_object_set_double_member(tile, method == CHAIN_KEEP_RIGHT ? "z" : "x",
                                  cost->rows);
    json_object_set_double_member(tile, method == CHAIN_KEEP_LEFT ? "z" : "y",
                                  cost->columns);
    return tile;
}

static JsonObject *savings_object(double single, double fused)
{
    const double percent = 100;
    JsonObject *object = json_object_new();

    set_words(object, "single_words", single);
    set_words(object, "fused_words", fused);
    json_object_set_double_member(object, "reduction_percent",
                                  percent * (1 - fused / single));
    return object;
}

static JsonObject *node_object(const ChainPlan *plan, guint node)
{
    static const char *const locals[] = {"hp", "hl", "hr"};
    static const char *const totals[] = {"fp", "fl", "fr"};
    const ChainNode *at = &plan->nodes[node];
    const ChainCost *cost = &at->costs[at->fusion];
    g_autofree char *name = g_strdup_printf("T%u", node + 1);
    g_autofree char *factors = model_chain_factors(plan, node);
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "name", name);
    json_object_set_string_member(object, "kind", model_chain_kind(at));
    json_object_set_string_member(object, "fusion", chain_fusion_name(at->fusion));
    json_object_set_string_member(object, "factors", factors);
    json_object_set_int_member(object, "first", at->first);
    json_object_set_int_member(object, "last", at->last);
    for (guint i = 0; i < G_N_ELEMENTS(locals); i++) {
        json_object_set_double_member(object, locals[i], at->local[i]);
        json_object_set_double_member(object, totals[i], at->total[i]);
    }
    json_object_set_double_member(object, "f", at->least);
    json_object_set_object_member(object, "tile", tile_object(CHAIN_KEEP_OUTPUT, cost));
    json_object_set_boolean_member(object, "tile_fits", !cost->is_wide);
    return object;
}

static void set_trial(JsonObject *metrics, const ModelChainStudy *self)
{
    const ChainTrial *trial = &self->trial;
    JsonArray *rows = json_array_new();
    JsonObject *object = json_object_new();

    for (guint i = 0; i < trial->row_count; i++) {
        const ChainTrialRow *row = &trial->rows[i];
        JsonObject *entry = json_object_new();

        json_object_set_string_member(entry, "name", row->name);
        json_object_set_boolean_member(entry, "streams_inside", row->is_strict);
        json_object_set_double_member(entry, "formula_words", row->formula);
        set_words(entry, "predicted_words", row->predicted);
        json_object_set_int_member(
            entry, "counted_words",
            (gint64) (row->traffic.loaded + row->traffic.stored));
        json_object_set_int_member(entry, "loaded_words", (gint64) row->traffic.loaded);
        json_object_set_int_member(entry, "stored_words", (gint64) row->traffic.stored);
        json_object_set_int_member(entry, "peak_words", (gint64) row->traffic.peak);
        json_object_set_int_member(entry, "capacity_words", (gint64) row->capacity);
        json_object_set_boolean_member(entry, "equal", row->is_equal);
        json_array_add_object_element(rows, entry);
    }
    json_object_set_int_member(object, "scale", (gint64) trial->scale);
    trace_json_set_counts(object, "sizes", trial->chain.sizes,
                          trial->chain.matrix_count + 1);
    json_object_set_int_member(object, "words", (gint64) trial->words);
    json_object_set_array_member(object, "rows", rows);
    json_object_set_boolean_member(object, "all_orders_tried", self->has_orders);
    json_object_set_boolean_member(object, "all_fusions_tried", self->has_fusions);
    json_object_set_object_member(metrics, "trial", object);
}

static void set_tree(JsonObject *metrics, const ModelChainStudy *self)
{
    static const char *const names[CHAIN_SURVEY_FORMS] = {
        [CHAIN_CORRECTED] = "corrected",
        [CHAIN_AS_PRINTED] = "as_printed",
        [CHAIN_WHOLE] = "whole_tiles",
    };
    const ChainPlan *plan = model_chain_plan(self);
    g_autofree char *order = chain_order_to_text(&self->order, &plan->chain);
    JsonObject *forms = json_object_new();
    JsonArray *nodes = json_array_new();

    json_object_set_int_member(metrics, "operations", (gint64) plan->operations);
    set_words(metrics, "single_words", plan->single_words);
    set_words(metrics, "fused_words", plan->fused_words);
    set_words(metrics, "fused_before_output", plan->fused_before_output);
    json_object_set_double_member(metrics, "reduction_percent",
                                  chain_plan_reduction(plan));
    json_object_set_string_member(metrics, "parenthesisation", order);
    for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
        json_object_set_object_member(forms, names[form],
                                      savings_object(self->plans[form].single_words,
                                                     self->plans[form].fused_words));
    }
    json_object_set_object_member(metrics, "forms", forms);
    json_object_set_object_member(
        metrics, "loops",
        savings_object(chain_plan_tile_words(plan, false, false),
                       chain_plan_tile_words(plan, true, false)));
    json_object_set_object_member(
        metrics, "loops_with_streams_inside",
        savings_object(chain_plan_tile_words(plan, false, true),
                       chain_plan_tile_words(plan, true, true)));
    for (guint i = 0; i < plan->node_count; i++) {
        json_array_add_object_element(nodes, node_object(plan, i));
    }
    json_object_set_array_member(metrics, "nodes", nodes);
}

static void set_methods(JsonObject *metrics, const ModelChainStudy *self)
{
    const ModelChainOptions *options = self->options;
    const uint64_t *sizes = options->chain.sizes;
    guint best = 0;

    for (guint i = 0; i < self->method_count; i++) {
        const ChainMethod method = self->methods[i];
        const ChainCost *cost = &self->costs[i];
        JsonObject *object = json_object_new();
        ChainTile tile;

        chain_tile_init(&tile, method, sizes, options->survey.words[0], options->form,
                        false);
        json_object_set_double_member(object, "words", cost->words);
        json_object_set_object_member(object, "tile", tile_object(method, cost));
        json_object_set_boolean_member(object, "tile_fits", !cost->is_wide);
        set_words(object, "loop_words", chain_tile_words(&tile, method, sizes));
        if (options->kind == MODEL_CHAIN_PAIR) {
            json_object_set_double_member(object, "ratio", cost->ratio);
            json_object_set_double_member(object, "stretch", cost->stretch);
            json_object_set_double_member(
                object, "unfused_words",
                model_chain_unfused(self, method == CHAIN_FUSE_LEFT));
        }
        json_object_set_object_member(metrics, chain_method_name(method), object);
        best = cost->words < self->costs[best].words ? i : best;
    }
    json_object_set_string_member(metrics, "best",
                                  chain_method_name(self->methods[best]));
}

static JsonObject *averages_object(const ModelChainStudy *self, ChainForm form)
{
    const ChainSurveySetting *survey = &self->options->survey;
    JsonObject *object = json_object_new();

    for (guint i = 0; i < survey->words_count; i++) {
        g_autofree char *name =
            g_strdup_printf("average_%" G_GUINT64_FORMAT, survey->words[i]);

        json_object_set_double_member(
            object, name, chain_survey_average(self->survey, form, survey->words[i]));
    }
    return object;
}

static void set_survey(JsonObject *metrics, const ModelChainStudy *self)
{
    const ModelChainOptions *options = self->options;
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < self->survey->len; i++) {
        const ChainSurveyRow *row = &g_array_index(self->survey, ChainSurveyRow, i);
        JsonObject *object;

        if (row->form != options->form) {
            continue;
        }
        object = json_object_new();
        json_object_set_int_member(object, "length", row->length);
        json_object_set_int_member(object, "words", (gint64) row->words);
        json_object_set_double_member(object, "average", row->average);
        json_object_set_double_member(object, "minimum", row->minimum);
        json_object_set_double_member(object, "maximum", row->maximum);
        json_object_set_int_member(object, "hyper_nodes", (gint64) row->fused);
        json_object_set_int_member(object, "too_wide", (gint64) row->wide);
        json_array_add_object_element(rows, object);
    }
    for (guint i = 0; i < options->survey.words_count; i++) {
        const uint64_t words = options->survey.words[i];
        g_autofree char *name = g_strdup_printf("average_%" G_GUINT64_FORMAT, words);

        json_object_set_double_member(
            metrics, name, chain_survey_average(self->survey, options->form, words));
    }
    json_object_set_int_member(metrics, "averaged_from_length", CHAIN_SURVEY_AVERAGED);
    json_object_set_object_member(metrics, "corrected",
                                  averages_object(self, CHAIN_CORRECTED));
    json_object_set_object_member(metrics, "as_printed",
                                  averages_object(self, CHAIN_AS_PRINTED));
    json_object_set_object_member(metrics, "whole_tiles",
                                  averages_object(self, CHAIN_WHOLE));
    json_object_set_array_member(metrics, "rows", rows);
}

JsonObject *model_chain_metrics(gconstpointer study)
{
    const ModelChainStudy *self = study;
    JsonObject *metrics = json_object_new();

    switch (self->options->kind) {
    case MODEL_CHAIN_TREE:
        set_tree(metrics, self);
        break;
    case MODEL_CHAIN_SINGLE:
    case MODEL_CHAIN_PAIR:
        set_methods(metrics, self);
        break;
    case MODEL_CHAIN_SURVEY:
        set_survey(metrics, self);
        break;
    }
    if (self->options->has_check) {
        set_trial(metrics, self);
    }
    return metrics;
}

static void add_nodes(GString *text, const ChainPlan *plan)
{
    g_string_append(text, "node,factors,kind,fusion,hp,hl,hr,fp,fl,fr,f,x,y\n");
    for (guint i = 0; i < plan->node_count; i++) {
        const ChainNode *at = &plan->nodes[i];
        g_autofree char *factors = model_chain_factors(plan, i);

        g_string_append_printf(text, "T%u,%s,%s,%s", i + 1, factors,
                               model_chain_kind(at), chain_fusion_name(at->fusion));
        for (guint k = 0; k <= CHAIN_RIGHT; k++) {
            cmd_number_text_add_field(text, at->local[k]);
        }
        for (guint k = 0; k <= CHAIN_RIGHT; k++) {
            cmd_number_text_add_field(text, at->total[k]);
        }
        cmd_number_text_add_field(text, at->least);
        cmd_number_text_add_field(text, at->costs[at->fusion].rows);
        cmd_number_text_add_field(text, at->costs[at->fusion].columns);
        g_string_append_c(text, '\n');
    }
}

static void add_survey(GString *text, const GArray *rows)
{
    g_string_append(text,
                    "form,words,length,average,minimum,maximum,hyper_nodes,too_wide\n");
    for (guint i = 0; i < rows->len; i++) {
        const ChainSurveyRow *row = &g_array_index(rows, ChainSurveyRow, i);

        g_string_append_printf(text, "%s,%" G_GUINT64_FORMAT ",%u",
                               chain_form_name(row->form), row->words, row->length);
        cmd_number_text_add_field(text, row->average);
        cmd_number_text_add_field(text, row->minimum);
        cmd_number_text_add_field(text, row->maximum);
        g_string_append_printf(text, ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "\n",
                               row->fused, row->wide);
    }
}

char *model_chain_csv(gconstpointer study)
{
    const ModelChainStudy *self = study;
    GString *text = g_string_new(NULL);

    if (self->options->kind == MODEL_CHAIN_TREE) {
        add_nodes(text, model_chain_plan(self));
    } else if (self->options->kind == MODEL_CHAIN_SURVEY) {
        add_survey(text, self->survey);
    } else {
        g_string_append(text, "method,words,ratio,stretch,rows,columns\n");
        for (guint i = 0; i < self->method_count; i++) {
            const ChainCost *cost = &self->costs[i];

            g_string_append(text, chain_method_name(self->methods[i]));
            cmd_number_text_add_field(text, cost->words);
            cmd_number_text_add_field(text, cost->ratio);
            cmd_number_text_add_field(text, cost->stretch);
            cmd_number_text_add_field(text, cost->rows);
            cmd_number_text_add_field(text, cost->columns);
            g_string_append_c(text, '\n');
        }
    }
    return g_string_free(text, FALSE);
}
