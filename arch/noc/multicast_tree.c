/* Builds multicast trees: along the sender's row, then down the columns. */
#include "arch/noc/multicast_tree.h"

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

/* The way from the sender to the farthest tile. */
static guint farthest(Span span)
{
    return MIN(span.last, span.length - 1);
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

uint32_t noc_multicast_tree_outs(const NocNiuNoc *noc,
                                 uint32_t node,
                                 const NocNiuTransaction *transaction)
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

guint noc_multicast_tree_targets(const NocNiuNoc *noc,
                                 const NocNiuTransaction *transaction)
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

NocMulticastReach noc_multicast_tree_reach(const NocNiuNoc *noc,
                                           const NocNiuTransaction *transaction)
{
    const NocGrid *grid = noc->grid;
    const ArchNocCommand *command = &transaction->command;
    const guint sender_x = grid->x[transaction->source];
    const guint sender_y = grid->y[transaction->source];

    return (NocMulticastReach){
        .x = farthest(
            span_of(noc, NOC_X, sender_x, sender_x, command->to.x, command->corner.x)),
        .y = farthest(
            span_of(noc, NOC_Y, sender_y, sender_y, command->to.y, command->corner.y)),
    };
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

/* Adds the channels by which a packet leaves `node`, which came through port `in` by a
 * channel whose dateline bit is `bit`. */
static void add_channels(const NocNiuTransaction *transaction,
                         uint32_t node,
                         guint in,
                         guint bit,
                         GArray *path)
{
    const NocGrid *grid = transaction->noc->grid;
    const uint32_t outs = noc_multicast_tree_outs(transaction->noc, node, transaction);

    for (guint out = 0; out < grid->port_count; out++) {
        const uint32_t channel =
            (node * grid->port_count + out) * NOC_MULTICAST_CHANNELS +
            dateline_bit(grid, node, in, bit, out);

        if ((outs >> out & 1) != 0) {
            g_array_append_val(path, channel);
        }
    }
}

GArray *noc_multicast_tree_channels(const NocNiuTransaction *transaction)
{
    const NocGrid *grid = transaction->noc->grid;
    GArray *path = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    add_channels(transaction, transaction->source, grid->local, 0, path);
    for (guint i = 0; i < path->len; i++) {
        const uint32_t channel = g_array_index(path, uint32_t, i);
        const uint32_t link = channel / NOC_MULTICAST_CHANNELS;
        const guint port = link % grid->port_count;

        if (port != grid->local) {
            add_channels(transaction, grid->next[link], port,
                         channel % NOC_MULTICAST_CHANNELS, path);
        }
    }
    return path;
}
