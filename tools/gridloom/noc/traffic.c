/* gridloom noc traffic: synthetic traffic on a network, at one rate or at many. */
#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/noc/traffic_study.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/named_files.h"
#include "traces/file/output.h"
#include "traces/picture/latency.h"
#include "workloads/routing.h"
#include "workloads/search.h"

/* There is no clock; the progress line names the one by which it shows time. */
#define PROGRESS_NAME  "noc traffic at 1 GHz"
#define PROGRESS_HERTZ 1e9

typedef CmdNocTrafficStudy Study;
typedef CmdNocTrafficRun Run;

static void study_init(Study *self, const CmdNocTrafficOptions *options)
{
    *self = (Study){
        .options = options, .run_count = options->routings->len, .is_conserved = true};
    self->runs = g_new0(Run, self->run_count);
    for (guint i = 0; i < self->run_count; i++) {
        self->runs[i].routing = cmd_noc_traffic_options_routing(options, i);
        arch_noc_traffic_points_init(&self->runs[i].points);
    }
    self->monitor =
        monitor_new(PROGRESS_NAME, PROGRESS_HERTZ, options->output.limit_seconds,
                    !options->output.is_quiet);
}

static void study_clear(Study *self)
{
    for (guint i = 0; i < self->run_count; i++) {
        arch_noc_traffic_points_clear(&self->runs[i].points);
        g_clear_pointer(&self->runs[i].routes, arch_noc_routes_free);
        g_clear_pointer(&self->runs[i].trees, arch_noc_trees_free);
    }
    g_clear_pointer(&self->runs, g_free);
    g_clear_pointer(&self->matrix, arch_noc_matrix_free);
    arch_link_use_clear(&self->use);
    g_clear_pointer(&self->monitor, monitor_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Study, study_clear)

static bool compile_routing(const Study *self,
                            Run *run,
                            const char *path,
                            const WlSandboxConfig *config,
                            GError **error)
{
    const CmdNocTrafficOptions *options = self->options;
    const ArchNocConfig *network = &options->config.network;

    if (run->routing->kind == ARCH_NOC_TREE) {
        const bool is_reduction = options->config.pattern.kind == ARCH_NOC_REDUCE;
        const WlRoutingTrees wanted = {
            .topology = network->topology,
            .width = network->width,
            .height = network->height,
            .root = options->root,
            .use = is_reduction ? ARCH_NOC_UPWARD : ARCH_NOC_DOWNWARD,
        };

        run->trees = wl_routing_load_trees(path, config, &wanted, error);
        return run->trees != NULL;
    }
    run->routes = wl_routing_load(path, config, network->topology, network->width,
                                  network->height, error);
    return run->routes != NULL;
}

/* `library` must outlive it. */
static WlSandboxConfig sandbox_config(const Study *self, const char *library)
{
    WlSandboxConfig config = wl_sandbox_config_default();

    config.seed = self->options->config.network.seed;
    config.library_path = library;
    config.is_interrupted = watchdog_is_stopping;
    config.interrupted_data = monitor_watchdog(self->monitor);
    return config;
}

/* The path of a Lua file; the caller frees it. */
static char *find_file(const char *name, const char *noun, GError **error)
{
    char *path = search_find(SEARCH_WORKLOAD, name);

    if (path == NULL) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s: no such %s file",
                    name, noun);
    }
    return path;
}

static bool load_routing(const Study *self, Run *run, GError **error)
{
    g_autofree char *path = find_file(run->routing->name, "routing", error);
    g_autofree char *library = search_library();
    const WlSandboxConfig config = sandbox_config(self, library);

    return path != NULL && compile_routing(self, run, path, &config, error);
}

static ArchNocMatrix *read_matrix(const Study *self, GError **error)
{
    const char *name = self->options->pattern;
    const ArchNocConfig *network = &self->options->config.network;
    gsize length = 0;
    g_autofree char *text = trace_named_file_read(name, &length, error);

    return text != NULL ? arch_noc_matrix_parse(name, text, length,
                                                network->width * network->height, error)
                        : NULL;
}

static ArchNocMatrix *compile_pattern(const Study *self, GError **error)
{
    const ArchNocConfig *network = &self->options->config.network;
    g_autofree char *path = find_file(self->options->pattern, "pattern", error);
    g_autofree char *library = search_library();
    const WlSandboxConfig config = sandbox_config(self, library);

    return path != NULL
               ? wl_routing_load_pattern(path, &config, network->topology,
                                         network->width, network->height, error)
               : NULL;
}

static bool load_pattern(Study *self, GError **error)
{
    if (self->options->config.pattern.kind != ARCH_NOC_MATRIX) {
        return true;
    }
    self->matrix = g_str_has_suffix(self->options->pattern, ".csv")
                       ? read_matrix(self, error)
                       : compile_pattern(self, error);
    return self->matrix != NULL;
}

static bool load_routings(Study *self, GError **error)
{
    for (guint i = 0; i < self->run_count; i++) {
        if (self->runs[i].routing->is_file &&
            !load_routing(self, &self->runs[i], error)) {
            return false;
        }
    }
    return true;
}

