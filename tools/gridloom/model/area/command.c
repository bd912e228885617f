/* gridloom model area: silicon that a GPU, a core or a PE takes. */
#include "tools/gridloom/model/area/area.h"

int model_area_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelArea *study = data;

    return model_output_write(&study->output,
                              &(ModelPage){.name = "model area",
                                           .chip = study->chip,
                                           .study = study,
                                           .parameters = model_area_parameters,
                                           .metrics = model_area_metrics,
                                           .csv = model_area_csv,
                                           .svg = model_area_svg,
                                           .print = model_area_print},
                              start);
}
