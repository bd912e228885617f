/* Writes reports and heat maps of runs. */
#include "tools/gridloom/run/page.h"

#include <string.h>

#include "sim/probe.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/report/page.h"
#include "traces/file/output.h"
#include "traces/picture/timeline_heatmap.h"
#include "traces/reading/run_file.h"

enum {
    WINDOWS = 6,
};

bool cmd_run_page_check(const CmdRunOptions *options, GError **error)
{
    if (options->heatmap == NULL) {
        return true;
    }
    if (options->trace.is_off) {
        return option_fail(error,
                           "--heatmap: it is drawn from a trace, and --no-trace wants "
                           "none, give one of them");
    }
    if (!SIM_PROBES) {
        return option_fail(error, "--heatmap: this program was built without probes "
                                  "(GRIDLOOM_PROBES=OFF)");
    }
    /* Scripts print there. */
    if (g_str_equal(options->heatmap, "-")) {
        return option_fail(error,
                           "--heatmap: standard output cannot take it, give a file");
    }
    return cmd_plot_file_check(options->heatmap, error);
}

GPtrArray *cmd_run_page_reports(const CmdRunOptions *options)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

    if (options->report != NULL) {
        g_ptr_array_add(paths, g_strdup(options->report));
    }
    if (options->out != NULL && !options->trace.is_off) {
        g_ptr_array_add(paths, g_build_filename(options->out, "report.html", NULL));
    }
    return paths;
}

/* As it was typed, about. */
static char *name_of(const CmdRunOptions *options)
{
    g_autofree char *words = g_strjoinv(" ", options->words);

    return options->program != NULL
               ? g_strdup_printf("gridloom %s %s", options->door, options->program)
               : g_strchomp(
                     g_strconcat("gridloom run ", options->script, " ", words, NULL));
}

/* The trace may lie in a folder for temporary files: its name says nothing. */
static void name_trace(TraceTimeline *timeline, const char *path)
{
    if (timeline->warning != NULL && g_str_has_prefix(timeline->warning, path)) {
        char *warning = g_strconcat("trace", timeline->warning + strlen(path), NULL);

        g_free(timeline->warning);
        timeline->warning = warning;
    }
}

static bool write_reports(const CmdRunOptions *options,
                          const char *json,
                          const char *trace,
                          GError **error)
{
    g_autoptr(GPtrArray) paths = cmd_run_page_reports(options);
    g_autofree char *name = name_of(options);
    g_autofree char *page = NULL;
    g_autoptr(TraceRun) run = NULL;
    g_autoptr(Progress) progress = progress_new("report", !options->is_quiet);
    const TraceWatch watch = {.tell = progress_share, .data = progress};
    TraceTimeline *timeline = NULL;

    if (paths->len == 0) {
        return true;
    }
    progress_begin(progress, 1, 2, "reading the trace");
    if (trace != NULL) {
        timeline = trace_timeline_read(trace, &watch, error);
        if (timeline == NULL) {
            return false;
        }
        name_trace(timeline, trace);
    }
    run = trace_run_new(name, json, timeline, error);
    if (run == NULL) {
        return false;
    }
    progress_begin(progress, 2, 2, "making the page");
    page = cmd_report_page_new(&run, 1);
    for (guint i = 0; i < paths->len; i++) {
        if (!trace_output_write(g_ptr_array_index(paths, i), page, error)) {
            return false;
        }
    }
    return true;
}

/* Links; where none is in use, how busy cores were. */
static bool write_heatmap(const char *path, const char *trace, GError **error)
{
    g_autoptr(TraceRun) run = trace_run_read(trace, error);
    g_autofree char *title = NULL;
    g_autofree char *svg = NULL;
    TraceTimelineHeatmap map = {
        .by = TRACE_HEAT_LINKS, .end = SIM_TIME_NEVER, .window_count = WINDOWS};

    if (run == NULL) {
        return false;
    }
    title = trace_run_title(run);
    map.timeline = run->timeline;
    map.title = title;
    svg = trace_timeline_heatmap_to_svg(&map, NULL);
    if (svg == NULL) {
        map.by = TRACE_HEAT_BUSY;
        svg = trace_timeline_heatmap_to_svg(&map, error);
    }
    if (svg == NULL) {
        g_prefix_error(error, "--heatmap: ");
        return false;
    }
    return cmd_plot_file_write(path, svg, 1, error);
}

bool cmd_run_page_write(const CmdRunOptions *options,
                        const char *json,
                        const char *trace,
                        GError **error)
{
    return write_reports(options, json, trace, error) &&
           (options->heatmap == NULL || write_heatmap(options->heatmap, trace, error));
}
