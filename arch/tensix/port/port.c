/* Runs ports: slots, and messages that leave. */
#include "arch/tensix/port/port.h"

#include <string.h>

#include "arch/error.h"
#include "arch/tensix/fabric.h"
#include "arch/tensix/mover/barrier.h"
#include "arch/tensix/mover/state.h"
#include "arch/tensix/port/state.h"
#include "sim/narrow.h"

enum {
    PORT_KINDS = 2,
};

bool tensix_port_check(const ArchParams *params, ArchPort which, GError **error)
{
    gsize count = 0;

    if (which.kind == ARCH_PORT_PCIE) {
        if (which.channel != 0) {
            (void) arch_refuse(error, "%s: PCIe port %u, the chip has one, 0",
                               arch_params_name(params), which.channel);
        }
        return which.channel == 0;
    }
    (void) arch_params_list(params, "ethernet.tile_columns", &count);
    if (which.channel >= count) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "%s: Ethernet channel %u, the chip has 0..%" G_GSIZE_FORMAT,
                    arch_params_name(params), which.channel, count - 1);
    }
    return which.channel < count;
}

static TensixPortWorker *worker_of(TensixPort *self, TensixPortWay way)
{
    return &self->workers[self->which.kind == ARCH_PORT_ETHERNET ? TENSIX_PORT_OUT
                                                                 : way];
}

/* Hands a message over, once what that takes is paid; false when the process sleeps. */
static bool hand_over(TensixPortWorker *worker, TensixPortPacket *packet)
{
    TensixPort *self = worker->port;
    ArchMessage *message = packet->message;
    const SimTime now = sim_region_now(tensix_port_region(self));

    if (!worker->is_paid) {
        worker->is_paid = true;
        worker->since = now;
        sim_process_sleep(worker->process,
                          sim_ratio_charge(self->numbers.initiate_cycles, 1,
                                           &worker->initiate_remainder));
        return false;
    }
    worker->is_paid = false;
    tensix_port_show_work(self, TENSIX_PORT_OUT, worker->since, message->bytes,
                          message->to_chip);
    message->sent = now;
    packet->message = NULL;
    g_queue_push_tail(&self->leaving, packet);
    tensix_fabric_send(self->tensix->fabric, message);
    return true;
}

static SimProcessStatus work(SimProcess *process, gpointer data)
{
    TensixPortWorker *worker = data;
    TensixPortJob *job;

    while ((job = g_queue_peek_head(&worker->jobs)) != NULL) {
        const bool is_done = job->packet != NULL
                                 ? hand_over(worker, job->packet)
                                 : tensix_port_receive(worker, job->arrival);

        if (!is_done) {
            return SIM_PROCESS_BLOCKED;
        }
        g_free(g_queue_pop_head(&worker->jobs));
    }
    sim_process_wait(process, "messages");
    return SIM_PROCESS_BLOCKED;
}

void tensix_port_work(TensixPort *self, TensixPortWay way, TensixPortJob job)
{
    TensixPortWorker *worker = worker_of(self, way);
    const bool was_idle = g_queue_is_empty(&worker->jobs);
    TensixPortJob *copy = g_new(TensixPortJob, 1);

    *copy = job;
    g_queue_push_tail(&worker->jobs, copy);
    if (!worker->is_started) {
        worker->is_started = true;
        sim_process_start(worker->process, 0);
    } else if (was_idle) {
        sim_process_wake(worker->process);
    }
}

/* The lanes of all ports of a kind: ethernet[3,0].out; they outlive the port. */
static void make_lanes(TensixPort *self)
{
    static const char *const kinds[PORT_KINDS] = {
        [ARCH_PORT_ETHERNET] = "ethernet", [ARCH_PORT_PCIE] = "pcie_port"};
    static const char *const units[TENSIX_PORT_WAYS] = {"out", "in"};
    gsize count = 1;

    if (self->which.kind == ARCH_PORT_ETHERNET) {
        (void) arch_params_list(self->tensix->params, "ethernet.tile_columns", &count);
    }
    const SimLaneGrid grid = {.kind = kinds[self->which.kind],
                              .columns = sim_u32(count),
                              .rows = 1,
                              .units = units,
                              .unit_count = TENSIX_PORT_WAYS};
    const SimLane first = sim_engine_lanes(self->tensix->engine, &grid);

    for (guint way = 0; way < TENSIX_PORT_WAYS; way++) {
        self->lanes[way] = first + self->which.channel * TENSIX_PORT_WAYS + way;
    }
}

TensixPort *tensix_port_new(ArchTensix *tensix, ArchPort which)
{
    enum {
        COMPONENT = UINT16_MAX, /* after the cores, before the networks */
    };
    TensixPort *self = g_new0(TensixPort, 1);

    self->tensix = tensix;
    self->which = which;
    self->name = which.kind == ARCH_PORT_ETHERNET
                     ? g_strdup_printf("Ethernet port %u", which.channel)
                     : g_strdup("the PCIe port");
    self->numbers = tensix_port_numbers_read(tensix->params, which);
    self->key = sim_key(COMPONENT, sim_u16(which.channel * PORT_KINDS + which.kind));
    self->slots = sim_semaphore_new(self->name, self->numbers.slot_count);
    self->packets = g_hash_table_new(NULL, NULL);
    make_lanes(self);
    for (guint way = 0; way < TENSIX_PORT_WAYS; way++) {
        TensixPortWorker *worker = &self->workers[way];

        worker->port = self;
        worker->process =
            sim_process_new(tensix_port_region(self), self->key, self->name,
                            SIM_PROCESS_SERVICE, work, worker);
    }
    return self;
}

