/* Writes and prints the result of a replay. */
#include "tools/gridloom/noc/replay_result.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/grid.h"
#include "tools/gridloom/noc/map.h"
#include "tools/gridloom/peak_memory.h"
#include "tools/gridloom/quantity.h"
#include "traces/result/result.h"

enum {
    BUSIEST_LINKS = 10,
};

static const char *const reference =
    "nothing: times only, no data is moved that could be checked";

/* Means over several files; a file without an error does not count. */
typedef struct {
    double mean_abs_error;
    double bias;
    double worst_error; /* the farthest from 0 */
    double closed_loop_mean_abs_error;
    double mean_abs_error_without_l1_conflicts;
    double barrier_error_mean; /* every barrier end of all files counts alike */
} Means;

static const CmdNocReplayRuns *file_at(const CmdNocReplayResult *self, guint index)
{
    return g_ptr_array_index(self->files, index);
}

static double barrier_error(const CmdNocReplayRuns *runs)
{
    return runs->outcome.barriers->len > 0 ? runs->outcome.barrier_error_mean : NAN;
}

static Means means_of(const CmdNocReplayResult *self)
{
    Means means = {0};
    double count = 0;
    double barriers = 0;

    for (guint i = 0; i < self->files->len; i++) {
        const CmdNocReplayRuns *runs = file_at(self, i);
        const double error = cmd_noc_replay_runs_error(runs, runs->predicted_cycles);
        const double weight = runs->outcome.barriers->len;

        if (weight > 0) {
            barriers += weight;
            means.barrier_error_mean += weight * barrier_error(runs);
        }
        if (isnan(error)) {
            continue;
        }
        count++;
        means.mean_abs_error += fabs(error);
        means.bias += error;
        means.worst_error =
            fabs(error) > fabs(means.worst_error) ? error : means.worst_error;
        means.closed_loop_mean_abs_error +=
            fabs(cmd_noc_replay_runs_error(runs, runs->closed_loop_cycles));
        means.mean_abs_error_without_l1_conflicts +=
            fabs(cmd_noc_replay_runs_error(runs, runs->without_l1_conflict_cycles));
    }
    means.mean_abs_error /= count;
    means.bias /= count;
    means.worst_error = count > 0 ? means.worst_error : NAN;
    means.closed_loop_mean_abs_error /= count;
    means.mean_abs_error_without_l1_conflicts /= count;
    means.barrier_error_mean /= barriers;
    return means;
}

