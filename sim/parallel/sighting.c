/* Regions see things in the order of time, and most of them many in a row on a lane:
 * runs are merged by cycle, and those of a cycle sorted by lane. */
#include "sim/parallel/sighting.h"

#include <string.h>

#include "sim/narrow.h"
#include "sim/parallel/region.h"

enum {
    ROOM = 64, /* for as many at first */
    PAGE_LANES = 256,
    HEAD_WORDS =
        (offsetof(Sighting, record) + offsetof(SimProbeRecord, detail.arguments)) /
        sizeof(uint64_t),
    ARGUMENT_WORDS = sizeof(SimProbeArgument) / sizeof(uint64_t),
    SIGHTING_WORDS = sizeof(Sighting) / sizeof(uint64_t), /* at most */
    FEW = 16,                                             /* are sorted by inserting */
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
};

static void page_free(gpointer data)
{
    LaneSightings *page = data;

    for (guint i = 0; page != NULL && i < PAGE_LANES; i++) {
        g_free(page[i].words);
    }
    g_free(page);
}

void sightings_clear(Sightings *self)
{
    g_clear_pointer(&self->pages, g_ptr_array_unref);
    g_free(self->runs);
    *self = (Sightings){0};
}

/* The sightings of a lane that had none so far, or none since they were shown. */
static LaneSightings *add_lane(Sightings *self, SimLane lane)
{
    const guint page = lane / PAGE_LANES;

    if (self->pages == NULL) {
        self->pages = g_ptr_array_new_with_free_func(page_free);
    }
    if (page >= self->pages->len) {
        g_ptr_array_set_size(self->pages, sim_i32(page + 1));
    }
    if (self->pages->pdata[page] == NULL) {
        self->pages->pdata[page] = g_new0(LaneSightings, PAGE_LANES);
    }
    return (LaneSightings *) self->pages->pdata[page] + lane % PAGE_LANES;
}

static inline LaneSightings *lane_at(Sightings *self, SimLane lane)
{
    const guint page = lane / PAGE_LANES;

    if (G_UNLIKELY(self->pages == NULL || page >= self->pages->len ||
                   self->pages->pdata[page] == NULL)) {
        return add_lane(self, lane);
    }
    return (LaneSightings *) self->pages->pdata[page] + lane % PAGE_LANES;
}

static void begin_run(Sightings *self, const LaneSightings *place, SimLane lane)
{
    if (self->run_count == self->run_room) {
        self->run_room = MAX(ROOM, 2 * self->run_room);
        self->runs = g_renew(SightingRun, self->runs, self->run_room);
    }
    self->runs[self->run_count++] = (SightingRun){
        .now = place->now, .place = place, .begin = place->used, .lane = lane};
}

Sighting *sightings_open(Sightings *self, SimLane lane, SimTime now, SimKey key)
{
    LaneSightings *place = lane_at(self, lane);
    const bool is_new = place->used == 0 || place->now != now || place->key > key;
    Sighting *added;

    place->now = now;
    place->key = key;
    if (is_new) {
        begin_run(self, place, lane);
    }
    if (G_UNLIKELY(place->used + SIGHTING_WORDS > place->room)) {
        place->room = MAX(2 * SIGHTING_WORDS, 2 * place->room);
        place->words = g_renew(uint64_t, place->words, place->room);
    }
    self->open = place;
    added = (gpointer) &place->words[place->used];
    added->key = key;
    added->record.now = now;
    added->record.lane = lane;
    return added;
}

static inline guint words_of(const Sighting *sighting)
{
    return HEAD_WORDS + (guint) ARGUMENT_WORDS * sighting->record.detail.argument_count;
}

void sightings_close(Sightings *self, Sighting *sighting, const SimProbeDetail *detail)
{
    guint words = HEAD_WORDS;

    if (detail != NULL) {
        sim_probe_detail_copy(&sighting->record.detail, detail);
        words += (guint) ARGUMENT_WORDS * detail->argument_count;
    } else {
        memset(&sighting->record.detail, 0, offsetof(SimProbeDetail, arguments));
    }
    self->open->used += words;
    self->count++;
}

void sighting_order_clear(SightingOrder *self)
{
    g_free(self->runs);
    g_free(self->spare);
    g_free(self->nexts);
    g_clear_pointer(&self->merged, g_array_unref);
    *self = (SightingOrder){0};
}

/* A stable sort that leaves sorted input alone. */
static void sort_few(const SightingRun **runs, guint count)
{
    for (guint i = 1; i < count; i++) {
        const SightingRun *run = runs[i];
        guint hole = i;

        for (; hole > 0 && runs[hole - 1]->lane > run->lane; hole--) {
            runs[hole] = runs[hole - 1];
        }
        runs[hole] = run;
    }
}

/* By one digit of the lane, from `from` to `to`; stable. */
static void sort_by_digit(const SightingRun **from,
                          const SightingRun **to,
                          guint count,
                          guint shift,
                          SimLane least)
{
    guint nexts[DIGITS + 1] = {0};

    for (guint i = 0; i < count; i++) {
        nexts[((from[i]->lane - least) >> shift) % DIGITS + 1]++;
    }
    for (guint i = 0; i < DIGITS; i++) {
        nexts[i + 1] += nexts[i];
    }
    for (guint i = 0; i < count; i++) {
        to[nexts[((from[i]->lane - least) >> shift) % DIGITS]++] = from[i];
    }
}

