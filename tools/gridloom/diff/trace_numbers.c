/* Adds up what the lanes of a trace did. */
#include "tools/gridloom/diff/numbers.h"
#include "traces/reading/lane_use.h"
#include "traces/reading/timeline_items.h"

/* What is added up of a unit; texts of a timeline are the same if their addresses are.
 */
typedef struct {
    const char *unit;
    const char *before; /* of the name: "", "stalled." */
    const char *name;
    const char *after; /* ".cycles", ".count", ".marks", "" */
} Key;

typedef struct {
    const TraceTimeline *timeline;
    GPtrArray *units; /* the name of each lane's unit, of `texts` */
    GHashTable *sums; /* of doubles, by Key */
    GPtrArray *order; /* of Key: as they came */
    GStringChunk *texts;
    TraceUse use;
} Count;

static guint key_hash(gconstpointer data)
{
    enum {
        PRIME = 31
    };
    const Key *key = data;

    return ((g_direct_hash(key->unit) * PRIME + g_direct_hash(key->name)) * PRIME +
            g_direct_hash(key->before)) *
               PRIME +
           g_direct_hash(key->after);
}

static gboolean key_equal(gconstpointer first, gconstpointer second)
{
    const Key *a = first;
    const Key *b = second;

    return a->unit == b->unit && a->name == b->name && a->before == b->before &&
           a->after == b->after;
}

static void add(Count *self, Key key, double by)
{
    double *sum = g_hash_table_lookup(self->sums, &key);

    if (sum == NULL) {
        Key *own = g_new(Key, 1);

        *own = key;
        sum = g_new0(double, 1);
        g_hash_table_insert(self->sums, own, sum);
        g_ptr_array_add(self->order, own);
    }
    *sum += by;
}

/* The names are constants of this file: their addresses tell them apart. */
static const char nothing[] = "";
static const char stalled[] = "stalled.";
static const char cycles[] = ".cycles";
static const char count[] = ".count";
static const char marks[] = ".marks";
static const char *const uses[] = {
    [TRACE_USE_BUSY] = "busy", [TRACE_USE_STALLED] = "stalled"};

static Key key_of(const Count *self, guint32 lane, const char *name, const char *after)
{
    return (Key){.unit = g_ptr_array_index(self->units, lane),
                 .before = nothing,
                 .name = name,
                 .after = after};
}

static void count_use(gpointer data,
                      guint32 lane,
                      SimTime begin G_GNUC_UNUSED,
                      SimTime end G_GNUC_UNUSED,
                      double used)
{
    Count *self = data;

    add(self, key_of(self, lane, uses[self->use], nothing), used);
}

static void count_slices(Count *self)
{
    for (guint32 i = 0; i < self->timeline->slices->len; i++) {
        const TraceSlice *slice = trace_slice_at(self->timeline, i);

        add(self, key_of(self, slice->lane, slice->name, cycles),
            (double) trace_slice_cycles(slice));
        add(self, key_of(self, slice->lane, slice->name, count), 1);
    }
}

static void count_marks(Count *self)
{
    for (guint32 i = 0; i < self->timeline->marks->len; i++) {
        const TraceMark *mark = trace_mark_at(self->timeline, i);
        Key key = key_of(self, mark->lane, mark->name, marks);

        if (mark->is_stall) {
            key.before = stalled;
            key.after = cycles;
            add(self, key, (double) mark->cycles);
            key.after = count;
        }
        add(self, key, 1);
    }
}

/* Equal names have one address. */
static const char *unit_name(const Count *self, guint32 lane, bool is_by_place)
{
    const TraceLane *own = trace_lane_at(self->timeline, lane);
    const char *kind = trace_place_at(self->timeline, own->place)->kind;
    g_autofree char *name =
        is_by_place ? g_strconcat("trace.", own->name, ".", NULL)
                    : g_strconcat("trace.", kind, *own->unit != '\0' ? "." : "",
                                  own->unit, ".", NULL);

    return g_string_chunk_insert_const(self->texts, name);
}

void diff_numbers_add_trace(DiffNumbers *self,
                            const TraceTimeline *timeline,
                            bool is_by_place)
{
    g_autoptr(GPtrArray) units = g_ptr_array_new();
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    g_autoptr(GHashTable) sums =
        g_hash_table_new_full(key_hash, key_equal, g_free, g_free);
    g_autoptr(GStringChunk) texts = g_string_chunk_new(4096);
    Count all = {timeline, units, sums, order, texts, TRACE_USE_BUSY};

    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        g_ptr_array_add(units, (gpointer) unit_name(&all, i, is_by_place));
    }
    for (; all.use <= TRACE_USE_STALLED; all.use++) {
        trace_lane_use_each(timeline, all.use, count_use, &all);
    }
    count_slices(&all);
    count_marks(&all);
    diff_numbers_count_up(self, "trace.cycles",
                          (double) (timeline->end - timeline->begin));
    diff_numbers_count_up(self, "trace.flows", timeline->flows->len);
    for (guint i = 0; i < order->len; i++) {
        const Key *key = g_ptr_array_index(order, i);
        g_autofree char *name =
            g_strconcat(key->unit, key->before, key->name, key->after, NULL);

        diff_numbers_count_up(self, name, *(double *) g_hash_table_lookup(sums, key));
    }
}
