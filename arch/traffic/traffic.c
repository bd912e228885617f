/* Runs sources of synthetic traffic through the phases of a measurement. */
#include "arch/traffic/traffic.h"

#include <math.h>

#include "arch/noc/reduction.h"
#include "arch/traffic/measurement.h"
#include "arch/traffic/traffic_config.h"
#include "sim/error.h"
#include "sim/narrow.h"
#include "sim/random.h"

enum {
    WARMUP_WINDOWS = 5, /* at most, as are the next two */
    MEASURE_WINDOWS = 10,
    DRAIN_WINDOWS = 10,
    STEADY_WINDOWS = 3,
    BATCH_WINDOWS = 16,
    PENDING_MAXIMUM = 1 << 25, /* packets; they take 2 GiB */
};

#define WARMUP_TOLERANCE 0.05
#define STEADY_TOLERANCE 0.02

typedef enum {
    WARM_UP, /* measures too, and forgets each window */
    MEASURE,
    DRAIN, /* sources go on until all measured packets have arrived */
    OVER,  /* sources are silent */
} Phase;

typedef struct Traffic Traffic;

typedef struct {
    Traffic *traffic;
    uint64_t random;
    uint64_t batch_left;
    uint32_t node;
} Source;

struct Traffic {
    const ArchNocTrafficConfig *config;
    SimEngine *engine;
    SimRegion *region;
    ArchNoc *noc;
    NocMeasurement measurement;
    NocReduction reduction; /* of that pattern only */
    guint node_count;
    Source *sources;
    double log_idle; /* logarithm of the probability of no packet in a cycle */
    SimTime window_cycles;
    Phase phase;
    bool is_cut; /* stopped with packets under way */
    bool is_steady;
    bool was_pending; /* at the last tick */
    guint warmup_left;
    guint drain_left;
    SimTime last_arrival;
    uint64_t sent;
    uint64_t arrived;
    uint64_t arrived_at_tick;
    uint64_t sent_sum; /* of marks of packets */
    uint64_t arrived_sum;
    uint64_t early_count; /* arrived sooner than possible */
};

static void traffic_clear(Traffic *self)
{
    noc_measurement_clear(&self->measurement);
    noc_reduction_clear(&self->reduction);
    arch_noc_free(self->noc);
    sim_engine_free(self->engine);
    g_free(self->sources);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Traffic, traffic_clear)

/* What a packet leaves in the sums at both ends of its way. */
static uint64_t mark(uint32_t source, uint32_t target, guint flits, SimTime created)
{
    return sim_random_mix(sim_random_mix(created ^ ((uint64_t) flits << 40)) +
                          ((uint64_t) source << 32 | target));
}

/* Ends the run here and now. */
static void cut(Traffic *self)
{
    if (self->measurement.to == SIM_TIME_NEVER) {
        noc_measurement_end(&self->measurement, sim_region_now(self->region));
    }
    self->phase = OVER;
    self->is_cut = true;
    sim_region_fail(self->region, g_error_new_literal(SIM_ERROR, SIM_ERROR_STOPPED,
                                                      "the network is saturated"));
}

/* Notes a packet that is to arrive at `target`. */
static void expect(Traffic *self, uint32_t source, uint32_t target)
{
    noc_measurement_send(&self->measurement);
    self->sent++;
    self->sent_sum +=
        mark(source, target, self->config->packet_flits, sim_region_now(self->region));
}

static void broadcast(Traffic *self, uint32_t root)
{
    arch_noc_broadcast(self->noc, root, self->config->packet_flits);
    for (uint32_t node = 0; node < self->node_count; node++) {
        if (node != root) {
            expect(self, root, node);
        }
    }
}

/* Sends what `node` has complete of the tree of `root`. */
static void reduce(Traffic *self, uint32_t root, uint32_t node)
{
    while (noc_reduction_take(&self->reduction, root, node)) {
        arch_noc_send_up(self->noc, root, node, self->config->packet_flits);
        expect(self, node,
               arch_noc_trees_parent(self->config->network.trees, root, node));
    }
}

