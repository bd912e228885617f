/* Regions saw things in the order of time, so cycles are merged; what a cycle has is
 * sorted by lane. A thread that computes ahead sees thousands of things in a cycle. */
#include "sim/parallel/sighting.h"

#include <string.h>

#include "sim/narrow.h"
#include "sim/parallel/region.h"

enum {
    ROOM = 64, /* for as many at first */
    SIGHTING_WORDS = sizeof(Sighting) / sizeof(uint64_t),
    HEAD_WORDS = offsetof(SimProbeDetail, arguments) / sizeof(uint64_t),
    ARGUMENT_WORDS = sizeof(SimProbeArgument) / sizeof(uint64_t),
    DETAIL_WORDS = sizeof(SimProbeDetail) / sizeof(uint64_t), /* at most */
    AHEAD = 8, /* sightings that are loaded before it is their turn */
    FEW = 48,  /* entries that are sorted by inserting */
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
};

void sightings_clear(Sightings *self)
{
    g_free(self->words);
    *self = (Sightings){0};
}

static guint words_of(const Sighting *sighting)
{
    return SIGHTING_WORDS +
           (sighting->has_detail
                ? HEAD_WORDS + (guint) ARGUMENT_WORDS * sighting->argument_count
                : 0);
}

/* NULL: none. */
static const SimProbeDetail *detail_of(const Sighting *sighting)
{
    return sighting->has_detail ? (gconstpointer) (sighting + 1) : NULL;
}

void sightings_add(Sightings *self,
                   const Sighting *sighting,
                   const SimProbeDetail *detail)
{
    Sighting *added;

    if (G_UNLIKELY(self->used + SIGHTING_WORDS + DETAIL_WORDS > self->room)) {
        self->room = MAX(ROOM * (SIGHTING_WORDS + DETAIL_WORDS), 2 * self->room);
        self->words = g_renew(uint64_t, self->words, self->room);
    }
    added = (gpointer) &self->words[self->used];
    *added = *sighting;
    if (detail != NULL) {
        added->has_detail = true;
        added->argument_count = detail->argument_count;
        sim_probe_detail_copy((gpointer) (added + 1), detail);
    }
    self->used += words_of(added);
    self->count++;
}

void sighting_order_clear(SightingOrder *self)
{
    g_free(self->entries);
    g_free(self->spare);
    g_free(self->nexts);
    *self = (SightingOrder){0};
}

static bool is_behind(const SightingEntry *a, const SightingEntry *b)
{
    return a->lane != b->lane ? a->lane > b->lane : a->sighting->key > b->sighting->key;
}

/* A stable sort that leaves sorted input alone. */
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
            g_qsort_with_data(&entries[first], sim_i32(end - first),
                              sizeof(SightingEntry), compare_keys, NULL);
        }
        first = end;
    }
}

/* Returns where they are then. */
static SightingEntry *sort_many(SightingOrder *self)
{
    const guint count = self->count;
    SightingEntry *from = self->entries;
    SightingEntry *to = self->spare;
    SimLane least = from[0].lane;
    SimLane most = least;

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

static void show(const Sighting *sighting, const SimWatch *watch)
{
    const SimProbeDetail *detail = detail_of(sighting);
    SimProbeRecord record;

    if (detail != NULL) {
        sim_probe_detail_copy(&record.detail, detail);
    } else {
        memset(&record.detail, 0, offsetof(SimProbeDetail, arguments));
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

static void show_cycle(SightingOrder *self, const SimWatch *watch)
{
    const SightingEntry *entries = self->entries;

    if (self->count <= FEW) {
        sort_few(self->entries, self->count);
    } else {
        entries = sort_many(self);
    }
    for (guint i = 0; i < self->count; i++) {
        /* By the order of lanes, they are far apart in the host's memory. */
        if (i + AHEAD < self->count) {
            __builtin_prefetch(entries[i + AHEAD].sighting);
            __builtin_prefetch(entries[i + AHEAD].sighting + 1);
        }
        show(entries[i].sighting, watch);
    }
}

/* The sighting that begins at a word; NULL: they end there. */
static const Sighting *sighting_at(const Sightings *self, guint word)
{
    return word < self->used ? (gconstpointer) &self->words[word] : NULL;
}

/* The next cycle that has something, or SIM_TIME_NEVER. */
static SimTime
next_cycle(const SightingOrder *self, const SimRegion *regions, guint region_count)
{
    SimTime next = SIM_TIME_NEVER;

    for (guint i = 0; i < region_count; i++) {
        const Sighting *first = sighting_at(&regions[i].sightings, self->nexts[i]);

        if (first != NULL) {
            next = MIN(next, first->now);
        }
    }
    return next;
}

static void gather(SightingOrder *self, const SimRegion *region, SimTime cycle)
{
    guint *word = &self->nexts[region->index];
    const Sighting *next;

    while ((next = sighting_at(&region->sightings, *word)) != NULL &&
           next->now == cycle) {
        self->entries[self->count++] =
            (SightingEntry){.sighting = next, .lane = next->lane};
        *word += words_of(next);
    }
}

/* Room for all of them in one cycle. */
static void make_room(SightingOrder *self, const SimRegion *regions, guint region_count)
{
    guint count = 0;

    for (guint i = 0; i < region_count; i++) {
        count += regions[i].sightings.count;
    }
    if (count > self->room) {
        self->room = MAX(ROOM, 2 * count);
        self->entries = g_renew(SightingEntry, self->entries, self->room);
        self->spare = g_renew(SightingEntry, self->spare, self->room);
    }
    if (self->nexts == NULL) {
        self->nexts = g_new(guint, region_count);
    }
    memset(self->nexts, 0, region_count * sizeof(guint));
}

void sighting_order_show(SightingOrder *self,
                         SimRegion *regions,
                         guint region_count,
                         const SimWatch *watch)
{
    SimTime cycle;

    make_room(self, regions, region_count);
    while ((cycle = next_cycle(self, regions, region_count)) != SIM_TIME_NEVER) {
        self->count = 0;
        for (guint i = 0; i < region_count; i++) {
            gather(self, &regions[i], cycle);
        }
        show_cycle(self, watch);
    }
    for (guint i = 0; i < region_count; i++) {
        regions[i].sightings.count = 0;
        regions[i].sightings.used = 0;
    }
}