static void
map_init(const CmdNocReplayResult *self, const CmdNocReplayRuns *runs, CmdNocMap *map)
{
    g_autofree char *title = g_strdup_printf(
        "noc replay on %s: %s", arch_params_name(cmd_noc_chip_params(self->chip)),
        runs->trace->name);

    cmd_noc_chip_map(self->chip, title, runs->outcome.links, &runs->outcome.windows,
                     map);
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

static JsonObject *file_object(const CmdNocReplayResult *self,
                               const CmdNocReplayRuns *runs)
{
    JsonObject *object = json_object_new();
    g_auto(CmdNocMap) map = {0};

    json_object_set_string_member(object, "name", runs->trace->name);
    json_object_set_int_member(object, "predicted_cycles",
                               (gint64) runs->predicted_cycles);
    json_object_set_int_member(object, "closed_loop_cycles",
                               (gint64) runs->closed_loop_cycles);
    json_object_set_int_member(object, "uncontended_cycles",
                               (gint64) runs->uncontended_cycles);
    json_object_set_int_member(object, "recorded_cycles",
                               (gint64) runs->trace->recorded_cycles);
    json_object_set_double_member(
        object, "error", cmd_noc_replay_runs_error(runs, runs->predicted_cycles));
    json_object_set_double_member(
        object, "closed_loop_error",
        cmd_noc_replay_runs_error(runs, runs->closed_loop_cycles));
    json_object_set_double_member(
        object, "error_without_l1_conflicts",
        cmd_noc_replay_runs_error(runs, runs->without_l1_conflict_cycles));
    json_object_set_double_member(object, "barrier_error_mean", barrier_error(runs));
    json_object_set_int_member(object, "barriers", runs->outcome.barriers->len);
    json_object_set_double_member(object, "congestion_impact",
                                  cmd_noc_replay_runs_congestion(runs));
    json_object_set_int_member(object, "unsorted_events",
                               (gint64) runs->trace->unsorted_count);
    json_object_set_object_member(object, "unknown_events",
                                  skipped_object(runs->trace->unknown));
    json_object_set_object_member(object, "ignored_events",
                                  skipped_object(runs->trace->ignored));
    map_init(self, runs, &map);
    cmd_noc_map_to_json(&map, object);
    return object;
}

static JsonObject *metrics_object(const CmdNocReplayResult *self)
{
    if (self->files->len == 1) {
        return file_object(self, file_at(self, 0));
    }
    const Means means = means_of(self);
    JsonObject *metrics = json_object_new();
    JsonArray *files = json_array_new();

    for (guint i = 0; i < self->files->len; i++) {
        json_array_add_object_element(files, file_object(self, file_at(self, i)));
    }
    json_object_set_double_member(metrics, "mean_abs_error", means.mean_abs_error);
    json_object_set_double_member(metrics, "bias", means.bias);
    json_object_set_double_member(metrics, "worst_error", means.worst_error);
    json_object_set_double_member(metrics, "closed_loop_mean_abs_error",
                                  means.closed_loop_mean_abs_error);
    json_object_set_double_member(metrics, "barrier_error_mean",
                                  means.barrier_error_mean);
    json_object_set_double_member(metrics, "mean_abs_error_without_l1_conflicts",
                                  means.mean_abs_error_without_l1_conflicts);
    json_object_set_array_member(metrics, "files", files);
    return metrics;
}

static JsonObject *parameters_object(const CmdNocReplayResult *self)
{
    JsonObject *object = json_object_new();
    JsonArray *traces = json_array_new();

    for (guint i = 0; i < self->files->len; i++) {
        json_array_add_string_element(traces, file_at(self, i)->trace->name);
    }
    json_object_set_array_member(object, "traces", traces);
    json_object_set_string_member(object, "l1_conflicts",
                                  self->options->has_l1_conflicts ? "on" : "off");
    return object;
}

static uint64_t moved_bytes(const CmdNocReplayResult *self)
{
    uint64_t bytes = 0;

    for (guint i = 0; i < self->files->len; i++) {
        const GArray *events = file_at(self, i)->trace->events;

        for (guint j = 0; j < events->len; j++) {
            bytes += g_array_index(events, ArchReplayEvent, j).bytes;
        }
    }
    return bytes;
}

static uint64_t predicted_cycles(const CmdNocReplayResult *self)
{
    uint64_t cycles = 0;

    for (guint i = 0; i < self->files->len; i++) {
        cycles += file_at(self, i)->predicted_cycles;
    }
    return cycles;
}

static char *to_json(const CmdNocReplayResult *self)
{
    const ArchParams *params = cmd_noc_chip_params(self->chip);
    const uint64_t cycles = predicted_cycles(self);
    g_autofree char *digest = arch_params_digest(params);
    g_autoptr(JsonObject) parameters = parameters_object(self);
    g_autoptr(JsonObject) overrides = chip_numbers_overridden(params);
    g_autoptr(JsonObject) counters = json_object_new();
    g_autoptr(JsonObject) metrics = metrics_object(self);
    const TraceResult result = {
        .gridloom = GRIDLOOM_VERSION,
        .workload = "noc replay",
        .chip = arch_params_name(params),
        .chip_digest = digest,
        .seed = 1,
        .parameters = parameters,
        .overrides = overrides,
        .cycles = cycles,
        .seconds = (double) cycles / cmd_noc_chip_hertz(self->chip),
        .iterations = 1,
        .counters = counters,
        .metrics = metrics,
        .check_status = "skipped",
        .reference = reference,
        .wall_seconds = self->wall_seconds,
        .events = self->events,
        .peak_rss_bytes = peak_memory_bytes(),
        .threads = 1,
    };

    json_object_set_int_member(counters, "noc_bytes", (gint64) moved_bytes(self));
    return trace_result_to_json(&result);
}

bool cmd_noc_replay_result_write(const CmdNocReplayResult *self, GError **error)
{
    const CmdNocReplayOptions *options = self->options;

    g_auto(CmdNocMap) map = {0};

    map_init(self, file_at(self, 0), &map);
    g_autofree char *json = options->output.json != NULL ? to_json(self) : NULL;

    return cmd_noc_output_write(&options->output, &map.picture, json, error);
}

static char *percent(double fraction)
{
    return isnan(fraction) ? g_strdup("-") : g_strdup_printf("%+.2f", 100 * fraction);
}

/* For what has no sign. */
static const char *without_plus(const char *text)
{
    return *text == '+' ? text + 1 : text;
}

static void add_file(Grid *grid, const CmdNocReplayRuns *runs)
{
    g_autofree char *recorded =
        g_strdup_printf("%" G_GUINT64_FORMAT, runs->trace->recorded_cycles);
    g_autofree char *predicted =
        g_strdup_printf("%" G_GUINT64_FORMAT, runs->predicted_cycles);
    g_autofree char *closed =
        g_strdup_printf("%" G_GUINT64_FORMAT, runs->closed_loop_cycles);
    g_autofree char *error =
        percent(cmd_noc_replay_runs_error(runs, runs->predicted_cycles));
    g_autofree char *closed_error =
        percent(cmd_noc_replay_runs_error(runs, runs->closed_loop_cycles));
    g_autofree char *without =
        percent(cmd_noc_replay_runs_error(runs, runs->without_l1_conflict_cycles));
    g_autofree char *barriers = percent(barrier_error(runs));
    g_autofree char *congestion = percent(cmd_noc_replay_runs_congestion(runs));

    grid_add(grid,
             (const char *[]){runs->trace->name, recorded, predicted, error, closed,
                              closed_error, without,
                              *barriers == '+' ? barriers + 1 : barriers, congestion});
}

static void print_files(const CmdNocReplayResult *self)
{
    g_autoptr(Grid) grid = grid_new(9);

    grid_add(grid, (const char *[]){"TRACE", "RECORDED", "PREDICTED", "ERROR %",
                                    "CLOSED LOOP", "ERROR %", "NO L1 CONFLICTS %",
                                    "BARRIERS %", "CONGESTION %"});
    for (guint i = 0; i < self->files->len; i++) {
        add_file(grid, file_at(self, i));
    }
    grid_print(grid, stdout, 2);
}

static void print_means(const CmdNocReplayResult *self)
{
    const Means means = means_of(self);

    g_autofree char *error = percent(means.mean_abs_error);
    g_autofree char *bias = percent(means.bias);
    g_autofree char *worst = percent(means.worst_error);
    g_autofree char *closed = percent(means.closed_loop_mean_abs_error);
    g_autofree char *without = percent(means.mean_abs_error_without_l1_conflicts);
    g_autofree char *barriers = percent(means.barrier_error_mean);

    printf("\n  mean absolute error  %s %%, bias %s %%, worst %s %%\n",
           without_plus(error), bias, worst);
    printf("  closed loop          %s %%\n", without_plus(closed));
    printf("  no L1 conflicts      %s %%\n", without_plus(without));
    printf("  barrier ends         %s %%, each counted once\n", without_plus(barriers));
}

void cmd_noc_replay_result_print(const CmdNocReplayResult *self)
{
    printf("noc replay on %s%s\n", arch_params_name(cmd_noc_chip_params(self->chip)),
           self->options->has_l1_conflicts ? "" : ", without L1 conflicts");
    printf("  check  skipped: %s\n\n", reference);
    print_files(self);
    if (self->files->len > 1) {
        print_means(self);
        return;
    }
    g_auto(CmdNocMap) map = {0};

    map_init(self, file_at(self, 0), &map);
    printf("\nbusiest links, flits per cycle\n");
    cmd_noc_map_print(&map, BUSIEST_LINKS, stdout);
}
