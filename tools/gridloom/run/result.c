/* Writes and prints the result of a run. */
#include "tools/gridloom/run/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/gridloom/envelope.h"
#include "tools/gridloom/run/arrays.h"
#include "tools/gridloom/run/page.h"
#include "tools/gridloom/uncertainty/study.h"
#include "traces/file/named_files.h"
#include "traces/file/output.h"
#include "traces/file/quantity.h"
#include "traces/picture/plot.h"
#include "traces/reading/used.h"
#include "traces/table/grid.h"
#include "traces/table/record.h"

static bool check_trace(const char *path, const char *option, GError **error)
{
    return trace_output_check_file(path, option, error) &&
           (path == NULL || trace_output_check(path, error));
}

bool cmd_run_result_check_targets(const CmdRunOptions *options, GError **error)
{
    const TraceNamedFile targets[] = {
        {"--json", options->json},        {"--progress", options->progress},
        {"--trace", options->trace.path}, {"--system-trace", options->system_trace},
        {"--report", options->report},    {"--heatmap", options->heatmap}};
    const char *out = options->out;

    /* Scripts print to standard output. Traces are written while the run goes on,
     * before the folder of --out is made. */
    return trace_named_files_differ(targets, G_N_ELEMENTS(targets), error) &&
           trace_output_check_beside(options->json, "--json", out, error) &&
           trace_output_check_file(options->report, "--report", error) &&
           trace_output_check_beside(options->report, "--report", out, error) &&
           check_trace(options->trace.path, "--trace", error) &&
           check_trace(options->progress, "--progress", error) &&
           check_trace(options->system_trace, "--system-trace", error) &&
           cmd_run_page_check(options, error) && cmd_run_arrays_check(options, error) &&
           (out == NULL || trace_output_check_folder(out, "--out", error));
}

/* "arch/systems/n300.xml" is n300. */
static char *system_name(const CmdRunResult *self)
{
    g_autofree char *file = g_path_get_basename(self->system);

    return g_str_has_suffix(file, ".xml") ? g_strndup(file, strlen(file) - 4)
                                          : g_steal_pointer(&file);
}

/* The script's metrics, and those that every run has. */
static JsonObject *metrics_object(const CmdRunResult *self)
{
    const WlOutcome *outcome = self->outcome;
    JsonObject *metrics = json_object_ref(outcome->metrics);

    RECORD_ADD(metrics, VALUE("host_seconds", outcome->host_seconds),
               VALUE("transfer_seconds", outcome->transfer_seconds),
               VALUE("launch_seconds", outcome->launch_seconds),
               VALUE("device_seconds", outcome->device_seconds),
               VALUE("measured_launch_seconds", outcome->measured_launch_seconds));
    uncertainty_add_json(self->uncertainty, metrics);
    return metrics;
}

/* The parameters' values in effect. */
static JsonObject *parameters_object(const CmdRunResult *self)
{
    JsonObject *values = wl_script_values(self->script);
    JsonObject *own = self->outcome->parameters;
    g_autoptr(GList) names = json_object_get_members(own);

    for (const GList *name = names; name != NULL; name = name->next) {
        json_object_set_member(values, name->data,
                               json_object_dup_member(own, name->data));
    }
    return values;
}

/* The files of --in by the arrays' names; NULL: there were none. */
static JsonObject *inputs_object(const WlScript *script)
{
    JsonObject *object = NULL;

    for (guint i = 0; i < wl_script_array_count(script, WL_INPUTS); i++) {
        const WlScriptArray *input = wl_script_array(script, WL_INPUTS, i);

        if (input->file != NULL) {
            object = object != NULL ? object : json_object_new();
            json_object_set_string_member(object, input->name, input->file);
        }
    }
    return object;
}

/* The cores or PEs that ran programs; NULL: there were none. */
static JsonObject *used_object(const WlOutcome *outcome)
{
    if (outcome->parts_used == 0) {
        return NULL;
    }
    JsonObject *object = RECORD(VALUE("what", outcome->parts),
                                VALUE("used", (gint64) outcome->parts_used));

    if (outcome->parts_there > 0) {
        RECORD_ADD(object, VALUE("of", (gint64) outcome->parts_there));
    }
    return object;
}

