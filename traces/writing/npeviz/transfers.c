/* Finds the sender, receivers and bytes of each transfer. */
#include "traces/writing/npeviz/transfers.h"

#include <string.h>

#include "traces/reading/timeline_items.h"

#define ARRIVAL "arrive"

/* Marks of arrivals that end no flow, by sender and network: those of a multicast but
 * for its last. */
typedef struct {
    const TraceTimeline *timeline;
    const NpeTiles *tiles;
    GHashTable *arrivals; /* of key_of() -> GArray of numbers of marks, by time */
} Finder;

static gpointer key_of(int64_t x, int64_t y, guint noc)
{
    return GSIZE_TO_POINTER(((gsize) x & 0xffff) << 24 | ((gsize) y & 0xffff) << 4 |
                            (noc + 1));
}

static bool noc_of(const char *unit, guint *noc)
{
    *noc = g_str_equal(unit, "noc1") ? 1 : 0;
    return *noc == 1 || g_str_equal(unit, "noc0");
}

static TraceFlowEnd end_of_mark(const TraceMark *mark)
{
    return (TraceFlowEnd){.first_argument = mark->first_argument,
                          .argument_count = mark->argument_count};
}

static void note_arrival(Finder *self, guint32 index)
{
    const TraceMark *mark = trace_mark_at(self->timeline, index);
    const TraceFlowEnd end = end_of_mark(mark);
    int64_t x;
    int64_t y;
    guint noc;

    if (!g_str_equal(mark->name, ARRIVAL) ||
        !noc_of(trace_lane_at(self->timeline, mark->lane)->unit, &noc) ||
        !trace_flow_argument(self->timeline, &end, "x", &x) ||
        !trace_flow_argument(self->timeline, &end, "y", &y)) {
        return;
    }
    GArray *marks = g_hash_table_lookup(self->arrivals, key_of(x, y, noc));

    if (marks == NULL) {
        marks = g_array_new(FALSE, FALSE, sizeof(guint32));
        g_hash_table_insert(self->arrivals, key_of(x, y, noc), marks);
    }
    g_array_append_val(marks, index);
}

static gint compare_marks(gconstpointer a, gconstpointer b, gpointer data)
{
    const TraceTimeline *timeline = data;
    guint32 first = *(const guint32 *) a;
    guint32 second = *(const guint32 *) b;
    SimTime at = trace_mark_at(timeline, first)->at;
    SimTime other = trace_mark_at(timeline, second)->at;

    return at != other ? (at > other) - (at < other)
                       : (first > second) - (first < second);
}

static void find_arrivals(Finder *self)
{
    g_autofree bool *is_end = g_new0(bool, self->timeline->marks->len);
    GHashTableIter each;
    gpointer marks;

    for (guint32 i = 0; i < self->timeline->flows->len; i++) {
        const TraceFlow *flow = trace_flow_at(self->timeline, i);

        if (flow->is_to_mark && flow->to != TRACE_NONE) {
            is_end[flow->to] = true;
        }
    }
    for (guint32 i = 0; i < self->timeline->marks->len; i++) {
        if (!is_end[i]) {
            note_arrival(self, i);
        }
    }
    g_hash_table_iter_init(&each, self->arrivals);
    while (g_hash_table_iter_next(&each, NULL, &marks)) {
        g_array_sort_with_data(marks, compare_marks, (gpointer) self->timeline);
    }
}

/* The tile of a core, or of a bank of DRAM. */
static bool tile_of(const Finder *self, guint32 lane, NpeTile *tile)
{
    const TracePlace *place =
        trace_place_at(self->timeline, trace_lane_at(self->timeline, lane)->place);

    if (!place->has_place) {
        return false;
    }
    if (g_str_equal(place->kind, "dram")) {
        return npe_tiles_bank(self->tiles, place->x, tile);
    }
    return g_str_equal(place->kind, "core") &&
           npe_tiles_core(self->tiles, place->x, place->y, tile);
}

