/* Runs multicasts: their trees, queues, reservations and acknowledgements. */
#include "arch/noc/multicast.h"

#include "sim/narrow.h"

enum {
    CHANNELS = 2, /* of the multicasts' class on each link: dateline bit */
};

/* Steps from `from` to `to` along an axis, in the network's direction. */
static guint steps(const NocNiuNoc *noc, NocAxis axis, guint from, guint to)
{
    guint length = axis == NOC_X ? noc->grid->width : noc->grid->height;
    guint up = noc_grid_steps_up(from, to, length);

    return noc->index == 0 ? up : (length - up) % length;
}

/* How far along an axis something is, counted from the sender: the rectangle covers
 * [first, last], where what reaches past the end of the ring counts from 0 again. */
typedef struct {
    guint here;
    guint first;
    guint last;
    guint length; /* of the ring */
} Span;

static Span span_of(const NocNiuNoc *noc,
                    NocAxis axis,
                    guint sender,
                    guint here,
                    guint start,
                    guint corner)
{
    Span span = {
        .here = steps(noc, axis, sender, here),
        .first = steps(noc, axis, sender, start),
        .length = axis == NOC_X ? noc->grid->width : noc->grid->height,
    };

    span.last = span.first + steps(noc, axis, start, corner);
    return span;
}

static bool is_within(Span span)
{
    return (span.here >= span.first && span.here <= span.last) ||
           span.here + span.length <= span.last;
}

/* The coordinate `steps` ahead of `sender`. */
static guint ahead(const NocNiuNoc *noc, NocAxis axis, guint sender, guint steps_ahead)
{
    guint length = axis == NOC_X ? noc->grid->width : noc->grid->height;

    return (sender + (noc->index == 0 ? steps_ahead : length - steps_ahead)) % length;
}

static bool is_tensix(const NocNiuNoc *noc, guint x, guint y)
{
    return noc->owner->kinds[x + noc->grid->width * y] == ARCH_TILE_TENSIX;
}

/* The tile is one of those that a multicast is for. */
static bool
receives(const NocNiuNoc *noc, uint32_t node, const NocNiuTransaction *transaction)
{
    const NocGrid *grid = noc->grid;
    const ArchNocCommand *command = &transaction->command;
    const uint32_t sender = transaction->source;

    return is_tensix(noc, grid->x[node], grid->y[node]) &&
           (node != sender || command->is_loopback) &&
           is_within(span_of(noc, NOC_X, grid->x[sender], grid->x[node], command->to.x,
                             command->corner.x)) &&
           is_within(span_of(noc, NOC_Y, grid->y[sender], grid->y[node], command->to.y,
                             command->corner.y));
}

/* There are tiles to reach in column `x` of the rectangle, from `span.here` on. */
static bool has_tiles_from(const NocNiuNoc *noc, guint sender_y, guint x, Span span)
{
    for (; span.here < span.length; span.here++) {
        if (is_within(span) &&
            is_tensix(noc, x, ahead(noc, NOC_Y, sender_y, span.here))) {
            return true;
        }
    }
    return false;
}

static bool has_tiles_below(const NocNiuNoc *noc, guint sender_y, guint x, Span span)
{
    span.here++;
    return has_tiles_from(noc, sender_y, x, span);
}

static bool
has_columns_ahead(const NocNiuNoc *noc, uint32_t sender, Span columns, Span rows)
{
    rows.here = 0;
    for (columns.here++; columns.here < columns.length; columns.here++) {
        if (is_within(columns) &&
            has_tiles_from(noc, noc->grid->y[sender],
                           ahead(noc, NOC_X, noc->grid->x[sender], columns.here),
                           rows)) {
            return true;
        }
    }
    return false;
}

/* The tree where links lead both ways: along the sender's row, then along columns. */
static uint32_t
two_way_outs(const NocNiuNoc *noc, uint32_t node, const NocNiuTransaction *transaction)
{
    const NocGrid *grid = noc->grid;
    const guint here[] = {grid->x[node], grid->y[node]};
    const guint sender[] = {grid->x[transaction->source], grid->y[transaction->source]};
    uint32_t outs = 0;

    for (uint32_t tile = 0; tile < grid->node_count; tile++) {
        const guint there[] = {grid->x[tile], grid->y[tile]};
        const NocAxis axis = there[NOC_X] != here[NOC_X] ? NOC_X : NOC_Y;
        const bool is_up = there[axis] > here[axis];

        if (!receives(noc, tile, transaction)) {
            continue;
        }
        if (tile == node) {
            outs |= 1U << grid->local;
        } else if ((axis == NOC_Y || here[NOC_Y] == sender[NOC_Y]) &&
                   (is_up ? here[axis] >= sender[axis] : here[axis] <= sender[axis])) {
            outs |= 1U << noc_grid_port(grid, axis, is_up);
        }
    }
    return outs;
}

