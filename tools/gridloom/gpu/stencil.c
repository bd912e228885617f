/* gridloom gpu stencil: the enhanced roofline of stencils on GPUs. */
#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/gpu/stencil_result.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/output.h"

static bool
write_output(const CmdGpuStencilStudy *study, const char *path, GError **error)
{
    const bool is_table = g_str_has_suffix(path, ".csv");
    g_autofree char *text =
        is_table ? cmd_gpu_stencil_to_csv(study) : cmd_gpu_stencil_to_svg(study);

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
    g_auto(CmdGpuStencilStudy) study = {0};
    g_autoptr(GError) error = NULL;

    if (!cmd_gpu_stencil_study_init(&study, options, &error) ||
        !write_outputs(&study, start, &error)) {
        return complain_of(error);
    }
    if (has_text(options)) {
        cmd_gpu_stencil_print(&study);
    }
    return EXIT_DONE;
}
