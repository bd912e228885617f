/* Multicasts: their lines, their reservations and their acknowledgements. */
#include "arch/noc/multicast.h"

#include "arch/noc/multicast_tree.h"

/* A reservation goes to the farthest tile and back; turning into a column costs extra.
 */
static SimTime reservation_cycles(const NiuTransaction *transaction)
{
    const ArchWormholeNoc *self = transaction->noc->owner;
    const MulticastReach reach = multicast_tree_reach(transaction->noc, transaction);

    return self->reserve_cycles_per_hop * (reach.x + reach.y) +
           (reach.x > 0 && reach.y > 0 ? self->reserve_cycles : 0);
}

static void send_packet(SimRegion *region, gpointer data)
{
    NiuTransaction *transaction = data;
    NocPacket packet = {
        .source = transaction->source,
        .target = NOC_NODE_NONE,
        .via = NOC_NODE_NONE,
        .flits = niu_flits(transaction->noc->owner, transaction->command.bytes),
        .ids = 1U << NIU_MULTICAST_ID,
        .queue = NIU_MULTICAST_QUEUE,
        .targets = (uint16_t) transaction->acks_left,
        .data = transaction,
    };

    (void) region;
    (void) noc_network_send(transaction->noc->network, &packet);
}

static void keep_path(NiuMulticasts *line, const NiuTransaction *transaction)
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
static bool take_kept_path(NiuMulticasts *line, NiuTransaction *transaction)
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

static void send_after(NiuTransaction *transaction, SimTime reservation)
{
    NiuMulticasts *line = &transaction->noc->multicasts[transaction->source];
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
    NiuTransaction *transaction = data;

    send_after(transaction, reservation_cycles(transaction));
}

static void start_next(NiuNoc *noc, uint32_t node)
{
    NiuMulticasts *line = &noc->multicasts[node];
    NiuTransaction *transaction = g_queue_peek_head(&line->waiting);

    if (transaction == NULL || line->is_busy) {
        return;
    }
    (void) g_queue_pop_head(&line->waiting);
    line->is_busy = true;
    if (take_kept_path(line, transaction)) {
        send_after(transaction, 0);
        return;
    }
    transaction->path = multicast_tree_channels(transaction);
    noc_reservations_ask(noc->reservations, node, transaction->path, reserve,
                         transaction);
}

static void audit(gpointer data, GPtrArray *lines)
{
    const NiuNoc *noc = data;
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

void multicast_open(NiuNoc *noc)
{
    noc->multicasts = g_new0(NiuMulticasts, noc->grid->node_count);
    noc->reservations = noc_reservations_new(
        noc->grid->node_count * noc->grid->port_count * MULTICAST_CHANNELS);
    sim_engine_add_audit(sim_region_engine(noc->owner->region), audit, noc);
}

void multicast_close(NiuNoc *noc)
{
    sim_engine_remove_audit(sim_region_engine(noc->owner->region), audit, noc);
    for (uint32_t node = 0; node < noc->grid->node_count; node++) {
        g_queue_clear(&noc->multicasts[node].waiting);
        g_clear_pointer(&noc->multicasts[node].kept, g_array_unref);
    }
    noc_reservations_free(noc->reservations);
    g_free(noc->multicasts);
}

void multicast_queue(NiuTransaction *transaction)
{
    NiuNoc *noc = transaction->noc;

    transaction->acks_left = multicast_tree_targets(noc, transaction);
    transaction->arrivals_left = transaction->acks_left;
    g_queue_push_tail(&noc->multicasts[transaction->source].waiting, transaction);
    start_next(noc, transaction->source);
}

/* Frees it when both its sending and its acknowledgements are over. */
static void end_if_over(NiuTransaction *transaction)
{
    if (transaction->is_sent && transaction->acks_left == 0) {
        niu_end(transaction);
    }
}

void multicast_sent(NiuTransaction *transaction)
{
    NiuNoc *noc = transaction->noc;

    noc->multicasts[transaction->source].is_busy = false;
    start_next(noc, transaction->source);
    transaction->is_sent = true;
    end_if_over(transaction);
}

static void acknowledged(gpointer data)
{
    NiuTransaction *transaction = data;

    transaction->acks_left--;
    end_if_over(transaction);
}

void multicast_arrived(NiuTransaction *transaction, uint32_t node)
{
    ArchWormholeNoc *self = transaction->noc->owner;
    NiuTransaction *ack = g_new0(NiuTransaction, 1);

    *ack = (NiuTransaction){
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
    niu_respond_at(ack, sim_region_now(self->region) + self->write_ack_cycles);
}
