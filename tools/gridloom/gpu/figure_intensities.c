/* Figure 15: intensity on CUDA cores by fusion depth, in double precision. */
#include "tools/gridloom/gpu/figure.h"
#include "traces/picture/plot.h"

#define BASELINE "ebisu"
#define QUANTITY "intensity"

enum {
    DEPTH_MOST = 8,
};

static const GpuStencil stencils[] = {
    {GPU_BOX, 2, 3, 1, GPU_DOUBLE},  {GPU_BOX, 3, 1, 1, GPU_DOUBLE},
    {GPU_STAR, 2, 3, 1, GPU_DOUBLE}, {GPU_BOX, 2, 1, 1, GPU_DOUBLE},
    {GPU_STAR, 3, 1, 1, GPU_DOUBLE}, {GPU_STAR, 2, 1, 1, GPU_DOUBLE},
};

enum {
    STENCIL_COUNT = G_N_ELEMENTS(stencils),
};

/* A line of the model, and what was measured along it. */
static bool fill_line(CmdGpuFigure *self,
                      const GpuStencil *base,
                      TracePlotPoint *points,
                      GArray *measured,
                      GError **error)
{
    GpuStencil stencil = *base;

    for (stencil.fusion = 1; stencil.fusion <= DEPTH_MOST; stencil.fusion++) {
        const CmdGpuPublishedRow *published =
            cmd_gpu_published_find(self->published, BASELINE, &stencil, QUANTITY);
        GpuStencilModel model;

        if (!cmd_gpu_figure_model(self, BASELINE, &stencil, 0, &model, error)) {
            return false;
        }
        CmdGpuFigureRow row =
            cmd_gpu_figure_row(BASELINE, &stencil, QUANTITY, "FLOP/B", model.intensity);

        cmd_gpu_figure_publish(&row, published);
        cmd_gpu_figure_add(self, &row);
        points[stencil.fusion - 1] = (TracePlotPoint){stencil.fusion, model.intensity};
        if (published != NULL) {
            const TracePlotPoint point = {stencil.fusion, published->value};
            g_autofree char *name = gpu_stencil_name(&stencil);

            g_array_append_val(measured, point);
            cmd_gpu_figure_note(self, "%s, %u fused: model %.4g, measured %.4g FLOP/B",
                                name, stencil.fusion, model.intensity,
                                published->value);
        }
    }
    return true;
}

bool cmd_gpu_figure_intensities(CmdGpuFigure *self, GError **error)
{
    TracePlotSeries series[STENCIL_COUNT + 1] = {{0}};
    TracePlotPoint points[STENCIL_COUNT][DEPTH_MOST];
    g_autoptr(GArray) measured = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint));

    for (gsize i = 0; i < STENCIL_COUNT; i++) {
        g_autofree char *name = gpu_stencil_name(&stencils[i]);

        if (!fill_line(self, &stencils[i], points[i], measured, error)) {
            return false;
        }
        series[i] = (TracePlotSeries){.name = g_string_chunk_insert(self->texts, name),
                                      .style = TRACE_PLOT_LINE,
                                      .points = points[i],
                                      .point_count = DEPTH_MOST};
    }
    series[STENCIL_COUNT] = (TracePlotSeries){
        .name = "measured (Table 2)",
        .style = TRACE_PLOT_POINTS,
        .points = (const TracePlotPoint *) (const void *) measured->data,
        .point_count = measured->len};
    cmd_gpu_figure_note(self,
                        "the other points of the paper's figure are drawn only, and "
                        "so not known");
    self->svg = trace_plot_to_svg(&(TracePlot){
        .title =
            "Gu et al., Figure 15: intensity on CUDA cores by fusion depth, double",
        .x = "fused time steps",
        .y = "arithmetic intensity [FLOP/B]",
        .series = series,
        .series_count = STENCIL_COUNT + 1,
    });
    return true;
}
