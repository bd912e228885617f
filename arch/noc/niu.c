/* Endpoints: routing, acceptance, in-order read service, acknowledgements, costs. */
#include "arch/noc/niu.h"

#include "arch/noc/multicast.h"
#include "arch/noc/niu_l1.h"
#include "arch/noc/niu_ways.h"
#include "sim/narrow.h"

guint noc_niu_place(const ArchNocCommand *command)
{
    return command->op == ARCH_NOC_MULTICAST ? NOC_NIU_PLACES - 1 : command->vc;
}

static uint32_t route(gpointer data, uint32_t node, NocPacket *packet)
{
    return packet->target == NOC_NODE_NONE
               ? noc_multicast_tree_outs(data, node, packet->data)
               : noc_niu_ways_outs(data, node, packet);
}

static NocNiuTransaction *transaction_of(const NocNiuNoc *noc, uint32_t packet)
{
    return noc_network_packet(noc->network, packet)->data;
}

static bool is_dram(const NocNiuNoc *noc, uint32_t node)
{
    return noc->owner->kinds[node] == ARCH_TILE_DRAM;
}

static NocDramChannel *dram_of(const NocNiuNoc *noc, uint32_t node)
{
    return &noc->owner->drams[noc->owner->channels[node]];
}

guint noc_niu_flits(const ArchWormholeNoc *self, uint64_t bytes)
{
    return 1 + sim_u32((bytes + self->flit_bytes - 1) / self->flit_bytes);
}

/* The channels that a response may use: all of its class, or always one, in turn. */
static uint16_t response_ids(NocNiuNoc *noc)
{
    const guint count = noc->owner->response_vcs;
    const guint ids = noc->owner->is_response_vc_fixed
                          ? 1U << (noc->responses++ % count)
                          : (1U << count) - 1;

    return sim_u16(ids << (noc->request_ids + NOC_NIU_MULTICAST_IDS));
}

static void send(NocNiuTransaction *transaction, uint64_t bytes)
{
    const bool is_response = transaction->is_response;
    guint vc = transaction->command.vc;
    NocPacket packet = {
        .source = is_response ? transaction->target : transaction->source,
        .target = is_response ? transaction->source : transaction->target,
        .via = NOC_NODE_NONE,
        .flits = noc_niu_flits(transaction->noc->owner, bytes),
        .ids = sim_u16(is_response ? response_ids(transaction->noc)
                                   : 1U << vc % transaction->noc->request_ids),
        .queue = sim_u8(is_response ? NOC_NIU_RESPONSE_QUEUE : vc),
        .targets = 1,
        .data = transaction,
    };

    noc_niu_ways_begin(transaction->noc, &packet);
    (void) noc_network_send(transaction->noc->network, &packet);
}

static bool is_posted(const NocNiuTransaction *transaction)
{
    return transaction->command.op == ARCH_NOC_WRITE_POSTED ||
           transaction->command.op == ARCH_NOC_ATOMIC_POSTED;
}

/* Sends a request, unless too many others wait for their responses. */
static bool send_request(NocNiuTransaction *transaction)
{
    NocNiuNoc *noc = transaction->noc;
    guint *outstanding = &noc->outstanding[transaction->source];
    const ArchNocOp op = transaction->command.op;
    const bool has_data = op == ARCH_NOC_WRITE || op == ARCH_NOC_WRITE_POSTED;

    if (!is_posted(transaction)) {
        if (*outstanding >= noc->owner->outstanding_most) {
            return false;
        }
        (*outstanding)++;
        transaction->is_outstanding = true;
    }
    send(transaction, has_data ? transaction->command.bytes : 0);
    return true;
}

void noc_niu_begin(NocNiuTransaction *transaction)
{
    if (transaction->command.op == ARCH_NOC_MULTICAST) {
        noc_multicast_queue(transaction);
        return;
    }
    GQueue *held = &transaction->noc->held[transaction->source];

    if (!g_queue_is_empty(held) || !send_request(transaction)) {
        g_queue_push_tail(held, transaction);
    }
}

/* One command less waits for its response: the next one may go, and what is behind
 * it. */
static void give_back(NocNiuNoc *noc, uint32_t node)
{
    GQueue *held = &noc->held[node];

    noc->outstanding[node]--;
    while (!g_queue_is_empty(held) && send_request(g_queue_peek_head(held))) {
        (void) g_queue_pop_head(held);
    }
}

void noc_niu_leave(NocNiuTransaction *transaction)
{
    ArchNocCommand *command = &transaction->command;

    if (command->left != NULL) {
        command->left(command->data);
    }
    if (is_posted(transaction) && command->done != NULL) {
        command->done(command->data);
        command->done = NULL;
    }
}

void noc_niu_transaction_free(gpointer data)
{
    g_free(data);
}

