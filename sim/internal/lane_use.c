/* Use of lanes: a table of sums for each series, all with the same intervals. */
#include "sim/internal/lane_use.h"

enum {
    FIRST_WIDTH = 16,
};

struct LaneUse {
    SimTime from;
    SimTime width;      /* of an interval */
    SimTime end;        /* of the last use */
    GHashTable *tables; /* of uint64_t[LANE_USE_INTERVALS] by series */
    guint32 last;       /* series of `last_table` */
    uint64_t *last_table;
};

LaneUse *lane_use_new(SimTime from)
{
    LaneUse *self = g_new0(LaneUse, 1);

    self->from = from;
    self->end = from;
    self->width = FIRST_WIDTH;
    self->tables = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return self;
}

void lane_use_free(LaneUse *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->tables);
        g_free(self);
    }
}

static void fold(uint64_t *table)
{
    for (guint i = 0; i < LANE_USE_INTERVALS / 2; i++) {
        table[i] = table[2 * i] + table[2 * i + 1];
    }
    for (guint i = LANE_USE_INTERVALS / 2; i < LANE_USE_INTERVALS; i++) {
        table[i] = 0;
    }
}

static void widen_to(LaneUse *self, SimTime width)
{
    while (self->width < width) {
        GHashTableIter iter;
        gpointer table;

        g_hash_table_iter_init(&iter, self->tables);
        while (g_hash_table_iter_next(&iter, NULL, &table)) {
            fold(table);
        }
        self->width *= 2;
    }
}

/* The intervals are wide enough to hold what ends at `end`. */
static void reach(LaneUse *self, SimTime end)
{
    self->end = MAX(self->end, end);
    while (self->end - self->from > self->width * LANE_USE_INTERVALS) {
        widen_to(self, 2 * self->width);
    }
}

static uint64_t *table_of(LaneUse *self, guint32 series)
{
    if (self->last_table != NULL && self->last == series) {
        return self->last_table;
    }
    uint64_t *table = g_hash_table_lookup(self->tables, GUINT_TO_POINTER(series));

    if (table == NULL) {
        table = g_new0(uint64_t, LANE_USE_INTERVALS);
        g_hash_table_insert(self->tables, GUINT_TO_POINTER(series), table);
    }
    self->last = series;
    self->last_table = table;
    return table;
}

void lane_use_add(LaneUse *self, guint32 series, SimTime begin, SimTime end)
{
    g_return_if_fail(begin >= self->from && begin <= end);
    if (begin == end) {
        return;
    }
    reach(self, end);
    uint64_t *table = table_of(self, series);
    SimTime at = begin - self->from;
    const SimTime stop = end - self->from;

    while (at < stop) {
        const SimTime i = at / self->width;
        const SimTime next = MIN(stop, (i + 1) * self->width);

        table[i] += next - at;
        at = next;
    }
}

void lane_use_merge(LaneUse *self, LaneUse *other)
{
    GHashTableIter iter;
    gpointer series;
    gpointer table;

    g_return_if_fail(self->from == other->from);
    reach(self, other->end);
    widen_to(other, self->width);
    g_hash_table_iter_init(&iter, other->tables);
    while (g_hash_table_iter_next(&iter, &series, &table)) {
        uint64_t *own = table_of(self, GPOINTER_TO_UINT(series));

        for (guint i = 0; i < LANE_USE_INTERVALS; i++) {
            own[i] += ((const uint64_t *) table)[i];
        }
    }
}

static gint by_number(gconstpointer a, gconstpointer b)
{
    const guint first = GPOINTER_TO_UINT(a);
    const guint second = GPOINTER_TO_UINT(b);

    return (first > second) - (first < second);
}

void lane_use_each(const LaneUse *self, LaneUseFunc func, gpointer data)
{
    g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(self->tables), by_number);

    for (GList *key = keys; key != NULL; key = key->next) {
        const uint64_t *table = g_hash_table_lookup(self->tables, key->data);

        for (guint i = 0; self->from + i * self->width < self->end; i++) {
            const SimTime begin = self->from + i * self->width;

            func(data, GPOINTER_TO_UINT(key->data), begin, begin + self->width,
                 table[i]);
        }
    }
}
