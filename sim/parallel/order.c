/* Regions see things in the order of time: runs are merged by cycle, and those of a
 * cycle sorted by lane. */
#include "sim/parallel/order.h"

#include <string.h>

#include "sim/narrow.h"

enum {
    ROOM = 64, /* for as many runs at first */
    PAGE_LANES = 256,
    FEW = 16, /* are sorted by inserting */
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
};

/* The last run of a lane. */
typedef struct {
    guint turn; /* in which it was found; 0: never */
    guint run;
} LaneRun;

void sighting_order_clear(SightingOrder *self)
{
    g_clear_pointer(&self->pages, g_ptr_array_unref);
    g_free(self->runs);
    g_free(self->nexts);
    g_free(self->ends);
    g_free(self->sorted);
    g_free(self->spare);
    *self = (SightingOrder){0};
}

static LaneRun *add_page(SightingOrder *self, SimLane lane)
{
    const guint page = lane / PAGE_LANES;

    if (self->pages == NULL) {
        self->pages = g_ptr_array_new_with_free_func(g_free);
    }
    if (page >= self->pages->len) {
        g_ptr_array_set_size(self->pages, sim_i32(page + 1));
    }
    self->pages->pdata[page] = g_new0(LaneRun, PAGE_LANES);
    return (LaneRun *) self->pages->pdata[page] + lane % PAGE_LANES;
}

static inline LaneRun *lane_at(SightingOrder *self, SimLane lane)
{
    const guint page = lane / PAGE_LANES;

    if (G_UNLIKELY(self->pages == NULL || page >= self->pages->len ||
                   self->pages->pdata[page] == NULL)) {
        return add_page(self, lane);
    }
    return (LaneRun *) self->pages->pdata[page] + lane % PAGE_LANES;
}

static SightingRun *add_run(SightingOrder *self)
{
    if (self->run_count == self->run_room) {
        self->run_room = MAX(ROOM, 2 * self->run_room);
        self->runs = g_renew(SightingRun, self->runs, self->run_room);
    }
    return &self->runs[self->run_count++];
}

static inline guint32 words_of(const Sighting *sighting)
{
    const guint parts = sighting->parts;

    return sim_u32(sizeof(Sighting) / sizeof(uint64_t)) +
           ((parts & SIGHTING_VALUE) != 0 ? 1 : 0) +
           ((parts & SIGHTING_FLOW) != 0 ? 2 : 0) +
           ((parts & SIGHTING_CAUSE) != 0 ? 1 : 0) +
           (guint32) SIGHTING_ARGUMENT_WORDS * sighting->argument_count;
}

static inline Sighting *sighting_at(uint64_t *words, guint32 at)
{
    return (gpointer) &words[at];
}

/* Puts the sightings of an event, up to word `end`, into runs. */
static void find_runs_of(SightingOrder *self,
                         uint64_t *words,
                         const SightingEvent *event,
                         guint32 end)
{
    for (guint32 at = event->first; at < end;) {
        const Sighting *sighting = sighting_at(words, at);
        LaneRun *lane = lane_at(self, sighting->lane);

        if (lane->turn == self->turn && self->runs[lane->run].first >= event->first) {
            SightingRun *run = &self->runs[lane->run];

            sighting_at(words, run->last)->next = at;
            run->last = at;
        } else {
            *lane = (LaneRun){.turn = self->turn, .run = self->run_count};
            *add_run(self) = (SightingRun){.now = event->now,
                                           .key = event->key,
                                           .words = words,
                                           .first = at,
                                           .last = at,
                                           .lane = sighting->lane};
        }
        at += words_of(sighting);
    }
}

