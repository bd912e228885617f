/* A study of tiles as a picture: time over the tiles that share a multiprocessor. */
#include "tools/gridloom/model/time/study.h"
#include "tools/gridloom/model/time/text.h"
#include "tools/gridloom/quantity.h"
#include "traces/picture/plot.h"

/* The caller frees it. */
static TracePlotPoint *points_of(const GArray *choices)
{
    TracePlotPoint *points = g_new(TracePlotPoint, choices->len);

    for (guint i = 0; i < choices->len; i++) {
        const GpuTileChoice *choice = &g_array_index(choices, GpuTileChoice, i);

        points[i] = (TracePlotPoint){choice->tile.resident, choice->seconds};
    }
    return points;
}

char *model_time_study_svg(gconstpointer study)
{
    const ModelTimeStudy *self = study;
    const ModelTimeOptions *options = self->options;
    const GpuTilingForm form = options->space.form;
    const guint dimension = options->space.problem.dimension;
    const gsize count = self->residents->len;
    g_autofree char *size = quantity_sizes(options->space.problem.space, dimension);
    g_autofree char *tile = model_time_tile_name(&self->tile, dimension);
    g_autofree char *title = g_strdup_printf(
        "%s, %s points, %" G_GUINT64_FORMAT " steps on %s", options->stencil->title,
        size, options->space.problem.steps, arch_params_name(options->gpu));
    g_autofree char *note =
        self->has_search ? g_strdup_printf("The best tile of each k; of all: %s", tile)
                         : g_strdup_printf("Of one tile: %s", tile);
    g_autofree char *own = g_strdup_printf("T_alg, %s", model_time_form_name(form));
    g_autofree char *other =
        g_strdup_printf("T_alg, %s", model_time_form_name(model_time_other_form(form)));
    g_autofree TracePlotPoint *points = points_of(self->residents);
    g_autofree TracePlotPoint *others = points_of(self->others);
    const double ideal = self->times[0].ideal_seconds;
    const TracePlotPoint ends[] = {{1, ideal}, {points[count - 1].x, ideal}};
    const TracePlotSeries series[] = {
        {own, TRACE_PLOT_BOTH, points, count, NULL},
        {other, TRACE_PLOT_BOTH, others, self->others->len, NULL},
        {"T_ideal", TRACE_PLOT_LINE, ends, G_N_ELEMENTS(ends), NULL},
    };

    return trace_plot_to_svg(&(TracePlot){
        .title = title,
        .x = "k, tiles that share a multiprocessor",
        .y = "time, s",
        .note = note,
        .series = series,
        .series_count = G_N_ELEMENTS(series),
    });
}
