/* gridloom plot heatmap: how busy places and links were, over the chip. */
#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/error.h"
#include "traces/picture/timeline_heatmap.h"

typedef struct {
    CmdPlotFile file;
    char *unit;
    TraceHeatBy by;
    SimTime from;
    SimTime to;
    guint windows;
} Options;

static const char *const ways[] = {[TRACE_HEAT_BUSY] = "busy",
                                   [TRACE_HEAT_STALLS] = "stalls",
                                   [TRACE_HEAT_LINKS] = "links",
                                   NULL};

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    return option_window(option_text(texts, "at"), "--at", &self->from, &self->to,
                         error) &&
           cmd_plot_file_open(&self->file, texts, error);
}

static char *draw(gpointer options, GError **error)
{
    const Options *self = options;
    const TraceTimeline *timeline = cmd_plot_file_timeline(&self->file, error);
    const TraceRun *run = g_ptr_array_index(self->file.runs, 0);
    g_autofree char *title = trace_run_title(run);
    TraceTimelineHeatmap map = {
        .timeline = timeline,
        .title = self->file.title != NULL ? self->file.title : title,
        .by = self->by,
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

static const Option rows[] = {
    {"by", "busy|stalls|links", "what is shown (default: busy)", OPTION_WORD(by, ways)},
    {"unit", "NAME", "of this unit of each place (default: of the one with most)",
     OPTION_TEXT(unit)},
    {"at", "FROM:TO", "only these cycles; either may be left out", OPTION_OTHER(TEXT)},
    {"windows", "N", "small pictures of parts of the time, 0 to 16 (default: 6)",
     OPTION_SMALL(windows, 0, 16)},
    {0},
};

const Command cmd_plot_heatmap = {
    .name = "plot heatmap",
    .program = "gridloom plot",
    .words = "heatmap RUN -o FILE",
    .purpose = "draw how busy places and links were",
    .most_words = 1,
    .tables = {{rows, 0}, {cmd_plot_file_rows, offsetof(Options, file)}},
    COMMAND_OPTIONS(Options,
                    .file = {.name = "plot heatmap", .draw = draw, .scale = 1},
                    .to = SIM_TIME_NEVER,
                    .windows = 6),
    .check = check,
    .clear = cmd_plot_file_clear,
    .run = cmd_plot_file_run,
};
