/* Figure 15: intensity on CUDA cores by fusion depth, in double precision. */
#include "tools/gridloom/gpu/figure.h"
#include "traces/picture/plot_list.h"

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

/* A line of the model; what was measured along it goes to `measured`. */
static bool fill_line(CmdGpuFigure *self,
                      const GpuStencil *base,
                      TracePlotList *plot,
                      GArray *measured,
                      GError **error)
{
    GpuStencil stencil = *base;
    g_autofree char *name = gpu_stencil_name(&stencil);

    trace_plot_list_series(plot, TRACE_PLOT_LINE, "%s", name);
    for (stencil.fusion = 1; stencil.fusion <= DEPTH_MOST; stencil.fusion++) {
        const CmdGpuPublishedRow *published =
            cmd_gpu_published_find(self->published, BASELINE, &stencil, QUANTITY);
        GpuStencilModel model;

        if (!cmd_gpu_figure_model(self, BASELINE, &stencil, 0, &model, error)) {
            return false;
        }
        cmd_gpu_figure_add(self, &(CmdGpuFigureRow){.implementation = BASELINE,
                                                    .stencil = stencil,
                                                    .quantity = QUANTITY,
                                                    .unit = "FLOP/B",
                                                    .model = model.intensity,
                                                    .published = published});
        trace_plot_list_add(plot, stencil.fusion, model.intensity);
        if (published != NULL) {
            const TracePlotPoint point = {stencil.fusion, published->value};

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
    g_autoptr(TracePlotList) plot = trace_plot_list_new();
    g_autoptr(GArray) measured = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint));

    for (gsize i = 0; i < G_N_ELEMENTS(stencils); i++) {
        if (!fill_line(self, &stencils[i], plot, measured, error)) {
            return false;
        }
    }
    trace_plot_list_series(plot, TRACE_PLOT_POINTS, "measured (Table 2)");
    for (guint i = 0; i < measured->len; i++) {
        const TracePlotPoint *point = &g_array_index(measured, TracePlotPoint, i);

        trace_plot_list_add(plot, point->x, point->y);
    }
    cmd_gpu_figure_note(self,
                        "the other points of the paper's figure are drawn only, and "
                        "so not known");
    self->svg = trace_plot_list_draw(
        plot,
        &(TracePlot){
            .title =
                "Gu et al., Figure 15: intensity on CUDA cores by fusion depth, double",
            .x = "fused time steps",
            .y = "arithmetic intensity [FLOP/B]",
        },
        trace_plot_to_svg);
    return true;
}
