/* Reads runs, and passes on what their files warn of. */
#include "tools/gridloom/run/input.h"

#include "tools/gridloom/complaint.h"

void cmd_run_input_warn(const TraceRun *run)
{
    if (run->timeline != NULL && run->timeline->warning != NULL) {
        (void) complain("%s", run->timeline->warning);
    }
}

GPtrArray *cmd_run_input_read_all(char *const *paths, GError **error)
{
    g_autoptr(GPtrArray) runs = trace_runs_new();

    for (char *const *path = paths; *path != NULL; path++) {
        TraceRun *run = trace_run_read(*path, error);

        if (run == NULL) {
            return NULL;
        }
        g_ptr_array_add(runs, run);
        cmd_run_input_warn(run);
    }
    return g_steal_pointer(&runs);
}
