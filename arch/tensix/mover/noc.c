/* Issues the NoC commands of data movers and moves their bytes. */
#include <string.h>

#include "arch/noc/handover.h"
#include "arch/tensix/mover/barrier.h"
#include "arch/tensix/mover/probe.h"
#include "arch/tensix/race/race.h"
#include "sim/narrow.h"

/* tt-metal's choice: reads have a channel of their own. */
enum {
    WRITE_VC = 0,
    READ_VC = 1,
};

/* A packet under way, and what it carries. */
struct TensixMoverOrder {
    NocHandover handover;
    ArchMover *mover;
    ArchMoverOp op;
    ArchBarrier barrier;
    ArchNocAddress remote;
    uint32_t local;
    uint32_t value;
    guint transaction;
    SimTime issued;
    uint64_t offset;          /* in the call's bytes */
    guint8 *payload;          /* NULL: nothing moves */
    TensixPortPacket *packet; /* of a port, where it goes; NULL: to `remote` */
    TensixMoverFlow flow;
    TensixRaceFlight *race; /* NULL: nobody looks for races */
    GList link;             /* in the mover's orders */
};

/* What each command is to the network, to barriers, and to the core that issues it. */
static const struct {
    ArchNocOp op;
    ArchBarrier barrier;
    TensixMoverCost costs[2]; /* with an address, of a page */
} kinds[] = {
    [ARCH_MOVER_READ] = {ARCH_NOC_READ, ARCH_BARRIER_READ, {COST_READ, COST_PAGE_READ}},
    [ARCH_MOVER_WRITE] = {ARCH_NOC_WRITE,
                          ARCH_BARRIER_WRITE,
                          {COST_WRITE, COST_PAGE_WRITE}},
    [ARCH_MOVER_WRITE_POSTED] = {ARCH_NOC_WRITE_POSTED,
                                 ARCH_BARRIER_FLUSH,
                                 {COST_WRITE, COST_PAGE_WRITE}},
    [ARCH_MOVER_INLINE] = {ARCH_NOC_ATOMIC, ARCH_BARRIER_WRITE, {COST_INLINE}},
    [ARCH_MOVER_INCREMENT] = {ARCH_NOC_ATOMIC, ARCH_BARRIER_ATOMIC, {COST_ATOMIC}},
    [ARCH_MOVER_MULTICAST] = {ARCH_NOC_MULTICAST, ARCH_BARRIER_WRITE, {COST_MULTICAST}},
};

static void order_free(TensixMoverOrder *order)
{
    g_queue_unlink(&order->mover->orders, &order->link);
    g_free(order->payload);
    tensix_race_flight_free(order->race);
    g_free(order);
}

void tensix_mover_drop_orders(ArchMover *self)
{
    while (self->orders.head != NULL) {
        order_free(self->orders.head->data);
    }
}

static uint64_t dram_address(const TensixMoverOrder *order)
{
    return order->remote.x * order->mover->numbers->channel_bytes +
           order->remote.offset;
}

/* Semaphores count even where no data moves: kernels wait for them. */
static bool has_payload(const ArchMover *self, ArchMoverOp op, uint64_t bytes)
{
    return op != ARCH_MOVER_INCREMENT &&
           (self->core->owner->options.is_functional ||
            self->core->owner->options.moves_data || bytes <= sizeof(uint32_t));
}

/* Writes carry the bytes present when they are issued. */
static void take_payload(TensixMoverOrder *order)
{
    const ArchNocCommand *command = &order->handover.command;
    const ArchMover *mover = order->mover;

    if (!has_payload(mover, order->op, command->bytes)) {
        return;
    }
    order->payload = g_malloc(command->bytes);
    if (order->op == ARCH_MOVER_INLINE) {
        memcpy(order->payload, &order->value, sizeof order->value);
    } else if (order->op != ARCH_MOVER_READ) {
        memcpy(order->payload, tensix_l1_at(mover->core->l1, order->local),
               command->bytes);
    }
}

static void increment(const TensixMoverOrder *order, ArchTensixCore *core)
{
    GError *error = NULL;

    if (core == NULL) {
        return; /* a multicast also comes to tiles that are left to dispatch */
    }
    if (!tensix_core_increment(core, order->remote.offset, order->value, &error)) {
        g_prefix_error(&error, "%s (%s): noc_semaphore_inc: ", order->mover->name,
                       order->mover->config.name);
        sim_region_fail(sim_process_region(order->mover->process), error);
    }
}

