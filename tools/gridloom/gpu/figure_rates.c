/* Figure 16: rates of all programs, by the model and as published. */
#include "tools/gridloom/gpu/figure.h"
#include "traces/picture/bar_list.h"

#define QUANTITY "rate"
#define GIGA     1e9
#define TERA     1e12

enum {
    CASES_MOST = 16,
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

static bool add_bar(CmdGpuFigure *self,
                    TraceBarList *bars,
                    const char *program,
                    const GpuStencil *stencil,
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

    cmd_gpu_figure_add(self, &(CmdGpuFigureRow){.implementation = program,
                                                .stencil = run,
                                                .condition = model.is_compute_bound
                                                                 ? "compute bound"
                                                                 : "memory bound",
                                                .quantity = QUANTITY,
                                                .unit = "GStencil/s",
                                                .model = rate,
                                                .published = published});
    if (published == NULL) {
        trace_bar_list_add(bars, program, rate, 0, "%.1f", rate);
        return true;
    }
    note_excess(self, &run, &model, published);
    trace_bar_list_add(bars, program, rate, published->value,
                       "%.1f; published %.1f (%.0f %%)", rate, published->value,
                       100 * published->value / rate);
    return true;
}

static bool add_case(CmdGpuFigure *self,
                     TraceBarList *bars,
                     const GpuStencil *stencil,
                     GError **error)
{
    const char *const *programs =
        stencil->type == GPU_DOUBLE ? double_programs : float_programs;
    g_autofree char *name = gpu_stencil_name(stencil);

    trace_bar_list_panel(bars, "%s, %s, %u %s in a pass [GStencil/s]", name,
                         gpu_type_name(stencil->type), stencil->fusion,
                         stencil->fusion == 1 ? "step" : "steps");
    for (; *programs != NULL; programs++) {
        if (!add_bar(self, bars, *programs, stencil, error)) {
            return false;
        }
    }
    return true;
}

bool cmd_gpu_figure_rates(CmdGpuFigure *self, GError **error)
{
    GpuStencil cases[CASES_MOST];
    const guint count = find_cases(self->published, cases);
    g_autoptr(TraceBarList) bars = trace_bar_list_new(
        "Gu et al., Figure 16: rates of stencils, bounds and published");

    for (guint i = 0; i < count; i++) {
        if (!add_case(self, bars, &cases[i], error)) {
            return false;
        }
    }
    if (count > 0) {
        trace_bar_list_note(
            bars, "Bars: what the model allows; cudnn does one step in a pass. "
                  "Strokes: published in Tables 3 and 4.");
    }
    cmd_gpu_figure_note(self,
                        "rates of cudnn and drstencil are only drawn in the paper's "
                        "figure, and so not known");
    self->svg = trace_bar_list_to_svg(bars);
    return true;
}
