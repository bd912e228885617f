/* gridloom plot timeline: what the units of some cores did, and when. */
#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/error.h"
#include "traces/picture/timeline_choice.h"
#include "traces/picture/timeline_picture.h"
#include "traces/writing/squares.h"

enum {
    LANES_OF_PATH = 24,
};

typedef struct {
    CmdPlotFile file;
    char *window_text;
    GArray *cores; /* of TraceSquare; NULL: the first ones that did anything */
    char **units;  /* NULL: all */
    SimTime from;
    SimTime to;
    bool has_path;
} Options;

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
    const char *units = option_text(texts, "units");

    self->units = units != NULL ? g_strsplit(units, ",", -1) : NULL;
    return option_window(self->window_text, "--window", &self->from, &self->to,
                         error) &&
           option_squares(option_text(texts, "cores"), "--cores", &self->cores,
                          error) &&
           cmd_plot_file_open(&self->file, texts, error);
}

static void clear(gpointer options)
{
    Options *self = options;

    cmd_plot_file_clear(options);
    g_clear_pointer(&self->cores, g_array_unref);
    g_strfreev(self->units);
}

/* Sets the window: the user's, within the trace; else all that is shown. */
static bool cut_window(Options *self,
                       const TraceTimeline *timeline,
                       const GArray *lanes,
                       GError **error)
{
    SimTime from;
    SimTime to;

    trace_timeline_span(timeline, lanes, &from, &to);
    if (self->window_text != NULL && (self->from >= to || self->to <= from)) {
        return sim_fail(error, TRACE_ERROR, TRACE_ERROR_READ,
                        "--window = %s: what is chosen lasts from %" G_GUINT64_FORMAT
                        " to %" G_GUINT64_FORMAT,
                        self->window_text, from, to);
    }
    self->from = self->from > 0 ? self->from : from;
    self->to = MIN(self->to, to);
    return true;
}

static char *draw(gpointer options, GError **error)
{
    Options *self = options;
    const TraceTimelineChoice choice = {
        .units = self->units,
        .has_core = self->cores != NULL ? trace_squares_have : NULL,
        .data = self->cores};
    const TraceTimeline *timeline = cmd_plot_file_timeline(&self->file, error);
    const TraceRun *run = g_ptr_array_index(self->file.runs, 0);
    g_autoptr(GArray) lanes = NULL;
    g_autoptr(TracePath) path = NULL;
    g_autofree char *title = NULL;

    if (timeline == NULL) {
        return NULL;
    }
    if (self->has_path) {
        path = trace_path_find(timeline, run->name, error);
        if (path == NULL) {
            return NULL;
        }
    }
    lanes = path != NULL && self->cores == NULL && self->units == NULL
                ? trace_path_lanes(path, LANES_OF_PATH)
                : trace_timeline_choose(&choice, timeline);
    if (lanes->len == 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_LACKS,
                    "%s: nothing happens there in the trace", run->name);
        return NULL;
    }
    if (!cut_window(self, timeline, lanes, error)) {
        return NULL;
    }
    title = trace_run_title(run);
    return trace_timeline_picture_to_svg(&(TraceTimelinePicture){
        .timeline = timeline,
        .title = self->file.title != NULL ? self->file.title : title,
        .lanes = (const guint32 *) (const void *) lanes->data,
        .lane_count = lanes->len,
        .begin = self->from,
        .end = self->to,
        .path = path,
    });
}

static const Option rows[] = {
    {"cores", "SPEC",
     "of these cores or PEs: 3,4 or 0:3,0:6, several with ; (default: the first)",
     OPTION_OTHER(TEXT)},
    {"units", "A,B,...", "only these units (default: all that did anything)",
     OPTION_OTHER(TEXT)},
    {"critical-path", NULL,
     "draw the critical path, on the lanes that it takes most time on",
     OPTION_FLAG(has_path)},
    {"window", "FROM:TO", "only these cycles; either may be left out",
     OPTION_TEXT(window_text)},
    {0},
};

const Command cmd_plot_timeline = {
    .name = "plot timeline",
    .program = "gridloom plot",
    .words = "timeline RUN -o FILE",
    .purpose = "draw what units did, and when",
    .most_words = 1,
    .tables = {{rows, 0}, {cmd_plot_file_rows, offsetof(Options, file)}},
    COMMAND_OPTIONS(Options,
                    .file = {.name = "plot timeline", .draw = draw, .scale = 1},
                    .to = SIM_TIME_NEVER),
    .check = check,
    .clear = clear,
    .run = cmd_plot_file_run,
};
