/* Use of lanes: a table of sums for each series, all with the same intervals. */
#include "sim/internal/lane_use.h"

enum {
    FIRST_WIDTH_BITS = 4,
};

struct LaneUse {
    SimTime from;
    guint width_bits;  /* an interval has 1 << so many cycles */
    SimTime end;       /* of the last use */
    GPtrArray *tables; /* of uint64_t[LANE_USE_INTERVALS] by series; NULL: no use */
};

LaneUse *lane_use_new(SimTime from)
{
    LaneUse *self = g_new0(LaneUse, 1);

    self->from = from;
    self->end = from;
    self->width_bits = FIRST_WIDTH_BITS;
    self->tables = g_ptr_array_new_with_free_func(g_free);
    return self;
}

void lane_use_free(LaneUse *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->tables);
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

static void widen(LaneUse *self)
{
    for (guint i = 0; i < self->tables->len; i++) {
        if (g_ptr_array_index(self->tables, i) != NULL) {
            fold(g_ptr_array_index(self->tables, i));
        }
    }
    self->width_bits++;
}

/* The intervals are wide enough to hold what ends at `end`. */
static void reach(LaneUse *self, SimTime end)
{
    self->end = MAX(self->end, end);
    while (self->end - self->from > (SimTime) LANE_USE_INTERVALS << self->width_bits) {
        widen(self);
    }
}

static uint64_t *table_of(LaneUse *self, guint32 series)
{
    if (series >= self->tables->len) {
        g_ptr_array_set_size(self->tables, (gint) series + 1);
    }
    uint64_t **table = (uint64_t **) &g_ptr_array_index(self->tables, series);

    if (*table == NULL) {
        *table = g_new0(uint64_t, LANE_USE_INTERVALS);
    }
    return *table;
}

void lane_use_add(LaneUse *self, guint32 series, SimTime begin, SimTime end)
{
    g_return_if_fail(begin >= self->from && begin <= end);
    if (begin == end) {
        return;
    }
    if (end > self->end) {
        reach(self, end);
    }
    uint64_t *table = table_of(self, series);
    SimTime at = begin - self->from;
    const SimTime stop = end - self->from;

    while (at < stop) {
        const SimTime i = at >> self->width_bits;
        const SimTime next = MIN(stop, (i + 1) << self->width_bits);

        table[i] += next - at;
        at = next;
    }
}

void lane_use_merge(LaneUse *self, LaneUse *other)
{
    g_return_if_fail(self->from == other->from);
    reach(self, other->end);
    while (self->width_bits < other->width_bits) {
        widen(self);
    }
    while (other->width_bits < self->width_bits) {
        widen(other);
    }
    for (guint series = 0; series < other->tables->len; series++) {
        const uint64_t *table = g_ptr_array_index(other->tables, series);

        if (table == NULL) {
            continue;
        }
        uint64_t *own = table_of(self, series);

        for (guint i = 0; i < LANE_USE_INTERVALS; i++) {
            own[i] += table[i];
        }
    }
}

void lane_use_each(const LaneUse *self, LaneUseFunc func, gpointer data)
{
    const SimTime width = (SimTime) 1 << self->width_bits;

    for (guint series = 0; series < self->tables->len; series++) {
        const uint64_t *table = g_ptr_array_index(self->tables, series);

        for (guint i = 0; table != NULL && self->from + i * width < self->end; i++) {
            const SimTime begin = self->from + i * width;

            func(data, series, begin, begin + width, table[i]);
        }
    }
}
