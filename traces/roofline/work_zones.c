/* Divides what a trace holds by zones and by iterations. */
#include <math.h>
#include <string.h>

#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/reading/timeline_items.h"
#include "traces/roofline/work.h"

static const char zones_unit[] = "zones";

static bool is_zones(const TraceLane *lane)
{
    return g_str_has_prefix(lane->unit, zones_unit);
}

/* How well the zones of a lane tell about a unit: "zones_unpack" is about the unpacker,
 * "zones" about all units, "zones_math" about those that have none of their own. 0: not
 * at all. */
static guint fit_of(const TraceLane *zones, const char *unit)
{
    const char *thread = zones->unit + strlen(zones_unit);

    if (*thread == '\0') {
        return 2;
    }
    thread++;
    if (*thread != '\0' && g_str_has_prefix(unit, thread)) {
        return 3;
    }
    return g_str_equal(thread, "math") ? 1 : 0;
}

/* The lane of zones for a lane of the same place; TRACE_NONE if there is none. */
static guint32 zones_of(const TraceTimeline *timeline, guint32 number)
{
    const TraceLane *lane = trace_lane_at(timeline, number);
    guint32 first = number;
    guint32 found = TRACE_NONE;
    guint best = 0;

    while (first > 0 && trace_lane_at(timeline, first - 1)->place == lane->place) {
        first--;
    }
    for (guint32 i = first; i < timeline->lanes->len; i++) {
        const TraceLane *other = trace_lane_at(timeline, i);

        if (other->place != lane->place) {
            break;
        }
        if (is_zones(other) && fit_of(other, lane->unit) > best) {
            best = fit_of(other, lane->unit);
            found = i;
        }
    }
    return found;
}

/* The lane of zones that tells when a place was in them: that of all its units, or of
 * the thread that does the math, else the first; TRACE_NONE if there is none. */
static guint32 main_zones(const TraceTimeline *timeline, guint32 first)
{
    const guint32 place = trace_lane_at(timeline, first)->place;
    guint32 found = zones_of(timeline, first);

    for (guint32 i = first;
         i < timeline->lanes->len && trace_lane_at(timeline, i)->place == place; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);

        if (g_str_equal(lane->unit, "zones_math")) {
            return i;
        }
        if (is_zones(lane) && found == TRACE_NONE) {
            found = i;
        }
    }
    return found;
}

/* The zones of a choice while they are added to. */
typedef struct {
    const TraceWork *work;
    const TraceWorkChoice *choice;
    GArray *parts;      /* of TraceWorkPart; the first is the time outside of zones */
    GHashTable *number; /* name -> its part */
    GArray *last;       /* of guint32: by part, the last place that was in it */
    const TraceLane *zones; /* of the lane at hand; NULL: none */
    guint32 at;             /* the zone of the last event */
    gssize unit;            /* whose cycles are added; else amounts */
} Zones;

static guint number_of(Zones *self, const char *name)
{
    gpointer found = g_hash_table_lookup(self->number, name);

    if (found == NULL) {
        TraceWorkPart *part = trace_work_parts_add(self->work, self->parts);
        const guint32 nowhere = TRACE_NONE;

        g_array_append_val(self->last, nowhere);
        part->zone = name;
        part->from = self->choice->from;
        part->to = self->choice->to;
        found = GUINT_TO_POINTER(self->parts->len - 1);
        g_hash_table_insert(self->number, (gpointer) name, found);
    }
    return GPOINTER_TO_UINT(found);
}

static TraceWorkPart *part_at(const Zones *self, guint index)
{
    return &g_array_index(self->parts, TraceWorkPart, index);
}

static const TraceSlice *zone_at(const Zones *self, guint32 index)
{
    return trace_slice_at(self->work->timeline, self->zones->first_slice + index);
}

