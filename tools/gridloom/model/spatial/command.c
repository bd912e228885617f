/* gridloom model codesign FILE.lua: SRAM or cores, by programs that run. */
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/spatial/study.h"

int spatial_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    SpatialStudy *study = data;
    g_autoptr(Watchdog) watchdog = NULL;
    g_autoptr(GError) error = NULL;
    int code;

    watchdog_block_signals();
    watchdog = watchdog_new(0);
    if (!spatial_study_run(study, watchdog, &error)) {
        return watchdog_complain(watchdog, error);
    }
    code = model_output_write(&study->output,
                              &(ModelPage){.name = "model codesign",
                                           .chip = study->chip,
                                           .study = study,
                                           .parameters = spatial_study_parameters,
                                           .metrics = spatial_study_metrics,
                                           .csv = spatial_study_csv,
                                           .svg = spatial_study_svg,
                                           .print = spatial_study_print},
                              start);
    return code != EXIT_DONE ? code : spatial_study_code(study);
}
