/* gridloom noc replay: events recorded on silicon, on a simulated network. */
#include <math.h>
#include <stdio.h>

#include <glib.h>

#include "sim/error.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/map.h"
#include "tools/gridloom/noc/replay_options.h"
#include "tools/gridloom/noc/replay_trace.h"
#include "tools/gridloom/record.h"

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

typedef struct {
    const CmdNocReplayOptions *options;
    const CmdNocChip *chip;
    const GPtrArray *files; /* of CmdNocReplayTrace, replayed */
    double wall_seconds;
    uint64_t events; /* simulated */
} Result;

enum {
    BUSIEST_LINKS = 10,
};

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

static JsonNode *skipped_node(const GArray *skipped)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < skipped->len; i++) {
        const CmdNocReplaySkipped *item =
            &g_array_index(skipped, CmdNocReplaySkipped, i);

        json_object_set_int_member(object, item->name, (gint64) item->count);
    }
    return record_object(object);
}

static JsonNode *unknown_node(gconstpointer file)
{
    return skipped_node(((const CmdNocReplayTrace *) file)->unknown);
}

static JsonNode *ignored_node(gconstpointer file)
{
    return skipped_node(((const CmdNocReplayTrace *) file)->ignored);
}

static JsonNode *barriers_node(gconstpointer file)
{
    return json_node_init_int(
        json_node_alloc(),
        ((const CmdNocReplayTrace *) file)->runs.outcome.barriers->len);
}

static char *percent(double fraction)
{
    return isnan(fraction) ? g_strdup("-") : g_strdup_printf("%+.2f", 100 * fraction);
}

static char *error_words(gconstpointer file)
{
    return percent(((const CmdNocReplayTrace *) file)->runs.error);
}

static char *closed_loop_words(gconstpointer file)
{
    return percent(((const CmdNocReplayTrace *) file)->runs.closed_loop_error);
}

static char *without_words(gconstpointer file)
{
    return percent(((const CmdNocReplayTrace *) file)->runs.error_without_l1_conflicts);
}

/* Sizes have no sign. */
static char *size_words(double fraction)
{
    return isnan(fraction) ? g_strdup("-") : g_strdup_printf("%.2f", 100 * fraction);
}

static char *barrier_words(gconstpointer file)
{
    return size_words(((const CmdNocReplayTrace *) file)->runs.barrier_error);
}

static char *congestion_words(gconstpointer file)
{
    return percent(((const CmdNocReplayTrace *) file)->runs.congestion);
}

#define RUNS(member) RECORD_MEMBER(CmdNocReplayTrace, runs.member)

static const RecordField file_fields[] = {
    {"name", RECORD_MEMBER(CmdNocReplayTrace, name)},
    {"predicted_cycles", RUNS(predicted_cycles)},
    {"closed_loop_cycles", RUNS(closed_loop_cycles)},
    {"uncontended_cycles", RUNS(uncontended_cycles)},
    {"recorded_cycles", RUNS(recorded_cycles)},
    {"error", RUNS(error)},
    {"closed_loop_error", RUNS(closed_loop_error)},
    {"error_without_l1_conflicts", RUNS(error_without_l1_conflicts)},
    {"barrier_error_mean", RUNS(barrier_error)},
    {"barriers", .node = barriers_node},
    {"congestion_impact", RUNS(congestion)},
    {"unsorted_events", RECORD_MEMBER(CmdNocReplayTrace, unsorted_count)},
    {"unknown_events", .node = unknown_node},
    {"ignored_events", .node = ignored_node},
};
static const RecordTable file_table = RECORD_TABLE(file_fields);

/* For people. */
static const RecordField line_fields[] = {
    {NULL, "TRACE", RECORD_MEMBER(CmdNocReplayTrace, name)},
    {NULL, "RECORDED", RUNS(recorded_cycles)},
    {NULL, "PREDICTED", RUNS(predicted_cycles)},
    {NULL, "ERROR %", .words = error_words},
    {NULL, "CLOSED LOOP", RUNS(closed_loop_cycles)},
    {NULL, "ERROR %", .words = closed_loop_words},
    {NULL, "NO L1 CONFLICTS %", .words = without_words},
    {NULL, "BARRIERS %", .words = barrier_words},
    {NULL, "CONGESTION %", .words = congestion_words},
};
static const RecordTable line_table = RECORD_TABLE(line_fields);