static void packet_free(TensixPortPacket *packet)
{
    if (packet->mover != NULL) {
        g_queue_unlink(&packet->mover->packets, &packet->link);
    }
    g_hash_table_remove(packet->port->packets, packet);
    arch_message_free(packet->message);
    g_free(packet);
}

void tensix_port_free(TensixPort *self)
{
    if (self == NULL) {
        return;
    }
    for (guint way = 0; way < TENSIX_PORT_WAYS; way++) {
        sim_process_free(self->workers[way].process);
        g_queue_clear_full(&self->workers[way].jobs, g_free);
    }
    while (self->orders.head != NULL) {
        tensix_port_order_free(self->orders.head->data);
    }
    while (self->arrivals.head != NULL) {
        tensix_port_arrival_free(self->arrivals.head->data);
    }
    g_queue_clear(&self->leaving);
    g_autoptr(GList) packets = g_hash_table_get_keys(self->packets);

    for (const GList *packet = packets; packet != NULL; packet = packet->next) {
        packet_free(packet->data);
    }
    g_hash_table_unref(self->packets);
    sim_semaphore_free(self->slots);
    g_free(self->name);
    g_free(self);
}

const char *tensix_port_name(const TensixPort *self)
{
    return self->name;
}

ArchTile tensix_port_tile(const TensixPort *self)
{
    return self->numbers.tile;
}

uint64_t tensix_port_slot_bytes(const TensixPort *self)
{
    return self->numbers.slot_bytes;
}

uint64_t tensix_port_wire_bytes(const TensixPort *self, uint64_t bytes)
{
    const TensixPortNumbers *numbers = &self->numbers;
    const uint64_t words =
        MAX(1, (bytes + numbers->word_bytes - 1) / numbers->word_bytes);
    const uint64_t payload = words * numbers->word_bytes;
    const uint64_t packets = (payload - 1) / numbers->payload_limit_bytes + 1;

    return payload + packets * numbers->overhead_bytes;
}

static void show_slots(const TensixPort *self, int change)
{
    SimRegion *region = tensix_port_region(self);

    if (SIM_PROBES && G_UNLIKELY(sim_region_is_watched(region))) {
        sim_region_change(region, self->lanes[TENSIX_PORT_OUT], "slots in use",
                          sim_region_now(region), change);
    }
}

bool tensix_port_take_slot(TensixPort *self, SimProcess *process)
{
    if (!sim_semaphore_take(self->slots, 1, process)) {
        return false;
    }
    show_slots(self, 1);
    return true;
}

TensixPortPacket *
tensix_port_packet_new(TensixPort *self, ArchMessage *message, ArchMover *mover)
{
    TensixPortPacket *packet = g_new0(TensixPortPacket, 1);

    packet->port = self;
    packet->message = message;
    packet->mover = mover;
    /* An increment alone is a word that tells of it. */
    packet->bytes_left = message->bytes > 0 ? message->bytes : sizeof(uint32_t);
    packet->link.data = packet;
    g_queue_push_tail_link(&mover->packets, &packet->link);
    g_hash_table_add(self->packets, packet);
    return packet;
}

void tensix_port_packet_arrive(TensixPortPacket *packet,
                               uint64_t offset,
                               const guint8 *data,
                               uint64_t bytes)
{
    ArchMessage *message = packet->message;

    if (data != NULL && message->bytes > 0) {
        if (message->data == NULL) {
            message->data = g_malloc(message->bytes);
        }
        memcpy((guint8 *) message->data + offset, data, bytes);
    }
    packet->bytes_left -= bytes;
    if (packet->bytes_left == 0) {
        tensix_port_work(packet->port, TENSIX_PORT_OUT,
                         (TensixPortJob){.packet = packet});
    }
}

static void leave(SimRegion *region, gpointer data)
{
    TensixPort *self = data;
    TensixPortPacket *packet = g_queue_pop_head(&self->leaving);

    (void) region;
    g_return_if_fail(packet != NULL);
    show_slots(self, -1);
    sim_semaphore_give(self->slots, 1);
    if (packet->mover != NULL) {
        tensix_mover_count_down(packet->mover, ARCH_BARRIER_FABRIC, 0);
    }
    packet_free(packet);
}

void tensix_port_left(TensixPort *self, SimTime when)
{
    sim_region_at(tensix_port_region(self), when, self->key, leave, self);
}

void tensix_port_show_work(const TensixPort *self,
                           TensixPortWay way,
                           SimTime since,
                           uint64_t bytes,
                           guint chip)
{
    SimRegion *region = tensix_port_region(self);
    const SimProbeDetail detail = {
        .argument_count = 2,
        .arguments = {{.name = "bytes", .value = (int64_t) bytes},
                      {.name = "chip", .value = chip}},
    };

    if (SIM_PROBES && G_UNLIKELY(sim_region_is_watched(region))) {
        sim_region_slice(region, self->lanes[way],
                         way == TENSIX_PORT_OUT ? "initiate" : "issue", since,
                         sim_region_now(region), &detail);
    }
}
