/* Sends messages of data movers to cores of other chips, slot by slot. */
#include "arch/tensix/fabric.h"

#include "arch/error.h"
#include "arch/tensix/mover/barrier.h"
#include "arch/tensix/mover/probe.h"
#include "sim/narrow.h"

void tensix_mover_drop_packets(ArchMover *self)
{
    while (self->packets.head != NULL) {
        TensixPortPacket *packet = self->packets.head->data;

        packet->mover = NULL;
        g_queue_unlink(&self->packets, &packet->link);
    }
}

/* Chips of a system are alike as far as their grids and L1s go. */
static bool
check_data(const ArchMover *self, const ArchMoverMessage *what, GError **error)
{
    const uint64_t alignment = self->numbers->l1_alignment;

    if (!tensix_l1_check(self->core->l1, what->local, what->bytes, error) ||
        !tensix_l1_check(self->core->l1, what->address, what->bytes, error)) {
        return false;
    }
    return (what->address % alignment == 0 && what->local % alignment == 0) ||
           arch_refuse(error,
                       "L1 address 0x%" G_GINT64_MODIFIER
                       "x and local address 0x%x: both must "
                       "be multiples of %" G_GUINT64_FORMAT,
                       what->address, what->local, alignment);
}

static bool
check_semaphore(const ArchMover *self, const ArchMoverMessage *what, GError **error)
{
    return tensix_l1_check(self->core->l1, what->semaphore, sizeof(uint32_t), error) &&
           (what->semaphore % sizeof(uint32_t) == 0 ||
            arch_refuse(error,
                        "address 0x%" G_GINT64_MODIFIER
                        "x is no multiple of 4, as a word's "
                        "must be",
                        what->semaphore));
}

static bool check(const ArchMover *self, const ArchMoverMessage *what, GError **error)
{
    TensixPort *port;

    if (what->bytes == 0 && what->increment == 0) {
        return arch_refuse(error, "neither bytes nor an increment");
    }
    return tensix_fabric_route(self->core->owner->fabric, what->chip, &port, error) !=
               NULL &&
           arch_tensix_core(self->core->owner, what->x, what->y, error) != NULL &&
           (what->bytes == 0 || check_data(self, what, error)) &&
           (what->increment == 0 || check_semaphore(self, what, error));
}

static uint64_t part_bytes(const ArchMover *self, const ArchMoverMessage *what)
{
    return MIN(what->bytes - self->sent_bytes,
               tensix_port_slot_bytes(self->packet->port));
}

static void count_bytes(const ArchMover *self, const ArchMessage *message)
{
    const ArchTensix *tensix = self->core->owner;
    SimRegion *region = sim_process_region(self->process);

    sim_region_count(region, tensix->sent_bytes, message->bytes);
    if (message->out.kind == ARCH_PORT_ETHERNET) {
        sim_region_count(region, tensix->ethernet_bytes, message->wire_bytes);
    }
}

/* What goes into the slot. */
static ArchMessage *message_new(const ArchMover *self,
                                const ArchMoverMessage *what,
                                const ArchFabricRoute *route,
                                const TensixPort *port)
{
    ArchMessage *message = g_new0(ArchMessage, 1);
    const uint64_t left = what->bytes - self->sent_bytes;

    message->from_chip = arch_fabric_chip(self->core->owner->fabric);
    message->to_chip = what->chip;
    message->out = route->out;
    message->in = route->in;
    message->x = what->x;
    message->y = what->y;
    message->address = sim_u32(what->address + self->sent_bytes);
    message->bytes = MIN(left, tensix_port_slot_bytes(port));
    message->wire_bytes = tensix_port_wire_bytes(port, message->bytes);
    count_bytes(self, message);
    if (message->bytes == left) {
        message->semaphore = sim_u32(what->semaphore);
        message->increment = what->increment;
    }
    return message;
}

/* Takes a slot for the next part; false when the process must wait. */
static bool take_slot(ArchMover *self, const ArchMoverMessage *what)
{
    TensixPort *port = NULL;
    const ArchFabricRoute *route =
        tensix_fabric_route(self->core->owner->fabric, what->chip, &port, NULL);

    if (!tensix_mover_meets_engine(self)) {
        return false;
    }
    if (!tensix_port_take_slot(port, self->process)) {
        (void) tensix_mover_block(self,
                                  (TensixMoverWait){.kind = WAIT_SLOT, .port = port});
        return false;
    }
    ArchMessage *message = message_new(self, what, route, port);

    if (tensix_mover_is_watched(self)) {
        tensix_mover_probe_call(self, what->name, "bytes", (int64_t) message->bytes,
                                "chip", what->chip);
    }
    tensix_mover_catch_up(self, TENSIX_LANE_FABRIC);
    self->packet = tensix_port_packet_new(port, message, self);
    tensix_mover_count_up(self, ARCH_BARRIER_FABRIC, 0);
    return true;
}

ArchMoverResult
arch_mover_send(ArchMover *self, const ArchMoverMessage *what, GError **error)
{
    if (self->packet == NULL && self->sent_bytes == 0 && !check(self, what, error)) {
        return ARCH_MOVER_FAILED;
    }
    do {
        if (self->packet == NULL && !take_slot(self, what)) {
            return ARCH_MOVER_AGAIN;
        }
        const uint64_t bytes = part_bytes(self, what);
        const ArchMoverTransfer part = {
            /* An increment alone is a word that tells of it. */
            .op = bytes > 0 ? ARCH_MOVER_WRITE : ARCH_MOVER_INLINE,
            .local = what->local + sim_u32(self->sent_bytes),
            .bytes = bytes > 0 ? bytes : sizeof(uint32_t),
            .name = what->name,
        };

        if (!tensix_mover_issue(self, &part)) {
            return ARCH_MOVER_AGAIN;
        }
        self->sent_bytes += bytes;
        self->packet = NULL;
    } while (self->sent_bytes < what->bytes);
    self->sent_bytes = 0;
    return ARCH_MOVER_DONE;
}