uint32_t noc_multicast_tree_outs(const NocNiuNoc *noc,
                                 uint32_t node,
                                 const NocNiuTransaction *transaction)
{
    const NocGrid *grid = noc->grid;

    if (grid->topology == ARCH_NOC_MESH || grid->topology == ARCH_NOC_TORUS) {
        return two_way_outs(noc, node, transaction);
    }
    const ArchNocCommand *command = &transaction->command;
    const uint32_t sender = transaction->source;
    Span x = span_of(noc, NOC_X, grid->x[sender], grid->x[node], command->to.x,
                     command->corner.x);
    Span y = span_of(noc, NOC_Y, grid->y[sender], grid->y[node], command->to.y,
                     command->corner.y);
    uint32_t outs = 0;

    if (y.here == 0 && has_columns_ahead(noc, sender, x, y)) {
        outs |= 1U << NOC_X;
    }
    if (is_within(x) && has_tiles_below(noc, grid->y[sender], grid->x[node], y)) {
        outs |= 1U << NOC_Y;
    }
    if (is_within(x) && is_within(y) && is_tensix(noc, grid->x[node], grid->y[node]) &&
        (node != sender || command->is_loopback)) {
        outs |= 1U << grid->local;
    }
    return outs;
}

/* Tiles that receive it. */
static guint count_targets(const NocNiuNoc *noc, const NocNiuTransaction *transaction)
{
    guint count = 0;

    for (uint32_t node = 0; node < noc->grid->node_count; node++) {
        if ((noc_multicast_tree_outs(noc, node, transaction) >> noc->grid->local & 1) !=
            0) {
            count++;
        }
    }
    return count;
}

/* The dateline bit of the channel beyond output `out` of `node` for what came through
 * port `in` by a channel with `bit`. A tile takes a packet by the channel it came by.
 */
static guint
dateline_bit(const NocGrid *grid, uint32_t node, guint in, guint bit, guint out)
{
    if (noc_grid_crosses_dateline(grid, node, out)) {
        return 1;
    }
    return in == out || out == grid->local ? bit : 0;
}

static uint32_t channel_of(const NocGrid *grid, uint32_t node, guint out, guint bit)
{
    return (node * grid->port_count + out) * CHANNELS + bit;
}

/* Adds the channels by which a packet leaves `node`, which came through port `in` by a
 * channel whose dateline bit is `bit`, listed at `parent`. */
static void add_channels(const NocNiuTransaction *transaction,
                         uint32_t node,
                         guint in,
                         guint bit,
                         guint parent,
                         GArray *tree)
{
    const NocGrid *grid = transaction->noc->grid;
    const uint32_t outs = noc_multicast_tree_outs(transaction->noc, node, transaction);
    const guint hops =
        in == grid->local ? 0 : g_array_index(tree, NocTreeChannel, parent).hops;

    for (guint out = 0; out < grid->port_count; out++) {
        const NocTreeChannel channel = {
            .channel =
                channel_of(grid, node, out, dateline_bit(grid, node, in, bit, out)),
            .parent = in == grid->local ? tree->len : parent,
            .hops = hops + (out == grid->local ? 0 : 1),
        };

        if ((outs >> out & 1) != 0) {
            g_array_append_val(tree, channel);
        }
    }
}

/* All channels of the tree, each after the one that leads to it. Those into its tiles
 * are among them: a tile takes one packet of a channel at a time, and two multicasts
 * that each have a tile the other waits for would never end. The caller unrefs the
 * array of NocTreeChannel. */
static GArray *channels_of(const NocNiuTransaction *transaction)
{
    const NocGrid *grid = transaction->noc->grid;
    GArray *tree = g_array_new(FALSE, FALSE, sizeof(NocTreeChannel));

    add_channels(transaction, transaction->source, grid->local, 0, 0, tree);
    for (guint i = 0; i < tree->len; i++) {
        const uint32_t channel = g_array_index(tree, NocTreeChannel, i).channel;
        const uint32_t link = channel / CHANNELS;
        const guint port = link % grid->port_count;

        if (port != grid->local) {
            add_channels(transaction, grid->next[link], port, channel % CHANNELS, i,
                         tree);
        }
    }
    return tree;
}

/* Turning into a column costs a reservation extra. */
static SimTime turning_cycles(const NocNiuTransaction *transaction)
{
    const NocGrid *grid = transaction->noc->grid;
    const ArchNocCommand *command = &transaction->command;
    const guint x = grid->x[transaction->source];
    const guint y = grid->y[transaction->source];
    const bool has_columns = command->to.x != x || command->corner.x != x;
    const bool has_rows = command->to.y != y || command->corner.y != y;

    return has_columns && has_rows ? transaction->noc->owner->reserve_cycles : 0;
}