static const RecordField means_fields[] = {
    {"mean_abs_error", RECORD_MEMBER(ArchReplayMeans, mean_abs_error)},
    {"bias", RECORD_MEMBER(ArchReplayMeans, bias)},
    {"worst_error", RECORD_MEMBER(ArchReplayMeans, worst_error)},
    {"closed_loop_mean_abs_error",
     RECORD_MEMBER(ArchReplayMeans, closed_loop_mean_abs_error)},
    {"barrier_error_mean", RECORD_MEMBER(ArchReplayMeans, barrier_error_mean)},
    {"mean_abs_error_without_l1_conflicts",
     RECORD_MEMBER(ArchReplayMeans, mean_abs_error_without_l1_conflicts)},
};
static const RecordTable means_table = RECORD_TABLE(means_fields);

static JsonObject *file_object(const Result *self, const CmdNocReplayTrace *file)
{
    JsonObject *object = record_to_json(&file_table, file);
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
    JsonObject *metrics = record_to_json(&means_table, &means);
    JsonArray *files = json_array_new();

    for (guint i = 0; i < self->files->len; i++) {
        json_array_add_object_element(files, file_object(self, file_at(self, i)));
    }
    json_object_set_array_member(metrics, "files", files);
    return metrics;
}

static JsonObject *parameters_object(const Result *self)
{
    JsonObject *object = json_object_new();
    JsonArray *traces = json_array_new();

    for (guint i = 0; i < self->files->len; i++) {
        json_array_add_string_element(traces, file_at(self, i)->name);
    }
    json_object_set_array_member(object, "traces", traces);
    json_object_set_string_member(object, "l1_conflicts",
                                  self->options->has_l1_conflicts ? "on" : "off");
    return object;
}

static char *to_json(const Result *self)
{
    JsonObject *counters = json_object_new();
    uint64_t cycles = 0;
    uint64_t bytes = 0;

    for (guint i = 0; i < self->files->len; i++) {
        cycles += file_at(self, i)->runs.predicted_cycles;
        bytes += file_at(self, i)->bytes;
    }
    json_object_set_int_member(counters, "noc_bytes", (gint64) bytes);
    return envelope_to_json(
        (TraceResult){
            .workload = "noc replay",
            .seed = 1,
            .parameters = parameters_object(self),
            .cycles = cycles,
            .seconds = (double) cycles / cmd_noc_chip_hertz(self->chip),
            .counters = counters,
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

    g_autofree char *error = size_words(means.mean_abs_error);
    g_autofree char *bias = percent(means.bias);
    g_autofree char *worst = percent(means.worst_error);
    g_autofree char *closed = size_words(means.closed_loop_mean_abs_error);
    g_autofree char *without = size_words(means.mean_abs_error_without_l1_conflicts);
    g_autofree char *barriers = size_words(means.barrier_error_mean);

    printf("\n  mean absolute error  %s %%, bias %s %%, worst %s %%\n", error, bias,
           worst);
    printf("  closed loop          %s %%\n", closed);
    printf("  no L1 conflicts      %s %%\n", without);
    printf("  barrier ends         %s %%, each counted once\n", barriers);
}

static void print_page(const Result *self)
{
    g_autoptr(Grid) grid = record_grid_new(&line_table);
    g_auto(ArchLinkUse) use = {0};

    printf("noc replay on %s%s\n", arch_params_name(self->chip->params),
           self->options->has_l1_conflicts ? "" : ", without L1 conflicts");
    printf("  check  skipped: %s\n\n", reference);
    for (guint i = 0; i < self->files->len; i++) {
        record_add_to_grid(&line_table, file_at(self, i), grid);
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

static bool run(const CmdNocReplayOptions *options,
                const CmdNocChip *chip,
                Monitor *monitor,
                GError **error)
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
