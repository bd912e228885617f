/* Writes and prints the result of synthetic traffic. */
#include "tools/gridloom/noc/traffic_result.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/noc/map.h"
#include "tools/gridloom/peak_memory.h"
#include "tools/gridloom/quantity.h"
#include "traces/result/result.h"

enum {
    BUSIEST_LINKS = 5,
};

static const char *const reference =
    "every packet arrives once, where it should, not sooner than an empty network "
    "allows";

bool cmd_noc_traffic_result_is_conserved(const CmdNocTrafficResult *self)
{
    for (guint i = 0; i < self->points->len; i++) {
        const ArchNocTraffic *point = g_ptr_array_index(self->points, i);

        if (!point->is_conserved) {
            return false;
        }
    }
    return true;
}

static bool is_batch(const CmdNocTrafficResult *self)
{
    return self->options->config.batch_packets > 0;
}

/* The lowest saturated rate; not a number where there is none. */
static double saturation_rate(const CmdNocTrafficResult *self)
{
    for (guint i = 0; i < self->points->len; i++) {
        const ArchNocTraffic *point = g_ptr_array_index(self->points, i);

        if (point->is_saturated) {
            return point->rate;
        }
    }
    return NAN;
}

/* The shown point. */
static void map_init(const CmdNocTrafficResult *self, CmdNocMap *map)
{
    const ArchNocTraffic *point = self->shown;
    const ArchNocTrafficConfig *config = &self->options->config;
    GArray *links = g_array_new(FALSE, FALSE, sizeof(CmdNocMapLink));
    g_autofree char *title =
        is_batch(self)
            ? g_strdup_printf("noc traffic on %s, batch of %" G_GUINT64_FORMAT
                              " packets",
                              self->options->topology, config->batch_packets)
            : g_strdup_printf("noc traffic on %s, rate %g", self->options->topology,
                              point->rate);

    for (guint i = 0; i < point->link_count; i++) {
        const ArchNocTrafficLink *link = &point->links[i];
        const CmdNocMapLink item = {.from = link->from,
                                    .to = link->to,
                                    .direction = link->direction,
                                    .flits = link->flits};

        g_array_append_val(links, item);
    }
    cmd_noc_map_init(map, title, config->network.width, config->network.height, links,
                     &point->windows);
}

/* The caller frees it. */
static char *root_text(const CmdNocTrafficOptions *options)
{
    const guint width = options->config.network.width;

    return options->root == ARCH_NOC_ALL_ROOTS
               ? g_strdup("all")
               : g_strdup_printf("%u,%u", options->root % width, options->root / width);
}

/* What goes where. The caller frees it. */
static char *pattern_text(const CmdNocTrafficOptions *options)
{
    const ArchNocPattern *pattern = &options->config.pattern;
    const char *name = arch_noc_pattern_names()[pattern->kind];
    g_autofree char *root = root_text(options);

    return arch_noc_pattern_has_tree(pattern)
               ? g_strdup_printf("%s, root %s", name, root)
               : g_strdup(name);
}

static JsonObject *parameters_object(const CmdNocTrafficOptions *options)
{
    const ArchNocTrafficConfig *config = &options->config;
    const ArchNocConfig *network = &config->network;
    JsonObject *object = json_object_new();
    g_autofree char *size = g_strdup_printf("%ux%u", network->width, network->height);
    g_autofree char *routing = g_utf8_make_valid(options->routing, -1);

    json_object_set_string_member(object, "topology", options->topology);
    json_object_set_string_member(object, "size", size);
    json_object_set_string_member(object, "routing", routing);
    json_object_set_string_member(object, "pattern",
                                  arch_noc_pattern_names()[config->pattern.kind]);
    if (config->pattern.kind == ARCH_NOC_HOTSPOT) {
        json_object_set_int_member(object, "hotspot_node", config->pattern.hotspot);
        json_object_set_double_member(object, "hotspot_fraction",
                                      config->pattern.hotspot_fraction);
    }
    if (arch_noc_pattern_has_tree(&config->pattern)) {
        g_autofree char *root = root_text(options);

        json_object_set_string_member(object, "root", root);
    }
    if (config->batch_packets > 0) {
        json_object_set_int_member(object, "batch", (gint64) config->batch_packets);
    } else {
        json_object_set_string_member(object, "rate", options->rate);
    }
    json_object_set_int_member(object, "packet_flits", config->packet_flits);
    json_object_set_int_member(object, "vcs", network->vc_count);
    json_object_set_int_member(object, "buffer_flits", network->buffer_flits);
    json_object_set_int_member(object, "hop_cycles", (gint64) network->hop_cycles);
    json_object_set_int_member(object, "endpoint_cycles",
                               (gint64) network->endpoint_cycles);
    json_object_set_int_member(object, "credit_cycles",
                               (gint64) network->credit_cycles);
    return object;
}