void noc_niu_end(NocNiuTransaction *transaction)
{
    ArchNocCommand command = transaction->command;

    if (transaction->is_outstanding) {
        give_back(transaction->noc, transaction->source);
    }
    g_hash_table_remove(transaction->noc->owner->transactions, transaction);
    if (command.done != NULL) {
        command.done(command.data);
    }
}

static NocNiuServer *server_of(const NocNiuNoc *noc, uint32_t node, guint vc)
{
    return &noc->servers[node * NOC_NIU_VCS + vc];
}

/* A read is let in only while there is a place for it: else it waits in the router and
 * holds up whatever comes behind it on its channel. */
static bool accept(gpointer data, uint32_t node, uint32_t packet, guint vc)
{
    NocNiuNoc *noc = data;
    NocNiuTransaction *transaction = transaction_of(noc, packet);
    NocNiuServer *server = server_of(noc, node, vc);

    if (transaction->is_response || transaction->command.op != ARCH_NOC_READ) {
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
    NocNiuNoc *noc = data;
    ArchWormholeNoc *self = noc->owner;
    SimTime now = sim_region_now(self->region);

    const NocNiuTransaction *transaction = packet->data;

    if (!is_in && transaction->command.op == ARCH_NOC_MULTICAST) {
        return self->multicast_cost;
    }
    switch (self->kinds[node]) {
    case ARCH_TILE_TENSIX:
        return noc_l1_share_access(&self->l1_shares[node], &self->l1_costs, noc->index,
                                   is_in, now) +
               sim_u32(NOC_CYCLE * noc_niu_l1_wait(noc, node, packet, is_in, now));
    case ARCH_TILE_DRAM:
        return is_in ? noc_dram_channel_write_flit(dram_of(noc, node),
                                                   &self->dram_numbers, now)
                     : MAX(self->dram_numbers.flit_cost, (uint32_t) NOC_CYCLE);
    case ARCH_TILE_ETHERNET:
    case ARCH_TILE_PCIE:
    case ARCH_TILE_OTHER:
        break;
    }
    return NOC_CYCLE;
}

static void respond(SimRegion *region, gpointer data)
{
    NocNiuTransaction *transaction = data;
    const bool has_data = transaction->command.op == ARCH_NOC_READ;

    (void) region;
    transaction->is_response = true;
    send(transaction, has_data ? transaction->command.bytes : 0);
}

void noc_niu_respond_at(NocNiuTransaction *transaction, SimTime when)
{
    ArchWormholeNoc *self = transaction->noc->owner;

    sim_region_at(self->region, when, 0, respond, transaction);
}

static void serve_next(NocNiuNoc *noc, uint32_t node, guint vc);

static void wake_server(SimRegion *region, gpointer data)
{
    NocNiuTransaction *transaction = data;
    NocNiuNoc *noc = transaction->noc;

    (void) region;
    server_of(noc, transaction->target, transaction->vc)->is_waking = false;
    serve_next(noc, transaction->target, transaction->vc);
}

/* The next response starts a gap after the previous one is in the router, and no sooner
 * than its own latency after its request came. */
static void serve_next(NocNiuNoc *noc, uint32_t node, guint vc)
{
    ArchWormholeNoc *self = noc->owner;
    NocNiuServer *server = server_of(noc, node, vc);
    NocNiuTransaction *transaction = g_queue_peek_head(&server->waiting);
    SimTime ready;

    if (transaction == NULL || server->is_busy || server->is_waking) {
        return;
    }
    ready = MAX(transaction->arrived + self->read_response_cycles, server->free);
    if (sim_region_now(self->region) < ready) {
        server->is_waking = true;
        sim_region_at(self->region, ready, 0, wake_server, transaction);
        return;
    }
    (void) g_queue_pop_head(&server->waiting);
    server->is_busy = true;
    server->began = sim_region_now(self->region);
    server->accepted--;
    noc_network_kick(noc->network, node);
    respond(self->region, transaction);
}

/* What it carries is there now. */
static void
land(const NocNiuNoc *noc, uint32_t node, const NocNiuTransaction *transaction)
{
    const ArchNocCommand *command = &transaction->command;

    if (command->landed != NULL && command->op != ARCH_NOC_READ) {
        command->landed(command->data, (ArchTile){.x = node % noc->owner->width,
                                                  .y = node / noc->owner->width});
    }
}

static bool is_atomic(const ArchNocCommand *command)
{
    return command->op == ARCH_NOC_ATOMIC || command->op == ARCH_NOC_ATOMIC_POSTED;
}

/* Its turn has come. */
static void run_atomic(SimRegion *region, gpointer data)
{
    NocNiuTransaction *transaction = data;
    const NocNiuNoc *noc = transaction->noc;
    const SimTime now = sim_region_now(region);

    land(noc, transaction->target, transaction);
    noc_niu_change_word(noc, transaction->target, &transaction->command, now);
    if (transaction->command.op == ARCH_NOC_ATOMIC_POSTED) {
        noc_niu_end(transaction);
    } else {
        noc_niu_respond_at(transaction, now + noc->owner->atomic_response_cycles);
    }
}

/* A tile changes one word after another. */
static void queue_atomic(NocNiuTransaction *transaction, uint32_t node)
{
    ArchWormholeNoc *self = transaction->noc->owner;
    const SimTime now = sim_region_now(self->region);
    const SimTime free = self->atomic_free[node];

    if (free <= now) {
        self->atomic_free[node] = now + self->atomic_cycles;
        run_atomic(self->region, transaction);
    } else {
        self->atomic_free[node] = free + self->atomic_cycles;
        sim_region_at(self->region, free, 0, run_atomic, transaction);
    }
}

static void
request_arrived(NocNiuNoc *noc, uint32_t node, NocNiuTransaction *transaction)
{
    ArchWormholeNoc *self = noc->owner;
    SimTime now = sim_region_now(self->region);
    const ArchNocCommand *command = &transaction->command;

    transaction->arrived = now;
    if (!is_atomic(command)) {
        land(noc, node, transaction);
    }
    switch (command->op) {
    case ARCH_NOC_READ:
        if (is_dram(noc, node)) {
            noc_niu_respond_at(
                transaction,
                noc_dram_channel_read(dram_of(noc, node), &self->dram_numbers, now,
                                      noc_niu_flits(self, command->bytes) - 1));
        } else {
            g_queue_push_tail(&server_of(noc, node, transaction->vc)->waiting,
                              transaction);
            serve_next(noc, node, transaction->vc);
        }
        break;
    case ARCH_NOC_WRITE:
        noc_niu_respond_at(
            transaction,
            is_dram(noc, node)
                ? noc_dram_channel_write_end(dram_of(noc, node), &self->dram_numbers,
                                             now, command->to_address, command->bytes)
                : now + self->write_ack_cycles);
        break;
    case ARCH_NOC_ATOMIC:
    case ARCH_NOC_ATOMIC_POSTED:
        queue_atomic(transaction, node);
        break;
    case ARCH_NOC_MULTICAST:
        noc_multicast_arrived(transaction, node);
        break;
    case ARCH_NOC_WRITE_POSTED:
        noc_niu_end(transaction);
        break;
    }
}

static void arrived(gpointer data, uint32_t node, uint32_t packet)
{
    NocNiuNoc *noc = data;
    NocNiuTransaction *transaction = transaction_of(noc, packet);

    if (transaction->is_response) {
        noc_niu_end(transaction);
    } else {
        request_arrived(noc, node, transaction);
    }
}

static void has_left(SimRegion *region, gpointer data)
{
    (void) region;
    noc_niu_leave(data);
}

/* A command counts as sent when its last flit has reached the router. */
static void leave_soon(NocNiuTransaction *transaction)
{
    const ArchWormholeNoc *self = transaction->noc->owner;

    if (self->inject_cycles == 0) {
        noc_niu_leave(transaction);
    } else if (transaction->command.left != NULL || is_posted(transaction)) {
        sim_region_at(self->region, sim_region_now(self->region) + self->inject_cycles,
                      0, has_left, transaction);
    }
}

static void sent(gpointer data, uint32_t node, uint32_t packet)
{
    NocNiuNoc *noc = data;
    NocNiuTransaction *transaction = transaction_of(noc, packet);

    if (!transaction->is_response) {
        sim_semaphore_give(
            noc->places[node * NOC_NIU_PLACES + noc_niu_place(&transaction->command)],
            1);
        leave_soon(transaction);
        if (transaction->command.op == ARCH_NOC_MULTICAST) {
            noc_multicast_sent(transaction);
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
        NocNiuServer *server = server_of(noc, node, transaction->vc);

        server->is_busy = false;
        server->free =
            MAX(sim_region_now(noc->owner->region) + noc->owner->read_gap_cycles,
                server->began + noc->owner->read_interval_cycles);
        serve_next(noc, node, transaction->vc);
    }
}

/* Only what was reserved is given back: multicasts. */
static void passed(gpointer data, uint32_t node, guint out, guint vc, uint32_t packet)
{
    NocNiuNoc *noc = data;
    const guint id = vc >> noc->dateline_bits;

    if (id >= noc->request_ids && id < noc->request_ids + NOC_NIU_MULTICAST_IDS) {
        noc_multicast_passed(transaction_of(noc, packet), node, out,
                             vc - (id << noc->dateline_bits));
    }
}

const NocEndpointOps noc_niu_endpoint_ops = {
    .route = route,
    .accept = accept,
    .cost = flit_cost,
    .sent = sent,
    .arrived = arrived,
    .passed = passed,
};
