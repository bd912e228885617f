/* gridloom model area: silicon that a GPU, a core or a PE takes. */
#include "tools/gridloom/command.h"

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/area/area.h"

int cmd_model_area(int argc, char **argv)
{
    const gint64 start = g_get_monotonic_time();
    g_auto(ModelArea) study = {0};
    g_autoptr(GError) error = NULL;

    if (!model_area_init(&study, argc, argv, &error)) {
        return complain_of(error);
    }
    return model_output_write(&study.output,
                              &(ModelPage){.name = "model area",
                                           .chip = study.chip,
                                           .study = &study,
                                           .parameters = model_area_parameters,
                                           .metrics = model_area_metrics,
                                           .csv = model_area_csv,
                                           .svg = model_area_svg,
                                           .print = model_area_print},
                              start);
}
