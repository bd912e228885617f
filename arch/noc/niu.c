/* Endpoints: routing, acceptance, in-order read service, acknowledgements, costs. */
#include "arch/noc/niu.h"

#include "arch/noc/multicast.h"
#include "arch/noc/multicast_tree.h"

guint niu_place(const ArchNocCommand *command)
{
    return command->op == ARCH_NOC_MULTICAST ? NIU_MULTICAST_ID : command->vc;
}

/* One way around: noc 0 goes x first, noc 1 y first. */
static uint32_t route(gpointer data, uint32_t node, NocPacket *packet)
{
    const NiuNoc *noc = data;
    const NocGrid *grid = noc->grid;
    if (packet->target == NOC_NODE_NONE) {
        return multicast_tree_outs(noc, node, packet->data);
    }
    const bool needs_x = grid->x[node] != grid->x[packet->target];
    const bool needs_y = grid->y[node] != grid->y[packet->target];

    if (!needs_x && !needs_y) {
        return 1U << grid->local;
    }
    if (noc->index == 0) {
        return 1U << (needs_x ? NOC_X : NOC_Y);
    }
    return 1U << (needs_y ? NOC_Y : NOC_X);
}

static NiuTransaction *transaction_of(const NiuNoc *noc, uint32_t packet)
{
    return noc_network_packet(noc->network, packet)->data;
}

static bool is_dram(const NiuNoc *noc, uint32_t node)
{
    return noc->owner->kinds[node] == ARCH_TILE_DRAM;
}

static DramChannel *dram_of(const NiuNoc *noc, uint32_t node)
{
    return &noc->owner->drams[noc->owner->channels[node]];
}

guint niu_flits(const ArchWormholeNoc *self, uint64_t bytes)
{
    return 1 + (guint) ((bytes + self->flit_bytes - 1) / self->flit_bytes);
}

static void send(NiuTransaction *transaction, uint64_t bytes)
{
    const bool is_response = transaction->is_response;
    guint vc = transaction->command.vc;
    NocPacket packet = {
        .source = is_response ? transaction->target : transaction->source,
        .target = is_response ? transaction->source : transaction->target,
        .via = NOC_NODE_NONE,
        .flits = niu_flits(transaction->noc->owner, bytes),
        .ids = (uint16_t) (is_response ? 3U << NIU_RESPONSE_ID : 1U << vc),
        .queue = (uint8_t) (is_response ? NIU_RESPONSE_QUEUE : vc),
        .targets = 1,
        .data = transaction,
    };

    (void) noc_network_send(transaction->noc->network, &packet);
}

void niu_begin(NiuTransaction *transaction)
{
    if (transaction->command.op == ARCH_NOC_MULTICAST) {
        multicast_queue(transaction);
        return;
    }
    const ArchNocOp op = transaction->command.op;
    const bool has_data = op == ARCH_NOC_WRITE || op == ARCH_NOC_WRITE_POSTED;

    send(transaction, has_data ? transaction->command.bytes : 0);
}

void niu_leave(const NiuTransaction *transaction)
{
    if (transaction->command.left != NULL) {
        transaction->command.left(transaction->command.data);
    }
}

void niu_transaction_free(gpointer data)
{
    NiuTransaction *transaction = data;

    g_clear_pointer(&transaction->path, g_array_unref);
    g_free(transaction);
}

void niu_end(NiuTransaction *transaction)
{
    ArchNocCommand command = transaction->command;

    g_hash_table_remove(transaction->noc->owner->transactions, transaction);
    if (command.done != NULL) {
        command.done(command.data);
    }
}

static NiuServer *server_of(const NiuNoc *noc, uint32_t node, guint vc)
{
    return &noc->servers[node * NIU_VCS + vc];
}

/* A read is let in only while there is a place for it: else it waits in the router and
 * holds up whatever comes behind it on its channel. */
static bool accept(gpointer data, uint32_t node, uint32_t packet, guint vc)
{
    NiuNoc *noc = data;
    NiuTransaction *transaction = transaction_of(noc, packet);
    NiuServer *server = server_of(noc, node, vc);

    if (transaction == NULL || transaction->is_response ||
        transaction->command.op != ARCH_NOC_READ) {
        return true;
    }
    transaction->vc = vc;
    if (is_dram(noc, node)) {
        if (noc->dram_requests[node] >= noc->owner->dram_numbers.queue_commands) {
            return false;
        }
        noc->dram_requests[node]++;
        return true;
    }
    if (server->accepted >= noc->owner->read_places) {
        return false;
    }
    server->accepted++;
    return true;
}

static uint32_t
flit_cost(gpointer data, uint32_t node, const NocPacket *packet, bool is_in)
{
    NiuNoc *noc = data;
    ArchWormholeNoc *self = noc->owner;
    SimTime now = sim_region_now(self->region);

    const NiuTransaction *transaction = packet->data;

    if (!is_in && transaction->command.op == ARCH_NOC_MULTICAST) {
        return self->multicast_cost;
    }
    switch (self->kinds[node]) {
    case ARCH_TILE_TENSIX:
        return l1_share_access(&self->l1s[node], &self->l1_costs, noc->index, is_in,
                               now);
    case ARCH_TILE_DRAM:
        return is_in ? dram_channel_write_flit(dram_of(noc, node), &self->dram_numbers,
                                               now)
                     : self->dram_numbers.read_cost;
    case ARCH_TILE_ETHERNET:
    case ARCH_TILE_PCIE:
    case ARCH_TILE_OTHER:
        break;
    }
    return NOC_CYCLE;
}

