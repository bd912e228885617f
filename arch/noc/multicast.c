/* Multicast trees, their reservation and their acknowledgements. */
#include "arch/noc/multicast.h"

/* Steps from `from` to `to` along an axis, in the network's direction. */
static guint steps(const NiuNoc *noc, NocAxis axis, guint from, guint to)
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

static Span span_of(const NiuNoc *noc,
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

/* The way from the sender to the farthest tile. */
static guint farthest(Span span)
{
    return MIN(span.last, span.length - 1);
}

/* The coordinate `steps` ahead of `sender`. */
static guint ahead(const NiuNoc *noc, NocAxis axis, guint sender, guint steps_ahead)
{
    guint length = axis == NOC_X ? noc->grid->width : noc->grid->height;

    return (sender + (noc->index == 0 ? steps_ahead : length - steps_ahead)) % length;
}

static bool is_tensix(const NiuNoc *noc, guint x, guint y)
{
    return noc->owner->kinds[x + noc->grid->width * y] == ARCH_TILE_TENSIX;
}

/* There are tiles to reach in column `x` of the rectangle, from `span.here` on. */
static bool has_tiles_from(const NiuNoc *noc, guint sender_y, guint x, Span span)
{
    for (; span.here < span.length; span.here++) {
        if (is_within(span) &&
            is_tensix(noc, x, ahead(noc, NOC_Y, sender_y, span.here))) {
            return true;
        }
    }
    return false;
}

static bool has_tiles_below(const NiuNoc *noc, guint sender_y, guint x, Span span)
{
    span.here++;
    return has_tiles_from(noc, sender_y, x, span);
}

static bool
has_columns_ahead(const NiuNoc *noc, uint32_t sender, Span columns, Span rows)
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

uint32_t
multicast_route(const NiuNoc *noc, uint32_t node, const NiuTransaction *transaction)
{
    const NocGrid *grid = noc->grid;
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

static guint count_targets(const NiuNoc *noc, const NiuTransaction *transaction)
{
    guint count = 0;

    for (uint32_t node = 0; node < noc->grid->node_count; node++) {
        if ((multicast_route(noc, node, transaction) >> noc->grid->local & 1) != 0) {
            count++;
        }
    }
    return count;
}

/* A reservation goes to the farthest tile and back; turning into a column costs extra.
 */
static SimTime reservation_cycles(const NiuTransaction *transaction)
{
    const NiuNoc *noc = transaction->noc;
    const NocGrid *grid = noc->grid;
    const ArchNocCommand *command = &transaction->command;
    const uint32_t sender = transaction->source;

    const ArchWormholeNoc *self = noc->owner;
    guint x = farthest(span_of(noc, NOC_X, grid->x[sender], grid->x[sender],
                               command->to.x, command->corner.x));
    guint y = farthest(span_of(noc, NOC_Y, grid->y[sender], grid->y[sender],
                               command->to.y, command->corner.y));

    return self->reserve_cycles_per_hop * (x + y) +
           (x > 0 && y > 0 ? self->reserve_cycles : 0);
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

static void start_next(NiuNoc *noc, uint32_t node)
{
    NiuMulticasts *line = &noc->multicasts[node];
    NiuTransaction *transaction = g_queue_peek_head(&line->waiting);
    const ArchWormholeNoc *self = noc->owner;
    SimTime reservation = 0;

    if (transaction == NULL || line->is_busy) {
        return;
    }
    (void) g_queue_pop_head(&line->waiting);
    line->is_busy = true;
    if (!transaction->command.is_linked) {
        reservation = reservation_cycles(transaction);
    }
    sim_region_at(self->region, sim_region_now(self->region) + reservation, 0,
                  send_packet, transaction);
}

void multicast_queue(NiuTransaction *transaction)
{
    NiuNoc *noc = transaction->noc;

    transaction->acks_left = count_targets(noc, transaction);
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
    g_hash_table_add(self->transactions, ack);
    niu_respond_at(ack, sim_region_now(self->region) + self->write_ack_cycles);
}
