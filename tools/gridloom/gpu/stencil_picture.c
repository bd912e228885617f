/* A study of a stencil on the roofline of its GPU. */
#include <math.h>

#include "tools/gridloom/gpu/stencil.h"
#include "traces/file/quantity.h"
#include "traces/picture/plot_list.h"

#define TERA 1e12
#define ROOM 4.0 /* the axis goes so many times beyond points and ridges */

/* The cases that are drawn: those of the sweep, or the one there is. */
static guint case_count(const CmdGpuStencilStudy *study)
{
    return study->sweep != NULL ? study->sweep->len : 1;
}

static const GpuComparison *case_at(const CmdGpuStencilStudy *study, guint index)
{
    return study->sweep != NULL ? &g_array_index(study->sweep, GpuComparison, index)
                                : &study->now;
}

/* From the least intensity of points and ridges to the most. */
static void find_range(const CmdGpuStencilStudy *study, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    for (guint i = 0; i < case_count(study); i++) {
        const GpuComparison *at = case_at(study, i);
        const GpuStencilModel *const models[] = {&gpu_comparison_baseline(at)->model,
                                                 &gpu_comparison_with(at)->model};

        for (gsize k = 0; k < G_N_ELEMENTS(models); k++) {
            *low = fmin(*low, fmin(models[k]->intensity, models[k]->ridge));
            *high = fmax(*high, fmax(models[k]->intensity, models[k]->ridge));
        }
    }
    *low /= ROOM;
    *high *= ROOM;
}

static void
add_ceiling(TracePlotList *plot, const GpuComparisonRow *row, GpuType type, double high)
{
    const GpuStencilModel *model = &row->model;
    g_autofree char *rate = quantity_scaled(model->peak);

    trace_plot_list_series(plot, TRACE_PLOT_LINE, "%s, %s: %sFLOP/s",
                           gpu_unit_title(row->program->unit),
                           gpu_format_name(row->program->unit, type), rate);
    trace_plot_list_add(plot, model->ridge, model->peak / TERA);
    trace_plot_list_add(plot, high, model->peak / TERA);
}

/* The slope goes up to the highest ceiling that is drawn. */
static void add_roofs(TracePlotList *plot, const CmdGpuStencilStudy *study)
{
    const GpuComparisonRow *baseline = gpu_comparison_baseline(&study->now);
    const GpuComparisonRow *with = gpu_comparison_with(&study->now);
    const double ridge = fmax(baseline->model.ridge, with->model.ridge);
    const double bandwidth = with->model.peak / with->model.ridge;
    g_autofree char *rate = quantity_scaled(bandwidth);
    double low;
    double high;

    find_range(study, &low, &high);
    trace_plot_list_series(plot, TRACE_PLOT_LINE, "DRAM: %sB/s", rate);
    trace_plot_list_add(plot, low, bandwidth * low / TERA);
    trace_plot_list_add(plot, ridge, bandwidth * ridge / TERA);
    add_ceiling(plot, baseline, study->now.stencil.type, high);
    add_ceiling(plot, with, study->now.stencil.type, high);
}

/* To the series that was begun last. */
static void add_points(TracePlotList *plot,
                       const CmdGpuStencilStudy *study,
                       guint program,
                       bool is_raw)
{
    for (guint i = 0; i < case_count(study); i++) {
        const GpuStencilModel *model = &case_at(study, i)->rows[program].model;

        trace_plot_list_add(plot, model->intensity,
                            (is_raw ? model->raw_rate : model->rate) / TERA);
    }
}

/* Points without useless work are on the roofs; what is useful of the rest is below. */
static void add_programs(TracePlotList *plot, const CmdGpuStencilStudy *study)
{
    const CmdGpuStencilOptions *options = study->options;
    const GpuComparisonRow *baseline = gpu_comparison_baseline(&study->now);
    const GpuStencilModel *model = &gpu_comparison_with(&study->now)->model;
    const char *name = gpu_comparison_with(&study->now)->program->name;

    if (study->sweep != NULL) {
        trace_plot_list_series(plot, TRACE_PLOT_POINTS, "%s", baseline->program->name);
        add_points(plot, study, options->baseline, false);
        trace_plot_list_series(plot, TRACE_PLOT_POINTS, "%s, with useless work", name);
        add_points(plot, study, options->with, true);
        trace_plot_list_series(plot, TRACE_PLOT_BOTH, "%s, useful: S / alpha of it",
                               name);
        add_points(plot, study, options->with, false);
        return;
    }
    trace_plot_list_series(plot, TRACE_PLOT_LINE, NULL);
    trace_plot_list_add(plot, model->intensity, model->raw_rate / TERA);
    trace_plot_list_add(plot, model->intensity, model->rate / TERA);
    trace_plot_list_series(plot, TRACE_PLOT_POINTS, "%s: %s bound",
                           baseline->program->name,
                           gpu_stencil_bound(&baseline->model));
    add_points(plot, study, options->baseline, false);
    trace_plot_list_series(plot, TRACE_PLOT_POINTS, "%s: %s bound, with useless work",
                           name, gpu_stencil_bound(model));
    add_points(plot, study, options->with, true);
    trace_plot_list_series(plot, TRACE_PLOT_POINTS,
                           "%s, useful: S / alpha = %.3g of it", name,
                           model->sparsity / model->redundancy);
    add_points(plot, study, options->with, false);
}

static char *title_of(const CmdGpuStencilStudy *study)
{
    const CmdGpuStencilOptions *options = study->options;
    const GpuStencil *stencil = &study->now.stencil;
    g_autofree char *name = gpu_stencil_name(stencil);
    const char *type = gpu_type_name(stencil->type);
    const char *gpu = arch_params_name(options->gpu);

    switch (options->sweep) {
    case GPU_SWEEP_FUSION:
        return g_strdup_printf("%s, %s, %u to %u steps in a pass on %s", name, type,
                               options->sweep_from, options->sweep_to, gpu);
    case GPU_SWEEP_RADIUS:
        return g_strdup_printf("%s-%uD, radius %u to %u, %s, fusion %u on %s",
                               stencil->shape == GPU_BOX ? "Box" : "Star",
                               stencil->dimension, options->sweep_from,
                               options->sweep_to, type, stencil->fusion, gpu);
    case GPU_SWEEP_NONE:
        break;
    }
    return g_strdup_printf("%s, %s, fusion %u on %s: scenario %u, %.3gx", name, type,
                           stencil->fusion, gpu, study->now.scenario,
                           study->now.speedup);
}

char *cmd_gpu_stencil_draw(const CmdGpuStencilStudy *self,
                           char *(*draw)(const TracePlot *) )
{
    g_autoptr(TracePlotList) plot = trace_plot_list_new();
    g_autofree char *title = title_of(self);

    add_roofs(plot, self);
    add_programs(plot, self);
    return trace_plot_list_draw(plot,
                                &(TracePlot){
                                    .title = title,
                                    .x = "operations per byte of DRAM [FLOP/B]",
                                    .y = "rate [TFLOP/s]",
                                    .is_log_x = true,
                                    .is_log_y = true,
                                },
                                draw);
}