/* The source of a read's data, according to its call. */
static bool remote_of(const Finder *self, const TraceFlowEnd *call, NpeTile *tile)
{
    int64_t x;
    int64_t y;

    if (trace_flow_argument(self->timeline, call, "bank", &x)) {
        return npe_tiles_bank(self->tiles, x, tile);
    }
    return trace_flow_argument(self->timeline, call, "x", &x) &&
           trace_flow_argument(self->timeline, call, "y", &y) &&
           npe_tiles_core(self->tiles, x, y, tile);
}

static guint first_from(const Finder *self, const GArray *marks, SimTime time)
{
    guint low = 0;
    guint high = marks->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (trace_mark_at(self->timeline, g_array_index(marks, guint32, middle))->at <
            time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The receivers of a multicast before its last one. */
static void add_receivers(const Finder *self,
                          const NpeTransfer *transfer,
                          const TracePlace *sender,
                          GArray *receivers)
{
    const GArray *marks = g_hash_table_lookup(
        self->arrivals, key_of(sender->x, sender->y, transfer->noc));

    if (marks == NULL) {
        return;
    }
    for (guint i = first_from(self, marks, transfer->begin); i < marks->len; i++) {
        const TraceMark *mark =
            trace_mark_at(self->timeline, g_array_index(marks, guint32, i));
        NpeTile tile;

        if (mark->at > transfer->end) {
            break;
        }
        if (tile_of(self, mark->lane, &tile)) {
            g_array_append_val(receivers, tile);
        }
    }
}

static void add_flow(const Finder *self, guint32 flow, NpeTransfers *found)
{
    TraceFlowEnd from;
    TraceFlowEnd to;
    NpeTransfer transfer = {.first_to = found->receivers->len};
    NpeTile last;

    if (!trace_flow_ends(self->timeline, flow, &from, &to) ||
        !noc_of(trace_lane_at(self->timeline, to.lane)->unit, &transfer.noc) ||
        !tile_of(self, to.lane, &last)) {
        return;
    }
    guint32 caller = trace_lane_at(self->timeline, from.lane)->place;
    bool is_read = caller == trace_lane_at(self->timeline, to.lane)->place;

    if (!(is_read ? remote_of(self, &from, &transfer.from)
                  : tile_of(self, from.lane, &transfer.from))) {
        return;
    }
    transfer.name = from.name;
    transfer.begin = from.begin;
    transfer.end = MAX(trace_flow_arrival(&from, &to), from.begin);
    (void) trace_flow_argument(self->timeline, &from, "bytes", &transfer.bytes);
    if (strstr(from.name, "multicast") != NULL) {
        add_receivers(self, &transfer, trace_place_at(self->timeline, caller),
                      found->receivers);
    }
    g_array_append_val(found->receivers, last);
    transfer.to_count = found->receivers->len - transfer.first_to;
    g_array_append_val(found->transfers, transfer);
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const NpeTransfer *first = a;
    const NpeTransfer *second = b;

    return first->begin != second->begin
               ? (first->begin > second->begin) - (first->begin < second->begin)
               : (first->first_to > second->first_to) -
                     (first->first_to < second->first_to);
}

void npe_transfers_init(NpeTransfers *self,
                        const TraceTimeline *timeline,
                        const NpeTiles *tiles)
{
    g_autoptr(GHashTable) arrivals = g_hash_table_new_full(
        g_direct_hash, g_direct_equal, NULL, (GDestroyNotify) g_array_unref);
    Finder finder = {.timeline = timeline, .tiles = tiles, .arrivals = arrivals};

    self->transfers = g_array_new(FALSE, FALSE, sizeof(NpeTransfer));
    self->receivers = g_array_new(FALSE, FALSE, sizeof(NpeTile));
    find_arrivals(&finder);
    for (guint32 i = 0; i < timeline->flows->len; i++) {
        add_flow(&finder, i, self);
    }
    g_array_sort(self->transfers, compare);
}

void npe_transfers_clear(NpeTransfers *self)
{
    g_clear_pointer(&self->transfers, g_array_unref);
    g_clear_pointer(&self->receivers, g_array_unref);
}
