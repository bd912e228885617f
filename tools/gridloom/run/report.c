/* Writes reports of runs. */
#include "tools/gridloom/run/report.h"

#include <string.h>

#include "tools/gridloom/report/page.h"
#include "traces/file/output.h"
#include "traces/reading/run_file.h"

GPtrArray *cmd_run_report_paths(const CmdRunOptions *options)
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

    return g_strchomp(g_strconcat("gridloom run ", options->script, " ", words, NULL));
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

bool cmd_run_report_write(const CmdRunOptions *options,
                          const char *json,
                          const char *trace,
                          GError **error)
{
    g_autoptr(GPtrArray) paths = cmd_run_report_paths(options);
    g_autofree char *name = name_of(options);
    g_autofree char *page = NULL;
    g_autoptr(TraceRun) run = NULL;
    TraceTimeline *timeline = NULL;

    if (paths->len == 0) {
        return true;
    }
    if (trace != NULL) {
        timeline = trace_timeline_read(trace, error);
        if (timeline == NULL) {
            return false;
        }
        name_trace(timeline, trace);
    }
    run = trace_run_new(name, json, timeline, error);
    if (run == NULL) {
        return false;
    }
    page = cmd_report_page_new(&run, 1);
    for (guint i = 0; i < paths->len; i++) {
        if (!trace_output_write(g_ptr_array_index(paths, i), page, error)) {
            return false;
        }
    }
    return true;
}
