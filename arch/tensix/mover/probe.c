/* Records data movers: names and arguments of calls, flows, arrivals. */
#include "arch/tensix/mover/probe.h"

#include "arch/tensix/core_lane.h"
#include "sim/narrow.h"

enum {
    FLOW_LANE_SHIFT = 32, /* a flow is its lane and a number of that lane */
};

void tensix_mover_probe_open(ArchMover *self)
{
    SimRegion *region = sim_process_region(self->process);
    const bool is_reader = self->config.index == ARCH_MOVER_NCRISC;

    tensix_lane_probe_open(&self->probe, &self->lane, region,
                           tensix_core_lane(self->core, is_reader
                                                            ? TENSIX_CORE_READER
                                                            : TENSIX_CORE_WRITER));
    self->probe.place = self->config.place;
    self->probe.data = self->config.data;
    tensix_zones_watch(
        &self->zones, region,
        tensix_core_lane(self->core, TENSIX_CORE_MOVER_ZONES + (is_reader ? 0 : 1)));
}

void tensix_mover_probe_call(ArchMover *self,
                             const char *name,
                             const char *first,
                             int64_t first_value,
                             const char *second,
                             int64_t second_value)
{
    const SimProbeDetail detail = {
        .argument_count = sim_u8((first != NULL) + (second != NULL)),
        .arguments = {{.name = first, .value = first_value},
                      {.name = second, .value = second_value}},
    };

    tensix_lane_probe_call(&self->probe, name, &detail);
}

static bool is_seen(const ArchMover *self, SimLane lane)
{
    return sim_engine_lane_level(self->core->owner->engine, lane) == SIM_LANE_FULL;
}

static bool is_seen_at(const ArchMover *self, const ArchTensixCore *core)
{
    return is_seen(self, tensix_core_lane(core, TENSIX_CORE_NOCS + self->config.noc));
}

/* Receivers of a multicast where somebody watches. */
static guint seen_receivers(const ArchMover *self, const ArchMoverTransfer *what)
{
    guint count = 0;

    for (guint y = MIN(what->remote.y, what->corner_y);
         y <= MAX(what->remote.y, what->corner_y); y++) {
        for (guint x = MIN(what->remote.x, what->corner_x);
             x <= MAX(what->remote.x, what->corner_x); x++) {
            const ArchTensixCore *core =
                arch_tensix_core(self->core->owner, x, y, NULL);

            count +=
                (core != self->core || what->is_loopback) && is_seen_at(self, core);
        }
    }
    return count;
}

/* Where a packet arrives and somebody watches. */
static guint seen_arrivals(const ArchMover *self, const ArchMoverTransfer *what)
{
    ArchTensix *tensix = self->core->owner;

    if (what->op == ARCH_MOVER_READ) {
        return is_seen_at(self, self->core);
    }
    if (what->is_to_many) {
        return seen_receivers(self, what);
    }
    if (what->remote.is_dram) {
        return is_seen(self,
                       tensix_core_lane_dram(tensix, what->remote.x, self->config.noc));
    }
    return is_seen_at(self,
                      arch_tensix_core(tensix, what->remote.x, what->remote.y, NULL));
}

/* Bytes, and the core or the bank. */
static SimProbeDetail detail_of(uint64_t bytes, bool is_dram, guint x, guint y)
{
    return (SimProbeDetail){
        .argument_count = is_dram ? 2 : 3,
        .arguments = {{.name = "bytes", .value = (int64_t) bytes},
                      {.name = is_dram ? "bank" : "x", .value = x},
                      {.name = "y", .value = y}},
    };
}

TensixMoverFlow tensix_mover_probe_packet(ArchMover *self,
                                          const ArchMoverTransfer *what,
                                          uint64_t bytes)
{
    SimProbeDetail detail =
        detail_of(bytes, what->remote.is_dram, what->remote.x, what->remote.y);
    TensixMoverFlow flow = {.since = MAX(self->lane.at, 1)};

    if (is_seen(self, self->probe.number)) {
        flow.arrivals_left = seen_arrivals(self, what);
    }
    if (flow.arrivals_left > 0) {
        flow.number = (uint64_t) self->probe.number << FLOW_LANE_SHIFT |
                      ++self->core->flows[self->config.index];
    }
    detail.flow = flow.number;
    tensix_lane_probe_call(&self->probe, tensix_mover_call_name(what), &detail);
    if (what->remote.is_dram) {
        tensix_lane_count(&self->lane, "dram_bytes", bytes);
    }
    return flow;
}

void tensix_mover_probe_flight(const ArchMover *self, int change)
{
    SimRegion *region = sim_process_region(self->process);

    sim_region_change(region,
                      tensix_core_lane(self->core, TENSIX_CORE_NOCS + self->config.noc),
                      "in flight", sim_region_now(region), change);
}

static void arrive(const ArchMover *self,
                   TensixMoverFlow *flow,
                   SimLane lane,
                   SimProbeDetail detail)
{
    SimRegion *region = sim_process_region(self->process);

    if (!is_seen(self, lane)) {
        return;
    }
    if (flow->arrivals_left > 0 && --flow->arrivals_left == 0) {
        detail.flow = flow->number;
        detail.flow_since = flow->since;
        detail.is_flow_end = true;
    }
    sim_region_mark(region, lane, "arrive", sim_region_now(region), &detail);
}

/* The same at a core. */
static void receive(const ArchMover *self,
                    TensixMoverFlow *flow,
                    SimLane lane,
                    SimProbeDetail detail)
{
    detail.arguments[detail.argument_count++] =
        (SimProbeArgument){"received_bytes", detail.arguments[0].value};
    arrive(self, flow, lane, detail);
}

void tensix_mover_probe_write(const ArchMover *self,
                              TensixMoverFlow *flow,
                              const ArchTensixCore *core,
                              guint bank,
                              uint64_t bytes)
{
    const guint noc = self->config.noc;
    const SimProbeDetail detail = detail_of(bytes, false, self->core->x, self->core->y);

    if (core != NULL) {
        receive(self, flow, tensix_core_lane(core, TENSIX_CORE_NOCS + noc), detail);
    } else {
        arrive(self, flow, tensix_core_lane_dram(self->core->owner, bank, noc), detail);
    }
}

void tensix_mover_probe_read(const ArchMover *self,
                             TensixMoverFlow *flow,
                             const ArchNocAddress *remote,
                             uint64_t bytes)
{
    receive(self, flow,
            tensix_core_lane(self->core, TENSIX_CORE_NOCS + self->config.noc),
            detail_of(bytes, remote->is_dram, remote->x, remote->y));
}
