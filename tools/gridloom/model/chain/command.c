/* gridloom model chain: traffic of a chain of matrix products. */
#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/chain/chain.h"

static const char reference[] =
    "loops on whole numbers: products equal to plain ones, words counted as predicted, "
    "no order or fusion of a short chain better";

static bool ask(ModelChainStudy *self, GError **error)
{
    const ModelChainOptions *options = self->options;
    bool is_done = true;

    self->study = g_new0(ChainStudy, 1);
    self->study->chain = options->chain;
    self->study->words = options->survey.words[0];
    self->study->form = options->form;
    switch (options->kind) {
    case MODEL_CHAIN_TREE:
        is_done = chain_study_tree(self->study, error);
        break;
    case MODEL_CHAIN_SINGLE:
        chain_study_methods(self->study, CHAIN_KEEP_OUTPUT, CHAIN_KEEP_RIGHT);
        break;
    case MODEL_CHAIN_PAIR:
        chain_study_methods(self->study, CHAIN_FUSE_LEFT, CHAIN_FUSE_RIGHT);
        break;
    case MODEL_CHAIN_SURVEY:
        self->survey = chain_survey_run(&options->survey, error);
        is_done = self->survey != NULL;
        break;
    }
    return is_done && (!options->has_check ||
                       chain_study_check(self->study, options->survey.seed, error));
}

int model_chain_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelChainOptions *options = data;
    ModelChainStudy study = {.options = options};
    ModelPage page = {.name = "model chain",
                      .study = &study,
                      .parameters = model_chain_parameters,
                      .metrics = model_chain_metrics,
                      .csv = model_chain_csv,
                      .svg = model_chain_svg,
                      .print = model_chain_print};
    g_autoptr(GError) error = NULL;
    int code;

    if (ask(&study, &error)) {
        page.reference = options->has_check ? reference : NULL;
        page.is_wrong = study.study->is_wrong;
        code = model_output_write(&options->output, &page, start);
    } else {
        code = complain_of(error);
    }
    g_clear_pointer(&study.survey, g_array_unref);
    g_free(study.study);
    return code;
}
