/* gridloom noc traffic: synthetic traffic on a network, at one rate or at many. */
#include <math.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/monitor.h"
#include "tools/gridloom/noc/traffic_options.h"
#include "tools/gridloom/noc/traffic_result.h"
#include "tools/gridloom/search.h"
#include "workloads/routing.h"

/* There is no clock; the progress line names the one by which it shows time. */
#define PROGRESS_NAME  "noc traffic at 1 GHz"
#define PROGRESS_HERTZ 1e9

typedef struct {
    CmdNocTrafficOptions options;
    ArchNocRoutes *routes;
    ArchNocTrees *trees;
    GPtrArray *points; /* of ArchNocTraffic */
    ArchNocTraffic *shown;
    Monitor *monitor;
} Job;

static void job_clear(Job *self)
{
    g_clear_pointer(&self->points, g_ptr_array_unref);
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
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s: no such routing file",
                    options->routing);
        return false;
    }
    config.seed = options->config.network.seed;
    config.library_path = library;
    config.is_interrupted = watchdog_is_stopping;
    config.interrupted_data = monitor_watchdog(self->monitor);
    return compile_routing(self, path, &config, error);
}

/* Links are kept of one point: the highest that is not saturated, else the first. */
static void show(Job *self, ArchNocTraffic *point)
{
    ArchNocTraffic *hidden = point;

    if (self->shown == NULL || !point->is_saturated) {
        hidden = self->shown;
        self->shown = point;
    }
    if (hidden != NULL) {
        arch_noc_traffic_forget_links(hidden);
    }
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
        g_ptr_array_add(self->points, point);
        monitor_end(self->monitor, point->cycles, point->events);
        show(self, point);
    }
    return true;
}

static int run(Job *self, GError **error)
{
    const CmdNocTrafficOptions *options = &self->options;
    CmdNocTrafficResult result = {.options = options, .points = self->points};

    if (!simulate(self, error)) {
        return EXIT_INPUT;
    }
    monitor_silence(self->monitor);
    result.shown = self->shown;
    result.wall_seconds = monitor_seconds(self->monitor);
    result.events = monitor_events(self->monitor);
    if (!cmd_noc_traffic_result_write(&result, error)) {
        return EXIT_INPUT;
    }
    if (cmd_noc_output_has_text(&options->output)) {
        cmd_noc_traffic_result_print(&result);
    }
    if (!cmd_noc_traffic_result_is_conserved(&result)) {
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
    job.points = g_ptr_array_new_with_free_func((GDestroyNotify) arch_noc_traffic_free);
    if (job.options.is_routing_file && !load_routing(&job, &error)) {
        return monitor_complain(job.monitor, error);
    }
    status = run(&job, &error);
    return error != NULL ? monitor_complain(job.monitor, error) : status;
}
