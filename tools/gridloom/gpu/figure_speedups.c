/* Figure 2: speedups of tensor cores over DRStencil. */
#include <math.h>

#include "tools/gridloom/gpu/figure.h"
#include "traces/picture/bar_list.h"

#define QUANTITY "speedup over drstencil"
#define BASELINE "drstencil"

enum {
    PANEL_COUNT = 2,
};

/* How many steps the baseline fuses. */
static const struct {
    const char *condition;
    const char *title;
    bool is_fused;
} panels[PANEL_COUNT] = {
    {"drstencil without fusion", "DRStencil does one step in a pass", false},
    {"drstencil with as many steps", "DRStencil fuses as many steps", true},
};

/* The stencils that the paper has the most of, as deep as the programs fuse there. */
static const struct {
    const char *implementation;
    GpuStencil stencil;
} programs[] = {
    {"convstencil", {GPU_BOX, 2, 1, 3, GPU_DOUBLE}},
    {"spider", {GPU_BOX, 2, 1, 7, GPU_FLOAT}},
};

static const GpuStencil *stencil_of(const char *implementation)
{
    for (gsize i = 0; i < G_N_ELEMENTS(programs); i++) {
        if (g_str_equal(programs[i].implementation, implementation)) {
            return &programs[i].stencil;
        }
    }
    return NULL;
}

/* NaN where there is no model of the implementation. */
static bool find_speedup(const CmdGpuFigure *self,
                         const char *implementation,
                         bool is_fused,
                         double *speedup,
                         GError **error)
{
    const GpuStencil *stencil = stencil_of(implementation);
    GpuStencilModel tensor;
    GpuStencilModel cuda;

    *speedup = NAN;
    if (stencil == NULL) {
        return true;
    }
    GpuStencil baseline = *stencil;

    baseline.fusion = is_fused ? stencil->fusion : 1;
    if (!cmd_gpu_figure_model(self, implementation, stencil, 0, &tensor, error) ||
        !cmd_gpu_figure_model(self, BASELINE, &baseline, 0, &cuda, error)) {
        return false;
    }
    *speedup = tensor.updates / cuda.updates;
    return true;
}

static void add_bar(TraceBarList *bars, const CmdGpuPublishedRow *row, double speedup)
{
    const GpuStencil *stencil = stencil_of(row->implementation);
    g_autofree char *label =
        stencil != NULL ? g_strdup_printf("%s, %s, %u steps", row->implementation,
                                          gpu_type_name(stencil->type), stencil->fusion)
                        : g_strdup_printf("%s, half", row->implementation);

    if (isfinite(speedup)) {
        trace_bar_list_add(bars, label, speedup, row->value, "%.2f; published %.2f",
                           speedup, row->value);
    } else {
        trace_bar_list_add(bars, label, speedup, row->value,
                           "no model of it; published %.2f", row->value);
    }
}

/* The bars of a panel, and its rows. */
static bool
add_panel(CmdGpuFigure *self, TraceBarList *bars, guint panel, GError **error)
{
    trace_bar_list_panel(bars, "%s", panels[panel].title);
    for (guint i = 0; i < cmd_gpu_published_count(self->published); i++) {
        const CmdGpuPublishedRow *published = cmd_gpu_published_row(self->published, i);
        const GpuStencil *stencil = stencil_of(published->implementation);
        double speedup;

        if (!g_str_equal(published->quantity, QUANTITY)) {
            continue;
        }
        if (!find_speedup(self, published->implementation, panels[panel].is_fused,
                          &speedup, error)) {
            return false;
        }
        cmd_gpu_figure_add(
            self, &(CmdGpuFigureRow){.implementation = published->implementation,
                                     .stencil = stencil != NULL ? *stencil
                                                                : published->stencil,
                                     .has_no_type = stencil == NULL,
                                     .condition = panels[panel].condition,
                                     .quantity = QUANTITY,
                                     .unit = published->unit,
                                     .model = speedup,
                                     .published = published});
        add_bar(bars, published, speedup);
    }
    return true;
}

bool cmd_gpu_figure_speedups(CmdGpuFigure *self, GError **error)
{
    g_autoptr(TraceBarList) bars =
        trace_bar_list_new("Gu et al., Figure 2: tensor cores over DRStencil");

    for (guint i = 0; i < PANEL_COUNT; i++) {
        if (!add_panel(self, bars, i, error)) {
            return false;
        }
    }
    trace_bar_list_note(bars,
                        "Bars: the model's bounds for Box-2D1R. Strokes: published; "
                        "the paper prints neither its stencil nor its depths.");
    trace_bar_list_share_scale(bars);
    cmd_gpu_figure_note(self, "bars are ratios of bounds; the paper prints neither the "
                              "stencil nor the depths of fusion of its figure");
    cmd_gpu_figure_note(self,
                        "tcstencil is in half precision, and there is no model of it");
    self->svg = trace_bar_list_to_svg(bars);
    return true;
}
