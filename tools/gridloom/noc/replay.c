/* gridloom noc replay: events recorded on silicon, on a simulated network. */
#include <stdio.h>

#include <glib.h>

#include "sim/error.h"
#include "tools/gridloom/commands.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/map.h"
#include "tools/gridloom/noc/replay_trace.h"
#include "tools/gridloom/option_value.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

enum {
    BUSIEST_LINKS = 10,
    TRACES_MAXIMUM = 10000,
};

typedef struct {
    char **traces; /* at least one */
    guint trace_count;
    char *chip;
    char **overrides;
    bool has_l1_conflicts;
    CmdNocOutput output;
} Options;

static GPtrArray *
load(const Options *options, const CmdNocChip *chip, Monitor *monitor, GError **error)
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

/* Records the cost of a run; `monitor` is a Monitor. */
static void note_run(gpointer monitor, SimTime cycles, uint64_t events)
{
    monitor_end(monitor, cycles, events);
}

static bool
replay(const Options *options, GPtrArray *traces, Monitor *monitor, GError **error)
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

typedef struct {
    const Options *options;
    const CmdNocChip *chip;
    const GPtrArray *files; /* of CmdNocReplayTrace, replayed */
    double wall_seconds;
    uint64_t events; /* simulated */
} Result;

static const char *const reference =
    "nothing: times only, no data is moved that could be checked";

static const CmdNocReplayTrace *file_at(const Result *self, guint index)
{
    return g_ptr_array_index(self->files, index);
}

static ArchReplayMeans means_of(const Result *self)
{
    g_autofree const ArchReplayRuns **runs =
        g_new(const ArchReplayRuns *, self->files->len);

    for (guint i = 0; i < self->files->len; i++) {
        runs[i] = &file_at(self, i)->runs;
    }
    return arch_replay_means(runs, self->files->len);
}

static void
find_use(const Result *self, const CmdNocReplayTrace *file, ArchLinkUse *use)
{
    arch_link_use_of_chip(use, self->chip->tiles, file->runs.outcome.links,
                          &file->runs.outcome.windows);
}

static JsonObject *skipped_object(const GArray *skipped)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < skipped->len; i++) {
        const CmdNocReplaySkipped *item =
            &g_array_index(skipped, CmdNocReplaySkipped, i);

        json_object_set_int_member(object, item->name, (gint64) item->count);
    }
    return object;
}

static JsonObject *file_object(const Result *self, const CmdNocReplayTrace *file)
{
    const ArchReplayRuns *runs = &file->runs;
    JsonObject *object = RECORD(
        VALUE("name", file->name), VALUE("predicted_cycles", runs->predicted_cycles),
        VALUE("closed_loop_cycles", runs->closed_loop_cycles),
        VALUE("uncontended_cycles", runs->uncontended_cycles),
        VALUE("recorded_cycles", runs->recorded_cycles), VALUE("error", runs->error),
        VALUE("closed_loop_error", runs->closed_loop_error),
        VALUE("error_without_l1_conflicts", runs->error_without_l1_conflicts),
        VALUE("barrier_error_mean", runs->barrier_error),
        VALUE("barriers", runs->outcome.barriers->len),
        VALUE("congestion_impact", runs->congestion),
        VALUE("unsorted_events", file->unsorted_count),
        VALUE("unknown_events", skipped_object(file->unknown)),
        VALUE("ignored_events", skipped_object(file->ignored)));
    g_auto(ArchLinkUse) use = {0};

    find_use(self, file, &use);
    cmd_noc_map_set(&use, object);
    return object;
}

static JsonObject *metrics_object(const Result *self)
{
    if (self->files->len == 1) {
        return file_object(self, file_at(self, 0));
    }
    const ArchReplayMeans means = means_of(self);
    JsonArray *files = json_array_new();

    for (guint i = 0; i < self->files->len; i++) {
        json_array_add_object_element(files, file_object(self, file_at(self, i)));
    }
    return RECORD(VALUE("mean_abs_error", means.mean_abs_error),
                  VALUE("bias", means.bias), VALUE("worst_error", means.worst_error),
                  VALUE("closed_loop_mean_abs_error", means.closed_loop_mean_abs_error),
                  VALUE("barrier_error_mean", means.barrier_error_mean),
                  VALUE("mean_abs_error_without_l1_conflicts",
                        means.mean_abs_error_without_l1_conflicts),
                  VALUE("files", files));
}

static JsonObject *parameters_object(const Result *self)
{
    JsonArray *traces = json_array_new();

    for (guint i = 0; i < self->files->len; i++) {
        json_array_add_string_element(traces, file_at(self, i)->name);
    }
    return RECORD(
        VALUE("traces", traces),
        VALUE("l1_conflicts", self->options->has_l1_conflicts ? "on" : "off"));
}

static char *to_json(const Result *self)
{
    uint64_t cycles = 0;
    uint64_t bytes = 0;

    for (guint i = 0; i < self->files->len; i++) {
        cycles += file_at(self, i)->runs.predicted_cycles;
        bytes += file_at(self, i)->bytes;
    }
    return envelope_to_json(
        (TraceResult){
            .workload = "noc replay",
            .seed = 1,
            .parameters = parameters_object(self),
            .cycles = cycles,
            .seconds = (double) cycles / cmd_noc_chip_hertz(self->chip),
            .counters = RECORD(VALUE("noc_bytes", bytes)),
            .metrics = metrics_object(self),
            .reference = reference,
            .wall_seconds = self->wall_seconds,
            .events = self->events,
        },
        self->chip->params);
}

