/* Regions saw things in the order of time, so cycles are merged; what a cycle has is
 * sorted by lane. A thread that computes ahead sees thousands of things in a cycle. */
#include "sim/parallel/sighting.h"

#include <string.h>

#include "sim/parallel/region.h"

enum {
    FEW = 48, /* entries that are sorted by inserting */
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
};

void sighting_order_init(SightingOrder *self)
{
    self->entries = g_array_new(FALSE, FALSE, sizeof(SightingEntry));
    self->spare = g_array_new(FALSE, FALSE, sizeof(SightingEntry));
    self->nexts = g_array_new(FALSE, FALSE, sizeof(guint));
}

void sighting_order_clear(SightingOrder *self)
{
    g_array_unref(self->entries);
    g_array_unref(self->spare);
    g_array_unref(self->nexts);
}

static bool is_behind(const SightingEntry *a, const SightingEntry *b)
{
    return a->lane != b->lane ? a->lane > b->lane : a->sighting->key > b->sighting->key;
}

/* Leaves alone what is in order; stable. */
static void sort_few(SightingEntry *entries, guint count)
{
    for (guint i = 1; i < count; i++) {
        const SightingEntry entry = entries[i];
        guint hole = i;

        for (; hole > 0 && is_behind(&entries[hole - 1], &entry); hole--) {
            entries[hole] = entries[hole - 1];
        }
        entries[hole] = entry;
    }
}

/* By one digit of the lane, from `from` to `to`; stable. */
static void sort_by_digit(const SightingEntry *from,
                          SightingEntry *to,
                          guint count,
                          guint shift,
                          SimLane least)
{
    guint nexts[DIGITS + 1] = {0};

    for (guint i = 0; i < count; i++) {
        nexts[((from[i].lane - least) >> shift) % DIGITS + 1]++;
    }
    for (guint i = 0; i < DIGITS; i++) {
        nexts[i + 1] += nexts[i];
    }
    for (guint i = 0; i < count; i++) {
        to[nexts[((from[i].lane - least) >> shift) % DIGITS]++] = from[i];
    }
}

static int compare_keys(gconstpointer a, gconstpointer b, gpointer data)
{
    const SimKey first = ((const SightingEntry *) a)->sighting->key;
    const SimKey second = ((const SightingEntry *) b)->sighting->key;

    (void) data;
    return (first > second) - (first < second);
}

/* Those of each lane by key, where they are not. */
static void sort_keys(SightingEntry *entries, guint count)
{
    guint first = 0;

    while (first < count) {
        bool is_sorted = true;
        guint end = first + 1;

        for (; end < count && entries[end].lane == entries[first].lane; end++) {
            is_sorted = is_sorted &&
                        entries[end - 1].sighting->key <= entries[end].sighting->key;
        }
        if (!is_sorted) {
            g_qsort_with_data(&entries[first], (gint) (end - first),
                              sizeof(SightingEntry), compare_keys, NULL);
        }
        first = end;
    }
}

/* Returns where they are then. */
static SightingEntry *sort_many(SightingOrder *self, guint count)
{
    SightingEntry *from = (SightingEntry *) self->entries->data;
    SightingEntry *to;
    SimLane least = from[0].lane;
    SimLane most = from[0].lane;

    g_array_set_size(self->spare, count);
    to = (SightingEntry *) self->spare->data;
    for (guint i = 1; i < count; i++) {
        least = MIN(least, from[i].lane);
        most = MAX(most, from[i].lane);
    }
    for (guint shift = 0; shift < 32 && (most - least) >> shift > 0;
         shift += DIGIT_BITS) {
        SightingEntry *sorted = to;

        sort_by_digit(from, to, count, shift, least);
        to = from;
        from = sorted;
    }
    sort_keys(from, count);
    return from;
}

static void
show(const SightingEntry *entry, const SimRegion *regions, const SimWatch *watch)
{
    const Sighting *sighting = entry->sighting;
    SimProbeRecord record;

    if (sighting->detail > 0) {
        record.detail = g_array_index(regions[entry->region].details, SimProbeDetail,
                                      sighting->detail - 1);
    } else {
        record.detail = (SimProbeDetail){0};
    }
    record.kind = sighting->kind;
    record.lane = sighting->lane;
    record.name = sighting->name;
    record.now = sighting->now;
    record.begin = sighting->begin;
    record.end = sighting->end;
    record.value = sighting->value;
    watch->func(watch->data, &record);
}

static void
show_cycle(SightingOrder *self, const SimRegion *regions, const SimWatch *watch)
{
    SightingEntry *entries = (SightingEntry *) self->entries->data;
    const guint count = self->entries->len;

    if (count <= FEW) {
        sort_few(entries, count);
    } else {
        entries = sort_many(self, count);
    }
    for (guint i = 0; i < count; i++) {
        show(&entries[i], regions, watch);
    }
}

/* The next cycle that has something, or SIM_TIME_NEVER. */
static SimTime
next_cycle(const SightingOrder *self, const SimRegion *regions, guint region_count)
{
    SimTime next = SIM_TIME_NEVER;

    for (guint i = 0; i < region_count; i++) {
        const guint at = g_array_index(self->nexts, guint, i);

        if (at < regions[i].sightings->len) {
            next = MIN(next, g_array_index(regions[i].sightings, Sighting, at).now);
        }
    }
    return next;
}

static void gather(SightingOrder *self, const SimRegion *region, SimTime cycle)
{
    const guint count = region->sightings->len;
    guint *at = &g_array_index(self->nexts, guint, region->index);

    for (; *at < count; (*at)++) {
        const Sighting *sighting = &g_array_index(region->sightings, Sighting, *at);
        const SightingEntry entry = {
            .sighting = sighting, .lane = sighting->lane, .region = region->index};

        if (sighting->now != cycle) {
            break;
        }
        g_array_append_val(self->entries, entry);
    }
}

void sighting_order_show(SightingOrder *self,
                         SimRegion *regions,
                         guint region_count,
                         const SimWatch *watch)
{
    SimTime cycle;

    g_array_set_size(self->nexts, region_count);
    memset(self->nexts->data, 0, region_count * sizeof(guint));
    while ((cycle = next_cycle(self, regions, region_count)) != SIM_TIME_NEVER) {
        g_array_set_size(self->entries, 0);
        for (guint i = 0; i < region_count; i++) {
            gather(self, &regions[i], cycle);
        }
        show_cycle(self, regions, watch);
    }
    for (guint i = 0; i < region_count; i++) {
        g_array_set_size(regions[i].sightings, 0);
        g_array_set_size(regions[i].details, 0);
    }
}