static void send_packet(Traffic *self, Source *source)
{
    if (self->config->pattern.kind == ARCH_NOC_BROADCAST) {
        broadcast(self, source->node);
        return;
    }
    const uint32_t target =
        arch_noc_pattern_target(&self->config->pattern, source->node, &source->random);

    arch_noc_send(self->noc, source->node, target, self->config->packet_flits);
    expect(self, source->node, target);
}

/* Cycles to a source's next packet: as many as trials with the probability of a packet
 * until the first success. SIM_TIME_NEVER where that is beyond all runs. */
static SimTime next_gap(const Traffic *self, Source *source)
{
    const double idle = floor(log(sim_random_unit(&source->random)) / self->log_idle);

    return idle < 2 * DRAIN_WINDOWS * NOC_TRAFFIC_WINDOW_MAXIMUM ? 1 + (SimTime) idle
                                                                 : SIM_TIME_NEVER;
}

static void make_packet(SimRegion *region, gpointer data);

static void schedule_packet(Traffic *self, Source *source, SimTime now)
{
    const SimTime gap = next_gap(self, source);

    if (gap != SIM_TIME_NEVER) {
        sim_region_at(self->region, now + gap, sim_key(1 + source->node, 0),
                      make_packet, source);
    }
}

static void make_packet(SimRegion *region, gpointer data)
{
    Source *source = data;
    Traffic *self = source->traffic;

    if (self->phase == OVER) {
        return;
    }
    send_packet(self, source);
    schedule_packet(self, source, sim_region_now(region));
    if (arch_noc_pending(self->noc) > PENDING_MAXIMUM) {
        cut(self);
    }
}

/* A source injects a flit a cycle at most: what comes in time to follow the packet
 * before it waits no longer than if it had been there from the start. */
static void make_batch_packet(SimRegion *region, gpointer data)
{
    Source *source = data;
    Traffic *self = source->traffic;

    send_packet(self, source);
    if (--source->batch_left > 0) {
        sim_region_at(region, sim_region_now(region) + self->config->packet_flits,
                      sim_key(1 + source->node, 0), make_batch_packet, source);
    }
}

static void receive(gpointer data, const ArchNocDelivery *delivery)
{
    Traffic *self = data;
    const ArchNocConfig *network = &self->config->network;
    const SimTime possible = network->endpoint_cycles +
                             network->hop_cycles * delivery->hops + delivery->flits - 1;

    self->arrived++;
    self->last_arrival = delivery->arrived;
    self->early_count += delivery->arrived - delivery->created < possible;
    self->arrived_sum +=
        mark(delivery->source, delivery->target, delivery->flits, delivery->created);
    noc_measurement_receive(&self->measurement, delivery);
    if (self->config->pattern.kind == ARCH_NOC_REDUCE) {
        noc_reduction_arrive(&self->reduction, delivery->root, delivery->source);
        reduce(self, delivery->root, delivery->target);
    }
    if (self->phase == DRAIN && noc_measurement_pending(&self->measurement) == 0) {
        self->phase = OVER;
    }
}

static void end_measuring(Traffic *self, SimTime now)
{
    NocMeasurement *measurement = &self->measurement;

    noc_measurement_end(measurement, now);
    if (noc_measurement_is_rate_lost(measurement) ||
        noc_measurement_is_late(measurement)) {
        cut(self);
        return;
    }
    self->phase = noc_measurement_pending(measurement) > 0 ? DRAIN : OVER;
}

static void measure(Traffic *self, SimTime now)
{
    NocMeasurement *measurement = &self->measurement;
    guint windows;

    noc_measurement_end_window(measurement, now);
    windows = noc_measurement_window_count(measurement);
    if (windows < STEADY_WINDOWS) {
        return;
    }
    self->is_steady =
        noc_measurement_is_steady(measurement, STEADY_WINDOWS, STEADY_TOLERANCE);
    if (self->is_steady || windows == MEASURE_WINDOWS ||
        (noc_measurement_is_rate_lost(measurement) &&
         noc_measurement_is_late(measurement))) {
        end_measuring(self, now);
    }
}