static void respond(SimRegion *region, gpointer data)
{
    NiuTransaction *transaction = data;
    const bool has_data = transaction->command.op == ARCH_NOC_READ;

    (void) region;
    transaction->is_response = true;
    send(transaction, has_data ? transaction->command.bytes : 0);
}

void niu_respond_at(NiuTransaction *transaction, SimTime when)
{
    ArchWormholeNoc *self = transaction->noc->owner;

    sim_region_at(self->region, when, 0, respond, transaction);
}

static void serve_next(NiuNoc *noc, uint32_t node, guint vc);

static void wake_server(SimRegion *region, gpointer data)
{
    NiuTransaction *transaction = data;
    NiuNoc *noc = transaction->noc;

    (void) region;
    server_of(noc, transaction->target, transaction->vc)->is_waking = false;
    serve_next(noc, transaction->target, transaction->vc);
}

/* The next response starts when the previous one is in the router, and no sooner than
 * its own latency after its request came. */
static void serve_next(NiuNoc *noc, uint32_t node, guint vc)
{
    ArchWormholeNoc *self = noc->owner;
    NiuServer *server = server_of(noc, node, vc);
    NiuTransaction *transaction = g_queue_peek_head(&server->waiting);
    SimTime ready;

    if (transaction == NULL || server->is_busy || server->is_waking) {
        return;
    }
    ready = transaction->arrived + self->read_response_cycles;
    if (sim_region_now(self->region) < ready) {
        server->is_waking = true;
        sim_region_at(self->region, ready, 0, wake_server, transaction);
        return;
    }
    (void) g_queue_pop_head(&server->waiting);
    server->is_busy = true;
    server->accepted--;
    noc_network_kick(noc->network, node);
    respond(self->region, transaction);
}

/* What it carries is there now. */
static void land(const NiuNoc *noc, uint32_t node, const NiuTransaction *transaction)
{
    const ArchNocCommand *command = &transaction->command;

    if (command->landed != NULL && command->op != ARCH_NOC_READ) {
        command->landed(command->data, (ArchTile){.x = node % noc->owner->width,
                                                  .y = node / noc->owner->width});
    }
}

static void request_arrived(NiuNoc *noc, uint32_t node, NiuTransaction *transaction)
{
    ArchWormholeNoc *self = noc->owner;
    SimTime now = sim_region_now(self->region);
    const ArchNocCommand *command = &transaction->command;

    transaction->arrived = now;
    land(noc, node, transaction);
    switch (command->op) {
    case ARCH_NOC_READ:
        if (is_dram(noc, node)) {
            niu_respond_at(transaction,
                           dram_channel_read(dram_of(noc, node), &self->dram_numbers,
                                             now, niu_flits(self, command->bytes) - 1,
                                             command->is_page));
        } else {
            g_queue_push_tail(&server_of(noc, node, transaction->vc)->waiting,
                              transaction);
            serve_next(noc, node, transaction->vc);
        }
        break;
    case ARCH_NOC_WRITE:
        niu_respond_at(transaction, is_dram(noc, node)
                                        ? dram_channel_write_end(
                                              dram_of(noc, node), &self->dram_numbers,
                                              now, command->bytes, command->is_page)
                                        : now + self->write_ack_cycles);
        break;
    case ARCH_NOC_ATOMIC:
        niu_respond_at(transaction, now + self->atomic_response_cycles);
        break;
    case ARCH_NOC_MULTICAST:
        multicast_arrived(transaction, node);
        break;
    case ARCH_NOC_WRITE_POSTED:
    case ARCH_NOC_ATOMIC_POSTED:
        niu_end(transaction);
        break;
    }
}

static bool is_posted(const NiuTransaction *transaction)
{
    return transaction->command.op == ARCH_NOC_WRITE_POSTED ||
           transaction->command.op == ARCH_NOC_ATOMIC_POSTED;
}

/* A posted one is done when it has left; it stays until it has landed if somebody
 * minds. */
static void post(NiuNoc *noc, uint32_t packet, NiuTransaction *transaction)
{
    if (transaction->command.landed == NULL) {
        noc_network_packet(noc->network, packet)->data = NULL;
        niu_end(transaction);
        return;
    }
    if (transaction->command.done != NULL) {
        transaction->command.done(transaction->command.data);
    }
    transaction->command.done = NULL;
}

static void arrived(gpointer data, uint32_t node, uint32_t packet)
{
    NiuNoc *noc = data;
    NiuTransaction *transaction = transaction_of(noc, packet);

    if (transaction == NULL) {
        return; /* posted: nobody waits for it */
    }
    if (transaction->is_response) {
        niu_end(transaction);
    } else {
        request_arrived(noc, node, transaction);
    }
}

static void sent(gpointer data, uint32_t node, uint32_t packet)
{
    NiuNoc *noc = data;
    NiuTransaction *transaction = transaction_of(noc, packet);

    if (!transaction->is_response) {
        sim_semaphore_give(
            noc->places[node * NIU_PLACES + niu_place(&transaction->command)], 1);
        niu_leave(transaction);
        if (transaction->command.op == ARCH_NOC_MULTICAST) {
            multicast_sent(transaction);
        }
        if (is_posted(transaction)) {
            post(noc, packet, transaction);
        }
        return;
    }
    if (transaction->command.op != ARCH_NOC_READ) {
        return;
    }
    if (is_dram(noc, node)) {
        noc->dram_requests[node]--;
        noc_network_kick(noc->network, node);
    } else {
        server_of(noc, node, transaction->vc)->is_busy = false;
        serve_next(noc, node, transaction->vc);
    }
}

const NocEndpointOps niu_endpoint_ops = {
    .route = route,
    .accept = accept,
    .cost = flit_cost,
    .sent = sent,
    .arrived = arrived,
};
