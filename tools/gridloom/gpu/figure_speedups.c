/* Figure 2: speedups of tensor cores over DRStencil. */
#include <math.h>

#include "tools/gridloom/gpu/figure.h"
#include "traces/picture/bars.h"

#define QUANTITY "speedup over drstencil"
#define BASELINE "drstencil"

enum {
    PANEL_COUNT = 2,
    BARS_MOST = 8,
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

static TraceBar
make_bar(CmdGpuFigure *self, const CmdGpuPublishedRow *row, double speedup)
{
    const GpuStencil *stencil = stencil_of(row->implementation);
    g_autofree char *label =
        stencil != NULL ? g_strdup_printf("%s, %s, %u steps", row->implementation,
                                          gpu_type_name(stencil->type), stencil->fusion)
                        : g_strdup_printf("%s, half", row->implementation);
    g_autofree char *text =
        isfinite(speedup)
            ? g_strdup_printf("%.2f; published %.2f", speedup, row->value)
            : g_strdup_printf("no model of it; published %.2f", row->value);

    return (TraceBar){.label = g_string_chunk_insert(self->texts, label),
                      .text = g_string_chunk_insert(self->texts, text),
                      .value = speedup,
                      .mark = row->value};
}

/* The bars of a panel, and its rows. */
static bool fill_panel(
    CmdGpuFigure *self, guint panel, TraceBar *bars, gsize *bar_count, GError **error)
{
    for (guint i = 0; i < cmd_gpu_published_count(self->published); i++) {
        const CmdGpuPublishedRow *published = cmd_gpu_published_row(self->published, i);
        const GpuStencil *stencil = stencil_of(published->implementation);
        double speedup;

        if (!g_str_equal(published->quantity, QUANTITY) || *bar_count == BARS_MOST) {
            continue;
        }
        if (!find_speedup(self, published->implementation, panels[panel].is_fused,
                          &speedup, error)) {
            return false;
        }
        CmdGpuFigureRow row = cmd_gpu_figure_row(
            published->implementation, stencil != NULL ? stencil : &published->stencil,
            QUANTITY, published->unit, speedup);

        row.has_type = stencil != NULL;
        row.condition = panels[panel].condition;
        cmd_gpu_figure_publish(&row, published);
        cmd_gpu_figure_add(self, &row);
        bars[(*bar_count)++] = make_bar(self, published, speedup);
    }
    return true;
}

/* All panels have one scale. */
static double longest(const TraceBarPanel *drawn, guint count)
{
    double full = 0;

    for (guint i = 0; i < count; i++) {
        for (gsize k = 0; k < drawn[i].bar_count; k++) {
            const TraceBar *bar = &drawn[i].bars[k];

            full = fmax(full,
                        isfinite(bar->value) ? fmax(bar->value, bar->mark) : bar->mark);
        }
    }
    return full;
}

bool cmd_gpu_figure_speedups(CmdGpuFigure *self, GError **error)
{
    TraceBar bars[PANEL_COUNT][BARS_MOST];
    TraceBarPanel drawn[PANEL_COUNT] = {{0}};

    for (guint i = 0; i < PANEL_COUNT; i++) {
        drawn[i].title = panels[i].title;
        drawn[i].bars = bars[i];
        if (!fill_panel(self, i, bars[i], &drawn[i].bar_count, error)) {
            return false;
        }
    }
    drawn[PANEL_COUNT - 1].note =
        "Bars: the model's bounds for Box-2D1R. Strokes: published; the paper prints "
        "neither its stencil nor its depths.";
    for (guint i = 0; i < PANEL_COUNT; i++) {
        drawn[i].full = longest(drawn, PANEL_COUNT);
    }
    cmd_gpu_figure_note(self, "bars are ratios of bounds; the paper prints neither the "
                              "stencil nor the depths of fusion of its figure");
    cmd_gpu_figure_note(self,
                        "tcstencil is in half precision, and there is no model of it");
    self->svg = trace_bars_to_svg(
        &(TraceBars){.title = "Gu et al., Figure 2: tensor cores over DRStencil",
                     .panels = drawn,
                     .panel_count = PANEL_COUNT});
    return true;
}
