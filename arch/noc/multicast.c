/* Runs multicasts: queues, reservations and acknowledgements. */
#include "arch/noc/multicast.h"

#include "arch/noc/multicast_tree.h"

/* A reservation goes to the farthest tile and back; turning into a column costs extra.
 */
static SimTime reservation_cycles(const NocNiuTransaction *transaction)
{
    const ArchWormholeNoc *self = transaction->noc->owner;
    const NocMulticastReach reach =
        noc_multicast_tree_reach(transaction->noc, transaction);

    return self->reserve_cycles_per_hop * (reach.x + reach.y) +
           (reach.x > 0 && reach.y > 0 ? self->reserve_cycles : 0);
}

static void send_packet(SimRegion *region, gpointer data)
{
    NocNiuTransaction *transaction = data;
    NocPacket packet = {
        .source = transaction->source,
        .target = NOC_NODE_NONE,
        .via = NOC_NODE_NONE,
        .flits = noc_niu_flits(transaction->noc->owner, transaction->command.bytes),
        .ids = 1U << NOC_NIU_MULTICAST_ID,
        .queue = NOC_NIU_MULTICAST_QUEUE,
        .targets = (uint16_t) transaction->acks_left,
        .data = transaction,
    };

    (void) region;
    (void) noc_network_send(transaction->noc->network, &packet);
}

static void keep_path(NocNiuMulticasts *line, const NocNiuTransaction *transaction)
{
    line->kept = g_array_ref(transaction->path);
    line->kept_to = transaction->command.to;
    line->kept_corner = transaction->command.corner;
    noc_reservations_hold_again(transaction->noc->reservations, transaction->source,
                                line->kept);
}

static bool is_same_tile(ArchTile a, ArchTile b)
{
    return a.x == b.x && a.y == b.y;
}

/* Takes over the path that the node's last one left; false if there is none. One to
 * another rectangle is given back. */
static bool take_kept_path(NocNiuMulticasts *line, NocNiuTransaction *transaction)
{
    const ArchNocCommand *command = &transaction->command;
    g_autoptr(GArray) kept = g_steal_pointer(&line->kept);

    if (kept == NULL) {
        return false;
    }
    if (is_same_tile(line->kept_to, command->to) &&
        is_same_tile(line->kept_corner, command->corner)) {
        transaction->path = g_steal_pointer(&kept);
        return true;
    }
    noc_reservations_release(transaction->noc->reservations, transaction->source, kept);
    return false;
}

static void send_after(NocNiuTransaction *transaction, SimTime reservation)
{
    NocNiuMulticasts *line = &transaction->noc->multicasts[transaction->source];
    SimRegion *region = transaction->noc->owner->region;

    if (transaction->command.is_linked) {
        keep_path(line, transaction);
    }
    sim_region_at(region, sim_region_now(region) + reservation, 0, send_packet,
                  transaction);
}

/* The path is free and its own. Telling all routers takes its time. */
static void reserve(gpointer data)
{
    NocNiuTransaction *transaction = data;

    send_after(transaction, reservation_cycles(transaction));
}

static void start_next(NocNiuNoc *noc, uint32_t node)
{
    NocNiuMulticasts *line = &noc->multicasts[node];
    NocNiuTransaction *transaction = g_queue_peek_head(&line->waiting);

    if (transaction == NULL || line->is_busy) {
        return;
    }
    (void) g_queue_pop_head(&line->waiting);
    line->is_busy = true;
    if (take_kept_path(line, transaction)) {
        send_after(transaction, 0);
        return;
    }
    transaction->path = noc_multicast_tree_channels(transaction);
    noc_reservations_ask(noc->reservations, node, transaction->path, reserve,
                         transaction);
}

static void audit(gpointer data, GPtrArray *lines)
{
    const NocNiuNoc *noc = data;
    const guint waiting = noc_reservations_waiting(noc->reservations);

    if (waiting > 0) {
        g_ptr_array_add(lines,
                        g_strdup_printf("noc%u: %u multicasts wait for a path that "
                                        "others hold",
                                        noc->index, waiting));
    }
    for (uint32_t node = 0; waiting > 0 && node < noc->grid->node_count; node++) {
        if (noc->multicasts[node].kept != NULL) {
            g_ptr_array_add(lines, g_strdup_printf("noc%u[%u,%u]: keeps its path, no "
                                                   "multicast follows the linked one",
                                                   noc->index, noc->grid->x[node],
                                                   noc->grid->y[node]));
        }
    }
}

void noc_multicast_open(NocNiuNoc *noc)
{
    noc->multicasts = g_new0(NocNiuMulticasts, noc->grid->node_count);
    noc->reservations = noc_reservations_new(
        noc->grid->node_count * noc->grid->port_count * NOC_MULTICAST_CHANNELS);
    sim_engine_add_audit(sim_region_engine(noc->owner->region), audit, noc);
}

void noc_multicast_close(NocNiuNoc *noc)
{
    sim_engine_remove_audit(sim_region_engine(noc->owner->region), audit, noc);
    for (uint32_t node = 0; node < noc->grid->node_count; node++) {
        g_queue_clear(&noc->multicasts[node].waiting);
        g_clear_pointer(&noc->multicasts[node].kept, g_array_unref);
    }
    noc_reservations_free(noc->reservations);
    g_free(noc->multicasts);
}

void noc_multicast_queue(NocNiuTransaction *transaction)
{
    NocNiuNoc *noc = transaction->noc;

    transaction->acks_left = noc_multicast_tree_targets(noc, transaction);
    transaction->arrivals_left = transaction->acks_left;
    g_queue_push_tail(&noc->multicasts[transaction->source].waiting, transaction);
    start_next(noc, transaction->source);
}

/* Frees it when both its sending and its acknowledgements are over. */
static void end_if_over(NocNiuTransaction *transaction)
{
    if (transaction->is_sent && transaction->acks_left == 0) {
        noc_niu_end(transaction);
    }
}

void noc_multicast_sent(NocNiuTransaction *transaction)
{
    NocNiuNoc *noc = transaction->noc;

    noc->multicasts[transaction->source].is_busy = false;
    start_next(noc, transaction->source);
    transaction->is_sent = true;
    end_if_over(transaction);
}

static void acknowledged(gpointer data)
{
    NocNiuTransaction *transaction = data;

    transaction->acks_left--;
    end_if_over(transaction);
}

void noc_multicast_arrived(NocNiuTransaction *transaction, uint32_t node)
{
    ArchWormholeNoc *self = transaction->noc->owner;
    NocNiuTransaction *ack = g_new0(NocNiuTransaction, 1);

    *ack = (NocNiuTransaction){
        .command = {.op = ARCH_NOC_WRITE, .done = acknowledged, .data = transaction},
        .noc = transaction->noc,
        .source = transaction->source,
        .target = node,
    };
    if (--transaction->arrivals_left == 0) {
        noc_reservations_release(transaction->noc->reservations, transaction->source,
                                 transaction->path);
    }
    g_hash_table_add(self->transactions, ack);
    noc_niu_respond_at(ack, sim_region_now(self->region) + self->write_ack_cycles);
}