/* A latency that no packet has is null. */
static void set_latency(JsonObject *object,
                        const char *name,
                        const ArchNocTraffic *point,
                        SimTime latency)
{
    if (point->packets > 0) {
        json_object_set_int_member(object, name, (gint64) latency);
    } else {
        json_object_set_null_member(object, name);
    }
}

static JsonObject *point_object(const CmdNocTrafficResult *self,
                                const ArchNocTraffic *point)
{
    JsonObject *object = json_object_new();

    if (is_batch(self)) {
        json_object_set_int_member(object, "batch_cycles",
                                   (gint64) point->batch_cycles);
    } else {
        json_object_set_double_member(object, "rate", point->rate);
        json_object_set_boolean_member(object, "saturated", point->is_saturated);
        json_object_set_boolean_member(object, "steady", point->is_steady);
    }
    json_object_set_double_member(object, "injected_rate", point->injected_rate);
    json_object_set_double_member(object, "accepted_rate", point->accepted_rate);
    json_object_set_double_member(object, "latency_mean", point->latency_mean);
    set_latency(object, "latency_p50", point, point->latency_p50);
    set_latency(object, "latency_p99", point, point->latency_p99);
    set_latency(object, "latency_max", point, point->latency_max);
    json_object_set_double_member(object, "latency_zero_load",
                                  point->latency_zero_load);
    json_object_set_double_member(object, "hops_mean", point->hops_mean);
    json_object_set_int_member(object, "packets", (gint64) point->packets);
    json_object_set_int_member(object, "measured_cycles", (gint64) point->cycles);
    json_object_set_double_member(object, "link_utilisation_mean",
                                  point->link_utilisation_mean);
    json_object_set_double_member(object, "link_utilisation_max",
                                  point->link_utilisation_max);
    return object;
}

static JsonObject *metrics_object(const CmdNocTrafficResult *self, const CmdNocMap *map)
{
    JsonObject *metrics = point_object(self, self->shown);

    if (!is_batch(self)) {
        JsonArray *points = json_array_new();

        for (guint i = 0; i < self->points->len; i++) {
            json_array_add_object_element(
                points, point_object(self, g_ptr_array_index(self->points, i)));
        }
        json_object_set_double_member(metrics, "saturation_rate",
                                      saturation_rate(self));
        json_object_set_array_member(metrics, "points", points);
    }
    cmd_noc_map_to_json(map, metrics);
    return metrics;
}

static JsonObject *counters_object(const CmdNocTrafficResult *self)
{
    JsonObject *object = json_object_new();
    uint64_t packets = 0;
    uint64_t flit_hops = 0;

    for (guint i = 0; i < self->points->len; i++) {
        const ArchNocTraffic *point = g_ptr_array_index(self->points, i);

        packets += point->sent;
        flit_hops += point->flit_hops;
    }
    json_object_set_int_member(object, "noc_packets", (gint64) packets);
    json_object_set_int_member(object, "noc_flit_hops", (gint64) flit_hops);
    return object;
}

static char *to_json(const CmdNocTrafficResult *self, const CmdNocMap *map)
{
    const CmdNocTrafficOptions *options = self->options;
    const bool is_conserved = cmd_noc_traffic_result_is_conserved(self);
    g_autoptr(JsonObject) parameters = parameters_object(options);
    g_autoptr(JsonObject) counters = counters_object(self);
    g_autoptr(JsonObject) metrics = metrics_object(self, map);
    const TraceResult result = {
        .gridloom = GRIDLOOM_VERSION,
        .workload = "noc traffic",
        .chip = options->topology,
        .chip_digest = "",
        .seed = options->config.network.seed,
        .parameters = parameters,
        .cycles = self->shown->cycles,
        .seconds = NAN, /* a network of its own has no clock */
        .iterations = 1,
        .counters = counters,
        .metrics = metrics,
        .check_status = is_conserved ? "pass" : "fail",
        .max_abs_error = is_conserved ? 0 : 1,
        .reference = reference,
        .wall_seconds = self->wall_seconds,
        .events = self->events,
        .peak_rss_bytes = peak_memory_bytes(),
        .threads = 1,
    };

    return trace_result_to_json(&result);
}

