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

/* What a run took; `monitor` is one. */
static void note_run(gpointer monitor, SimTime cycles, uint64_t events)
{
    monitor_end(monitor, cycles, events);
}

static bool replay(const CmdNocReplayOptions *options,
                   GPtrArray *traces,
                   Monitor *monitor,
                   GError **error)
{
    const ArchReplayWatch watch = {
        .monitor = monitor_observe, .ended = note_run, .data = monitor};

    for (guint i = 0; i < traces->len; i++) {
        CmdNocReplayTrace *trace = g_ptr_array_index(traces, i);

        monitor_begin(monitor, i, traces->len);
        if (!arch_replay_runs_do(&trace->runs, &trace->trace, options->has_l1_conflicts,
                                 &watch, error)) {
            g_prefix_error(error, "%s: ", trace->path);
            return false;
        }
        /* A trace may be long, and its events are no longer needed. */
        arch_replay_trace_clear(&trace->trace);
    }
    return true;
}

static bool run(const CmdNocReplayOptions *options,
                const CmdNocChip *chip,
                Monitor *monitor,
                GError **error)
{
    g_autoptr(GPtrArray) files = load(options, chip, monitor, error);
    CmdNocReplayResult result = {.options = options, .chip = chip, .files = files};

    if (files == NULL || !replay(options, files, monitor, error)) {
        return false;
    }
    monitor_silence(monitor);
    result.wall_seconds = monitor_seconds(monitor);
    result.events = monitor_events(monitor);
    if (!cmd_noc_replay_result_write(&result, error)) {
        return false;
    }
    for (guint i = 0; i < files->len; i++) {
        const CmdNocReplayTrace *trace = g_ptr_array_index(files, i);

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
    g_auto(CmdNocChip) chip = {0};
    g_autoptr(Monitor) monitor = NULL;
    g_autoptr(GError) error = NULL;

    if (!cmd_noc_chip_load(&chip, options->chip, options->overrides, &error) ||
        !cmd_noc_output_check(&options->output, &error)) {
        return complain_of(error);
    }
    monitor = monitor_new("noc replay", cmd_noc_chip_hertz(&chip),
                          options->output.limit_seconds, !options->output.is_quiet);
    return run(options, &chip, monitor, &error) ? EXIT_DONE
                                                : monitor_complain(monitor, error);
}
