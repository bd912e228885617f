/* Figures 10 and 15: intensities of stencils on CUDA cores by fusion depth, and which
 * are memory bound and which compute bound. */
#include "tools/gridloom/gpu/figure.h"
#include "traces/picture/ladder.h"
#include "traces/picture/plot_list.h"

#define BASELINE "ebisu"
#define QUANTITY "intensity"

enum {
    DEPTH_MOST = 8,
};

/* The depths in the paper's text, and those between them. */
static const GpuStencil floats[] = {
    {GPU_STAR, 2, 1, 1, GPU_FLOAT}, {GPU_BOX, 2, 1, 1, GPU_FLOAT},
    {GPU_STAR, 2, 2, 1, GPU_FLOAT}, {GPU_BOX, 2, 2, 1, GPU_FLOAT},
    {GPU_STAR, 2, 3, 1, GPU_FLOAT}, {GPU_BOX, 2, 3, 1, GPU_FLOAT},
    {GPU_STAR, 3, 1, 1, GPU_FLOAT}, {GPU_BOX, 3, 1, 1, GPU_FLOAT},
    {GPU_STAR, 3, 2, 1, GPU_FLOAT}, {GPU_BOX, 3, 2, 1, GPU_FLOAT},
};

static const GpuStencil doubles[] = {
    {GPU_BOX, 2, 3, 1, GPU_DOUBLE},  {GPU_BOX, 3, 1, 1, GPU_DOUBLE},
    {GPU_STAR, 2, 3, 1, GPU_DOUBLE}, {GPU_BOX, 2, 1, 1, GPU_DOUBLE},
    {GPU_STAR, 3, 1, 1, GPU_DOUBLE}, {GPU_STAR, 2, 1, 1, GPU_DOUBLE},
};

enum {
    FLOAT_COUNT = G_N_ELEMENTS(floats),
};

static const CmdGpuPublishedRow *find_published(const CmdGpuFigure *self,
                                                const GpuStencil *stencil)
{
    return cmd_gpu_published_find(self->published, BASELINE, stencil, QUANTITY);
}

/* Models of all depths, and rows of them, which may say what bounds them. */
static bool fill_models(CmdGpuFigure *self,
                        const GpuStencil *base,
                        bool has_bound,
                        GpuStencilModel models[DEPTH_MOST],
                        GError **error)
{
    GpuStencil stencil = *base;

    for (stencil.fusion = 1; stencil.fusion <= DEPTH_MOST; stencil.fusion++) {
        GpuStencilModel *model = &models[stencil.fusion - 1];

        if (!cmd_gpu_figure_model(self, BASELINE, &stencil, 0, model, error)) {
            return false;
        }
        const char *bound = model->is_compute_bound ? "compute bound" : "memory bound";

        cmd_gpu_figure_add(
            self, &(CmdGpuFigureRow){.implementation = BASELINE,
                                     .stencil = stencil,
                                     .condition = has_bound ? bound : NULL,
                                     .quantity = QUANTITY,
                                     .unit = "FLOP/B",
                                     .model = model->intensity,
                                     .published = find_published(self, &stencil)});
    }
    return true;
}

/* Describes a stencil and the depth from which on it is compute bound. */
static const char *describe(CmdGpuFigure *self,
                            const GpuStencil *stencil,
                            const GpuStencilModel models[DEPTH_MOST])
{
    g_autofree char *name = gpu_stencil_name(stencil);

    for (guint i = 0; i < DEPTH_MOST; i++) {
        if (models[i].is_compute_bound) {
            return cmd_gpu_figure_text(self, "%s (from %u)", name, i + 1);
        }
    }
    return cmd_gpu_figure_text(self, "%s (not up to %u)", name, DEPTH_MOST + 0U);
}

bool cmd_gpu_figure_classes(CmdGpuFigure *self, GError **error)
{
    static const char *const notes[] = {
        "The number in a mark is how many time steps are fused; in brackets, from "
        "which "
        "on the stencil is compute bound.",
        NULL};
    TraceLadderRow rows[FLOAT_COUNT];
    double values[FLOAT_COUNT][DEPTH_MOST];
    double ridge = 1;

    for (gsize i = 0; i < FLOAT_COUNT; i++) {
        GpuStencilModel models[DEPTH_MOST];

        if (!fill_models(self, &floats[i], true, models, error)) {
            return false;
        }
        for (guint k = 0; k < DEPTH_MOST; k++) {
            values[i][k] = models[k].intensity;
        }
        ridge = models[DEPTH_MOST - 1].ridge;
        const char *label = describe(self, &floats[i], models);

        rows[i] = (TraceLadderRow){.label = label,
                                   .values = values[i],
                                   .value_count = DEPTH_MOST,
                                   .colour = floats[i].shape == GPU_BOX ? 0 : 1};
        cmd_gpu_figure_note(self, "%s", label);
    }
    self->svg = trace_ladder_to_svg(&(TraceLadder){
        .title = "Gu et al., Figure 10: stencils on CUDA cores by fusion depth, float",
        .x = "arithmetic intensity [FLOP/B]",
        .limit = ridge,
        .limit_text = cmd_gpu_figure_text(self, "ridge %.2f", ridge),
        .below = "memory bound",
        .above = "compute bound",
        .rows = rows,
        .row_count = FLOAT_COUNT,
        .notes = notes,
    });
    return true;
}

/* A line of the model; what was measured along it goes to `measured`. */
static bool fill_line(CmdGpuFigure *self,
                      const GpuStencil *base,
                      TracePlotList *plot,
                      GArray *measured,
                      GError **error)
{
    GpuStencil stencil = *base;
    g_autofree char *name = gpu_stencil_name(&stencil);
    GpuStencilModel models[DEPTH_MOST];

    if (!fill_models(self, base, false, models, error)) {
        return false;
    }
    trace_plot_list_series(plot, TRACE_PLOT_LINE, "%s", name);
    for (stencil.fusion = 1; stencil.fusion <= DEPTH_MOST; stencil.fusion++) {
        const double intensity = models[stencil.fusion - 1].intensity;
        const CmdGpuPublishedRow *published = find_published(self, &stencil);

        trace_plot_list_add(plot, stencil.fusion, intensity);
        if (published != NULL) {
            const TracePlotPoint point = {stencil.fusion, published->value};

            g_array_append_val(measured, point);
            cmd_gpu_figure_note(self, "%s, %u fused: model %.4g, measured %.4g FLOP/B",
                                name, stencil.fusion, intensity, published->value);
        }
    }
    return true;
}

bool cmd_gpu_figure_intensities(CmdGpuFigure *self, GError **error)
{
    g_autoptr(TracePlotList) plot = trace_plot_list_new();
    g_autoptr(GArray) measured = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint));

    for (gsize i = 0; i < G_N_ELEMENTS(doubles); i++) {
        if (!fill_line(self, &doubles[i], plot, measured, error)) {
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