bool cmd_noc_traffic_result_write(const CmdNocTrafficResult *self, GError **error)
{
    const CmdNocTrafficOptions *options = self->options;
    g_auto(CmdNocMap) map = {0};

    map_init(self, &map);
    g_autofree char *json = options->output.json != NULL ? to_json(self, &map) : NULL;

    return cmd_noc_output_write(&options->output, &map.picture, json, error);
}

static void add_point(Grid *grid, const ArchNocTraffic *point, bool has_rate)
{
    g_autofree char *rate = g_strdup_printf("%.6g", point->rate);
    g_autofree char *injected = g_strdup_printf("%.4f", point->injected_rate);
    g_autofree char *accepted = g_strdup_printf("%.4f", point->accepted_rate);
    g_autofree char *mean = g_strdup_printf("%.2f", point->latency_mean);
    g_autofree char *median = g_strdup_printf("%" G_GUINT64_FORMAT, point->latency_p50);
    g_autofree char *p99 = g_strdup_printf("%" G_GUINT64_FORMAT, point->latency_p99);
    g_autofree char *most = g_strdup_printf("%" G_GUINT64_FORMAT, point->latency_max);
    g_autofree char *hops = g_strdup_printf("%.3f", point->hops_mean);
    const bool has_latency = point->packets > 0;

    grid_add(grid, (const char *[]){has_rate ? rate : "batch", injected, accepted,
                                    has_latency ? mean : "-",
                                    has_latency ? median : "-", has_latency ? p99 : "-",
                                    has_latency ? most : "-", has_latency ? hops : "-",
                                    point->is_saturated ? "saturated" : ""});
}

static void print_saturation(const CmdNocTrafficResult *self)
{
    const double rate = saturation_rate(self);

    if (is_batch(self)) {
        g_autofree char *cycles = quantity_count(self->shown->batch_cycles);

        printf("\n  batch       all packets arrived after %s cycles\n", cycles);
    } else if (isnan(rate)) {
        printf("\n  saturation  not reached\n");
    } else {
        printf("\n  saturation  at a rate of %g flits per node and cycle\n", rate);
    }
}

void cmd_noc_traffic_result_print(const CmdNocTrafficResult *self)
{
    const CmdNocTrafficOptions *options = self->options;
    const ArchNocConfig *network = &options->config.network;
    g_auto(CmdNocMap) map = {0};
    g_autoptr(Grid) grid = grid_new(9);
    g_autofree char *pattern = pattern_text(options);

    printf("noc traffic on %s\n", options->topology);
    printf("  network     %ux%u, routing %s, %u virtual channels of %u flits, "
           "%" G_GUINT64_FORMAT " cycles a hop, %" G_GUINT64_FORMAT " at endpoints\n",
           network->width, network->height, options->routing, network->vc_count,
           network->buffer_flits, network->hop_cycles, network->endpoint_cycles);
    printf("  traffic     %s, packets of %u flits, seed %" G_GUINT64_FORMAT "\n",
           pattern, options->config.packet_flits, network->seed);
    printf("  check       %s: %s\n",
           cmd_noc_traffic_result_is_conserved(self) ? "pass" : "fail", reference);
    printf("\n");
    grid_add(grid, (const char *[]){"RATE", "INJECTED", "ACCEPTED", "MEAN", "P50",
                                    "P99", "MAX", "HOPS", ""});
    for (guint i = 0; i < self->points->len; i++) {
        add_point(grid, g_ptr_array_index(self->points, i), !is_batch(self));
    }
    grid_print(grid, stdout, 2);
    print_saturation(self);
    map_init(self, &map);
    if (map.links->len > 0) {
        g_autofree char *at = g_strdup_printf(" at rate %g", self->shown->rate);

        printf("\nbusiest links, flits per cycle%s\n", is_batch(self) ? "" : at);
        cmd_noc_map_print(&map, BUSIEST_LINKS, stdout);
    }
}
