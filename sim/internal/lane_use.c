/* Use of lanes: a table of sums for each series, all with the same intervals. */
#include "sim/internal/lane_use.h"

enum {
    FIRST_WIDTH_BITS = 4,
    ENTRIES = LANE_USE_INTERVALS + 1,
};

struct LaneUse {
    SimTime from;
    guint width_bits;  /* an interval has 1 << so many cycles */
    SimTime end;       /* of the last use */
    GPtrArray *tables; /* of int64_t[ENTRIES] by series; NULL: no use */
};

LaneUse *lane_use_new(void)
{
    LaneUse *self = g_new0(LaneUse, 1);

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

bool lane_use_is_empty(const LaneUse *self)
{
    return self->tables->len == 0;
}

void lane_use_begin(LaneUse *self, SimTime from)
{
    g_return_if_fail(lane_use_is_empty(self));

    self->from = from;
    self->end = from;
}

/* A table holds how much more each interval has than the one before: a long slice then
 * changes a few of them. */
static void from_steps(int64_t *table)
{
    for (guint i = 1; i < ENTRIES; i++) {
        table[i] += table[i - 1];
    }
}

static void to_steps(int64_t *table)
{
    for (guint i = ENTRIES - 1; i > 0; i--) {
        table[i] -= table[i - 1];
    }
}

static void fold(int64_t *table)
{
    from_steps(table);
    for (guint i = 0; i < LANE_USE_INTERVALS / 2; i++) {
        table[i] = table[2 * i] + table[2 * i + 1];
    }
    for (guint i = LANE_USE_INTERVALS / 2; i < ENTRIES; i++) {
        table[i] = 0;
    }
    to_steps(table);
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

static int64_t *table_of(LaneUse *self, guint32 series)
{
    if (series >= self->tables->len) {
        g_ptr_array_set_size(self->tables, (gint) series + 1);
    }
    int64_t **table = (int64_t **) &g_ptr_array_index(self->tables, series);

    if (*table == NULL) {
        *table = g_new0(int64_t, ENTRIES);
    }
    return *table;
}

static void put(int64_t *table, SimTime interval, int64_t cycles)
{
    table[interval] += cycles;
    table[interval + 1] -= cycles;
}

void lane_use_add(LaneUse *self, guint32 series, SimTime begin, SimTime end)
{
    begin = MAX(begin, self->from);
    if (begin >= end) {
        return;
    }
    if (end > self->end) {
        reach(self, end);
    }
    int64_t *table = table_of(self, series);
    const SimTime at = begin - self->from;
    const SimTime stop = end - self->from;
    const SimTime first = at >> self->width_bits;
    const SimTime last = (stop - 1) >> self->width_bits;

    if (first == last) {
        put(table, first, (int64_t) (stop - at));
        return;
    }
    const int64_t width = (int64_t) 1 << self->width_bits;

    put(table, first, (int64_t) (((first + 1) << self->width_bits) - at));
    put(table, last, (int64_t) (stop - (last << self->width_bits)));
    table[first + 1] += width;
    table[last] -= width;
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
        const int64_t *table = g_ptr_array_index(other->tables, series);

        if (table == NULL) {
            continue;
        }
        int64_t *own = table_of(self, series);

        for (guint i = 0; i < ENTRIES; i++) {
            own[i] += table[i];
        }
    }
}

void lane_use_each(const LaneUse *self, LaneUseFunc func, gpointer data)
{
    const SimTime width = (SimTime) 1 << self->width_bits;

    for (guint series = 0; series < self->tables->len; series++) {
        const int64_t *table = g_ptr_array_index(self->tables, series);
        int64_t cycles = 0;

        for (guint i = 0; table != NULL && self->from + i * width < self->end; i++) {
            const SimTime begin = self->from + i * width;

            cycles += table[i];
            func(data, series, begin, begin + width, (uint64_t) cycles);
        }
    }
}