static void put(Zones *self, guint part, guint counter, double amount)
{
    if (self->unit >= 0) {
        part_at(self, part)->busy[self->unit] += amount;
    } else {
        part_at(self, part)->amounts[counter] += amount;
    }
}

/* The first zone that ends after `at`. */
static void seek(Zones *self, SimTime at)
{
    if (self->at > 0 && zone_at(self, self->at - 1)->end > at) {
        self->at = 0;
    }
    while (self->at < self->zones->slice_count && zone_at(self, self->at)->end <= at) {
        self->at++;
    }
}

/* Divides it among the zones that are open in its time; the rest is outside. */
static void
add_amount(gpointer data, guint counter, SimTime begin, SimTime end, double amount)
{
    Zones *self = data;
    const SimTime from = MAX(begin, self->choice->from);
    const SimTime to = MIN(MAX(end, begin + 1), self->choice->to);
    const double density = amount / (double) MAX(end - begin, 1);
    SimTime outside = to;

    if (from >= to) {
        return;
    }
    outside -= from;
    if (self->zones != NULL) {
        seek(self, from);
        for (guint32 i = self->at;
             i < self->zones->slice_count && zone_at(self, i)->begin < to; i++) {
            const TraceSlice *zone = zone_at(self, i);
            const SimTime first = MAX(zone->begin, from);
            const SimTime last = MIN(zone->end, to);

            if (first < last) {
                put(self, number_of(self, zone->name), counter,
                    density * (double) (last - first));
                outside -= last - first;
            }
        }
    }
    put(self, 0, counter, density * (double) outside);
}

static void add_busy(Zones *self, const TraceLane *lane)
{
    guint unit = 0;

    if (!g_ptr_array_find_with_equal_func(self->work->units, lane->unit, g_str_equal,
                                          &unit)) {
        return;
    }
    self->unit = unit;
    self->at = 0;
    for (guint32 i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice =
            trace_slice_at(self->work->timeline, lane->first_slice + i);

        if (slice->depth == 0 && slice->end > slice->begin) {
            add_amount(self, 0, slice->begin, slice->end,
                       (double) (slice->end - slice->begin));
        }
    }
    self->unit = -1;
}

/* Adds cycles of a place to a zone, and the place to its cores. */
static void add_time(Zones *self, guint index, guint32 place, SimTime cycles)
{
    guint32 *last = &g_array_index(self->last, guint32, index);
    TraceWorkPart *part = part_at(self, index);

    part->cycles += (double) cycles;
    if (*last != place) {
        *last = place;
        part->cores++;
    }
}

/* Adds the cycles of the place's zones, as the thread that does the math saw them. */
static void add_cycles(Zones *self, guint32 first)
{
    const guint32 number = main_zones(self->work->timeline, first);
    const TraceLane *lane =
        number != TRACE_NONE ? trace_lane_at(self->work->timeline, number) : NULL;

    for (guint32 i = 0; lane != NULL && i < lane->slice_count; i++) {
        const TraceSlice *zone =
            trace_slice_at(self->work->timeline, lane->first_slice + i);
        const SimTime from = MAX(zone->begin, self->choice->from);
        const SimTime to = MIN(zone->end, self->choice->to);

        if (from < to) {
            add_time(self, number_of(self, zone->name), lane->place, to - from);
        }
    }
}

static void add_place(Zones *self, guint32 first, guint32 end)
{
    for (guint32 i = first; i < end; i++) {
        const TraceLane *lane = trace_lane_at(self->work->timeline, i);
        const guint32 zones = zones_of(self->work->timeline, i);

        self->zones =
            zones != TRACE_NONE ? trace_lane_at(self->work->timeline, zones) : NULL;
        self->at = 0;
        trace_work_each(self->work, i, add_amount, self);
        add_busy(self, lane);
    }
    add_cycles(self, first);
}

