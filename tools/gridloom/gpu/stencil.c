/* gridloom gpu stencil: the enhanced roofline of stencils on GPUs. */
#include "tools/gridloom/gpu/stencil.h"

#include <math.h>

#include "arch/roof.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/output.h"

static bool study_init(CmdGpuStencilStudy *self, GError **error)
{
    const CmdGpuStencilOptions *options = self->options;
    const GpuComparisonSetting setting = {&options->setting, options->programs,
                                          options->baseline, options->with,
                                          options->size};

    if (!gpu_comparison_init(&self->now, &options->stencil, &setting, error)) {
        return false;
    }
    gpu_comparison_pad(&self->now, &options->setting, options->mma);
    if (options->sweep == GPU_SWEEP_NONE) {
        return true;
    }
    self->sweep = gpu_comparisons(&options->stencil, &setting, options->sweep,
                                  options->sweep_from, options->sweep_to, error);
    return self->sweep != NULL;
}

static void study_clear(CmdGpuStencilStudy *self)
{
    gpu_comparison_clear(&self->now);
    g_clear_pointer(&self->sweep, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdGpuStencilStudy, study_clear)

static char *svg(gconstpointer study)
{
    return cmd_gpu_stencil_draw(study, trace_plot_to_svg);
}

/* The caller frees them. */
static TraceRoof *roofs_of(const ArchParams *gpu, gsize *count)
{
    g_autoptr(GArray) roofs = arch_roofs(gpu, 1);
    TraceRoof *all = g_new(TraceRoof, roofs->len);

    for (guint i = 0; i < roofs->len; i++) {
        const ArchRoof *roof = &g_array_index(roofs, ArchRoof, i);

        all[i] = (TraceRoof){.name = roof->name,
                             .unit = roof->unit,
                             .value = roof->value,
                             .achieved = NAN,
                             .source = roof->source};
    }
    *count = roofs->len;
    return all;
}

static int write_study(const CmdGpuStencilStudy *study, gint64 start)
{
    const CmdGpuStencilOptions *options = study->options;
    const ModelOutput output = {options->outputs, options->json, options->is_quiet};
    ModelPage page = {.name = "gpu stencil",
                      .chip = options->gpu,
                      .unchecked =
                          "nothing: a model, no data is computed that could be checked",
                      .study = study,
                      .parameters = cmd_gpu_stencil_parameters,
                      .metrics = cmd_gpu_stencil_metrics,
                      .csv = cmd_gpu_stencil_csv,
                      .svg = svg,
                      .print = cmd_gpu_stencil_print};
    g_autofree TraceRoof *roofs = roofs_of(options->gpu, &page.roof_count);

    page.roofs = roofs;
    return model_output_write(&output, &page, start);
}

int cmd_gpu_stencil_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const CmdGpuStencilOptions *options = data;
    g_auto(CmdGpuStencilStudy) study = {.options = options};
    g_autoptr(GError) error = NULL;

    return study_init(&study, &error) ? write_study(&study, start) : complain_of(error);
}