/* What labels need of the result; the caller frees it. */
static JsonObject *label_object(const WlOutcome *outcome)
{
    JsonObject *object = RECORD(VALUE("stalls", json_object_ref(outcome->stalls)));
    JsonObject *used = used_object(outcome);

    if (used != NULL) {
        RECORD_ADD(object, VALUE("chip_used", used));
    }
    return object;
}

/* The roofs of the chip's links, then the script's; of TraceRoof. */
static GArray *read_roofs(const ArchChip *chip, const WlOutcome *outcome)
{
    static const struct {
        const char *kind;
        const char *name;
    } links[] = {{"host_to_device", "host to device"},
                 {"device_to_host", "device to host"}};
    GArray *roofs = g_array_new(FALSE, FALSE, sizeof(TraceRoof));

    for (gsize i = 0; i < G_N_ELEMENTS(links); i++) {
        ArchLink link;

        if (arch_chip_link(chip, links[i].kind, &link, NULL)) {
            TraceRoof roof = {.name = links[i].name,
                              .unit = "bytes per second",
                              .value = link.bytes_per_second,
                              .achieved = NAN,
                              .source = link.source};

            g_array_append_val(roofs, roof);
        }
    }
    for (guint i = 0; i < outcome->roofs->len; i++) {
        const WlRoof *own = g_ptr_array_index(outcome->roofs, i);
        TraceRoof roof = {.name = own->name,
                          .unit = own->unit,
                          .value = own->value,
                          .achieved = own->achieved,
                          .source = own->source};

        g_array_append_val(roofs, roof);
    }
    return roofs;
}

char *cmd_run_result_to_json(const CmdRunResult *self)
{
    const WlOutcome *outcome = self->outcome;
    const ArchChip *chip = wl_chips_first(self->chips);
    const ArchParams *params = arch_chip_params(chip);
    g_autofree char *system = system_name(self);
    g_autoptr(GArray) roofs = read_roofs(chip, outcome);

    return envelope_to_json(
        (TraceResult){
            .workload = wl_script_name(self->script),
            .system = wl_chips_count(self->chips) > 1 ? system : NULL,
            .chips = wl_chips_count(self->chips),
            .seed = self->options->seed,
            .parameters = parameters_object(self),
            .given = wl_script_given(self->script),
            .inputs = inputs_object(self->script),
            .chip_used = used_object(outcome),
            .cycles = outcome->cycles,
            .seconds = outcome->seconds,
            .iterations = outcome->iterations,
            .counters = wl_chips_counters(self->chips),
            .busy = outcome->busy,
            .stalls = outcome->stalls,
            .zones = outcome->zones,
            .metrics = metrics_object(self),
            .energy_joules = &outcome->energy_joules,
            .roofs = (const TraceRoof *) roofs->data,
            .roof_count = roofs->len,
            .check_status = wl_check_status_name(outcome->check),
            .max_abs_error = outcome->max_abs_error,
            .tolerance = outcome->tolerance,
            .reference = outcome->reference,
            .chip_parameters = envelope_numbers(params, true),
            .wall_seconds = self->wall_seconds,
            .events = wl_chips_events(self->chips),
            .threads = (guint) self->options->threads,
        },
        params);
}

/* The points are the same two numbers in both rooms: they are not copied. */
_Static_assert(sizeof(WlPlotPoint) == sizeof(TracePlotPoint) &&
                   offsetof(WlPlotPoint, y) == offsetof(TracePlotPoint, y),
               "points of a script and of a picture");

/* An SVG file; the caller frees it. `mark` is put behind the title; NULL: none. */
static char *plot_to_svg(const WlPlot *plot, const char *mark)
{
    static const TracePlotStyle styles[] = {[WL_PLOT_BOTH] = TRACE_PLOT_BOTH,
                                            [WL_PLOT_LINE] = TRACE_PLOT_LINE,
                                            [WL_PLOT_POINTS] = TRACE_PLOT_POINTS,
                                            [WL_PLOT_CELLS] = TRACE_PLOT_CELLS};
    g_autofree TracePlotSeries *series = g_new(TracePlotSeries, plot->series->len);
    g_autofree char *title =
        plot->title != NULL
            ? g_strconcat(plot->title, mark != NULL ? ", " : NULL, mark, NULL)
            : g_strdup(mark);
    TracePlot picture = {.title = title,
                         .x = plot->x,
                         .y = plot->y,
                         .is_log_x = plot->is_log_x,
                         .is_log_y = plot->is_log_y,
                         .series = series,
                         .series_count = plot->series->len};

    for (guint i = 0; i < plot->series->len; i++) {
        const WlPlotSeries *own = g_ptr_array_index(plot->series, i);

        series[i] = (TracePlotSeries){
            .name = own->name,
            .style = styles[own->style],
            .points = (const TracePlotPoint *) (const void *) own->points->data,
            .point_count = own->points->len,
        };
    }
    return trace_plot_to_svg(&picture);
}