/* Runs the points of a routing. */
static bool simulate_routing(Study *self, guint index, GError **error)
{
    const ArchNocRates *rates = &self->options->rates;
    const guint most = arch_noc_rates_most(rates);
    Run *run = &self->runs[index];
    ArchNocTrafficConfig config = self->options->config;

    config.network.routing = run->routing->kind;
    config.network.routes = run->routes;
    config.network.trees = run->trees;
    config.pattern.matrix = self->matrix;
    config.monitor = monitor_observe;
    config.monitor_data = self->monitor;
    while (arch_noc_rates_next(rates, &run->points, &config.rate)) {
        monitor_begin(self->monitor, index * most + run->points.list->len,
                      self->run_count * most);

        ArchNocTraffic *point = arch_noc_traffic_run(&config, error);

        if (point == NULL) {
            return false;
        }
        monitor_end(self->monitor, point->cycles, point->events);
        arch_noc_traffic_points_add(&run->points, point);
    }
    self->is_conserved = self->is_conserved && run->points.is_conserved;
    return true;
}

static bool simulate(Study *self, GError **error)
{
    const ArchNocConfig *network = &self->options->config.network;

    for (guint i = 0; i < self->run_count; i++) {
        if (!simulate_routing(self, i, error)) {
            if (self->options->compare != NULL) {
                g_prefix_error(error, "%s: ", self->runs[i].routing->name);
            }
            return false;
        }
    }
    arch_link_use_of_traffic(&self->use, self->runs[0].points.shown, network->width,
                             network->height);
    return true;
}

/* Draws a result, as `plot latency` does. */
static bool draw(const char *path, const char *json, GError **error)
{
    g_autoptr(TraceRun) run = trace_run_new("noc traffic", json, NULL, error);
    g_autoptr(GPtrArray) runs = trace_runs_new();
    g_autofree char *svg = NULL;

    if (run == NULL) {
        return false;
    }
    g_ptr_array_add(runs, g_steal_pointer(&run));
    svg = trace_latency_to_svg(&(TraceLatency){.runs = runs, .columns = 1}, error);
    return svg != NULL && cmd_plot_file_write(path, svg, CMD_PLOT_FILE_SHARP, error);
}

/* Files that are written must differ, and can be. */
static bool check_files(const CmdNocTrafficOptions *options, GError **error)
{
    const TraceNamedFile files[] = {{"--json", options->output.json},
                                    {"--heatmap", options->output.heatmap},
                                    {"--svg", options->svg}};

    return cmd_noc_output_check(&options->output, error) &&
           trace_named_files_differ(files, G_N_ELEMENTS(files), error) &&
           (options->svg == NULL || cmd_plot_file_check(options->svg, error));
}

static bool write_files(const Study *self, GError **error)
{
    const CmdNocTrafficOptions *options = self->options;
    const ArchNocConfig *network = &options->config.network;
    const ArchNocTraffic *shown = self->runs[0].points.shown;
    g_autofree char *load =
        cmd_noc_traffic_is_batch(self)
            ? g_strdup_printf("batch of %" G_GUINT64_FORMAT " packets",
                              options->config.batch_packets)
            : g_strdup_printf("rate %g%s", shown->rate,
                              shown->is_saturated ? ", saturated" : "");
    g_autofree char *title =
        g_strdup_printf("%s traffic, %ux%u %s, routing %s, %s",
                        cmd_noc_traffic_pattern(self), network->width, network->height,
                        options->topology, self->runs[0].routing->name, load);
    g_autofree char *json = options->output.json != NULL || options->svg != NULL
                                ? cmd_noc_traffic_to_json(self)
                                : NULL;

    return (options->svg == NULL || draw(options->svg, json, error)) &&
           cmd_noc_map_write(&self->use, title, &options->output, json, error);
}

static int run_study(Study *self, GError **error)
{
    if (!load_routings(self, error) || !load_pattern(self, error) ||
        !simulate(self, error)) {
        return EXIT_INPUT;
    }
    monitor_silence(self->monitor);
    if (!write_files(self, error)) {
        return EXIT_INPUT;
    }
    if (cmd_noc_output_has_text(&self->options->output) &&
        !trace_output_is_stdout(self->options->svg)) {
        cmd_noc_traffic_print(self);
    }
    if (!self->is_conserved) {
        (void) complain("noc traffic: check failed, packets were lost, doubled, led "
                        "astray or too early");
        return EXIT_CHECK;
    }
    return EXIT_DONE;
}

int cmd_noc_traffic_run(gpointer options)
{
    const CmdNocTrafficOptions *given = options;
    g_auto(Study) study = {0};
    g_autoptr(GError) error = NULL;
    int status;

    if (!check_files(given, &error)) {
        return complain_of(error);
    }
    study_init(&study, given);
    status = run_study(&study, &error);
    return error != NULL ? monitor_complain(study.monitor, error) : status;
}
