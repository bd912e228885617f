/* Reads runs, and passes on what their files warn of. */
#include "tools/gridloom/run/input.h"

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/json_member.h"
#include "workloads/search.h"

void cmd_run_input_warn(const TraceRun *run)
{
    if (run->timeline != NULL && run->timeline->warning != NULL) {
        (void) complain("%s", run->timeline->warning);
    }
}

TraceRun *cmd_run_input_read(
    Progress *progress, guint step, guint step_count, const char *path, GError **error)
{
    g_autofree char *what = g_strdup_printf("reading %s", path);
    const TraceWatch watch = {.tell = progress_share, .data = progress};
    TraceRun *run;

    progress_begin(progress, step, step_count, what);
    run = trace_run_read_watched(path, &watch, error);
    if (run != NULL) {
        cmd_run_input_warn(run);
    }
    return run;
}

bool cmd_run_input_check_alike(const TraceRun *a, const TraceRun *b, GError **error)
{
    const char *own = trace_json_string(a->result, "workload", "nothing");
    const char *other = trace_json_string(b->result, "workload", "nothing");

    return g_str_equal(own, other) ||
           option_fail(error,
                       "%s is a run of %s and %s of %s: only runs of one "
                       "workload can be compared",
                       a->name, own, b->name, other);
}

GPtrArray *cmd_run_input_read_all(Progress *progress,
                                  char *const *paths,
                                  const char *last,
                                  GError **error)
{
    g_autoptr(GPtrArray) runs = trace_runs_new();
    const guint step_count = g_strv_length((char **) paths) + 1;

    for (char *const *path = paths; *path != NULL; path++) {
        TraceRun *run =
            cmd_run_input_read(progress, runs->len + 1, step_count, *path, error);

        if (run == NULL) {
            return NULL;
        }
        g_ptr_array_add(runs, run);
    }
    progress_begin(progress, step_count, step_count, last);
    return g_steal_pointer(&runs);
}

GPtrArray *cmd_run_input_measured(void)
{
    g_autoptr(GPtrArray) names = search_names(SEARCH_MEASURED);
    GPtrArray *runs = trace_runs_new();

    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path =
            search_find(SEARCH_MEASURED, g_ptr_array_index(names, i));
        TraceRun *run = path != NULL ? trace_run_read(path, NULL) : NULL;

        if (run != NULL) {
            g_ptr_array_add(runs, run);
        }
    }
    return runs;
}
