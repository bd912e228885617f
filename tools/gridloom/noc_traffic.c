/* gridloom noc traffic: synthetic traffic on a network, at one rate or at many. */
#include <math.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/noc_traffic_options.h"
#include "tools/gridloom/noc_traffic_result.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/search.h"
#include "tools/gridloom/watchdog.h"
#include "workloads/routing.h"

/* There is no clock; the progress line names the one by which it shows time. */
#define PROGRESS_NAME     "noc traffic at 1 GHz"
#define SECONDS_PER_CYCLE 1e-9

typedef struct {
    NocTrafficOptions options;
    ArchNocRoutes *routes;
    GPtrArray *points; /* of ArchNocTraffic */
    ArchNocTraffic *shown;
    Watchdog *watchdog;
    Progress *progress;
    uint64_t events; /* of the points that are done */
    SimTime cycles;  /* theirs */
} Job;

static void job_clear(Job *self)
{
    g_clear_pointer(&self->progress, progress_free);
    g_clear_pointer(&self->points, g_ptr_array_unref);
    g_clear_pointer(&self->routes, arch_noc_routes_free);
    g_clear_pointer(&self->watchdog, watchdog_free);
    noc_traffic_options_clear(&self->options);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Job, job_clear)

static bool load_routes(Job *self, GError **error)
{
    NocTrafficOptions *options = &self->options;
    ArchNocConfig *network = &options->config.network;
    g_autofree char *path = search_find(SEARCH_WORKLOAD, options->routing);
    g_autofree char *library = search_library();
    WlSandboxConfig config = wl_sandbox_config_default();

    if (path == NULL) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s: no such routing file",
                    options->routing);
        return false;
    }
    config.seed = network->seed;
    config.library_path = library;
    config.is_interrupted = watchdog_is_stopping;
    config.interrupted_data = self->watchdog;
    self->routes = wl_routing_load(path, &config, network->topology, network->width,
                                   network->height, error);
    network->routes = self->routes;
    return self->routes != NULL;
}

static bool observe(gpointer data, SimTime now, uint64_t events)
{
    Job *self = data;
    const guint count = self->options.rate_count;

    progress_update(self->progress, (double) (self->cycles + now) * SECONDS_PER_CYCLE,
                    self->events + events,
                    count > 1 ? (double) self->points->len / count : -1);
    return !watchdog_is_stopping(self->watchdog);
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

    config.monitor = observe;
    config.monitor_data = self;
    for (guint i = 0; i < self->options.rate_count; i++) {
        config.rate = noc_traffic_options_rate(&self->options, i);

        ArchNocTraffic *point = arch_noc_traffic_run(&config, error);

        if (point == NULL) {
            return false;
        }
        g_ptr_array_add(self->points, point);
        self->events += point->events;
        self->cycles += point->cycles;
        show(self, point);
    }
    return true;
}

static int run(Job *self, GError **error)
{
    const gint64 start = g_get_monotonic_time();
    const NocTrafficOptions *options = &self->options;
    NocTrafficResult result = {.options = options, .points = self->points};

    self->progress = progress_new(PROGRESS_NAME, !options->output.is_quiet);
    if (!simulate(self, error)) {
        return EXIT_INPUT;
    }
    g_clear_pointer(&self->progress, progress_free);
    result.shown = self->shown;
    result.wall_seconds = (double) (g_get_monotonic_time() - start) / G_USEC_PER_SEC;
    if (!noc_traffic_result_write(&result, error)) {
        return EXIT_INPUT;
    }
    if (noc_output_has_text(&options->output)) {
        noc_traffic_result_print(&result);
    }
    if (!noc_traffic_result_is_conserved(&result)) {
        (void) complain("noc traffic: check failed, packets were lost, doubled, led "
                        "astray or too early");
        return EXIT_CHECK;
    }
    return EXIT_DONE;
}

static int complain_of_run(const Job *self, const GError *error)
{
    switch (watchdog_reason(self->watchdog)) {
    case WATCHDOG_INTERRUPTED:
        (void) complain("interrupted");
        return EXIT_INTERRUPTED;
    case WATCHDOG_LIMIT:
        (void) complain("wall-clock limit of %g s reached: %s",
                        watchdog_limit_seconds(self->watchdog), error->message);
        return EXIT_STOPPED;
    case WATCHDOG_QUIET:
        break;
    }
    return complain_of(error);
}

int cmd_noc_traffic(int argc, char **argv)
{
    g_auto(Job) job = {0};
    g_autoptr(GError) error = NULL;
    int status;

    if (!noc_traffic_options_parse(&job.options, argc, argv, &error) ||
        !noc_output_check(&job.options.output, &error)) {
        return complain_of(error);
    }
    watchdog_block_signals();
    job.watchdog = watchdog_new(job.options.limit_seconds, NULL);
    job.points = g_ptr_array_new_with_free_func((GDestroyNotify) arch_noc_traffic_free);
    if (job.options.is_routing_file && !load_routes(&job, &error)) {
        return complain_of_run(&job, error);
    }
    status = run(&job, &error);
    g_clear_pointer(&job.progress, progress_free);
    return error != NULL ? complain_of_run(&job, error) : status;
}