/* Those of a region. */
static void find_runs(SightingOrder *self, const Sightings *sightings)
{
    const guint32 used = sim_u32(sightings_used(sightings));

    self->turn++;
    for (guint i = 0; i < sightings->event_count; i++) {
        const bool is_last = i + 1 == sightings->event_count;

        find_runs_of(self, sightings->words, &sightings->events[i],
                     is_last ? used : sightings->events[i + 1].first);
    }
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
    const guint count = self->sorted_count;
    const SightingRun **from = self->sorted;
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

/* Several runs of one lane: of several regions, or with several keys. Stable. */
static void sort_by_key(const SightingRun **runs, guint count)
{
    for (guint i = 1; i < count; i++) {
        const SightingRun *run = runs[i];
        guint hole = i;

        for (; hole > 0 && runs[hole - 1]->key > run->key; hole--) {
            runs[hole] = runs[hole - 1];
        }
        runs[hole] = run;
    }
}

static inline void
read_detail(SimProbeDetail *detail, const Sighting *sighting, const uint64_t *word)
{
    const guint parts = sighting->parts;

    detail->flow = 0;
    detail->flow_since = 0;
    detail->cause_at = 0;
    if (G_UNLIKELY((parts & SIGHTING_FLOW) != 0)) {
        detail->flow = *word++;
        detail->flow_since = *word++;
    }
    if ((parts & SIGHTING_CAUSE) != 0) {
        detail->cause_at = *word++;
    }
    detail->cause = sighting->cause;
    detail->has_cause = (parts & SIGHTING_CAUSE) != 0;
    detail->is_flow_end = (parts & SIGHTING_FLOW_END) != 0;
    detail->argument_count = sighting->argument_count;
    for (guint i = 0; i < sighting->argument_count; i++) {
        detail->arguments[i] = *(const SimProbeArgument *) (gconstpointer) word;
        word += SIGHTING_ARGUMENT_WORDS;
    }
}

static void show_run(const SightingRun *run, const SimWatch *watch)
{
    SimProbeRecord record;
    const Sighting *sighting;

    record.lane = run->lane;
    record.now = run->now;
    for (guint32 at = run->first;; at = sighting->next) {
        const uint64_t *word;

        sighting = (gconstpointer) &run->words[at];
        word = sighting->more;
        record.kind = (SimProbeKind) sighting->kind;
        record.name = sighting->name;
        record.begin = sighting->begin;
        record.end = sighting->end;
        record.value = (sighting->parts & SIGHTING_VALUE) != 0 ? (int64_t) *word++ : 0;
        read_detail(&record.detail, sighting, word);
        watch->func(watch->data, &record);
        if (at == run->last) {
            return;
        }
    }
}

static void show_cycle(SightingOrder *self, const SimWatch *watch)
{
    const SightingRun **runs = self->sorted;
    const guint count = self->sorted_count;
    guint end;

    if (count <= FEW) {
        sort_few(runs, count);
    } else {
        runs = sort_many(self);
    }
    for (guint i = 0; i < count; i = end) {
        end = i + 1;
        while (end < count && runs[end]->lane == runs[i]->lane) {
            end++;
        }
        sort_by_key(&runs[i], end - i);
        for (guint k = i; k < end; k++) {
            show_run(runs[k], watch);
        }
    }
}

/* The next cycle that has something, or SIM_TIME_NEVER. */
static SimTime next_cycle(const SightingOrder *self, guint count)
{
    SimTime next = SIM_TIME_NEVER;

    for (guint i = 0; i < count; i++) {
        if (self->nexts[i] < self->ends[i]) {
            next = MIN(next, self->runs[self->nexts[i]].now);
        }
    }
    return next;
}

/* Adds the runs of a region in that cycle. */
static void gather(SightingOrder *self, guint region, SimTime cycle)
{
    guint *next = &self->nexts[region];

    while (*next < self->ends[region] && self->runs[*next].now == cycle) {
        self->sorted[self->sorted_count++] = &self->runs[(*next)++];
    }
}

/* Room for all runs in one cycle. */
static void make_room(SightingOrder *self)
{
    if (self->run_count > self->sorted_room) {
        self->sorted_room = 2 * self->run_count;
        self->sorted = g_renew(const SightingRun *, self->sorted, self->sorted_room);
        self->spare = g_renew(const SightingRun *, self->spare, self->sorted_room);
    }
}

void sighting_order_show(SightingOrder *self,
                         Sightings *sightings,
                         guint count,
                         const SimWatch *watch)
{
    SimTime cycle;

    if (self->nexts == NULL) {
        self->nexts = g_new(guint, count);
        self->ends = g_new(guint, count);
    }
    self->run_count = 0;
    for (guint i = 0; i < count; i++) {
        self->nexts[i] = self->run_count;
        find_runs(self, &sightings[i]);
        self->ends[i] = self->run_count;
    }
    make_room(self);
    while ((cycle = next_cycle(self, count)) != SIM_TIME_NEVER) {
        self->sorted_count = 0;
        for (guint i = 0; i < count; i++) {
            gather(self, i, cycle);
        }
        show_cycle(self, watch);
    }
    for (guint i = 0; i < count; i++) {
        sightings_empty(&sightings[i]);
    }
}
