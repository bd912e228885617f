/* gridloom noc replay: events recorded on silicon, on a simulated network. */
#include <stdio.h>

#include <glib.h>

#include "sim/error.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/replay_result.h"

static GPtrArray *load(const CmdNocReplayOptions *options,
                       const CmdNocChip *chip,
                       Monitor *monitor,
                       GError **error)
{
    g_autoptr(GPtrArray) traces =
        g_ptr_array_new_with_free_func((GDestroyNotify) cmd_noc_replay_trace_free);

    for (guint i = 0; i < options->trace_count; i++) {
        CmdNocReplayTrace *trace =
            cmd_noc_replay_trace_load(options->traces[i], chip, error);

        if (trace == NULL) {
            return NULL;
        }
        g_ptr_array_add(traces, trace);
        if (watchdog_is_stopping(monitor_watchdog(monitor))) {
            g_set_error(error, SIM_ERROR, SIM_ERROR_STOPPED,
                        "stopped after reading %u of %u traces", i + 1,
                        options->trace_count);
            return NULL;
        }
    }
    return g_steal_pointer(&traces);
}

static void
note_skipped(const CmdNocReplayTrace *trace, const GArray *skipped, const char *what)
{
    g_autoptr(GString) list = g_string_new(NULL);

    for (guint i = 0; i < skipped->len; i++) {
        const CmdNocReplaySkipped *item =
            &g_array_index(skipped, CmdNocReplaySkipped, i);

        g_string_append_printf(list, "%s%s (%" G_GSIZE_FORMAT ")", i > 0 ? ", " : "",
                               item->name, item->count);
    }
    if (skipped->len > 0) {
        (void) fprintf(stderr, "gridloom: note: %s: %s: %s\n", trace->path, what,
                       list->str);
    }
}

/* Each trace goes to its runs as it is replayed. */
static GPtrArray *replay(const CmdNocReplayOptions *options,
                         const CmdNocChip *chip,
                         GPtrArray *traces,
                         Monitor *monitor,
                         GError **error)
{
    g_autoptr(GPtrArray) files =
        g_ptr_array_new_with_free_func((GDestroyNotify) cmd_noc_replay_runs_free);

    for (guint i = 0; i < traces->len; i++) {
        CmdNocReplayTrace *trace = g_steal_pointer(&g_ptr_array_index(traces, i));
        CmdNocReplayRuns *runs;

        monitor_begin(monitor, i, traces->len);
        runs = cmd_noc_replay_runs_new(trace, chip, options->has_l1_conflicts, monitor,
                                       error);

        if (runs == NULL) {
            return NULL;
        }
        g_ptr_array_add(files, runs);
    }
    return g_steal_pointer(&files);
}

static bool run(const CmdNocReplayOptions *options,
                const CmdNocChip *chip,
                Monitor *monitor,
                GError **error)
{
    g_autoptr(GPtrArray) traces = load(options, chip, monitor, error);
    g_autoptr(GPtrArray) files =
        traces != NULL ? replay(options, chip, traces, monitor, error) : NULL;
    CmdNocReplayResult result = {.options = options, .chip = chip, .files = files};

    if (files == NULL) {
        return false;
    }
    monitor_silence(monitor);
    result.wall_seconds = monitor_seconds(monitor);
    result.events = monitor_events(monitor);
    if (!cmd_noc_replay_result_write(&result, error)) {
        return false;
    }
    for (guint i = 0; i < files->len; i++) {
        const CmdNocReplayTrace *trace =
            ((const CmdNocReplayRuns *) g_ptr_array_index(files, i))->trace;

        note_skipped(trace, trace->unknown, "unknown event types, not replayed");
        note_skipped(trace, trace->ignored, "events without a model, not replayed");
    }
    if (cmd_noc_output_has_text(&options->output)) {
        cmd_noc_replay_result_print(&result);
    }
    return true;
}

int cmd_noc_replay_run(gpointer data)
{
    const CmdNocReplayOptions *options = data;
    g_autoptr(CmdNocChip) chip = NULL;
    g_autoptr(Monitor) monitor = NULL;
    g_autoptr(GError) error = NULL;

    chip = cmd_noc_chip_load(options->chip, options->overrides, &error);
    if (chip == NULL || !cmd_noc_output_check(&options->output, &error)) {
        return complain_of(error);
    }
    monitor = monitor_new("noc replay", cmd_noc_chip_hertz(chip),
                          options->output.limit_seconds, !options->output.is_quiet);
    return run(options, chip, monitor, &error) ? EXIT_DONE
                                               : monitor_complain(monitor, error);
}