/* Returns where they are then. */
static const SightingRun **sort_many(SightingOrder *self)
{
    const guint count = self->count;
    const SightingRun **from = self->runs;
    const SightingRun **to = self->spare;
    SimLane least = from[0]->lane;
    SimLane most = least;

    for (guint i = 1; i < count; i++) {
        least = MIN(least, from[i]->lane);
        most = MAX(most, from[i]->lane);
    }
    for (guint shift = 0; shift < 32 && (most - least) >> shift > 0;
         shift += DIGIT_BITS) {
        const SightingRun **sorted = to;

        sort_by_digit(from, to, count, shift, least);
        to = from;
        from = sorted;
    }
    return from;
}

static const Sighting *run_first(const SightingRun *run)
{
    return (gconstpointer) &run->place->words[run->begin];
}

/* The sighting after `sighting`; NULL: the run ends. */
static inline const Sighting *run_next(const SightingRun *run, const Sighting *sighting)
{
    const uint64_t *word = (const uint64_t *) sighting + words_of(sighting);
    const Sighting *next = (gconstpointer) word;

    return word != run->place->words + run->place->used &&
                   next->record.now == run->now && next->key >= sighting->key
               ? next
               : NULL;
}

static int compare_keys(gconstpointer a, gconstpointer b)
{
    const SimKey first = (*(const Sighting *const *) a)->key;
    const SimKey second = (*(const Sighting *const *) b)->key;

    return (first > second) - (first < second);
}

/* Several runs of one lane: of several regions, or with keys that descend. */
static void show_merged(SightingOrder *self,
                        const SightingRun **runs,
                        guint count,
                        const SimWatch *watch)
{
    if (self->merged == NULL) {
        self->merged = g_array_new(FALSE, FALSE, sizeof(const Sighting *));
    }
    g_array_set_size(self->merged, 0);
    for (guint i = 0; i < count; i++) {
        for (const Sighting *next = run_first(runs[i]); next != NULL;
             next = run_next(runs[i], next)) {
            g_array_append_val(self->merged, next);
        }
    }
    g_array_sort(self->merged, compare_keys); /* stable */
    for (guint i = 0; i < self->merged->len; i++) {
        watch->func(watch->data,
                    &g_array_index(self->merged, const Sighting *, i)->record);
    }
}

static void show_cycle(SightingOrder *self, const SimWatch *watch)
{
    const SightingRun **runs = self->runs;
    guint end;

    if (self->count <= FEW) {
        sort_few(self->runs, self->count);
    } else {
        runs = sort_many(self);
    }
    for (guint i = 0; i < self->count; i = end) {
        end = i + 1;
        while (end < self->count && runs[end]->lane == runs[i]->lane) {
            end++;
        }
        if (G_UNLIKELY(end > i + 1)) {
            show_merged(self, &runs[i], end - i, watch);
            continue;
        }
        for (const Sighting *next = run_first(runs[i]); next != NULL;
             next = run_next(runs[i], next)) {
            watch->func(watch->data, &next->record);
        }
    }
}

/* The next cycle that has something, or SIM_TIME_NEVER. */
static SimTime
next_cycle(const SightingOrder *self, const SimRegion *regions, guint region_count)
{
    SimTime next = SIM_TIME_NEVER;

    for (guint i = 0; i < region_count; i++) {
        const Sightings *sightings = &regions[i].sightings;

        if (self->nexts[i] < sightings->run_count) {
            next = MIN(next, sightings->runs[self->nexts[i]].now);
        }
    }
    return next;
}

static void gather(SightingOrder *self, const SimRegion *region, SimTime cycle)
{
    const Sightings *sightings = &region->sightings;
    guint *next = &self->nexts[region->index];

    while (*next < sightings->run_count && sightings->runs[*next].now == cycle) {
        self->runs[self->count++] = &sightings->runs[(*next)++];
    }
}

/* Room for all of them in one cycle. */
static void make_room(SightingOrder *self, const SimRegion *regions, guint region_count)
{
    guint count = 0;

    for (guint i = 0; i < region_count; i++) {
        count += regions[i].sightings.run_count;
    }
    if (count > self->room) {
        self->room = MAX(ROOM, 2 * count);
        self->runs = g_renew(const SightingRun *, self->runs, self->room);
        self->spare = g_renew(const SightingRun *, self->spare, self->room);
    }
    if (self->nexts == NULL) {
        self->nexts = g_new(guint, region_count);
    }
    memset(self->nexts, 0, region_count * sizeof(guint));
}

/* Forgets what has been shown. */
static void empty(Sightings *self)
{
    for (guint i = 0; i < self->run_count; i++) {
        lane_at(self, self->runs[i].lane)->used = 0;
    }
    self->run_count = 0;
    self->count = 0;
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
        empty(&regions[i].sightings);
    }
}
