/* gridloom plot timeline: what the units of some cores did, and when. */
#include "tools/gridloom/command.h"
#include "tools/gridloom/option_part.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/error.h"
#include "traces/picture/timeline_choice.h"
#include "traces/picture/timeline_picture.h"

typedef struct {
    CmdPlotFile file;
    char *cores_text;
    char *window_text;
    char *units_text;
    GArray *cores; /* of TraceSquare; NULL: the first ones that did anything */
    char **units;  /* NULL: all */
    SimTime from;
    SimTime to;
} Options;

static void options_clear(Options *self)
{
    cmd_plot_file_clear(&self->file);
    g_free(self->cores_text);
    g_free(self->window_text);
    g_free(self->units_text);
    g_clear_pointer(&self->cores, g_array_unref);
    g_strfreev(self->units);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static bool parse(Options *self, int argc, char **argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"cores", 0, 0, G_OPTION_ARG_FILENAME, &self->cores_text,
         "of these cores or PEs: 3,4 or 0:3,0:6, several with ; (default: the first)",
         "SPEC"},
        {"units", 0, 0, G_OPTION_ARG_FILENAME, &self->units_text,
         "only these units (default: all that did anything)", "A,B,..."},
        {"window", 0, 0, G_OPTION_ARG_FILENAME, &self->window_text,
         "only these cycles; either may be left out", "FROM:TO"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    self->file.name = "plot timeline";
    self->file.summary = "timeline RUN -o FILE - draw what units did, and when";
    self->to = SIM_TIME_NEVER;
    if (!cmd_plot_file_parse(&self->file, entries, argc, argv, error) ||
        !option_window(self->window_text, "--window", &self->from, &self->to, error) ||
        !option_squares(self->cores_text, "--cores", &self->cores, error)) {
        return false;
    }
    self->units =
        self->units_text != NULL ? g_strsplit(self->units_text, ",", -1) : NULL;
    return cmd_plot_file_read(&self->file, 1, error);
}

/* What the user says, as far as the trace has it; else all that is shown. */
static bool cut_window(Options *self,
                       const TraceTimeline *timeline,
                       const GArray *lanes,
                       GError **error)
{
    SimTime from;
    SimTime to;

    trace_timeline_span(timeline, lanes, &from, &to);
    if (self->window_text != NULL && (self->from >= to || self->to <= from)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "--window = %s: what is chosen lasts from %" G_GUINT64_FORMAT
                    " to %" G_GUINT64_FORMAT,
                    self->window_text, from, to);
        return false;
    }
    self->from = self->from > 0 ? self->from : from;
    self->to = MIN(self->to, to);
    return true;
}

static bool has_core(gconstpointer squares, guint x, guint y)
{
    return option_squares_have(squares, x, y);
}

static char *draw(Options *self, GError **error)
{
    const TraceTimelineChoice choice = {.units = self->units,
                                        .has_core =
                                            self->cores != NULL ? has_core : NULL,
                                        .data = self->cores};
    const TraceTimeline *timeline = cmd_plot_file_timeline(&self->file, error);
    const TraceRun *run = g_ptr_array_index(self->file.runs, 0);
    g_autoptr(GArray) lanes = NULL;
    g_autofree char *title = NULL;

    if (timeline == NULL) {
        return NULL;
    }
    lanes = trace_timeline_choose(&choice, timeline);
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
    });
}

int cmd_plot_timeline(int argc, char **argv)
{
    g_auto(Options) options = {0};
    g_autoptr(GError) error = NULL;
    g_autofree char *svg =
        parse(&options, argc, argv, &error) ? draw(&options, &error) : NULL;

    return cmd_plot_file_end(&options.file, svg, error);
}
