/* A study of chains for other programs: JSON and CSV. */
#include <math.h>

#include "tools/gridloom/model/chain/chain.h"
#include "traces/table/record.h"
#include "traces/table/rows.h"

#define PERCENT    100.0
#define MOST_WHOLE 9e18 /* that JSON has a whole number for */

static const char *const forms[CHAIN_SURVEY_FORMS] = {
    [CHAIN_CORRECTED] = "corrected",
    [CHAIN_AS_PRINTED] = "as_printed",
    [CHAIN_WHOLE] = "whole_tiles",
};

/* Words as the thesis prints them: a part of a word is dropped. */
static RecordValue words_value(const char *name, double words)
{
    return words < MOST_WHOLE ? record_whole(name, (gint64) floor(words))
                              : record_real(name, words);
}

JsonObject *model_chain_parameters(gconstpointer study)
{
    const ModelChainOptions *options = ((const ModelChainStudy *) study)->options;
    const ChainSurveySetting *survey = &options->survey;
    const Chain *chain = &options->chain;
    JsonObject *object = RECORD(VALUE("form", chain_form_name(options->form)),
                                VALUE("seed", survey->seed));

    if (options->kind != MODEL_CHAIN_SURVEY) {
        RECORD_ADD(object,
                   VALUE("sizes", record_counts(chain->sizes, chain->matrix_count + 1)),
                   VALUE("words", survey->words[0]),
                   VALUE("check", (bool) options->has_check));
        return object;
    }
    RECORD_ADD(
        object, VALUE("words", record_counts(survey->words, survey->words_count)),
        VALUE("random_chains", survey->chain_count), VALUE("length_from", survey->from),
        VALUE("length_to", survey->to), VALUE("size_from", CHAIN_SURVEY_LEAST_SIZE),
        VALUE("size_to", CHAIN_SURVEY_MOST_SIZE), VALUE("size_step", CHAIN_SURVEY_STEP),
        VALUE("size_source", "assumed: uniform, as the thesis does not say"));
    return object;
}

/* Which sides of tiles the thesis calls x, y and z: along P0, P2 and P1 of a product,
 * and x, y for what a fused pair keeps. */
static JsonObject *tile_json(ChainMethod method, const ChainCost *cost)
{
    return RECORD(VALUE(method == CHAIN_KEEP_RIGHT ? "z" : "x", cost->rows),
                  VALUE(method == CHAIN_KEEP_LEFT ? "z" : "y", cost->columns));
}

static JsonObject *savings_json(double single, double fused)
{
    return RECORD(words_value("single_words", single),
                  words_value("fused_words", fused),
                  VALUE("reduction_percent", PERCENT * (1 - fused / single)));
}

static JsonObject *loops_json(const ChainPlan *plan, bool is_strict)
{
    return savings_json(chain_plan_tile_words(plan, false, is_strict),
                        chain_plan_tile_words(plan, true, is_strict));
}

static JsonObject *node_json(const ChainPlan *plan, guint node)
{
    const ChainNode *at = &plan->nodes[node];
    const ChainCost *cost = &at->costs[at->fusion];
    g_autofree char *name = g_strdup_printf("T%u", node + 1);
    g_autofree char *factors = chain_plan_factors(plan, node);

    return RECORD(
        VALUE("name", name), VALUE("kind", chain_node_kind(at)),
        VALUE("fusion", chain_fusion_name(at->fusion)), VALUE("factors", factors),
        VALUE("first", at->first), VALUE("last", at->last), VALUE("hp", at->local[0]),
        VALUE("fp", at->total[0]), VALUE("hl", at->local[1]), VALUE("fl", at->total[1]),
        VALUE("hr", at->local[2]), VALUE("fr", at->total[2]), VALUE("f", at->least),
        VALUE("tile", tile_json(CHAIN_KEEP_OUTPUT, cost)),
        VALUE("tile_fits", (bool) !cost->is_wide));
}

JsonArray *model_chain_nodes_json(const ChainPlan *plan)
{
    JsonArray *nodes = json_array_new();

    for (guint i = 0; i < plan->node_count; i++) {
        json_array_add_object_element(nodes, node_json(plan, i));
    }
    return nodes;
}

static JsonObject *trial_row_json(const ChainTrialRow *row)
{
    const ChainTraffic *traffic = &row->traffic;

    return RECORD(
        VALUE("name", (const char *) row->name),
        VALUE("streams_inside", row->is_strict), VALUE("formula_words", row->formula),
        words_value("predicted_words", row->predicted),
        VALUE("counted_words", traffic->loaded + traffic->stored),
        VALUE("loaded_words", traffic->loaded), VALUE("stored_words", traffic->stored),
        VALUE("peak_words", traffic->peak), VALUE("capacity_words", row->capacity),
        VALUE("equal", row->is_equal));
}

static JsonObject *trial_json(const ChainStudy *study)
{
    const ChainTrial *trial = &study->trial;
    const Chain *chain = &trial->chain;
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < trial->row_count; i++) {
        json_array_add_object_element(rows, trial_row_json(&trial->rows[i]));
    }
    return RECORD(VALUE("scale", trial->scale),
                  VALUE("sizes", record_counts(chain->sizes, chain->matrix_count + 1)),
                  VALUE("words", trial->words), VALUE("rows", rows),
                  VALUE("all_orders_tried", study->has_orders),
                  VALUE("all_fusions_tried", study->has_fusions));
}

