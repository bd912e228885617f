/* gridloom plot heatmap: how busy places and links were, over the chip. */
#include "tools/gridloom/command.h"
#include "tools/gridloom/option_part.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/error.h"
#include "traces/picture/timeline_heatmap.h"

typedef struct {
    CmdPlotFile file;
    char *by_text;
    char *unit;
    char *at_text;
    char *windows_text;
    guint by;
    SimTime from;
    SimTime to;
    guint windows;
} Options;

static void options_clear(Options *self)
{
    cmd_plot_file_clear(&self->file);
    g_free(self->by_text);
    g_free(self->unit);
    g_free(self->at_text);
    g_free(self->windows_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static bool parse(Options *self, int argc, char **argv, GError **error)
{
    static const char *const ways[] = {[TRACE_HEAT_BUSY] = "busy",
                                       [TRACE_HEAT_STALLS] = "stalls",
                                       [TRACE_HEAT_LINKS] = "links",
                                       NULL};
    const GOptionEntry entries[] = {
        {"by", 0, 0, G_OPTION_ARG_FILENAME, &self->by_text,
         "what is shown (default: busy)", "busy|stalls|links"},
        {"unit", 0, 0, G_OPTION_ARG_FILENAME, &self->unit,
         "of this unit of each place (default: of the one with most)", "NAME"},
        {"at", 0, 0, G_OPTION_ARG_FILENAME, &self->at_text,
         "only these cycles; either may be left out", "FROM:TO"},
        {"windows", 0, 0, G_OPTION_ARG_FILENAME, &self->windows_text,
         "small pictures of parts of the time, 0 to 16 (default: 6)", "N"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    self->file.name = "plot heatmap";
    self->file.summary = "heatmap RUN -o FILE - draw how busy places and links were";
    self->to = SIM_TIME_NEVER;
    self->windows = 6;
    return cmd_plot_file_parse(&self->file, entries, argc, argv, error) &&
           option_word(self->by_text, "--by", ways, &self->by, error) &&
           option_window(self->at_text, "--at", &self->from, &self->to, error) &&
           option_small(self->windows_text, "--windows", 0, 16, &self->windows,
                        error) &&
           cmd_plot_file_read(&self->file, 1, error);
}

static char *draw(const Options *self, GError **error)
{
    const TraceTimeline *timeline = cmd_plot_file_timeline(&self->file, error);
    const TraceRun *run = g_ptr_array_index(self->file.runs, 0);
    g_autofree char *title = trace_run_title(run);
    TraceTimelineHeatmap map = {
        .timeline = timeline,
        .title = self->file.title != NULL ? self->file.title : title,
        .by = (TraceHeatBy) self->by,
        .unit = self->unit,
        .begin = self->from,
        .end = self->to,
        .window_count = self->windows,
    };
    char *svg;

    if (timeline == NULL) {
        return NULL;
    }
    svg = trace_timeline_heatmap_to_svg(&map, error);
    if (svg == NULL) {
        g_prefix_error(error, "%s: ", run->name);
    }
    return svg;
}

int cmd_plot_heatmap(int argc, char **argv)
{
    g_auto(Options) options = {0};
    g_autoptr(GError) error = NULL;
    g_autofree char *svg =
        parse(&options, argc, argv, &error) ? draw(&options, &error) : NULL;

    return cmd_plot_file_end(&options.file, svg, error);
}