static bool is_watched(const TensixMoverOrder *order)
{
    return SIM_PROBES &&
           G_UNLIKELY(sim_region_is_watched(sim_process_region(order->mover->process)));
}

/* The mover that issued it ends the wait of whom it comes to. */
static void blame(const TensixMoverOrder *order, ArchTensixCore *core)
{
    if (core != NULL) {
        core->cause = tensix_lane_cause(&order->mover->lane, order->issued);
        core->cause.bank = order->remote.is_dram ? order->remote.x + 1 : 0;
    }
}

static void show_landing(TensixMoverOrder *order, ArchTile at)
{
    const ArchTensixCore *core = tensix_core_at(order->mover->core->owner, at);

    if (core != NULL || order->remote.is_dram) {
        tensix_mover_probe_write(order->mover, &order->flow, core, order->remote.x,
                                 order->handover.command.bytes);
    }
    if (order->op == ARCH_MOVER_WRITE_POSTED) {
        tensix_mover_probe_flight(order->mover, -1);
    }
}

static void landed(gpointer data, ArchTile at)
{
    TensixMoverOrder *order = data;
    ArchTensix *tensix = order->mover->core->owner;
    const gsize count = order->handover.command.bytes;

    if (is_watched(order)) {
        show_landing(order, at);
        blame(order, tensix_core_at(tensix, at));
    }
    if (G_UNLIKELY(order->race != NULL)) {
        tensix_race_landed(order->race, tensix_core_at(tensix, at));
    }
    if (order->packet != NULL) {
        tensix_port_packet_arrive(order->packet, order->offset, order->payload, count);
    } else if (order->op == ARCH_MOVER_INCREMENT) {
        increment(order, tensix_core_at(tensix, at));
    } else if (order->payload != NULL && order->remote.is_dram) {
        (void) arch_dram_write(tensix->dram, dram_address(order), order->payload, count,
                               NULL);
    } else if (order->payload != NULL) {
        ArchTensixCore *core = tensix_core_at(tensix, at);

        /* A multicast also comes to tiles that are left to dispatch. */
        if (core != NULL) {
            tensix_core_put(core, order->remote.offset, order->payload, count);
        }
    }
    if (order->op == ARCH_MOVER_WRITE_POSTED) {
        order_free(order);
    }
}

/* Whether a read is short enough to be a poll, and brought nothing new. */
static bool is_poll(const TensixMoverOrder *order)
{
    enum {
        POLL_BYTES = 64, /* a word and what alignment adds to it */
    };
    TensixMoverReadings *readings = &order->mover->readings;
    const gsize count = order->handover.command.bytes;
    const ArchNocAddress *from = &order->remote;
    /* No word of the own L1 has such a number. */
    const uint64_t place = from->offset ^ (1 + (uint64_t) from->x) << 40 ^
                           (uint64_t) from->y << 50 ^ (uint64_t) from->is_dram << 63;
    uint64_t digest = 0;

    if (count > POLL_BYTES) {
        return false;
    }
    for (gsize i = 0; i < count && order->payload != NULL; i++) {
        digest = (digest ^ order->payload[i]) * G_GUINT64_CONSTANT(0x100000001b3);
    }
    if (!sim_polls_repeat(&readings->polls, place, digest)) {
        return false;
    }
    readings->is_repeating = true;
    readings->is_far = true;
    readings->far = *from;
    return true;
}

/* Reads bring the bytes present when they complete. */
static void fetch(TensixMoverOrder *order)
{
    ArchTensixCore *here = order->mover->core;
    ArchTensix *tensix = here->owner;
    const gsize count = order->handover.command.bytes;

    if (order->payload == NULL) {
        return;
    }
    if (order->remote.is_dram) {
        (void) arch_dram_read(tensix->dram, dram_address(order), order->payload, count,
                              NULL);
    } else {
        ArchTensixCore *core =
            arch_tensix_core(tensix, order->remote.x, order->remote.y, NULL);

        memcpy(order->payload, tensix_l1_at(tensix_core_l1(core), order->remote.offset),
               count);
    }
    tensix_core_put(here, order->local, order->payload, count);
}

static void left(gpointer data)
{
    const TensixMoverOrder *order = data;

    if (G_UNLIKELY(order->race != NULL)) {
        tensix_race_left(order->race);
    }
    if (is_watched(order)) {
        blame(order, order->mover->core);
    }
    tensix_mover_count_down(order->mover, ARCH_BARRIER_FLUSH, order->transaction);
}