/* The file of a table or a picture: FOLDER/NAME.csv. */
static char *file_of(const CmdRunResult *self, const char *name, const char *ending)
{
    return g_strdup_printf("%s/%s.%s", self->options->out, name, ending);
}

/* Tables and pictures of the script. */
static bool write_files(const CmdRunResult *self, GError **error)
{
    const WlOutcome *outcome = self->outcome;
    g_autoptr(JsonObject) label = label_object(outcome);

    for (guint i = 0; i < outcome->tables->len; i++) {
        const WlTable *table = g_ptr_array_index(outcome->tables, i);
        g_autofree char *path = file_of(self, table->name, "csv");
        g_autofree char *csv = wl_table_to_csv(table);

        if (!trace_output_write(path, csv, error)) {
            return false;
        }
    }
    for (guint i = 0; i < outcome->plots->len; i++) {
        const WlPlot *plot = g_ptr_array_index(outcome->plots, i);
        g_autofree char *path = file_of(self, plot->name, "svg");
        g_autofree char *svg = plot_to_svg(plot, trace_used_mark(label));

        if (!trace_output_write(path, svg, error)) {
            return false;
        }
    }
    return true;
}

bool cmd_run_result_write(const CmdRunResult *self, const char *json, GError **error)
{
    const CmdRunOptions *options = self->options;
    const char *out = options->out;

    if (out != NULL &&
        (!trace_output_make_folder(out, error) || !write_files(self, error) ||
         !uncertainty_write(self->uncertainty, out, error))) {
        return false;
    }
    if (!cmd_run_arrays_write(self->script, self->outcome, error)) {
        return false;
    }
    /* The result last: where it is, tables, plots and arrays are. */
    if (out != NULL) {
        g_autofree char *path = g_build_filename(out, "result.json", NULL);

        if (!trace_output_write(path, json, error)) {
            return false;
        }
    }
    return options->json == NULL || trace_output_write(options->json, json, error);
}

static void print_table(const WlTable *table)
{
    g_autoptr(Grid) grid = grid_new(table->columns->len);

    grid_add(grid, (const char *const *) table->columns->pdata);
    for (guint i = 0; i < table->rows->len; i++) {
        const GPtrArray *row = g_ptr_array_index(table->rows, i);

        grid_add(grid, (const char *const *) row->pdata);
    }
    printf("\n%s\n", table->name);
    grid_print(grid, stdout, 2);
}

static void print_split(const WlOutcome *outcome)
{
    g_autofree char *host = quantity_seconds(outcome->host_seconds);
    g_autofree char *transfer = quantity_seconds(outcome->transfer_seconds);
    g_autofree char *launch = quantity_seconds(outcome->launch_seconds);
    g_autofree char *device = quantity_seconds(outcome->device_seconds);

    printf("  whole run  host %s, transfer %s, launch %s, device %s\n", host, transfer,
           launch, device);
}

static void print_check(const WlOutcome *outcome)
{
    printf("  check      %s: ", wl_check_status_name(outcome->check));
    if (outcome->check != WL_CHECK_SKIPPED) {
        printf("max error %g, tolerance %g, against ", outcome->max_abs_error,
               outcome->tolerance);
    }
    printf("%s\n", outcome->reference);
    if (outcome->race_scope != NULL) {
        printf("  races      %u; checked: %s\n", outcome->races->len,
               outcome->race_scope);
    }
}

