/* The PCIe tile: a queue of commands and a service that works through it. */
#include "arch/border/pcie.h"

#include "arch/error.h"
#include "sim/channel.h"
#include "sim/counter.h"
#include "sim/narrow.h"
#include "sim/probe.h"
#include "sim/ratio.h"
#include "sim/resource.h"

/* What one direction costs. A command takes the longer of its floor and its bytes. */
typedef struct {
    const char *name;
    uint64_t alignment_bytes; /* of addresses in host memory */
    SimTime issue_cycles;
    SimTime latency_cycles;
    SimRatio request_cycles;
    SimRatio cycles_per_byte;
    uint64_t request_remainder;
    uint64_t byte_remainder;
    GQueue under_way; /* of ArchPcieCommand: served, arriving in this order */
} Direction;

struct ArchPcie {
    SimRegion *region;
    SimChannel *queue;
    SimResource *link;
    SimProcess *service;
    SimLane lane;
    SimCounter bytes;
    SimKey key;
    Direction directions[2];
    ArchPcieCommand command; /* the one in service */
    SimTime since;
    bool is_serving;
};

static Direction direction_read(const ArchParams *params, const char *name)
{
    g_autofree char *alignment = g_strdup_printf("pcie.%s_alignment_bytes", name);
    g_autofree char *issue = g_strdup_printf("pcie.%s_issue_cycles", name);
    g_autofree char *latency = g_strdup_printf("pcie.%s_latency_cycles", name);
    g_autofree char *request = g_strdup_printf("pcie.%s_request_cycles", name);
    g_autofree char *rate = g_strdup_printf("pcie.%s_bytes_per_cycle", name);
    SimRatio bytes_per_cycle = arch_params_ratio(params, rate);

    return (Direction){
        .name = name,
        .alignment_bytes = arch_params_uint(params, alignment),
        .issue_cycles = arch_params_uint(params, issue),
        .latency_cycles = arch_params_uint(params, latency),
        .request_cycles = arch_params_ratio(params, request),
        .cycles_per_byte = {.num = bytes_per_cycle.den, .den = bytes_per_cycle.num},
    };
}

static void arrive(SimRegion *region, gpointer data)
{
    Direction *direction = data;
    g_autofree ArchPcieCommand *command = g_queue_pop_head(&direction->under_way);

    (void) region;
    command->done(command->data);
}

static void finish(ArchPcie *self)
{
    Direction *direction = &self->directions[self->command.direction];
    SimTime now = sim_region_now(self->region);

    sim_resource_release(self->link);
    sim_region_count(self->region, self->bytes, self->command.bytes);
    if (SIM_PROBES && G_UNLIKELY(sim_region_is_watched(self->region))) {
        sim_region_slice(
            self->region, self->lane, direction->name, self->since, now,
            &(SimProbeDetail){.argument_count = 1,
                              .arguments = {{.name = "bytes",
                                             .value = (int64_t) self->command.bytes}}});
    }
    self->is_serving = false;
    if (self->command.done != NULL) {
        ArchPcieCommand *command = g_new(ArchPcieCommand, 1);

        *command = self->command;
        g_queue_push_tail(&direction->under_way, command);
        sim_region_at(self->region, now + direction->latency_cycles, self->key, arrive,
                      direction);
    }
}

/* Whether a command of `bytes` takes longer than the floor, fractions included. */
static bool is_above_floor(const Direction *self, uint64_t bytes)
{
    uint64_t floor_rest = 0;
    uint64_t byte_rest = 0;
    SimTime floor = sim_ratio_charge(self->request_cycles, 1, &floor_rest);
    SimTime transfer = sim_ratio_charge(self->cycles_per_byte, bytes, &byte_rest);

    if (transfer != floor) {
        return transfer > floor;
    }
    return byte_rest * self->request_cycles.den >
           floor_rest * self->cycles_per_byte.den;
}

/* Only the longer of the two is charged: the other would leave its remainder behind. */
static SimTime service_cycles(ArchPcie *self)
{
    Direction *direction = &self->directions[self->command.direction];
    uint64_t bytes = self->command.bytes;

    if (is_above_floor(direction, bytes)) {
        return sim_ratio_charge(direction->cycles_per_byte, bytes,
                                &direction->byte_remainder);
    }
    return sim_ratio_charge(direction->request_cycles, 1,
                            &direction->request_remainder);
}

static SimProcessStatus serve(SimProcess *process, gpointer data)
{
    ArchPcie *self = data;

    if (self->is_serving) {
        finish(self);
    }
    if (sim_channel_pop(self->queue, &self->command, process)) {
        bool is_free = sim_resource_acquire(self->link, NULL);

        g_assert(is_free);
        self->is_serving = true;
        self->since = sim_region_now(self->region);
        sim_process_sleep(process, service_cycles(self));
    }
    return SIM_PROCESS_BLOCKED;
}

ArchPcie *arch_pcie_new(SimRegion *region, SimKey key, const ArchParams *params)
{
    ArchPcie *self = g_new0(ArchPcie, 1);
    SimEngine *engine = sim_region_engine(region);

    self->region = region;
    self->key = key;
    self->lane = sim_engine_lane(engine, "pcie");
    self->bytes = sim_engine_counter(engine, "pcie_bytes");
    self->directions[ARCH_PCIE_READ] = direction_read(params, "read");
    self->directions[ARCH_PCIE_WRITE] = direction_read(params, "write");
    self->link = sim_resource_new(region, "pcie", 1);
    self->queue = sim_channel_new(&(SimChannelConfig){
        .name = "the pcie command queue",
        .sender = region,
        .receiver = region,
        .key = key,
        .item_bytes = sizeof(ArchPcieCommand),
        .capacity = sim_u32(arch_params_uint(params, "pcie.queue_commands")),
    });
    self->service =
        sim_process_new(region, key, "pcie", SIM_PROCESS_SERVICE, serve, self);
    sim_process_start(self->service, 0);
    return self;
}

void arch_pcie_free(ArchPcie *self)
{
    if (self != NULL) {
        sim_process_free(self->service);
        sim_channel_free(self->queue);
        sim_resource_free(self->link);
        g_queue_clear_full(&self->directions[ARCH_PCIE_READ].under_way, g_free);
        g_queue_clear_full(&self->directions[ARCH_PCIE_WRITE].under_way, g_free);
        g_free(self);
    }
}

bool arch_pcie_check(const ArchPcie *self,
                     ArchPcieDirection direction,
                     uint64_t offset,
                     GError **error)
{
    const Direction *way = &self->directions[direction];

    return offset % way->alignment_bytes == 0 ||
           arch_refuse(error,
                       "pcie: %s of host memory at offset %" G_GUINT64_FORMAT
                       ", allowed are multiples of %" G_GUINT64_FORMAT " bytes",
                       way->name, offset, way->alignment_bytes);
}

SimTime arch_pcie_issue_cycles(const ArchPcie *self, ArchPcieDirection direction)
{
    return self->directions[direction].issue_cycles;
}

uint64_t arch_pcie_busy_cycles(const ArchPcie *self)
{
    return sim_resource_busy_cycles(self->link);
}

bool arch_pcie_issue(ArchPcie *self,
                     const ArchPcieCommand *command,
                     SimProcess *process)
{
    return sim_channel_push(self->queue, command, process);
}