static void done(gpointer data)
{
    TensixMoverOrder *order = data;

    if (order->op == ARCH_MOVER_WRITE_POSTED) {
        return; /* it has left, and is yet to land */
    }
    if (is_watched(order)) {
        tensix_mover_probe_flight(order->mover, -1);
    }
    if (order->op == ARCH_MOVER_READ) {
        if (is_watched(order)) {
            tensix_mover_probe_read(order->mover, &order->flow, &order->remote,
                                    order->handover.command.bytes);
            blame(order, order->mover->core);
        }
        fetch(order);
        if (!is_poll(order)) {
            tensix_readings_end(&order->mover->readings, order->mover->lane.at);
        }
    }
    if (is_watched(order)) {
        blame(order, order->mover->core);
    }
    tensix_mover_count_down(order->mover, order->barrier, order->transaction);
    order_free(order);
}

static ArchTile
tile_of(const ArchMover *self, const ArchMoverTransfer *what, guint x, guint y)
{
    const TensixMoverNumbers *numbers = self->numbers;

    if (what->remote.is_dram) {
        return (ArchTile){.x = sim_u32(numbers->view_columns[x]),
                          .y = sim_u32(numbers->view_rows[x])};
    }
    return arch_tensix_core_tile(arch_tensix_core(self->core->owner, x, y, NULL));
}

/* A rectangle starts at the corner that its NoC reaches first. */
static void aim_multicast(const ArchMover *self,
                          const ArchMoverTransfer *what,
                          ArchNocCommand *command)
{
    const ArchTile first = tile_of(self, what, MIN(what->remote.x, what->corner_x),
                                   MIN(what->remote.y, what->corner_y));
    const ArchTile last = tile_of(self, what, MAX(what->remote.x, what->corner_x),
                                  MAX(what->remote.y, what->corner_y));

    command->to = command->noc == 0 ? first : last;
    command->corner = command->noc == 0 ? last : first;
    command->is_loopback = what->is_loopback;
    command->is_linked = what->is_linked;
}

static guint channel_of(const ArchMoverTransfer *what)
{
    if (what->vc > 0) {
        return what->vc - 1;
    }
    return what->op == ARCH_MOVER_READ ? READ_VC : WRITE_VC;
}

/* The packet at the present offset of a call. */
static TensixMoverOrder *order_new(ArchMover *self, const ArchMoverTransfer *what)
{
    TensixMoverOrder *order = g_new0(TensixMoverOrder, 1);
    ArchNocCommand *command = &order->handover.command;

    order->mover = self;
    order->op = what->op;
    order->barrier = kinds[what->op].barrier;
    order->remote = what->remote;
    order->remote.offset += self->offset;
    order->offset = self->offset;
    order->packet = self->packet;
    order->local = what->local + sim_u32(self->offset);
    order->value = what->value;
    order->transaction = what->transaction;
    order->link.data = order;
    order->handover.noc = self->core->owner->noc;
    *command = (ArchNocCommand){
        .op = what->is_to_many ? ARCH_NOC_MULTICAST : kinds[what->op].op,
        .noc = what->noc == 0 ? self->config.noc : what->noc - 1,
        .vc = channel_of(what),
        .from = self->core->tile,
        .bytes = MIN(what->bytes - self->offset, self->numbers->packet_bytes),
        .to_address = what->remote.is_dram ? sim_u32(order->remote.offset) : 0,
        .done = done,
        .landed = landed,
        .data = order,
    };
    if (self->packet != NULL) {
        command->to = tensix_port_tile(self->packet->port);
    } else if (what->is_to_many) {
        aim_multicast(self, what, command);
    } else {
        command->to = tile_of(self, what, what->remote.x, what->remote.y);
    }
    if (order->barrier == ARCH_BARRIER_WRITE || order->barrier == ARCH_BARRIER_FLUSH) {
        command->left = left;
    }
    g_queue_push_tail_link(&self->orders, &order->link);
    return order;
}

static void pay_command(ArchMover *self, const ArchMoverTransfer *what)
{
    const TensixMoverCost kind = kinds[what->op].costs[what->is_page];

    if (what->is_issued) {
        return;
    }
    const SimTime cycles =
        sim_ratio_charge(self->numbers->costs[kind], 1, &self->remainders[kind]);

    tensix_lane_until(&self->lane, self->lane.at + cycles, TENSIX_LANE_BUSY);
}

