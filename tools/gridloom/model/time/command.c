/* gridloom model time: how long a tiled stencil takes on a GPU, and which tile. */
#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/schedule/schedule.h"
#include "tools/gridloom/model/time/campaign.h"
#include "tools/gridloom/model/time/measured.h"
#include "tools/gridloom/model/time/study.h"
#include "tools/gridloom/model/time/surface.h"
#include "tools/gridloom/plot/file.h"

/* A page of the parts of a model_time_KIND. */
#define PAGE(kind, data)                                                               \
    {                                                                                  \
        .name = "model time", .chip = options->gpu, .study = (data),                   \
        .parameters = model_time_##kind##_parameters,                                  \
        .metrics = model_time_##kind##_metrics, .csv = model_time_##kind##_csv,        \
        .svg = model_time_##kind##_svg, .print = model_time_##kind##_print             \
    }

/* The picture is made before anything is written, so that it is all or nothing. */
static bool write_schedule(const ModelTimeStudy *study, GError **error)
{
    const ModelTimeOptions *options = study->options;
    const GpuScheduleSetting setting = {.shape = options->shape,
                                        .form = options->space.form};
    const GpuTile tile = model_time_study_scheduled(study);

    if (options->schedule == NULL) {
        return true;
    }
    g_autofree char *svg =
        model_schedule_to_svg(&options->space.problem, &tile, &setting, error);

    return svg != NULL &&
           cmd_plot_file_write(options->schedule, svg, CMD_PLOT_FILE_SHARP, error);
}

static int ask_tiles(const ModelTimeOptions *options, gint64 start)
{
    g_auto(ModelTimeStudy) study = {0};
    ModelPage page = PAGE(study, &study);
    g_autoptr(GError) error = NULL;

    if (!model_time_study_init(&study, options, &error) ||
        !write_schedule(&study, &error)) {
        return complain_of(error);
    }
    if (study.has_check) {
        page.reference = "the schedule, point by point";
        page.is_wrong = !model_schedule_check_is_passed(&study.check);
    }
    return model_output_write(&options->output, &page, start);
}

static int draw_surface(const ModelTimeOptions *options, gint64 start)
{
    g_auto(ModelTimeSurface) surface = {0};
    const ModelPage page = PAGE(surface, &surface);
    g_autoptr(GError) error = NULL;

    return model_time_surface_init(&surface, options, &error)
               ? model_output_write(&options->output, &page, start)
               : complain_of(error);
}

static int run_campaign(const ModelTimeOptions *options, gint64 start)
{
    g_auto(ModelTimeCampaign) campaign = {0};
    const ModelPage page = PAGE(campaign, &campaign);
    g_autoptr(GError) error = NULL;

    return model_time_campaign_init(&campaign, options, &error)
               ? model_output_write(&options->output, &page, start)
               : complain_of(error);
}

static int compare(const ModelTimeOptions *options, gint64 start)
{
    g_auto(ModelTimeMeasured) measured = {0};
    const ModelPage page = PAGE(measured, &measured);
    g_autoptr(GError) error = NULL;

    return model_time_measured_init(&measured, options, &error)
               ? model_output_write(&options->output, &page, start)
               : complain_of(error);
}

int model_time_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelTimeOptions *options = data;

    switch (options->mode) {
    case MODEL_TIME_SURFACE:
        return draw_surface(options, start);
    case MODEL_TIME_CAMPAIGN:
        return run_campaign(options, start);
    case MODEL_TIME_MEASURED:
        return compare(options, start);
    case MODEL_TIME_TILE:
    case MODEL_TIME_SEARCH:
    default:
        return ask_tiles(options, start);
    }
}
