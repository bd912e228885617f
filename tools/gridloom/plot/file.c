/* Reads runs and writes pictures. */
#include "tools/gridloom/plot/file.h"

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/input.h"
#include "traces/error.h"
#include "traces/file/output.h"
#include "traces/picture/png.h"

typedef CmdPlotFile Options;

const Option cmd_plot_file_rows[] = {
    {"output", "FILE.svg|FILE.png", "where to draw", OPTION_TEXT(output),
     .letter = 'o'},
    {"title", "TEXT", "above the picture", OPTION_TEXT(title)},
    {"scale", "N", "pixels of a PNG for one of the SVG, 0.1 to 16 (default: 1)",
     CMD_PLOT_FILE_SCALE(scale)},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {0},
};

void cmd_plot_file_clear(gpointer options)
{
    CmdPlotFile *self = options;

    g_clear_pointer(&self->progress, progress_free);
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
    return (cmd_plot_file_is_picture(path) ||
            option_fail(
                error, "%s: pictures are SVG or PNG, expected a name with .svg or .png",
                path)) &&
           trace_output_check(path, error);
}

static bool check(CmdPlotFile *self, const OptionTexts *texts, GError **error)
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
    if (option_is_given(texts, "scale") && !is_png(self->output)) {
        return option_fail(
            error, "--scale = %s: only a PNG has a resolution, and -o %s is none",
            option_text(texts, "scale"), self->output);
    }
    return cmd_plot_file_check(self->output, error);
}

bool cmd_plot_file_open(CmdPlotFile *self, const OptionTexts *texts, GError **error)
{
    if (!check(self, texts, error)) {
        return false;
    }
    self->progress = progress_new("plot", true);
    self->runs = cmd_run_input_read_all(self->progress, self->words, "drawing", error);
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

int cmd_plot_file_run(gpointer options)
{
    const CmdPlotFile *self = options;
    g_autoptr(GError) error = NULL;
    g_autofree char *svg = self->draw(options, &error);

    return svg != NULL && cmd_plot_file_write(self->output, svg, self->scale, &error)
               ? EXIT_DONE
               : complain_of(error);
}