static void warm_up(Traffic *self, SimTime now)
{
    NocMeasurement *measurement = &self->measurement;

    noc_measurement_end_window(measurement, now);
    noc_measurement_begin(measurement, now);
    self->warmup_left--;
    if (self->warmup_left == 0 ||
        noc_measurement_is_steady(measurement, 2, WARMUP_TOLERANCE)) {
        self->phase = MEASURE;
    }
}

static void drain(Traffic *self)
{
    self->drain_left--;
    if (self->drain_left == 0) {
        cut(self);
    }
}

/* Nothing has arrived since the last tick, which is longer ago than any packet takes
 * that moves. */
static bool is_stuck(const Traffic *self)
{
    return self->was_pending && self->arrived == self->arrived_at_tick;
}

static void tick(SimRegion *region, gpointer data)
{
    Traffic *self = data;
    const SimTime now = sim_region_now(region);

    if (is_stuck(self)) {
        /* When the sources are silent the engine finds who waits for ever. */
        noc_measurement_end(&self->measurement, now);
        self->phase = OVER;
    }
    switch (self->phase) {
    case WARM_UP:
        warm_up(self, now);
        break;
    case MEASURE:
        measure(self, now);
        break;
    case DRAIN:
        drain(self);
        break;
    case OVER:
        break;
    }
    if (self->phase != OVER) {
        self->was_pending = arch_noc_pending(self->noc) > 0;
        self->arrived_at_tick = self->arrived;
        sim_region_at(region, now + self->window_cycles, sim_key(0, 0), tick, self);
    }
}

/* How long a batch takes is not known before: windows double as it goes on. */
static void tick_batch(SimRegion *region, gpointer data)
{
    Traffic *self = data;
    const SimTime now = sim_region_now(region);

    if (is_stuck(self) || arch_noc_pending(self->noc) == 0) {
        return;
    }
    noc_measurement_end_window(&self->measurement, now);
    if (noc_measurement_window_count(&self->measurement) == BATCH_WINDOWS) {
        noc_measurement_merge_windows(&self->measurement);
        self->window_cycles *= 2;
    }
    self->was_pending = true;
    self->arrived_at_tick = self->arrived;
    sim_region_at(region, now + self->window_cycles, sim_key(0, 0), tick_batch, self);
}

/* A node begins every reduction of which it is a leaf. */
static void begin_reductions(SimRegion *region, gpointer data)
{
    const Source *source = data;

    (void) region;
    for (uint32_t root = 0; root < source->traffic->node_count; root++) {
        if (arch_noc_trees_has(source->traffic->config->network.trees, root)) {
            reduce(source->traffic, root, source->node);
        }
    }
}

static bool is_source(const Traffic *self, uint32_t node)
{
    return self->config->pattern.kind == ARCH_NOC_BROADCAST
               ? arch_noc_trees_has(self->config->network.trees, node)
               : arch_noc_pattern_sends(&self->config->pattern, node);
}

static void start_batch(Traffic *self)
{
    const bool is_reduction = self->config->pattern.kind == ARCH_NOC_REDUCE;

    if (is_reduction) {
        noc_reduction_init(&self->reduction, self->config->network.trees,
                           self->node_count, sim_u32(self->config->batch_packets));
    }
    self->phase = MEASURE;
    self->window_cycles = noc_traffic_config_window(self->config);
    sim_region_at(self->region, self->window_cycles, sim_key(0, 0), tick_batch, self);
    noc_measurement_begin(&self->measurement, 0);
    for (guint node = 0; node < self->node_count; node++) {
        if (is_source(self, node)) {
            self->sources[node].batch_left = self->config->batch_packets;
            sim_region_at(self->region, 0, sim_key(1 + node, 0),
                          is_reduction ? begin_reductions : make_batch_packet,
                          &self->sources[node]);
        }
    }
}

