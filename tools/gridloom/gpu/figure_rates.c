/* Figure 16: rates of all programs, by the model and as published. */
#include <math.h>

#include "tools/gridloom/gpu/figure.h"
#include "traces/picture/bars.h"

#define QUANTITY "rate"
#define GIGA     1e9
#define TERA     1e12

enum {
    CASES_MOST = 16,
    PROGRAMS_MOST = 6,
};

static const char *const double_programs[] = {"cudnn", "drstencil", "ebisu",
                                              "convstencil", NULL};
static const char *const float_programs[] = {"cudnn",        "drstencil", "ebisu",
                                             "spider-dense", "spider",    NULL};

static bool is_same(const GpuStencil *one, const GpuStencil *other)
{
    return one->shape == other->shape && one->dimension == other->dimension &&
           one->radius == other->radius && one->fusion == other->fusion &&
           one->type == other->type;
}

/* The stencils that rates are published of, each once. */
static guint find_cases(const CmdGpuPublished *published, GpuStencil *cases)
{
    guint count = 0;

    for (guint i = 0; i < cmd_gpu_published_count(published); i++) {
        const CmdGpuPublishedRow *row = cmd_gpu_published_row(published, i);
        bool is_new = g_str_equal(row->quantity, QUANTITY) && row->has_type &&
                      row->stencil.dimension > 0 && count < CASES_MOST;

        for (guint k = 0; k < count && is_new; k++) {
            is_new = !is_same(&cases[k], &row->stencil);
        }
        if (is_new) {
            cases[count++] = row->stencil;
        }
    }
    return count;
}

static char *describe(double rate, const CmdGpuPublishedRow *published)
{
    return published != NULL
               ? g_strdup_printf("%.1f; published %.1f (%.0f %%)", rate,
                                 published->value, 100 * published->value / rate)
               : g_strdup_printf("%.1f", rate);
}

/* Says so where what is published is more than the unit can do. */
static void note_excess(CmdGpuFigure *self,
                        const GpuStencil *stencil,
                        const GpuStencilModel *model,
                        const CmdGpuPublishedRow *published)
{
    const double flops = published->value * GIGA * 2 * gpu_stencil_points(stencil) *
                         model->redundancy / model->sparsity;
    g_autofree char *name = gpu_stencil_name(stencil);

    if (flops > model->peak) {
        cmd_gpu_figure_note(
            self,
            "%s: what is published of %s is %.2f TFLOP/s, above the peak "
            "of %.1f",
            name, published->implementation, flops / TERA, model->peak / TERA);
    }
}

static bool fill_bar(CmdGpuFigure *self,
                     const char *program,
                     const GpuStencil *stencil,
                     TraceBar *bar,
                     GError **error)
{
    const CmdGpuPublishedRow *published =
        cmd_gpu_published_find(self->published, program, stencil, QUANTITY);
    GpuStencil run = *stencil;
    GpuStencilModel model;

    run.fusion = gpu_implementation_find(program)->is_fused ? stencil->fusion : 1;
    if (!cmd_gpu_figure_model(self, program, &run, 0, &model, error)) {
        return false;
    }
    const double rate = model.updates / GIGA;
    g_autofree char *text = describe(rate, published);
    CmdGpuFigureRow row =
        cmd_gpu_figure_row(program, &run, QUANTITY, "GStencil/s", rate);

    row.condition = model.is_compute_bound ? "compute bound" : "memory bound";
    cmd_gpu_figure_publish(&row, published);
    cmd_gpu_figure_add(self, &row);
    if (published != NULL) {
        note_excess(self, &run, &model, published);
    }
    *bar = (TraceBar){.label = program,
                      .text = g_string_chunk_insert(self->texts, text),
                      .value = rate,
                      .mark = published != NULL ? published->value : 0};
    return true;
}

static bool fill_case(CmdGpuFigure *self,
                      const GpuStencil *stencil,
                      TraceBar *bars,
                      TraceBarPanel *panel,
                      GError **error)
{
    const char *const *programs =
        stencil->type == GPU_DOUBLE ? double_programs : float_programs;
    g_autofree char *name = gpu_stencil_name(stencil);
    g_autofree char *title = g_strdup_printf(
        "%s, %s, %u %s in a pass [GStencil/s]", name, gpu_type_name(stencil->type),
        stencil->fusion, stencil->fusion == 1 ? "step" : "steps");

    *panel = (TraceBarPanel){.title = g_string_chunk_insert(self->texts, title),
                             .bars = bars};
    for (; *programs != NULL; programs++) {
        if (!fill_bar(self, *programs, stencil, &bars[panel->bar_count], error)) {
            return false;
        }
        panel->bar_count++;
    }
    return true;
}

bool cmd_gpu_figure_rates(CmdGpuFigure *self, GError **error)
{
    GpuStencil cases[CASES_MOST];
    TraceBar bars[CASES_MOST][PROGRAMS_MOST];
    TraceBarPanel panels[CASES_MOST] = {{0}};
    const guint count = find_cases(self->published, cases);

    for (guint i = 0; i < count; i++) {
        if (!fill_case(self, &cases[i], bars[i], &panels[i], error)) {
            return false;
        }
    }
    if (count > 0) {
        panels[count - 1].note =
            "Bars: what the model allows; cudnn does one step in a pass. Strokes: "
            "published in Tables 3 and 4.";
    }
    cmd_gpu_figure_note(self,
                        "rates of cudnn and drstencil are only drawn in the paper's "
                        "figure, and so not known");
    self->svg = trace_bars_to_svg(&(TraceBars){
        .title = "Gu et al., Figure 16: rates of stencils, bounds and published",
        .panels = panels,
        .panel_count = count,
    });
    return true;
}