/* What is under way, for barriers. */
static void count_up(ArchMover *self, const TensixMoverOrder *order)
{
    if (order->barrier != ARCH_BARRIER_FLUSH) {
        tensix_mover_count_up(self, order->barrier, order->transaction);
    }
    if (order->handover.command.left != NULL) {
        tensix_mover_count_up(self, ARCH_BARRIER_FLUSH, order->transaction);
    }
}

/* Cores that receive what a command carries. */
static guint receivers_of(const ArchMover *self, const TensixMoverOrder *order)
{
    const ArchNocCommand *command = &order->handover.command;

    if (command->op == ARCH_NOC_MULTICAST) {
        return arch_wormhole_noc_receivers(self->core->owner->noc, command) +
               command->is_loopback;
    }
    return order->op == ARCH_MOVER_READ || !order->remote.is_dram;
}

static void count_bytes(const ArchMover *self, const TensixMoverOrder *order)
{
    const ArchTensix *tensix = self->core->owner;
    SimRegion *region = sim_process_region(self->process);
    const uint64_t bytes = order->handover.command.bytes;

    if (order->packet != NULL) {
        return; /* to where no core is */
    }
    sim_region_count(region, tensix->received_bytes, bytes * receivers_of(self, order));
    if (order->op != ARCH_MOVER_READ || !order->remote.is_dram) {
        sim_region_count(region, tensix->sent_bytes, bytes);
    }
    if (order->remote.is_dram) {
        sim_region_count(region, tensix->dram_bytes, bytes);
    }
}

static void
note_race(ArchMover *self, TensixMoverOrder *order, const ArchMoverTransfer *what)
{
    order->race = tensix_race_issue(
        self, &(TensixRacePacket){.what = what,
                                  .call = tensix_mover_call_name(what),
                                  .offset = order->offset,
                                  .bytes = order->handover.command.bytes,
                                  .is_for_port = order->packet != NULL});
}

/* One packet; false when the process must wait. */
static bool issue_packet(ArchMover *self, const ArchMoverTransfer *what)
{
    if (!self->is_paid) {
        self->pending = order_new(self, what);
        if (tensix_mover_is_watched(self) && self->packet == NULL) {
            self->pending->flow = tensix_mover_probe_packet(
                self, what, self->pending->handover.command.bytes);
        }
        pay_command(self, what);
        tensix_lane_flush(&self->lane); /* before its flow comes to an end */
        self->is_paid = true;
    }
    if (!tensix_mover_meets_engine(self)) {
        return false;
    }
    TensixMoverOrder *order = self->pending;

    if (!noc_handover_issue(&order->handover, self->numbers->command_cycles,
                            self->process)) {
        (void) tensix_mover_block(self, (TensixMoverWait){.kind = WAIT_PLACE});
        return false;
    }
    tensix_mover_catch_up(self, TENSIX_LANE_NOC);
    order->issued = self->lane.at;
    take_payload(order);
    count_up(self, order);
    count_bytes(self, order);
    if (G_UNLIKELY(self->core->owner->races != NULL)) {
        note_race(self, order, what);
    }
    if (order->op != ARCH_MOVER_READ) {
        tensix_readings_end(&self->readings, self->lane.at);
        if (what->bytes == sizeof(uint32_t) && order->packet == NULL) {
            tensix_signals_add(&self->signals, what);
        }
    }
    if (is_watched(order)) {
        tensix_mover_probe_flight(self, 1);
    }
    self->offset += order->handover.command.bytes;
    self->pending = NULL;
    self->is_paid = false;
    return true;
}

bool tensix_mover_issue(ArchMover *self, const ArchMoverTransfer *what)
{
    do {
        if (!issue_packet(self, what)) {
            return false;
        }
    } while (self->offset < what->bytes);
    self->offset = 0;
    return true;
}

ArchMoverResult
arch_mover_transfer(ArchMover *self, const ArchMoverTransfer *what, GError **error)
{
    ArchMoverTransfer whole = *what;

    whole.is_to_many = what->is_to_many || what->op == ARCH_MOVER_MULTICAST;
    if (what->op == ARCH_MOVER_INLINE || what->op == ARCH_MOVER_INCREMENT) {
        whole.bytes = sizeof what->value;
    }
    if (!self->is_paid && self->offset == 0 &&
        !tensix_mover_check_transfer(self, &whole, error)) {
        return ARCH_MOVER_FAILED;
    }
    return tensix_mover_issue(self, &whole) ? ARCH_MOVER_DONE : ARCH_MOVER_AGAIN;
}