static void print_files(const CmdRunResult *self)
{
    const CmdRunOptions *options = self->options;
    const char *out = options->out;
    g_autoptr(GPtrArray) reports = cmd_run_page_reports(options);
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);

    if (out != NULL) {
        g_ptr_array_add(files, g_strdup_printf("%s/result.json", out));
    }
    if (self->trace != NULL) {
        g_ptr_array_add(files, g_strdup(self->trace));
    }
    if (options->heatmap != NULL) {
        g_ptr_array_add(files, g_strdup(options->heatmap));
    }
    g_ptr_array_extend_and_steal(files, g_steal_pointer(&reports));
    for (guint i = 0; out != NULL && i < self->outcome->tables->len; i++) {
        const WlTable *table = g_ptr_array_index(self->outcome->tables, i);

        g_ptr_array_add(files, file_of(self, table->name, "csv"));
    }
    for (guint i = 0; out != NULL && i < self->outcome->plots->len; i++) {
        const WlPlot *plot = g_ptr_array_index(self->outcome->plots, i);

        g_ptr_array_add(files, file_of(self, plot->name, "svg"));
    }
    cmd_run_arrays_list(self->script, files);
    uncertainty_add_files(self->uncertainty, out, files);
    if (files->len > 0) {
        g_ptr_array_add(files, NULL);
        g_autofree char *list = g_strjoinv(", ", (char **) files->pdata);

        printf("\nresult files: %s\n", list);
    }
}

/* "8 chips of t3000", or, where not all of them had work, "3 of 8 chips". */
static void print_chips(const CmdRunResult *self)
{
    g_autofree char *system = system_name(self);
    const guint at_work = self->outcome->chips_at_work;

    printf(", ");
    if (at_work > 0 && at_work < wl_chips_count(self->chips)) {
        printf("%u of ", at_work);
    }
    printf("%u chips of %s", wl_chips_count(self->chips), system);
}

/* Scripts differ in whether they measure the start of programs. */
static const char *launches_text(const WlOutcome *outcome)
{
    if (outcome->measured_launch_seconds > 0) {
        return ", launches included";
    }
    return outcome->launch_seconds > 0 ? ", launches left out" : "";
}

/* Where the parts of a chip's power have ranges. */
static void print_energy(const WlOutcome *outcome)
{
    if (!isfinite(outcome->energy_low_joules)) {
        return;
    }
    g_autofree char *joules = quantity_joules(outcome->energy_joules);
    g_autofree char *low = quantity_joules(outcome->energy_low_joules);
    g_autofree char *high = quantity_joules(outcome->energy_high_joules);

    printf("  energy     about %s, %s to %s, since most of [power] is assumed", joules,
           low, high);
    if (outcome->seconds > 0) {
        printf("; %.3g W", outcome->energy_joules / outcome->seconds);
    }
    printf("\n");
}

void cmd_run_result_print(const CmdRunResult *self)
{
    const WlOutcome *outcome = self->outcome;
    uint64_t events = wl_chips_events(self->chips);
    g_autofree char *cycles = quantity_count(outcome->cycles);
    g_autofree char *seconds = quantity_seconds(outcome->seconds);
    g_autofree char *wall = quantity_seconds(self->wall_seconds);
    g_autofree char *event_count = quantity_scaled((double) events);
    g_autofree char *rate = quantity_scaled((double) events / self->wall_seconds);
    g_autoptr(JsonObject) label = label_object(outcome);
    g_autofree char *suffix = trace_used_suffix(label);

    printf("%s on %s", wl_script_name(self->script),
           arch_params_name(arch_chip_params(wl_chips_first(self->chips))));
    if (wl_chips_count(self->chips) > 1) {
        print_chips(self);
    }
    printf("%s\n", suffix);
    printf("  measured   %s cycles, %s", cycles, seconds);
    if (outcome->iterations > 1) {
        g_autofree char *each =
            quantity_seconds(outcome->seconds / (double) outcome->iterations);

        printf(", %" G_GUINT64_FORMAT " iterations of %s", outcome->iterations, each);
    }
    printf("%s\n", launches_text(outcome));
    print_split(outcome);
    print_check(outcome);
    print_energy(outcome);
    printf("  simulated  in %s: %sevents, %sevents/s\n", wall, event_count, rate);
    for (guint i = 0; i < outcome->tables->len; i++) {
        print_table(g_ptr_array_index(outcome->tables, i));
    }
    uncertainty_print(self->uncertainty);
    print_files(self);
}