static void send_packet(SimRegion *region, gpointer data)
{
    NocNiuTransaction *transaction = data;
    NocPacket packet = {
        .source = transaction->source,
        .target = NOC_NODE_NONE,
        .via = NOC_NODE_NONE,
        .flits = noc_niu_flits(transaction->noc->owner, transaction->command.bytes),
        .ids = sim_u16(
            1U << (transaction->noc->request_ids + noc_hold_place(transaction->hold))),
        .queue = NOC_NIU_MULTICAST_QUEUE,
        .targets = sim_u16(transaction->acks_left),
        .data = transaction,
    };

    (void) region;
    (void) noc_network_send(transaction->noc->network, &packet);
}

static bool has_same_tiles(const ArchNocCommand *one, const ArchNocCommand *other)
{
    return arch_tile_is_same(one->to, other->to) &&
           arch_tile_is_same(one->corner, other->corner) &&
           one->is_loopback == other->is_loopback;
}

/* Takes over the tree that the node's last one left; false if there is none. One to
 * another rectangle is given back. */
static bool take_kept(NocNiuMulticasts *line, NocNiuTransaction *transaction)
{
    NocHold *kept = g_steal_pointer(&line->kept);

    if (kept == NULL) {
        return false;
    }
    if (has_same_tiles(&line->kept_by, &transaction->command)) {
        transaction->hold = kept;
        return true;
    }
    noc_reservations_drop(transaction->noc->reservations, kept,
                          sim_region_now(transaction->noc->owner->region));
    return false;
}

/* Who had a path alone, for linked ones, asks again before all others if the rest of
 * the last one already waits. */
static bool is_followed(NocNiuMulticasts *line, const NocNiuTransaction *transaction)
{
    const NocNiuTransaction *next = g_queue_peek_head(&line->waiting);

    return noc_hold_is_alone(transaction->hold) && next != NULL &&
           !next->command.is_linked &&
           has_same_tiles(&next->command, &transaction->command);
}

static void send_at(NocNiuTransaction *transaction, SimTime when)
{
    sim_region_at(transaction->noc->owner->region, when, 0, send_packet, transaction);
}

/* The tree is its own, and it knows that at `when`. */
static void reserved(gpointer data, NocHold *hold, SimTime when)
{
    NocNiuTransaction *transaction = data;

    transaction->hold = hold;
    send_at(transaction, when + turning_cycles(transaction));
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
    const SimTime now = sim_region_now(noc->owner->region);

    if (take_kept(line, transaction)) {
        send_at(transaction,
                line->kept_by.is_linked
                    ? now
                    : noc_reservations_ask_again(noc->reservations, transaction->hold,
                                                 now + noc->owner->inject_cycles) +
                          turning_cycles(transaction));
        return;
    }
    g_autoptr(GArray) tree = channels_of(transaction);

    const NocTreeRequest request = {
        .tree = tree,
        .owner = node,
        .is_alone = transaction->command.is_linked,
        .start = now + noc->owner->inject_cycles,
        .granted = reserved,
        .data = transaction,
    };

    noc_reservations_ask(noc->reservations, &request);
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
    const SimTime out = noc->owner->reserve_cycles_per_hop / 2;
    const NocReservationTimes times = {
        .out = out,
        .back = noc->owner->reserve_cycles_per_hop - out,
        .handover = noc->owner->handover_cycles,
    };

    noc->multicasts = g_new0(NocNiuMulticasts, noc->grid->node_count);
    noc->reservations = noc_reservations_new(
        noc->grid->node_count * noc->grid->port_count * CHANNELS, times);
    sim_engine_add_audit(sim_region_engine(noc->owner->region), audit, noc);
}

void noc_multicast_close(NocNiuNoc *noc)
{
    sim_engine_remove_audit(sim_region_engine(noc->owner->region), audit, noc);
    for (uint32_t node = 0; node < noc->grid->node_count; node++) {
        g_queue_clear(&noc->multicasts[node].waiting);
    }
    noc_reservations_free(noc->reservations);
    g_free(noc->multicasts);
}

void noc_multicast_queue(NocNiuTransaction *transaction)
{
    NocNiuNoc *noc = transaction->noc;

    transaction->acks_left = count_targets(noc, transaction);
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
    NocNiuMulticasts *line = &noc->multicasts[transaction->source];

    transaction->keeps_path =
        transaction->command.is_linked || is_followed(line, transaction);
    if (transaction->keeps_path) {
        line->kept = transaction->hold;
        line->kept_by = transaction->command;
    }
    line->is_busy = false;
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

void noc_multicast_passed(const NocNiuTransaction *transaction,
                          uint32_t node,
                          guint out,
                          guint bit)
{
    const NocNiuNoc *noc = transaction->noc;

    if (!transaction->keeps_path) {
        noc_reservations_pass(noc->reservations, transaction->hold,
                              channel_of(noc->grid, node, out, bit),
                              sim_region_now(noc->owner->region));
    }
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
    g_hash_table_add(self->transactions, ack);
    noc_niu_respond_at(ack, sim_region_now(self->region) + self->write_ack_cycles);
}
