/* Writes points of traffic as a result. */
#include <math.h>

#include "tools/gridloom/envelope.h"
#include "tools/gridloom/noc/traffic_study.h"
#include "traces/table/record.h"

typedef CmdNocTrafficStudy Study;

bool cmd_noc_traffic_is_batch(const CmdNocTrafficStudy *self)
{
    return self->options->config.batch_packets > 0;
}

const char *cmd_noc_traffic_pattern(const CmdNocTrafficStudy *self)
{
    return self->options->pattern;
}

char *cmd_noc_traffic_root(const CmdNocTrafficOptions *options)
{
    const guint width = options->config.network.width;

    return options->root == ARCH_NOC_ALL_ROOTS
               ? g_strdup("all")
               : g_strdup_printf("%u,%u", options->root % width, options->root / width);
}

bool cmd_noc_traffic_has_latency(const ArchNocTraffic *point)
{
    return point->packets > 0 && !point->is_saturated;
}

static void add_load(const Study *self, JsonObject *object)
{
    const CmdNocTrafficOptions *options = self->options;

    if (cmd_noc_traffic_is_batch(self)) {
        RECORD_ADD(object, VALUE("batch", options->config.batch_packets));
        return;
    }
    RECORD_ADD(object, VALUE("rate", options->rate));
    if (options->is_search) {
        RECORD_ADD(object, VALUE("resolution", options->resolution));
    }
}

static JsonObject *parameters_object(const Study *self)
{
    const CmdNocTrafficOptions *options = self->options;
    const ArchNocTrafficConfig *config = &options->config;
    const ArchNocConfig *network = &config->network;
    const ArchNocPattern *pattern = &config->pattern;
    const char *routing =
        options->compare != NULL ? options->compare : options->routing;
    g_autofree char *size = g_strdup_printf("%ux%u", network->width, network->height);
    g_autofree char *root = cmd_noc_traffic_root(options);
    JsonObject *object = RECORD(VALUE("topology", options->topology),
                                VALUE("size", size), VALUE("routing", routing),
                                VALUE("pattern", cmd_noc_traffic_pattern(self)));

    if (pattern->kind == ARCH_NOC_HOTSPOT) {
        RECORD_ADD(object, VALUE("hotspot_node", pattern->hotspot),
                   VALUE("hotspot_fraction", pattern->hotspot_fraction));
    }
    if (arch_noc_pattern_has_tree(pattern)) {
        RECORD_ADD(object, VALUE("root", root));
    }
    add_load(self, object);
    RECORD_ADD(object, VALUE("packet_flits", config->packet_flits),
               VALUE("vcs", network->vc_count),
               VALUE("buffer_flits", network->buffer_flits),
               VALUE("hop_cycles", network->hop_cycles),
               VALUE("endpoint_cycles", network->endpoint_cycles),
               VALUE("credit_cycles", network->credit_cycles));
    return object;
}

static double mean_value(const ArchNocTraffic *point, double mean)
{
    return cmd_noc_traffic_has_latency(point) ? mean : NAN;
}

static RecordValue
latency_value(const ArchNocTraffic *point, const char *name, uint64_t of)
{
    return cmd_noc_traffic_has_latency(point) ? record_count(name, of)
                                              : record_text(name, NULL);
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

/* The bounds of the saturation rate, and how much arrives at it and beyond it. */
static void add_search(const ArchNocTrafficPoints *points, JsonObject *object)
{
    const ArchNocTraffic *saturated = arch_noc_traffic_points_saturated(points);
    const ArchNocTraffic *last = arch_noc_traffic_points_last(points);

    RECORD_ADD(object, VALUE("saturation_lower", arch_noc_traffic_points_lower(points)),
               VALUE("saturation_upper", points->saturation),
               VALUE("saturation_accepted_rate",
                     saturated != NULL ? saturated->accepted_rate : NAN),
               VALUE("overload_rate", last->rate),
               VALUE("overload_accepted_rate", last->accepted_rate));
}

/* What one routing gave. */
static JsonObject *run_object(const Study *self, const CmdNocTrafficRun *run)
{
    const bool is_batch = cmd_noc_traffic_is_batch(self);
    JsonObject *object = point_object(run->points.shown, is_batch);
    JsonArray *points;

    if (is_batch) {
        return object;
    }
    points = json_array_new();
    for (guint i = 0; i < run->points.list->len; i++) {
        json_array_add_object_element(
            points, point_object(g_ptr_array_index(run->points.list, i), false));
    }
    RECORD_ADD(object, VALUE("saturation_rate", run->points.saturation));
    if (self->options->is_search) {
        add_search(&run->points, object);
    }
    RECORD_ADD(object, VALUE("points", points));
    return object;
}

static JsonObject *metrics_object(const Study *self)
{
    JsonObject *metrics = run_object(self, &self->runs[0]);
    JsonArray *routings;

    cmd_noc_map_set(&self->use, metrics);
    if (self->options->compare == NULL) {
        return metrics;
    }
    routings = json_array_new();
    for (guint i = 0; i < self->run_count; i++) {
        JsonObject *object = run_object(self, &self->runs[i]);

        RECORD_ADD(object, VALUE("routing", self->runs[i].routing->name));
        json_array_add_object_element(routings, object);
    }
    RECORD_ADD(metrics, VALUE("routings", routings));
    return metrics;
}

char *cmd_noc_traffic_to_json(const CmdNocTrafficStudy *self)
{
    uint64_t packets = 0;
    uint64_t flit_hops = 0;

    for (guint i = 0; i < self->run_count; i++) {
        packets += self->runs[i].points.packets;
        flit_hops += self->runs[i].points.flit_hops;
    }
    return envelope_to_json(
        (TraceResult){
            .workload = "noc traffic",
            .chip = self->options->topology,
            .seed = self->options->config.network.seed,
            .parameters = parameters_object(self),
            .cycles = self->runs[0].points.shown->cycles,
            .seconds = NAN, /* a network of its own has no clock */
            .counters = RECORD(VALUE("noc_packets", packets),
                               VALUE("noc_flit_hops", flit_hops)),
            .metrics = metrics_object(self),
            .check_status = self->is_conserved ? "pass" : "fail",
            .max_abs_error = self->is_conserved ? 0 : 1,
            .reference = CMD_NOC_TRAFFIC_REFERENCE,
            .wall_seconds = monitor_seconds(self->monitor),
            .events = monitor_events(self->monitor),
        },
        NULL);
}
