/* gridloom noc traffic: synthetic traffic on a network, at one rate or at many. */
#include <math.h>
#include <stdio.h>

#include <glib.h>

#include "arch/traffic/points.h"
#include "sim/error.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/map.h"
#include "tools/gridloom/noc/traffic_options.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"
#include "traces/table/record.h"
#include "workloads/routing.h"
#include "workloads/search.h"

/* There is no clock; the progress line names the one by which it shows time. */
#define PROGRESS_NAME  "noc traffic at 1 GHz"
#define PROGRESS_HERTZ 1e9

enum {
    BUSIEST_LINKS = 5,
};

static const char *const reference =
    "every packet arrives once, where it should, not sooner than an empty network "
    "allows";

typedef struct {
    CmdNocTrafficOptions options;
    ArchNocRoutes *routes;
    ArchNocTrees *trees;
    ArchNocTrafficPoints points;
    ArchLinkUse use; /* of the point that is shown */
    Monitor *monitor;
} Job;

static void job_clear(Job *self)
{
    arch_noc_traffic_points_clear(&self->points);
    arch_link_use_clear(&self->use);
    g_clear_pointer(&self->routes, arch_noc_routes_free);
    g_clear_pointer(&self->trees, arch_noc_trees_free);
    g_clear_pointer(&self->monitor, monitor_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Job, job_clear)

static bool compile_routing(Job *self,
                            const char *path,
                            const WlSandboxConfig *config,
                            GError **error)
{
    const CmdNocTrafficOptions *options = &self->options;
    ArchNocConfig *network = &self->options.config.network;

    if (network->routing == ARCH_NOC_TREE) {
        const bool is_reduction = options->config.pattern.kind == ARCH_NOC_REDUCE;
        const WlRoutingTrees wanted = {
            .topology = network->topology,
            .width = network->width,
            .height = network->height,
            .root = options->root,
            .use = is_reduction ? ARCH_NOC_UPWARD : ARCH_NOC_DOWNWARD,
        };

        self->trees = wl_routing_load_trees(path, config, &wanted, error);
        network->trees = self->trees;
        return self->trees != NULL;
    }
    self->routes = wl_routing_load(path, config, network->topology, network->width,
                                   network->height, error);
    network->routes = self->routes;
    return self->routes != NULL;
}

static bool load_routing(Job *self, GError **error)
{
    const CmdNocTrafficOptions *options = &self->options;
    g_autofree char *path = search_find(SEARCH_WORKLOAD, options->routing);
    g_autofree char *library = search_library();
    WlSandboxConfig config = wl_sandbox_config_default();

    if (path == NULL) {
        return sim_fail(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                        "%s: no such routing file", options->routing);
    }
    config.seed = options->config.network.seed;
    config.library_path = library;
    config.is_interrupted = watchdog_is_stopping;
    config.interrupted_data = monitor_watchdog(self->monitor);
    return compile_routing(self, path, &config, error);
}

static bool simulate(Job *self, GError **error)
{
    ArchNocTrafficConfig config = self->options.config;

    config.monitor = monitor_observe;
    config.monitor_data = self->monitor;
    for (guint i = 0; i < self->options.rate_count; i++) {
        config.rate = cmd_noc_traffic_options_rate(&self->options, i);
        monitor_begin(self->monitor, i, self->options.rate_count);

        ArchNocTraffic *point = arch_noc_traffic_run(&config, error);

        if (point == NULL) {
            return false;
        }
        monitor_end(self->monitor, point->cycles, point->events);
        arch_noc_traffic_points_add(&self->points, point);
    }
    arch_link_use_of_traffic(&self->use, self->points.shown, config.network.width,
                             config.network.height);
    return true;
}

static bool is_batch(const Job *self)
{
    return self->options.config.batch_packets > 0;
}

/* The caller frees it. */
static char *root_text(const CmdNocTrafficOptions *options)
{
    const guint width = options->config.network.width;

    return options->root == ARCH_NOC_ALL_ROOTS
               ? g_strdup("all")
               : g_strdup_printf("%u,%u", options->root % width, options->root / width);
}

static JsonObject *parameters_object(const CmdNocTrafficOptions *options)
{
    const ArchNocTrafficConfig *config = &options->config;
    const ArchNocConfig *network = &config->network;
    const ArchNocPattern *pattern = &config->pattern;
    g_autofree char *size = g_strdup_printf("%ux%u", network->width, network->height);
    g_autofree char *root = root_text(options);
    JsonObject *object =
        RECORD(VALUE("topology", options->topology), VALUE("size", size),
               VALUE("routing", options->routing),
               VALUE("pattern", arch_noc_pattern_names()[pattern->kind]));

    if (pattern->kind == ARCH_NOC_HOTSPOT) {
        RECORD_ADD(object, VALUE("hotspot_node", pattern->hotspot),
                   VALUE("hotspot_fraction", pattern->hotspot_fraction));
    }
    if (arch_noc_pattern_has_tree(pattern)) {
        RECORD_ADD(object, VALUE("root", root));
    }
    if (config->batch_packets > 0) {
        RECORD_ADD(object, VALUE("batch", config->batch_packets));
    } else {
        RECORD_ADD(object, VALUE("rate", options->rate));
    }
    RECORD_ADD(object, VALUE("packet_flits", config->packet_flits),
               VALUE("vcs", network->vc_count),
               VALUE("buffer_flits", network->buffer_flits),
               VALUE("hop_cycles", network->hop_cycles),
               VALUE("endpoint_cycles", network->endpoint_cycles),
               VALUE("credit_cycles", network->credit_cycles));
    return object;
}

/* No latency where no packet came, nor where the network is saturated: the packets that
 * came are the lucky ones. */
static bool has_latency(const ArchNocTraffic *point)
{
    return point->packets > 0 && !point->is_saturated;
}

static double mean_value(const ArchNocTraffic *point, double mean)
{
    return has_latency(point) ? mean : NAN;
}

static RecordValue
latency_value(const ArchNocTraffic *point, const char *name, uint64_t of)
{
    return has_latency(point) ? record_count(name, of) : record_text(name, NULL);
}

static JsonObject *point_object(const ArchNocTraffic *point, bool is_batch)
{
    JsonObject *object = json_object_new();

    if (is_batch) {
        RECORD_ADD(object, VALUE("batch_cycles", point->batch_cycles));
    } else {
        RECORD_ADD(object, VALUE("rate", point->rate),
                   VALUE("saturated", point->is_saturated),
                   VALUE("steady", point->is_steady));
    }
    RECORD_ADD(object, VALUE("injected_rate", point->injected_rate),
               VALUE("accepted_rate", point->accepted_rate),
               VALUE("latency_mean", mean_value(point, point->latency_mean)),
               latency_value(point, "latency_p50", point->latency_p50),
               latency_value(point, "latency_p99", point->latency_p99),
               latency_value(point, "latency_max", point->latency_max),
               VALUE("latency_zero_load", point->latency_zero_load),
               VALUE("hops_mean", mean_value(point, point->hops_mean)),
               VALUE("packets", point->packets),
               VALUE("measured_cycles", point->cycles),
               VALUE("link_utilisation_mean", point->link_utilisation_mean),
               VALUE("link_utilisation_max", point->link_utilisation_max));
    return object;
}

static JsonObject *metrics_object(const Job *self)
{
    JsonObject *metrics = point_object(self->points.shown, is_batch(self));

    if (!is_batch(self)) {
        JsonArray *points = json_array_new();

        for (guint i = 0; i < self->points.list->len; i++) {
            json_array_add_object_element(
                points, point_object(g_ptr_array_index(self->points.list, i), false));
        }
        RECORD_ADD(metrics, VALUE("saturation_rate", self->points.saturation),
                   VALUE("points", points));
    }
    cmd_noc_map_set(&self->use, metrics);
    return metrics;
}

static char *to_json(const Job *self)
{
    const ArchNocTrafficPoints *points = &self->points;

    return envelope_to_json(
        (TraceResult){
            .workload = "noc traffic",
            .chip = self->options.topology,
            .seed = self->options.config.network.seed,
            .parameters = parameters_object(&self->options),
            .cycles = points->shown->cycles,
            .seconds = NAN, /* a network of its own has no clock */
            .counters = RECORD(VALUE("noc_packets", points->packets),
                               VALUE("noc_flit_hops", points->flit_hops)),
            .metrics = metrics_object(self),
            .check_status = points->is_conserved ? "pass" : "fail",
            .max_abs_error = points->is_conserved ? 0 : 1,
            .reference = reference,
            .wall_seconds = monitor_seconds(self->monitor),
            .events = monitor_events(self->monitor),
        },
        NULL);
}

static bool write_files(const Job *self, GError **error)
{
    const CmdNocTrafficOptions *options = &self->options;
    const ArchNocConfig *network = &options->config.network;
    g_autofree char *load =
        is_batch(self)
            ? g_strdup_printf("batch of %" G_GUINT64_FORMAT " packets",
                              options->config.batch_packets)
            : g_strdup_printf("rate %g%s", self->points.shown->rate,
                              self->points.shown->is_saturated ? ", saturated" : "");
    g_autofree char *title = g_strdup_printf(
        "%s traffic on a %ux%u %s, routing %s, %s",
        arch_noc_pattern_names()[options->config.pattern.kind], network->width,
        network->height, options->topology, options->routing, load);
    g_autofree char *json = options->output.json != NULL ? to_json(self) : NULL;

    return cmd_noc_map_write(&self->use, title, &options->output, json, error);
}

static void print_saturation(const Job *self)
{
    const double rate = self->points.saturation;

    if (is_batch(self)) {
        g_autofree char *cycles = quantity_count(self->points.shown->batch_cycles);

        printf("\n  batch       all packets arrived after %s cycles\n", cycles);
    } else if (isnan(rate)) {
        printf("\n  saturation  not reached\n");
    } else {
        printf("\n  saturation  at a rate of %g flits per node and cycle\n", rate);
    }
}

static void add_point(Grid *grid, const ArchNocTraffic *point)
{
    g_autofree char *rate = g_strdup_printf("%.6g", point->rate);

    grid_put(grid, point->batch_cycles > 0 ? "batch" : rate);
    grid_printf(grid, "%.4f|%.4f|%.2f|%.0f|%.0f|%.0f|%.3f|%s", point->injected_rate,
                point->accepted_rate, mean_value(point, point->latency_mean),
                mean_value(point, (double) point->latency_p50),
                mean_value(point, (double) point->latency_p99),
                mean_value(point, (double) point->latency_max),
                mean_value(point, point->hops_mean),
                point->is_saturated ? "saturated" : "");
}

static void print_page(const Job *self)
{
    const CmdNocTrafficOptions *options = &self->options;
    const ArchNocConfig *network = &options->config.network;
    g_autoptr(Grid) grid = grid_with("RATE|INJECTED|ACCEPTED|MEAN|P50|P99|MAX|HOPS|");
    const ArchNocPattern *pattern = &options->config.pattern;
    const bool has_tree = arch_noc_pattern_has_tree(pattern);
    g_autofree char *root = root_text(options);

    printf("noc traffic on %s\n", options->topology);
    printf("  network     %ux%u, routing %s, %u virtual channels of %u flits, "
           "%" G_GUINT64_FORMAT " cycles a hop, %" G_GUINT64_FORMAT " at endpoints\n",
           network->width, network->height, options->routing, network->vc_count,
           network->buffer_flits, network->hop_cycles, network->endpoint_cycles);
    printf("  traffic     %s%s%s, packets of %u flits, seed %" G_GUINT64_FORMAT "\n",
           arch_noc_pattern_names()[pattern->kind], has_tree ? ", root " : "",
           has_tree ? root : "", options->config.packet_flits, network->seed);
    printf("  check       %s: %s\n", self->points.is_conserved ? "pass" : "fail",
           reference);
    printf("\n");
    for (guint i = 0; i < self->points.list->len; i++) {
        add_point(grid, g_ptr_array_index(self->points.list, i));
    }
    grid_print(grid, stdout, 2);
    print_saturation(self);
    if (self->use.links->len > 0) {
        g_autofree char *at = g_strdup_printf(" at rate %g", self->points.shown->rate);

        printf("\nbusiest links, flits per cycle%s\n", is_batch(self) ? "" : at);
        cmd_noc_map_print(&self->use, BUSIEST_LINKS);
    }
}

static int run(Job *self, GError **error)
{
    if (!simulate(self, error)) {
        return EXIT_INPUT;
    }
    monitor_silence(self->monitor);
    if (!write_files(self, error)) {
        return EXIT_INPUT;
    }
    if (cmd_noc_output_has_text(&self->options.output)) {
        print_page(self);
    }
    if (!self->points.is_conserved) {
        (void) complain("noc traffic: check failed, packets were lost, doubled, led "
                        "astray or too early");
        return EXIT_CHECK;
    }
    return EXIT_DONE;
}

int cmd_noc_traffic_run(gpointer options)
{
    g_auto(Job) job = {.options = *(const CmdNocTrafficOptions *) options};
    g_autoptr(GError) error = NULL;
    int status;

    if (!cmd_noc_output_check(&job.options.output, &error)) {
        return complain_of(error);
    }
    job.monitor =
        monitor_new(PROGRESS_NAME, PROGRESS_HERTZ, job.options.output.limit_seconds,
                    !job.options.output.is_quiet);
    arch_noc_traffic_points_init(&job.points);
    if (job.options.is_routing_file && !load_routing(&job, &error)) {
        return monitor_complain(job.monitor, error);
    }
    status = run(&job, &error);
    return error != NULL ? monitor_complain(job.monitor, error) : status;
}
