/* Computes latencies, rates and link loads over a span of time. */
#include "arch/traffic/measurement.h"

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
    noc_windows_init(&self->windows, arch_noc_link_count(noc));
}

void noc_measurement_clear(NocMeasurement *self)
{
    noc_histogram_clear(&self->latencies);
    g_clear_pointer(&self->means, g_array_unref);
    noc_windows_clear(&self->windows);
}

uint64_t noc_measurement_pending(const NocMeasurement *self)
{
    return self->sent - self->latencies.count;
}

guint noc_measurement_window_count(const NocMeasurement *self)
{
    return noc_windows_count(&self->windows);
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
    uint64_t *flits = noc_windows_add(&self->windows, now);

    for (guint i = 0; i < self->windows.link_count; i++) {
        flits[i] = arch_noc_link(self->noc, i).flits;
    }
}

void noc_measurement_begin(NocMeasurement *self, SimTime now)
{
    self->from = now;
    self->sent = 0;
    self->arrived = 0;
    self->hops = 0;
    noc_histogram_reset(&self->latencies);
    noc_windows_reset(&self->windows);
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
    const SimTime last =
        noc_windows_bound(&self->windows, noc_windows_count(&self->windows));

    self->to = now;
    if (last < now) {
        add_bound(self, now);
    }
}

void noc_measurement_merge_windows(NocMeasurement *self)
{
    noc_windows_merge(&self->windows);
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

/* Flits per cycle over all windows. */
static double utilisation(const NocMeasurement *self, guint link)
{
    const guint last = noc_windows_count(&self->windows);

    return (double) noc_windows_flits(&self->windows, 0, last, link) /
           (double) (noc_windows_bound(&self->windows, last) -
                     noc_windows_bound(&self->windows, 0));
}

static void report_links(const NocMeasurement *self, ArchNocTraffic *result)
{
    const guint links = arch_noc_link_count(self->noc);
    const guint windows = noc_measurement_window_count(self);

    result->link_count = links;
    result->links = g_new0(ArchNocTrafficLink, links);
    result->windows = noc_windows_report(&self->windows);
    for (guint i = 0; i < links; i++) {
        const ArchNocLink link = arch_noc_link(self->noc, i);

        result->links[i] = (ArchNocTrafficLink){
            .from = link.from,
            .to = link.to,
            .direction = g_intern_string(link.direction),
            .flits = noc_windows_flits(&self->windows, 0, windows, i),
            .utilisation = windows > 0 ? utilisation(self, i) : 0,
        };
        result->link_utilisation_mean += result->links[i].utilisation / links;
        result->link_utilisation_max =
            MAX(result->link_utilisation_max, result->links[i].utilisation);
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
