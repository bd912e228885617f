/* gridloom model chain: traffic of a chain of matrix products. */
#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/chain/chain.h"

static const char reference[] =
    "loops on whole numbers: products equal to plain ones, words counted as predicted, "
    "no order or fusion of a short chain better";

int model_chain_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelChainOptions *options = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(ModelChainStudy) study = model_chain_study_new(options, &error);

    if (study == NULL) {
        return complain_of(error);
    }
    const ModelPage page = {
        .name = "model chain",
        .reference = options->has_check ? reference : NULL,
        .is_wrong = study->is_wrong,
        .study = study,
        .parameters = model_chain_parameters,
        .metrics = model_chain_metrics,
        .csv = model_chain_csv,
        .svg = model_chain_svg,
        .print = model_chain_print,
    };

    return model_output_write(&options->output, &page, start);
}
