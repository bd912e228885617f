/* Latencies, rates and link loads of a span of time. */
#include "arch/noc/measurement.h"

#include <math.h>

#define ACCEPTED_FRACTION 0.95 /* of what is sent: below it is saturation */
#define LATENCY_FACTOR    3.0  /* of zero load: above it is saturation */

void noc_measurement_init(NocMeasurement *self,
                          const ArchNocTrafficConfig *config,
                          const ArchNoc *noc)
{
    *self = (NocMeasurement){.config = config, .noc = noc, .to = SIM_TIME_NEVER};
    noc_histogram_init(&self->latencies);
    self->means = g_array_new(FALSE, FALSE, sizeof(double));
    self->bounds = g_array_new(FALSE, FALSE, sizeof(SimTime));
    self->link_flits = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

void noc_measurement_clear(NocMeasurement *self)
{
    noc_histogram_clear(&self->latencies);
    g_clear_pointer(&self->means, g_array_unref);
    g_clear_pointer(&self->bounds, g_array_unref);
    g_clear_pointer(&self->link_flits, g_array_unref);
}

uint64_t noc_measurement_pending(const NocMeasurement *self)
{
    return self->sent - self->latencies.count;
}

guint noc_measurement_window_count(const NocMeasurement *self)
{
    return self->bounds->len - 1;
}

bool noc_measurement_is_steady(const NocMeasurement *self,
                               guint count,
                               double tolerance)
{
    double low = INFINITY;
    double high = 0;

    if (self->means->len < count) {
        return false;
    }
    for (guint i = self->means->len - count; i < self->means->len; i++) {
        low = MIN(low, g_array_index(self->means, double, i));
        high = MAX(high, g_array_index(self->means, double, i));
    }
    return high <= low * (1 + tolerance);
}

bool noc_measurement_is_rate_lost(const NocMeasurement *self)
{
    return (double) self->arrived < ACCEPTED_FRACTION * (double) self->sent;
}

/* Not a number without packets. */
static double zero_load_latency(const NocMeasurement *self)
{
    const ArchNocConfig *network = &self->config->network;
    const double hops_mean = (double) self->hops / (double) self->latencies.count;

    return (double) network->endpoint_cycles +
           (double) network->hop_cycles * hops_mean +
           (double) (self->config->packet_flits - 1);
}

bool noc_measurement_is_late(const NocMeasurement *self)
{
    return noc_histogram_mean(&self->latencies) >
           LATENCY_FACTOR * zero_load_latency(self);
}

static void add_bound(NocMeasurement *self, SimTime now)
{
    g_array_append_val(self->bounds, now);
    for (guint i = 0; i < arch_noc_link_count(self->noc); i++) {
        const uint64_t flits = arch_noc_link(self->noc, i).flits;

        g_array_append_val(self->link_flits, flits);
    }
}

void noc_measurement_begin(NocMeasurement *self, SimTime now)
{
    self->from = now;
    self->sent = 0;
    self->arrived = 0;
    self->hops = 0;
    noc_histogram_reset(&self->latencies);
    g_array_set_size(self->bounds, 0);
    g_array_set_size(self->link_flits, 0);
    add_bound(self, now);
}

void noc_measurement_end_window(NocMeasurement *self, SimTime now)
{
    const double mean = self->window_arrived > 0 ? (double) self->window_latency /
                                                       (double) self->window_arrived
                                                 : INFINITY;

    g_array_append_val(self->means, mean);
    self->window_arrived = 0;
    self->window_latency = 0;
    add_bound(self, now);
}

void noc_measurement_end(NocMeasurement *self, SimTime now)
{
    const SimTime last = g_array_index(self->bounds, SimTime, self->bounds->len - 1);

    self->to = now;
    if (last < now) {
        add_bound(self, now);
    }
}

void noc_measurement_merge_windows(NocMeasurement *self)
{
    const guint links = arch_noc_link_count(self->noc);
    const guint windows = noc_measurement_window_count(self) / 2;
    uint64_t *flits = (uint64_t *) (void *) self->link_flits->data;
    SimTime *bounds = (SimTime *) (void *) self->bounds->data;

    for (gsize i = 1; i <= windows; i++) {
        bounds[i] = bounds[2 * i];
        for (gsize link = 0; link < links; link++) {
            flits[i * links + link] = flits[2 * i * links + link];
        }
    }
    g_array_set_size(self->bounds, windows + 1);
    g_array_set_size(self->link_flits, (windows + 1) * links);
}

void noc_measurement_send(NocMeasurement *self)
{
    if (self->to == SIM_TIME_NEVER) {
        self->sent++;
    }
}

void noc_measurement_receive(NocMeasurement *self, const ArchNocDelivery *delivery)
{
    const SimTime latency = delivery->arrived - delivery->created;

    self->window_arrived++;
    self->window_latency += latency;
    if (self->to == SIM_TIME_NEVER) {
        self->arrived++;
    }
    if (delivery->created >= self->from && delivery->created < self->to) {
        noc_histogram_add(&self->latencies, latency);
        self->hops += delivery->hops;
    }
}

static double
utilisation(const NocMeasurement *self, guint first, guint last, guint link)
{
    const gsize links = arch_noc_link_count(self->noc);
    const uint64_t *flits = (const uint64_t *) (void *) self->link_flits->data;
    const SimTime *bounds = (const SimTime *) (void *) self->bounds->data;

    return (double) (flits[last * links + link] - flits[first * links + link]) /
           (double) (bounds[last] - bounds[first]);
}

static void report_links(const NocMeasurement *self, ArchNocTraffic *result)
{
    const guint links = arch_noc_link_count(self->noc);
    const guint windows = noc_measurement_window_count(self);

    result->link_count = links;
    result->links = g_new0(ArchNocTrafficLink, links);
    result->window_count = windows;
    result->window_ends = g_new0(SimTime, windows);
    result->window_utilisations = g_new0(double, (gsize) windows *links);
    for (guint i = 0; i < links; i++) {
        const ArchNocLink link = arch_noc_link(self->noc, i);

        result->links[i] = (ArchNocTrafficLink){
            .from = link.from,
            .to = link.to,
            .direction = g_intern_string(link.direction),
            .utilisation = windows > 0 ? utilisation(self, 0, windows, i) : 0,
        };
        result->link_utilisation_mean += result->links[i].utilisation / links;
        result->link_utilisation_max =
            MAX(result->link_utilisation_max, result->links[i].utilisation);
    }
    for (guint window = 0; window < windows; window++) {
        result->window_ends[window] =
            g_array_index(self->bounds, SimTime, window + 1) - self->from;
        for (guint i = 0; i < links; i++) {
            result->window_utilisations[(gsize) window * links + i] =
                utilisation(self, window, window + 1, i);
        }
    }
}

void noc_measurement_report(NocMeasurement *self, ArchNocTraffic *result)
{
    const ArchNocConfig *network = &self->config->network;
    const double node_cycles = (double) network->width * (double) network->height *
                               (double) (self->to - self->from);
    const double flits = (double) self->config->packet_flits;

    result->cycles = self->to - self->from;
    result->injected_rate = flits * (double) self->sent / node_cycles;
    result->accepted_rate = flits * (double) self->arrived / node_cycles;
    result->packets = self->latencies.count;
    result->latency_mean = noc_histogram_mean(&self->latencies);
    result->latency_zero_load = zero_load_latency(self);
    result->latency_p50 = noc_histogram_percentile(&self->latencies, 50);
    result->latency_p99 = noc_histogram_percentile(&self->latencies, 99);
    result->latency_max = self->latencies.maximum;
    result->hops_mean = (double) self->hops / (double) self->latencies.count;
    report_links(self, result);
}
