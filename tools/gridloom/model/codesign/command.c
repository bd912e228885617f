/* gridloom model codesign: the best machine for a workload in an area. */
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/codesign/codesign.h"

int model_codesign_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelCodesignOptions *options = data;
    g_auto(ModelCodesign) study = {0};
    g_autoptr(GError) error = NULL;

    if (!model_codesign_init(&study, options, &error)) {
        return complain_of(error);
    }
    return model_output_write(&options->output,
                              &(ModelPage){.name = "model codesign",
                                           .chip = options->gpu,
                                           .study = &study,
                                           .parameters = model_codesign_parameters,
                                           .metrics = model_codesign_metrics,
                                           .csv = model_codesign_csv,
                                           .svg = model_codesign_svg,
                                           .print = model_codesign_print},
                              start);
}
