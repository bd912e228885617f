/* gridloom gpu stencil: the enhanced roofline of stencils on GPUs. */
#include "tools/gridloom/gpu/stencil.h"

#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/output.h"

guint cmd_gpu_stencil_swept(const CmdGpuStencilStudy *self, const GpuComparison *at)
{
    return self->options->sweep == CMD_GPU_SWEEP_RADIUS ? at->stencil.radius
                                                        : at->stencil.fusion;
}

guint cmd_gpu_stencil_transition(const CmdGpuStencilStudy *self, guint program)
{
    for (guint i = 0; i < self->sweep->len; i++) {
        const GpuComparison *at = &g_array_index(self->sweep, GpuComparison, i);

        if (at->rows[program].why == NULL && at->rows[program].model.is_compute_bound) {
            return cmd_gpu_stencil_swept(self, at);
        }
    }
    return 0;
}

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
    if (options->sweep == CMD_GPU_SWEEP_NONE) {
        return true;
    }
    self->sweep = g_array_new(FALSE, FALSE, sizeof(GpuComparison));
    g_array_set_clear_func(self->sweep, gpu_comparison_clear);
    for (guint i = options->sweep_from; i <= options->sweep_to; i++) {
        GpuStencil stencil = options->stencil;
        GpuComparison at;

        *(options->sweep == CMD_GPU_SWEEP_FUSION ? &stencil.fusion : &stencil.radius) =
            i;
        if (!gpu_comparison_init(&at, &stencil, &setting, error)) {
            return false;
        }
        g_array_append_val(self->sweep, at);
    }
    return true;
}

static void study_clear(CmdGpuStencilStudy *self)
{
    gpu_comparison_clear(&self->now);
    g_clear_pointer(&self->sweep, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdGpuStencilStudy, study_clear)

static bool
write_output(const CmdGpuStencilStudy *study, const char *path, GError **error)
{
    const bool is_table = g_str_has_suffix(path, ".csv");
    g_autofree char *text = is_table ? cmd_gpu_stencil_to_csv(study)
                                     : cmd_gpu_stencil_draw(study, trace_plot_to_svg);

    return is_table ? trace_output_write(path, text, error)
                    : cmd_plot_file_write(path, text, CMD_PLOT_FILE_SHARP, error);
}

static bool write_outputs(const CmdGpuStencilStudy *study, gint64 start, GError **error)
{
    const CmdGpuStencilOptions *options = study->options;

    for (char **path = options->outputs; path != NULL && *path != NULL; path++) {
        if (!write_output(study, *path, error)) {
            return false;
        }
    }
    if (options->json != NULL) {
        g_autofree char *json = cmd_gpu_stencil_to_json(
            study, (double) (g_get_monotonic_time() - start) / G_USEC_PER_SEC);

        return trace_output_write(options->json, json, error);
    }
    return true;
}

/* A page of text may go to standard output: no file goes there. */
static bool has_text(const CmdGpuStencilOptions *options)
{
    return !options->is_quiet && !trace_output_is_stdout(options->json) &&
           !trace_output_has_stdout(options->outputs);
}

int cmd_gpu_stencil_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const CmdGpuStencilOptions *options = data;
    g_auto(CmdGpuStencilStudy) study = {.options = options};
    g_autoptr(GError) error = NULL;

    if (!study_init(&study, &error) || !write_outputs(&study, start, &error)) {
        return complain_of(error);
    }
    if (has_text(options)) {
        cmd_gpu_stencil_print(&study);
    }
    return EXIT_DONE;
}