static JsonObject *tree_json(const ChainStudy *study)
{
    const ChainPlan *plan = chain_study_plan(study);
    g_autofree char *order = chain_order_to_text(&study->order, &plan->chain);
    JsonObject *by_form = json_object_new();

    for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
        json_object_set_object_member(by_form, forms[form],
                                      savings_json(study->plans[form].single_words,
                                                   study->plans[form].fused_words));
    }
    return RECORD(VALUE("operations", plan->operations),
                  words_value("single_words", plan->single_words),
                  words_value("fused_words", plan->fused_words),
                  words_value("fused_before_output", plan->fused_before_output),
                  VALUE("reduction_percent", chain_plan_reduction(plan)),
                  VALUE("parenthesisation", order), VALUE("forms", by_form),
                  VALUE("loops", loops_json(plan, false)),
                  VALUE("loops_with_streams_inside", loops_json(plan, true)),
                  VALUE("nodes", model_chain_nodes_json(plan)));
}

JsonArray *model_chain_methods_json(const ChainStudy *study)
{
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < study->method_count; i++) {
        const ChainMethod method = study->methods[i];
        const ChainCost *cost = &study->costs[i];

        json_array_add_object_element(
            rows,
            RECORD(VALUE("method", chain_method_name(method)),
                   VALUE("words", cost->words), VALUE("ratio", cost->ratio),
                   VALUE("stretch", cost->stretch), VALUE("rows", cost->rows),
                   VALUE("columns", cost->columns),
                   VALUE("loop_words", chain_study_loop_words(study, i)),
                   VALUE("unfused_words",
                         study->chain.matrix_count > 2
                             ? chain_study_unfused(study, method == CHAIN_FUSE_LEFT)
                             : NAN)));
    }
    return rows;
}

static JsonObject *methods_json(const ChainStudy *study, bool is_pair)
{
    JsonObject *metrics = json_object_new();
    guint best = 0;

    for (guint i = 0; i < study->method_count; i++) {
        const ChainMethod method = study->methods[i];
        const ChainCost *cost = &study->costs[i];
        JsonObject *object =
            RECORD(VALUE("words", cost->words), VALUE("tile", tile_json(method, cost)),
                   VALUE("tile_fits", (bool) !cost->is_wide),
                   words_value("loop_words", chain_study_loop_words(study, i)));

        if (is_pair) {
            RECORD_ADD(object, VALUE("ratio", cost->ratio),
                       VALUE("stretch", cost->stretch),
                       VALUE("unfused_words",
                             chain_study_unfused(study, method == CHAIN_FUSE_LEFT)));
        }
        json_object_set_object_member(metrics, chain_method_name(method), object);
        best = cost->words < study->costs[best].words ? i : best;
    }
    RECORD_ADD(metrics, VALUE("best", chain_method_name(study->methods[best])));
    return metrics;
}

static void
add_averages(JsonObject *object, const ModelChainStudy *self, ChainForm form)
{
    const ChainSurveySetting *survey = &self->options->survey;

    for (guint i = 0; i < survey->words_count; i++) {
        g_autofree char *name =
            g_strdup_printf("average_%" G_GUINT64_FORMAT, survey->words[i]);

        json_object_set_double_member(
            object, name, chain_survey_average(self->survey, form, survey->words[i]));
    }
}

static JsonObject *survey_row_json(const ChainSurveyRow *row)
{
    return RECORD(VALUE("length", row->length), VALUE("words", row->words),
                  VALUE("average", row->average), VALUE("minimum", row->minimum),
                  VALUE("maximum", row->maximum), VALUE("hyper_nodes", row->fused),
                  VALUE("too_wide", row->wide));
}

static JsonObject *survey_json(const ModelChainStudy *self)
{
    JsonObject *metrics = json_object_new();
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < self->survey->len; i++) {
        const ChainSurveyRow *row = &g_array_index(self->survey, ChainSurveyRow, i);

        if (row->form == self->options->form) {
            json_array_add_object_element(rows, survey_row_json(row));
        }
    }
    add_averages(metrics, self, self->options->form);
    json_object_set_int_member(metrics, "averaged_from_length", CHAIN_SURVEY_AVERAGED);
    for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
        JsonObject *averages = json_object_new();

        add_averages(averages, self, (ChainForm) form);
        json_object_set_object_member(metrics, forms[form], averages);
    }
    json_object_set_array_member(metrics, "rows", rows);
    return metrics;
}

JsonObject *model_chain_metrics(gconstpointer study)
{
    const ModelChainStudy *self = study;
    const ModelChainKind kind = self->options->kind;
    JsonObject *metrics;

    if (kind == MODEL_CHAIN_SURVEY) {
        return survey_json(self);
    }
    metrics = kind == MODEL_CHAIN_TREE
                  ? tree_json(self->study)
                  : methods_json(self->study, kind == MODEL_CHAIN_PAIR);
    if (self->options->has_check) {
        RECORD_ADD(metrics, VALUE("trial", trial_json(self->study)));
    }
    return metrics;
}

static char *survey_csv(const GArray *survey)
{
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < survey->len; i++) {
        const ChainSurveyRow *row = &g_array_index(survey, ChainSurveyRow, i);
        JsonObject *object = survey_row_json(row);

        RECORD_ADD(object, VALUE("form", chain_form_name(row->form)));
        json_array_add_object_element(rows, object);
    }
    return trace_rows_csv(
        rows, "form,words,length,average,minimum,maximum,hyper_nodes,too_wide", "");
}

char *model_chain_csv(gconstpointer study)
{
    const ModelChainStudy *self = study;

    if (self->options->kind == MODEL_CHAIN_SURVEY) {
        return survey_csv(self->survey);
    }
    return self->options->kind == MODEL_CHAIN_TREE
               ? trace_rows_csv(model_chain_nodes_json(chain_study_plan(self->study)),
                                "node=name,factors,kind,fusion,hp,hl,hr,fp,fl,fr,f,"
                                "x=tile.x,y=tile.y",
                                "")
               : trace_rows_csv(model_chain_methods_json(self->study),
                                "method,words,ratio,stretch,rows,columns", "");
}