static bool write_files(const Result *self, GError **error)
{
    const CmdNocOutput *output = &self->options->output;
    const CmdNocReplayTrace *first = file_at(self, 0);
    g_auto(ArchLinkUse) use = {0};
    g_autofree char *title = g_strdup_printf(
        "noc replay on %s: %s", arch_params_name(self->chip->params), first->name);
    g_autofree char *json = output->json != NULL ? to_json(self) : NULL;

    find_use(self, first, &use);
    return cmd_noc_map_write(&use, title, output, json, error);
}

static void print_means(const Result *self)
{
    const ArchReplayMeans means = means_of(self);

    trace_number_text_print(
        "\n  mean absolute error  %.2f %%, bias %+.2f %%, worst %+.2f %%\n",
        100 * means.mean_abs_error, 100 * means.bias, 100 * means.worst_error);
    trace_number_text_print("  closed loop          %.2f %%\n",
                            100 * means.closed_loop_mean_abs_error);
    trace_number_text_print("  no L1 conflicts      %.2f %%\n",
                            100 * means.mean_abs_error_without_l1_conflicts);
    trace_number_text_print("  barrier ends         %.2f %%, each counted once\n",
                            100 * means.barrier_error_mean);
}

static void print_page(const Result *self)
{
    g_autoptr(Grid) grid =
        grid_with("TRACE|RECORDED|PREDICTED|ERROR %|CLOSED LOOP|ERROR %|"
                  "NO L1 CONFLICTS %|BARRIERS %|CONGESTION %");
    g_auto(ArchLinkUse) use = {0};

    printf("noc replay on %s%s\n", arch_params_name(self->chip->params),
           self->options->has_l1_conflicts ? "" : ", without L1 conflicts");
    printf("  check  skipped: %s\n\n", reference);
    for (guint i = 0; i < self->files->len; i++) {
        const ArchReplayRuns *runs = &file_at(self, i)->runs;

        grid_printf(grid,
                    "%s|%" G_GUINT64_FORMAT "|%" G_GUINT64_FORMAT
                    "|%+.2f|%" G_GUINT64_FORMAT "|%+.2f|%+.2f|%.2f|%+.2f",
                    file_at(self, i)->name, runs->recorded_cycles,
                    runs->predicted_cycles, 100 * runs->error, runs->closed_loop_cycles,
                    100 * runs->closed_loop_error,
                    100 * runs->error_without_l1_conflicts, 100 * runs->barrier_error,
                    100 * runs->congestion);
    }
    grid_print(grid, stdout, 2);
    if (self->files->len > 1) {
        print_means(self);
        return;
    }
    find_use(self, file_at(self, 0), &use);
    printf("\nbusiest links, flits per cycle\n");
    cmd_noc_map_print(&use, BUSIEST_LINKS);
}

static bool
run(const Options *options, const CmdNocChip *chip, Monitor *monitor, GError **error)
{
    g_autoptr(GPtrArray) files = load(options, chip, monitor, error);
    Result result = {.options = options, .chip = chip, .files = files};

    if (files == NULL || !replay(options, files, monitor, error)) {
        return false;
    }
    monitor_silence(monitor);
    result.wall_seconds = monitor_seconds(monitor);
    result.events = monitor_events(monitor);
    if (!write_files(&result, error)) {
        return false;
    }
    for (guint i = 0; i < files->len; i++) {
        const CmdNocReplayTrace *trace = g_ptr_array_index(files, i);

        note_skipped(trace, trace->unknown, "unknown event types, not replayed");
        note_skipped(trace, trace->ignored, "events without a model, not replayed");
    }
    if (cmd_noc_output_has_text(&options->output)) {
        print_page(&result);
    }
    return true;
}

static int replay_traces(gpointer data)
{
    const Options *options = data;
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

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    Options *self = options;

    self->trace_count = g_strv_length(self->traces);
    if (self->trace_count > TRACES_MAXIMUM) {
        return option_fail(error, "noc replay: %u traces, allowed are at most %d",
                           self->trace_count, TRACES_MAXIMUM);
    }
    if (self->output.heatmap != NULL && self->trace_count > 1) {
        return option_fail(error, "--heatmap: %u traces, a picture shows one",
                           self->trace_count);
    }
    return true;
}

static const Option rows[] = {
    {"chip", "NAME|FILE", "chip to use (default: wormhole_n300)", OPTION_TEXT(chip),
     .names = OPTION_NAMES_CHIPS},
    {"set", "SECTION.KEY=VALUE", "change a number of the chip; may be repeated",
     OPTION_TEXTS(overrides)},
    {"l1-conflicts", "on|off", "the calibrated costs of sharing an L1 (default: on)",
     OPTION_SWITCH(has_l1_conflicts)},
    {"json", "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(output.json)},
    {"heatmap", "FILE.svg", "draw how busy the links are; one trace only",
     OPTION_TEXT(output.heatmap)},
    {"limit-seconds", "N", "stop after this much real time",
     OPTION_SECONDS(output.limit_seconds)},
    {"quiet", NULL, "no progress line and no result table",
     OPTION_FLAG(output.is_quiet), .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(traces)},
    {0},
};

const Command cmd_noc_replay = {
    .name = "noc replay",
    .words = "TRACE.json ...",
    .purpose = "replay NoC events of silicon",
    .missing = "no trace; give one or more files",
    .help = "noc-replay",
    .tables = {{rows, 0}},
    COMMAND_OPTIONS(Options, .has_l1_conflicts = true),
    .check = check,
    .run = replay_traces,
};
