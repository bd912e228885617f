/* Use of lanes: a table of sums for each series, all with the same intervals. */
#include "sim/internal/lane_use.h"

#include <string.h>

#include "sim/narrow.h"

enum {
    FIRST_WIDTH_BITS = 4,
    ENTRIES = LANE_USE_INTERVALS + 1,
    PAGE = 512, /* series whose sums lie side by side */
    NO_PLACE = 0,
};

/* Series are put side by side as they come, interval after interval: what happens at
 * one time, all over a wafer, is near each other in the host's memory. */
typedef struct {
    int64_t sums[ENTRIES][PAGE];
} Page;

struct LaneUse {
    SimTime from;
    guint width_bits; /* an interval has 1 << width_bits cycles */
    SimTime end;      /* of the last use */
    GArray *places;   /* of guint32, by series: where its sums are, + 1 */
    GPtrArray *pages; /* of Page */
    guint place_count;
};

/* Sums are kept as how much more each interval has than the one before: a long slice
 * then changes a few of them. */
typedef struct {
    int64_t values[ENTRIES];
} Series;

LaneUse *lane_use_new(void)
{
    LaneUse *self = g_new0(LaneUse, 1);

    self->width_bits = FIRST_WIDTH_BITS;
    self->places = g_array_new(FALSE, TRUE, sizeof(guint32));
    self->pages = g_ptr_array_new_with_free_func(g_free);
    return self;
}

void lane_use_free(LaneUse *self)
{
    if (self != NULL) {
        g_array_unref(self->places);
        g_ptr_array_unref(self->pages);
        g_free(self);
    }
}

bool lane_use_is_empty(const LaneUse *self)
{
    return self->place_count == 0;
}

void lane_use_begin(LaneUse *self, SimTime from)
{
    g_return_if_fail(lane_use_is_empty(self));

    self->from = from;
    self->end = from;
}

static int64_t *place_at(const LaneUse *self, guint place)
{
    Page *page = g_ptr_array_index(self->pages, place / PAGE);

    return &page->sums[0][place % PAGE];
}

/* Gives a series its place. */
static G_GNUC_NO_INLINE void add_place(LaneUse *self, guint32 series)
{
    if (series >= self->places->len) {
        g_array_set_size(self->places, series + 1);
    }
    if (self->place_count % PAGE == 0) {
        g_ptr_array_add(self->pages, g_new0(Page, 1));
    }
    g_array_index(self->places, guint32, series) = ++self->place_count;
}

/* The first sum of a series; the others are PAGE apart. */
static inline int64_t *sums_of(LaneUse *self, guint32 series)
{
    if (G_UNLIKELY(series >= self->places->len ||
                   g_array_index(self->places, guint32, series) == NO_PLACE)) {
        add_place(self, series);
    }
    return place_at(self, g_array_index(self->places, guint32, series) - 1);
}

/* Cycles of each interval. */
static Series read_sums(const int64_t *sums)
{
    Series series;
    int64_t cycles = 0;

    for (guint i = 0; i < ENTRIES; i++) {
        cycles += sums[(gsize) i * PAGE];
        series.values[i] = cycles;
    }
    return series;
}

/* Two intervals become one. Row by row, as the sums lie in the host's memory. */
static void fold(Page *page)
{
    int64_t cycles[PAGE] = {0}; /* of the last interval, narrow and wide */
    int64_t before[PAGE] = {0};

    for (gsize i = 0; i < LANE_USE_INTERVALS / 2; i++) {
        for (gsize k = 0; k < PAGE; k++) {
            const int64_t first = cycles[k] + page->sums[2 * i][k];
            const int64_t second = first + page->sums[2 * i + 1][k];

            page->sums[i][k] = first + second - before[k];
            before[k] = first + second;
            cycles[k] = second;
        }
    }
    for (gsize k = 0; k < PAGE; k++) {
        page->sums[LANE_USE_INTERVALS / 2][k] = -before[k];
    }
    memset(page->sums[LANE_USE_INTERVALS / 2 + 1], 0,
           (ENTRIES - LANE_USE_INTERVALS / 2 - 1) * sizeof(page->sums[0]));
}

static void widen(LaneUse *self)
{
    for (guint i = 0; i < self->pages->len; i++) {
        fold(self->pages->pdata[i]);
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

bool lane_use_cut(LaneUse *self, SimTime begin, SimTime end, LaneUseCut *cut)
{
    const SimTime from = MAX(begin, self->from);

    if (from >= end) {
        return false;
    }
    if (end > self->end) {
        reach(self, end);
    }
    const SimTime at = from - self->from;
    const SimTime stop = end - self->from;
    const SimTime first = at >> self->width_bits;
    const SimTime last = (stop - 1) >> self->width_bits;

    *cut = (LaneUseCut){
        .first = sim_u32(first),
        .last = sim_u32(last),
        .begun = (int64_t) (MIN((first + 1) << self->width_bits, stop) - at),
        .width = INT64_C(1) << self->width_bits,
        .ended = (int64_t) (stop - (last << self->width_bits)),
    };
    return true;
}

void lane_use_add(LaneUse *self, guint32 series, const LaneUseCut *cut, guint lanes)
{
    int64_t *sums = sums_of(self, series);
    int64_t *first = sums + (gsize) cut->first * PAGE;
    const int64_t count = lanes;

    first[0] += count * cut->begun;
    if (cut->first == cut->last) {
        first[PAGE] -= count * cut->begun;
        return;
    }
    int64_t *last = sums + (gsize) cut->last * PAGE;

    first[PAGE] += count * (cut->width - cut->begun);
    last[0] += count * (cut->ended - cut->width);
    last[PAGE] -= count * cut->ended;
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
    for (guint series = 0; series < other->places->len; series++) {
        if (g_array_index(other->places, guint32, series) == NO_PLACE) {
            continue;
        }
        const int64_t *added = sums_of(other, series);
        int64_t *own = sums_of(self, series);

        for (guint i = 0; i < ENTRIES; i++) {
            own[(gsize) i * PAGE] += added[(gsize) i * PAGE];
        }
    }
}

void lane_use_each(const LaneUse *self, LaneUseFunc func, gpointer data)
{
    const SimTime width = (SimTime) 1 << self->width_bits;

    for (guint series = 0; series < self->places->len; series++) {
        const guint32 place = g_array_index(self->places, guint32, series);

        if (place == NO_PLACE) {
            continue;
        }
        const Series sums = read_sums(place_at(self, place - 1));

        for (guint i = 0; self->from + i * width < self->end; i++) {
            const SimTime begin = self->from + i * width;

            func(data, series, begin, begin + width, (uint64_t) sums.values[i]);
        }
    }
}
