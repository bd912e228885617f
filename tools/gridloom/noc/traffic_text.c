/* Prints points of traffic for people. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/noc/traffic_study.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"

typedef CmdNocTrafficStudy Study;

enum {
    BUSIEST_LINKS = 5,
};

static double latency_value(const ArchNocTraffic *point, double value)
{
    return cmd_noc_traffic_has_latency(point) ? value : NAN;
}

static void add_point(Grid *grid, const ArchNocTraffic *point)
{
    g_autofree char *rate = g_strdup_printf("%.6g", point->rate);

    grid_put(grid, point->batch_cycles > 0 ? "batch" : rate);
    grid_printf(grid, "%.4f|%.4f|%.2f|%.0f|%.0f|%.0f|%.3f|%s", point->injected_rate,
                point->accepted_rate, latency_value(point, point->latency_mean),
                latency_value(point, (double) point->latency_p50),
                latency_value(point, (double) point->latency_p99),
                latency_value(point, (double) point->latency_max),
                latency_value(point, point->hops_mean),
                point->is_saturated ? "saturated" : "");
}

static void print_points(const Study *self)
{
    const bool has_names = self->options->compare != NULL;
    g_autoptr(Grid) grid =
        grid_with(has_names ? "ROUTING|RATE|INJECTED|ACCEPTED|MEAN|P50|P99|MAX|HOPS|"
                            : "RATE|INJECTED|ACCEPTED|MEAN|P50|P99|MAX|HOPS|");

    for (guint i = 0; i < self->run_count; i++) {
        const GPtrArray *points = self->runs[i].points.list;

        for (guint k = 0; k < points->len; k++) {
            if (has_names) {
                grid_put(grid, self->runs[i].routing->name);
            }
            add_point(grid, g_ptr_array_index(points, k));
        }
    }
    grid_print(grid, stdout, 2);
}

/* "batch" or "saturation", and when; the caller frees it. */
static char *ending_text(const Study *self, const ArchNocTrafficPoints *points)
{
    const double rate = points->saturation;

    if (cmd_noc_traffic_is_batch(self)) {
        g_autofree char *cycles = quantity_count(points->shown->batch_cycles);

        return g_strdup_printf("all packets arrived after %s cycles", cycles);
    }
    if (isnan(rate)) {
        return g_strdup("not reached");
    }
    if (!self->options->is_search) {
        return g_strdup_printf("at a rate of %g flits per node and cycle", rate);
    }
    return g_strdup_printf(
        "between rates of %g and %g flits per node and cycle; %.4f arrive at %g, %.4f "
        "at %g",
        arch_noc_traffic_points_lower(points), rate,
        arch_noc_traffic_points_saturated(points)->accepted_rate, rate,
        arch_noc_traffic_points_last(points)->accepted_rate,
        arch_noc_traffic_points_last(points)->rate);
}

static void print_endings(const Study *self)
{
    const char *head = cmd_noc_traffic_is_batch(self) ? "batch" : "saturation";

    printf("\n");
    for (guint i = 0; i < self->run_count; i++) {
        g_autofree char *text = ending_text(self, &self->runs[i].points);
        const char *name =
            self->options->compare != NULL ? self->runs[i].routing->name : "";

        printf("  %-10s  %s%s%s\n", i == 0 ? head : "", name, *name != '\0' ? ": " : "",
               text);
    }
}

static void print_links(const Study *self)
{
    const ArchNocTraffic *shown = self->runs[0].points.shown;
    g_autofree char *at = g_strdup_printf(" at rate %g", shown->rate);

    printf("\nbusiest links, flits per cycle%s\n",
           cmd_noc_traffic_is_batch(self) ? "" : at);
    cmd_noc_map_print(&self->use, BUSIEST_LINKS);
}

void cmd_noc_traffic_print(const CmdNocTrafficStudy *self)
{
    const CmdNocTrafficOptions *options = self->options;
    const ArchNocConfig *network = &options->config.network;
    const bool has_tree = arch_noc_pattern_has_tree(&options->config.pattern);
    g_autofree char *root = cmd_noc_traffic_root(options);

    printf("noc traffic on %s\n", options->topology);
    printf("  network     %ux%u, routing %s, %u virtual channels of %u flits, "
           "%" G_GUINT64_FORMAT " cycles a hop, %" G_GUINT64_FORMAT " at endpoints\n",
           network->width, network->height,
           options->compare != NULL ? options->compare : options->routing,
           network->vc_count, network->buffer_flits, network->hop_cycles,
           network->endpoint_cycles);
    printf("  traffic     %s%s%s, packets of %u flits, seed %" G_GUINT64_FORMAT "\n",
           cmd_noc_traffic_pattern(self), has_tree ? ", root " : "",
           has_tree ? root : "", options->config.packet_flits, network->seed);
    printf("  check       %s: %s\n", self->is_conserved ? "pass" : "fail",
           CMD_NOC_TRAFFIC_REFERENCE);
    printf("\n");
    print_points(self);
    print_endings(self);
    if (self->options->compare == NULL && self->use.links->len > 0) {
        print_links(self);
    }
}