static void start_rate(Traffic *self)
{
    const bool is_adaptive = self->config->warmup_cycles == SIM_TIME_NEVER;

    self->log_idle = log1p(-self->config->rate / self->config->packet_flits);
    self->window_cycles = noc_traffic_config_window(self->config);
    self->warmup_left = is_adaptive ? WARMUP_WINDOWS : 1;
    self->drain_left = DRAIN_WINDOWS;
    noc_measurement_begin(&self->measurement, 0);
    sim_region_at(self->region,
                  is_adaptive ? self->window_cycles : self->config->warmup_cycles,
                  sim_key(0, 0), tick, self);
    for (guint node = 0; node < self->node_count && self->config->rate > 0; node++) {
        if (is_source(self, node)) {
            schedule_packet(self, &self->sources[node], 0);
        }
    }
}

static bool
traffic_init(Traffic *self, const ArchNocTrafficConfig *config, GError **error)
{
    self->config = config;
    self->engine = sim_engine_new(sim_engine_config_default());
    self->region = sim_engine_region(self->engine, 0);
    self->node_count = config->network.width * config->network.height;
    /* After the sources: what they send in a cycle is there in that cycle. */
    self->noc = arch_noc_new(self->region, sim_key(1 + self->node_count, 0),
                             &config->network, error);
    if (self->noc == NULL) {
        return false;
    }
    arch_noc_on_arrival(self->noc, receive, self);
    noc_measurement_init(&self->measurement, config, self->noc);
    self->sources = g_new0(Source, self->node_count);
    for (guint node = 0; node < self->node_count; node++) {
        self->sources[node] = (Source){
            .traffic = self,
            .node = node,
            .random = sim_random_stream(config->network.seed, node),
        };
    }
    if (config->monitor != NULL) {
        sim_engine_set_monitor(self->engine, config->monitor, config->monitor_data);
    }
    return true;
}

static ArchNocTraffic *report(Traffic *self)
{
    NocMeasurement *measurement = &self->measurement;
    ArchNocTraffic *result = g_new0(ArchNocTraffic, 1);

    if (self->config->batch_packets > 0) {
        noc_measurement_end(measurement, self->last_arrival);
        result->batch_cycles = self->last_arrival;
    }
    noc_measurement_report(measurement, result);
    result->rate = self->config->batch_packets > 0 ? 1 : self->config->rate;
    result->is_saturated = self->config->batch_packets == 0 &&
                           (self->is_cut || noc_measurement_is_rate_lost(measurement) ||
                            noc_measurement_is_late(measurement));
    result->is_steady = self->is_steady;
    result->sent = self->sent;
    result->arrived = self->arrived;
    result->is_conserved = self->early_count == 0 &&
                           self->sent == self->arrived + arch_noc_pending(self->noc) &&
                           (self->is_cut || (self->sent == self->arrived &&
                                             self->sent_sum == self->arrived_sum));
    result->flit_hops = arch_noc_flit_hops(self->noc);
    result->events = sim_engine_events(self->engine);
    return result;
}

ArchNocTraffic *arch_noc_traffic_run(const ArchNocTrafficConfig *config, GError **error)
{
    g_auto(Traffic) traffic = {0};
    g_autoptr(GError) stop = NULL;
    ArchNocTrafficConfig sized = *config;

    sized.pattern.width = config->network.width;
    sized.pattern.height = config->network.height;
    if (!noc_traffic_config_check(&sized, error) ||
        !traffic_init(&traffic, &sized, error)) {
        return NULL;
    }
    if (config->batch_packets > 0) {
        start_batch(&traffic);
    } else {
        start_rate(&traffic);
    }
    const bool is_over = sim_engine_run(traffic.engine, SIM_TIME_NEVER, &stop);

    if (config->network.routing == ARCH_NOC_TABLE &&
        arch_noc_routes_has_failed(config->network.routes, error)) {
        return NULL;
    }
    if (!is_over && !traffic.is_cut) {
        g_propagate_error(error, g_steal_pointer(&stop));
        return NULL;
    }
    return report(&traffic);
}

void arch_noc_traffic_free(ArchNocTraffic *self)
{
    if (self != NULL) {
        arch_noc_traffic_forget_links(self);
        g_free(self);
    }
}

void arch_noc_traffic_forget_links(ArchNocTraffic *self)
{
    self->link_count = 0;
    g_clear_pointer(&self->links, g_free);
    arch_noc_windows_clear(&self->windows);
}