static int compare_parts(gconstpointer a, gconstpointer b)
{
    const TraceWorkPart *first = a;
    const TraceWorkPart *second = b;

    if (*first->zone == '\0' || *second->zone == '\0') {
        return (*first->zone == '\0') - (*second->zone == '\0');
    }
    return strcmp(first->zone, second->zone);
}

/* Sums over the cores that opened a zone become means; what is left of the time of all
 * cores is outside. */
static void finish(const Zones *self, const TraceWorkPart *all)
{
    const guint links = trace_work_counter(self->work, "noc_bytes");
    TraceWorkPart *outside = part_at(self, 0);
    double inside = 0;

    for (guint i = 0; i < self->parts->len; i++) {
        TraceWorkPart *part = part_at(self, i);

        inside += part->cycles;
        part->cycles /= fmax(part->cores, 1);
        if (links < self->work->counters->len) {
            part->amounts[links] = NAN;
        }
    }
    outside->cores = all->cores;
    outside->cycles = fmax(0, all->cycles - inside / all->cores);
    g_array_sort(self->parts, compare_parts);
}

GArray *
trace_work_zones(const TraceWork *self, const TraceWorkChoice *choice, GError **error)
{
    const TraceTimeline *timeline = self->timeline;
    const SimTime bounds[] = {choice->from, choice->to};
    g_autoptr(GArray) all = trace_work_split(self, choice, bounds, 1);
    g_autoptr(GHashTable) number = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GArray) last = g_array_new(FALSE, TRUE, sizeof(guint32));
    Zones zones = {.work = self,
                   .choice = choice,
                   .parts = trace_work_parts_new(),
                   .number = number,
                   .last = g_array_set_size(last, 1),
                   .unit = -1};
    TraceWorkPart *outside = trace_work_parts_add(self, zones.parts);

    outside->zone = "";
    outside->from = choice->from;
    outside->to = choice->to;
    for (guint32 i = 0; i < timeline->lanes->len;) {
        guint32 end = i + 1;

        while (end < timeline->lanes->len && trace_lane_at(timeline, end)->place ==
                                                 trace_lane_at(timeline, i)->place) {
            end++;
        }
        if (trace_work_has_lane(self, choice, i)) {
            add_place(&zones, i, end);
        }
        i = end;
    }
    if (zones.parts->len == 1) {
        g_array_unref(zones.parts);
        (void) trace_refuse(error, "%s: no zone is open in this part of it",
                            self->name);
        return NULL;
    }
    finish(&zones, &g_array_index(all, TraceWorkPart, 0));
    return zones.parts;
}

/* When something happened for the n-th time on each core: sums over cores. */
typedef struct {
    GArray *sums;   /* of double */
    GArray *counts; /* of guint */
} Times;

static void times_free(gpointer data)
{
    Times *self = data;

    g_array_unref(self->sums);
    g_array_unref(self->counts);
    g_free(self);
}

static Times *times_of(GHashTable *all, const char *name)
{
    Times *self = g_hash_table_lookup(all, name);

    if (self == NULL) {
        self = g_new0(Times, 1);
        self->sums = g_array_new(FALSE, TRUE, sizeof(double));
        self->counts = g_array_new(FALSE, TRUE, sizeof(guint));
        g_hash_table_insert(all, (gpointer) name, self);
    }
    return self;
}

static void times_add(Times *self, guint index, SimTime at)
{
    if (index >= self->sums->len) {
        g_array_set_size(self->sums, index + 1);
        g_array_set_size(self->counts, index + 1);
    }
    g_array_index(self->sums, double, index) += (double) at;
    g_array_index(self->counts, guint, index)++;
}

/* Did it happen equally often on each of them? */
static bool times_are_even(const Times *self)
{
    const guint last = self->counts->len - 1;

    return g_array_index(self->counts, guint, 0) ==
           g_array_index(self->counts, guint, last);
}

