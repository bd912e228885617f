/* Ports: slots, and messages that leave. */
#include "arch/tensix/port/port.h"

#include <string.h>

#include "arch/error.h"
#include "arch/tensix/fabric.h"
#include "arch/tensix/mover/state.h"
#include "arch/tensix/port/state.h"

enum {
    PORT_KINDS = 2,
};

bool port_check(const ArchParams *params, ArchPort which, GError **error)
{
    gsize count = 0;

    if (which.kind == ARCH_PORT_PCIE) {
        if (which.channel != 0) {
            g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                        "%s: PCIe port %u, the chip has one, 0",
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

static PortWorker *worker_of(Port *self, PortWay way)
{
    return &self->workers[self->which.kind == ARCH_PORT_ETHERNET ? PORT_OUT : way];
}

/* Hands a message over, once what that takes is paid; false when the process sleeps. */
static bool hand_over(PortWorker *worker, PortPacket *packet)
{
    Port *self = worker->port;
    ArchMessage *message = packet->message;
    const SimTime now = sim_region_now(port_region(self));

    if (!worker->is_paid) {
        worker->is_paid = true;
        worker->since = now;
        sim_process_sleep(worker->process,
                          sim_ratio_charge(self->numbers.initiate_cycles, 1,
                                           &worker->initiate_remainder));
        return false;
    }
    worker->is_paid = false;
    port_show_work(self, PORT_OUT, worker->since, message->bytes, message->to_chip);
    message->sent = now;
    packet->message = NULL;
    g_queue_push_tail(&self->leaving, packet);
    fabric_send(self->tensix->fabric, message);
    return true;
}

static SimProcessStatus work(SimProcess *process, gpointer data)
{
    PortWorker *worker = data;
    PortJob *job;

    while ((job = g_queue_peek_head(&worker->jobs)) != NULL) {
        const bool is_done = job->packet != NULL ? hand_over(worker, job->packet)
                                                 : port_receive(worker, job->arrival);

        if (!is_done) {
            return SIM_PROCESS_BLOCKED;
        }
        g_free(g_queue_pop_head(&worker->jobs));
    }
    sim_process_wait(process, "messages");
    return SIM_PROCESS_BLOCKED;
}

void port_work(Port *self, PortWay way, PortJob job)
{
    PortWorker *worker = worker_of(self, way);
    const bool was_idle = g_queue_is_empty(&worker->jobs);
    PortJob *copy = g_new(PortJob, 1);

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
static void make_lanes(Port *self)
{
    static const char *const kinds[PORT_KINDS] = {
        [ARCH_PORT_ETHERNET] = "ethernet", [ARCH_PORT_PCIE] = "pcie_port"};
    static const char *const units[PORT_WAYS] = {"out", "in"};
    gsize count = 1;

    if (self->which.kind == ARCH_PORT_ETHERNET) {
        (void) arch_params_list(self->tensix->params, "ethernet.tile_columns", &count);
    }
    const SimLaneGrid grid = {.kind = kinds[self->which.kind],
                              .columns = (guint) count,
                              .rows = 1,
                              .units = units,
                              .unit_count = PORT_WAYS};
    const SimLane first = sim_engine_lanes(self->tensix->engine, &grid);

    for (guint way = 0; way < PORT_WAYS; way++) {
        self->lanes[way] = first + self->which.channel * PORT_WAYS + way;
    }
}

Port *port_new(ArchTensix *tensix, ArchPort which)
{
    enum {
        COMPONENT = UINT16_MAX, /* after the cores, before the networks */
    };
    Port *self = g_new0(Port, 1);

    self->tensix = tensix;
    self->which = which;
    self->name = which.kind == ARCH_PORT_ETHERNET
                     ? g_strdup_printf("Ethernet port %u", which.channel)
                     : g_strdup("the PCIe port");
    self->numbers = port_numbers_read(tensix->params, which);
    self->key = sim_key(COMPONENT, (guint16) (which.channel * PORT_KINDS + which.kind));
    self->slots = sim_semaphore_new(self->name, self->numbers.slot_count);
    self->packets = g_hash_table_new(NULL, NULL);
    make_lanes(self);
    for (guint way = 0; way < PORT_WAYS; way++) {
        PortWorker *worker = &self->workers[way];

        worker->port = self;
        worker->process = sim_process_new(port_region(self), self->key, self->name,
                                          SIM_PROCESS_SERVICE, work, worker);
    }
    return self;
}

static void packet_free(PortPacket *packet)
{
    if (packet->mover != NULL) {
        g_queue_unlink(&packet->mover->packets, &packet->link);
    }
    g_hash_table_remove(packet->port->packets, packet);
    arch_message_free(packet->message);
    g_free(packet);
}

void port_free(Port *self)
{
    if (self == NULL) {
        return;
    }
    for (guint way = 0; way < PORT_WAYS; way++) {
        sim_process_free(self->workers[way].process);
        g_queue_clear_full(&self->workers[way].jobs, g_free);
    }
    while (self->orders.head != NULL) {
        port_order_free(self->orders.head->data);
    }
    while (self->arrivals.head != NULL) {
        port_arrival_free(self->arrivals.head->data);
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

const char *port_name(const Port *self)
{
    return self->name;
}

ArchTile port_tile(const Port *self)
{
    return self->numbers.tile;
}

uint64_t port_slot_bytes(const Port *self)
{
    return self->numbers.slot_bytes;
}

uint64_t port_wire_bytes(const Port *self, uint64_t bytes)
{
    const PortNumbers *numbers = &self->numbers;
    const uint64_t words =
        MAX(1, (bytes + numbers->word_bytes - 1) / numbers->word_bytes);
    const uint64_t payload = words * numbers->word_bytes;
    const uint64_t packets = (payload - 1) / numbers->payload_limit_bytes + 1;

    return payload + packets * numbers->overhead_bytes;
}

static void show_slots(const Port *self, int change)
{
    SimRegion *region = port_region(self);

    if (SIM_PROBES && G_UNLIKELY(sim_region_is_watched(region))) {
        sim_region_change(region, self->lanes[PORT_OUT], "slots in use",
                          sim_region_now(region), change);
    }
}

bool port_take_slot(Port *self, SimProcess *process)
{
    if (!sim_semaphore_take(self->slots, 1, process)) {
        return false;
    }
    show_slots(self, 1);
    return true;
}

PortPacket *port_packet_new(Port *self, ArchMessage *message, ArchMover *mover)
{
    PortPacket *packet = g_new0(PortPacket, 1);

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

void port_packet_arrive(PortPacket *packet,
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
        port_work(packet->port, PORT_OUT, (PortJob){.packet = packet});
    }
}

static void leave(SimRegion *region, gpointer data)
{
    Port *self = data;
    PortPacket *packet = g_queue_pop_head(&self->leaving);

    (void) region;
    g_return_if_fail(packet != NULL);
    show_slots(self, -1);
    sim_semaphore_give(self->slots, 1);
    if (packet->mover != NULL) {
        mover_count_down(packet->mover, ARCH_BARRIER_FABRIC);
    }
    packet_free(packet);
}

void port_left(Port *self, SimTime when)
{
    sim_region_at(port_region(self), when, self->key, leave, self);
}

void port_show_work(
    const Port *self, PortWay way, SimTime since, uint64_t bytes, guint chip)
{
    SimRegion *region = port_region(self);
    const SimProbeDetail detail = {
        .argument_count = 2,
        .arguments = {{.name = "bytes", .value = (int64_t) bytes},
                      {.name = "chip", .value = chip}},
    };

    if (SIM_PROBES && G_UNLIKELY(sim_region_is_watched(region))) {
        sim_region_slice(region, self->lanes[way],
                         way == PORT_OUT ? "initiate" : "issue", since,
                         sim_region_now(region), &detail);
    }
}
