/* Reads runs and writes pictures. */
#include "tools/gridloom/plot/file.h"

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/input.h"
#include "traces/error.h"
#include "traces/file/output.h"
#include "traces/picture/png.h"

#define SCALE         1.0
#define SCALE_LEAST   0.1
#define SCALE_MOST    16.0
#define SCALE_ALLOWED "0.1 to 16"

void cmd_plot_file_clear(CmdPlotFile *self)
{
    g_free(self->output);
    g_free(self->title);
    g_free(self->scale_text);
    g_strfreev(self->words);
    g_clear_pointer(&self->runs, g_ptr_array_unref);
}

static bool is_png(const char *path)
{
    return g_str_has_suffix(path, ".png");
}

bool cmd_plot_file_is_picture(const char *path)
{
    return is_png(path) || g_str_has_suffix(path, ".svg") ||
           trace_output_is_stdout(path) || g_str_has_prefix(path, "/dev/");
}

bool cmd_plot_file_check(const char *path, GError **error)
{
    if (!cmd_plot_file_is_picture(path)) {
        return option_fail(
            error, "%s: pictures are SVG or PNG, expected a name with .svg or .png",
            path);
    }
    return trace_output_check(path, error);
}

bool cmd_plot_file_scale(const char *text, double *scale, GError **error)
{
    *scale = SCALE;
    if (text != NULL && (!option_is_number(text, scale) || *scale < SCALE_LEAST ||
                         *scale > SCALE_MOST)) {
        return option_refuse("--scale", text, SCALE_ALLOWED, error);
    }
    return true;
}

static bool check(CmdPlotFile *self, GError **error)
{
    if (self->words == NULL) {
        return option_fail(
            error, "%s: no run, give a trace, a result.json or a folder of --out",
            self->name);
    }
    if (self->output == NULL) {
        return option_fail(error,
                           "%s: no file to draw to, give -o FILE.svg or -o FILE.png",
                           self->name);
    }
    if (!cmd_plot_file_scale(self->scale_text, &self->scale, error)) {
        return false;
    }
    if (self->scale_text != NULL && !is_png(self->output)) {
        return option_fail(
            error, "--scale = %s: only a PNG has a resolution, and -o %s is none",
            self->scale_text, self->output);
    }
    return cmd_plot_file_check(self->output, error);
}

bool cmd_plot_file_parse(CmdPlotFile *self,
                         const GOptionEntry *entries,
                         int argc,
                         char **argv,
                         GError **error)
{
    const GOptionEntry common[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output, "where to draw",
         "FILE.svg|FILE.png"},
        {"title", 0, 0, G_OPTION_ARG_FILENAME, &self->title, "above the picture",
         "TEXT"},
        {"scale", 0, 0, G_OPTION_ARG_FILENAME, &self->scale_text,
         "pixels of a PNG for one of the SVG, " SCALE_ALLOWED " (default: 1)", "N"},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new(self->summary);

    g_set_prgname("gridloom plot");
    g_option_context_set_description(context, self->description);
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, common, NULL);
    return g_option_context_parse(context, &argc, &argv, error) && check(self, error);
}

bool cmd_plot_file_read(CmdPlotFile *self, guint most, GError **error)
{
    if (g_strv_length(self->words) > most) {
        return option_no_words(self->words + most, self->name, error);
    }
    self->runs = cmd_run_input_read_all(self->words, error);
    return self->runs != NULL;
}

const TraceTimeline *cmd_plot_file_timeline(const CmdPlotFile *self, GError **error)
{
    const TraceRun *run = g_ptr_array_index(self->runs, 0);

    if (run->timeline == NULL) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s: there is no trace in it, only a result; write one with "
                    "'gridloom run --trace FILE'",
                    run->name);
    }
    return run->timeline;
}

bool cmd_plot_file_write(const char *path,
                         const char *svg,
                         double scale,
                         GError **error)
{
    return is_png(path) ? trace_png_write(path, svg, scale, error)
                        : trace_output_write(path, svg, error);
}

int cmd_plot_file_end(const CmdPlotFile *self, const char *svg, const GError *failure)
{
    g_autoptr(GError) error = NULL;

    if (svg == NULL) {
        return complain_of(failure);
    }
    return cmd_plot_file_write(self->output, svg, self->scale, &error)
               ? EXIT_DONE
               : complain_of(error);
}