/* Adds the lane's marks called `iteration`, or the begins of its zones. */
static void hear_lane(const TraceTimeline *timeline,
                      const TraceLane *lane,
                      GHashTable *zones,
                      Times *marks)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    guint iteration = 0;

    for (guint32 i = 0; i < lane->mark_count; i++) {
        const TraceMark *mark = trace_mark_at(timeline, lane->first_mark + i);

        if (g_str_equal(mark->name, "iteration")) {
            times_add(marks, iteration++, mark->at);
        }
    }
    for (guint32 i = 0; i < lane->slice_count; i++) {
        const TraceSlice *zone = trace_slice_at(timeline, lane->first_slice + i);
        const guint before = GPOINTER_TO_UINT(g_hash_table_lookup(seen, zone->name));

        times_add(times_of(zones, zone->name), before, zone->begin);
        g_hash_table_insert(seen, (gpointer) zone->name, GUINT_TO_POINTER(before + 1));
    }
}

static double first_of(const Times *self)
{
    return g_array_index(self->sums, double, 0) / g_array_index(self->counts, guint, 0);
}

/* Of a whole run a zone that is opened once more, before or after all iterations,
 * bounds all of them; of a part the rarest is opened once in each; else the first. */
static bool is_better(const Times *own, const Times *other, bool is_all)
{
    const guint count = own->sums->len;
    const guint best = other->sums->len;

    return count != best ? (count > best) == is_all : first_of(own) < first_of(other);
}

/* The zone that is opened once an iteration, or once more: as often as the run has
 * iterations, or of a part of a run, at most that often. */
static const Times *once_each(GHashTable *zones, double iterations, bool is_all)
{
    const Times *found = NULL;
    GHashTableIter each;
    gpointer value;

    g_hash_table_iter_init(&each, zones);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        const Times *own = value;
        const double count = own->sums->len;

        if (times_are_even(own) && count <= iterations + 1 &&
            (!is_all || count >= iterations) &&
            (found == NULL || is_better(own, found, is_all))) {
            found = own;
        }
    }
    return found;
}

/* Iterations that are not all in the part are left out. */
static void add_bound(GArray *bounds, const TraceWorkChoice *choice, SimTime at)
{
    if (at >= choice->from && at <= choice->to &&
        (bounds->len == 0 || g_array_index(bounds, SimTime, bounds->len - 1) < at)) {
        g_array_append_val(bounds, at);
    }
}

GArray *trace_work_iterations(const TraceWork *self,
                              const TraceWorkChoice *choice,
                              GError **error)
{
    const TraceTimeline *timeline = self->timeline;
    g_autoptr(GHashTable) zones =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, times_free);
    g_autoptr(GHashTable) marked =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, times_free);
    Times *marks = times_of(marked, "iteration");
    GArray *bounds = g_array_new(FALSE, FALSE, sizeof(SimTime));
    const double iterations = trace_json_number(timeline->result, "iterations", 1);
    const Times *times;
    SimTime first;
    SimTime last;

    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);

        if (is_zones(lane) && trace_work_has_lane(self, choice, i) &&
            (fit_of(lane, "") == 2 || g_str_equal(lane->unit, "zones_math"))) {
            hear_lane(timeline, lane, zones, marks);
        }
    }
    times = marks->sums->len > 0
                ? marks
                : once_each(zones, iterations, trace_work_is_all_time(self, choice));
    if (times == NULL) {
        g_array_unref(bounds);
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_LACKS,
                    "%s: iterations are not known: none is marked, and no zone is "
                    "opened once in each of them",
                    self->name);
        return NULL;
    }
    trace_work_span(self, &first, &last);
    /* Marks are at ends. With one more than iterations, the first ends what is before
     * them. */
    if (times == marks && times->sums->len <= iterations) {
        add_bound(bounds, choice, first);
    }
    for (guint i = 0; i < times->sums->len; i++) {
        add_bound(bounds, choice,
                  (SimTime) llround(g_array_index(times->sums, double, i) /
                                    g_array_index(times->counts, guint, i)));
    }
    return bounds;
}
