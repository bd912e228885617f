/* Finds lanes that act, and what they did last, by bisection. */
#include "traces/reading/path/actors.h"

#include <string.h>

#include "traces/reading/timeline_items.h"

static const char *const core_units[] = {"reader", "writer", "unpack",   "math",
                                         "pack",   "fpu",    "unpacker", "sfpu",
                                         "packer", NULL};
static const char *const pe_units[] = {"main",    "thread0", "thread1", "thread2",
                                       "thread3", "thread4", "thread5", "thread6",
                                       "thread7", NULL};

TraceActors *trace_actors_new(const TraceTimeline *timeline)
{
    TraceActors *self = g_new0(TraceActors, 1);

    self->timeline = timeline;
    self->lanes = g_array_new(FALSE, FALSE, sizeof(guint32));
    self->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 i = 0; i < timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(timeline, i);
        const char *kind = trace_place_at(timeline, lane->place)->kind;
        const bool is_core =
            g_str_equal(kind, "core") && g_strv_contains(core_units, lane->unit);
        const bool is_pe =
            g_str_has_prefix(kind, "pe") && g_strv_contains(pe_units, lane->unit);

        if (lane->slice_count + lane->mark_count == 0) {
            continue;
        }
        if (is_core || is_pe || g_str_equal(lane->unit, "ce")) {
            (void) g_hash_table_insert(self->by_name, (gpointer) lane->name,
                                       GUINT_TO_POINTER(i + 1));
        }
        if (is_core || is_pe) {
            g_array_append_val(self->lanes, i);
            self->is_wafer = self->is_wafer || is_pe;
        }
    }
    return self;
}

void trace_actors_free(TraceActors *self)
{
    if (self != NULL) {
        g_array_unref(self->lanes);
        g_hash_table_unref(self->by_name);
        g_free(self);
    }
}

static SimTime slice_time(const TraceTimeline *timeline, guint32 index)
{
    return trace_slice_at(timeline, index)->begin;
}

static SimTime mark_time(const TraceTimeline *timeline, guint32 index)
{
    return trace_mark_at(timeline, index)->at;
}

/* How many of `count` records from `first` on, in order of time, are before
 * `before`. */
static guint32 count_before(const TraceTimeline *timeline,
                            SimTime (*time_of)(const TraceTimeline *, guint32),
                            guint32 first,
                            guint32 count,
                            SimTime before)
{
    guint32 low = 0;
    guint32 high = count;

    while (low < high) {
        const guint32 middle = low + (high - low) / 2;

        if (time_of(timeline, first + middle) < before) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static guint32
marks_before(const TraceTimeline *timeline, const TraceLane *lane, SimTime before)
{
    return count_before(timeline, mark_time, lane->first_mark, lane->mark_count,
                        before);
}

static bool last_slice(const TraceTimeline *timeline,
                       const TraceLane *lane,
                       SimTime before,
                       ActorRecord *record)
{
    guint32 count = count_before(timeline, slice_time, lane->first_slice,
                                 lane->slice_count, before);

    for (; count > 0; count--) {
        const TraceSlice *slice =
            trace_slice_at(timeline, lane->first_slice + count - 1);

        if (slice->depth == 0 && slice->end > slice->begin) {
            *record = (ActorRecord){.begin = slice->begin,
                                    .end = slice->end,
                                    .name = slice->name,
                                    .first_argument = slice->first_argument,
                                    .argument_count = slice->argument_count};
            return true;
        }
    }
    return false;
}

static bool last_stall(const TraceTimeline *timeline,
                       const TraceLane *lane,
                       SimTime before,
                       ActorRecord *record)
{
    guint32 count = marks_before(timeline, lane, before);

    for (; count > 0; count--) {
        const TraceMark *mark = trace_mark_at(timeline, lane->first_mark + count - 1);

        if (mark->is_stall && mark->cycles > 0) {
            *record = (ActorRecord){.begin = mark->at,
                                    .end = trace_time_after(mark->at, mark->cycles),
                                    .is_stall = true,
                                    .name = mark->name,
                                    .first_argument = mark->first_argument,
                                    .argument_count = mark->argument_count};
            return true;
        }
    }
    return false;
}

bool trace_actor_last(const TraceActors *self,
                      guint32 lane,
                      SimTime before,
                      ActorRecord *record)
{
    const TraceLane *of = trace_lane_at(self->timeline, lane);
    ActorRecord stall;
    const bool has_stall = last_stall(self->timeline, of, before, &stall);
    const bool has_slice = last_slice(self->timeline, of, before, record);

    if (has_stall && (!has_slice || stall.begin > record->begin)) {
        *record = stall;
    }
    return has_stall || has_slice;
}

guint32 trace_actor_beside(const TraceActors *self, guint32 lane, const char *unit)
{
    const TraceLane *of = trace_lane_at(self->timeline, lane);
    const char *place = trace_place_at(self->timeline, of->place)->name;
    g_autofree char *name = g_strconcat(place, ".", unit, NULL);
    const guint found = GPOINTER_TO_UINT(g_hash_table_lookup(self->by_name, name));

    return found == 0 ? TRACE_NONE : found - 1;
}

/* Until when the lane works, up to `until`; false: it has done nothing. */
static bool
works_until(const TraceActors *self, guint32 lane, SimTime until, SimTime *end)
{
    ActorRecord record;

    if (!trace_actor_last(self, lane, until, &record)) {
        return false;
    }
    *end = MIN(record.end, until);
    return true;
}

/* The number of the first lane that acts in the place of `of`. Lanes are in order. */
static guint first_beside(const TraceActors *self, guint32 of)
{
    const guint32 place = trace_lane_at(self->timeline, of)->place;
    guint low = 0;
    guint high = self->lanes->len;

    while (low < high) {
        const guint middle = low + (high - low) / 2;

        if (g_array_index(self->lanes, guint32, middle) < of) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low > 0 &&
           trace_lane_at(self->timeline, g_array_index(self->lanes, guint32, low - 1))
                   ->place == place) {
        low--;
    }
    return low;
}

guint32
trace_actor_latest(const TraceActors *self, guint32 of, SimTime until, SimTime *end)
{
    guint32 best = TRACE_NONE;
    SimTime at = 0;

    *end = 0;
    for (guint i = of == TRACE_NONE ? 0 : first_beside(self, of); i < self->lanes->len;
         i++) {
        const guint32 lane = g_array_index(self->lanes, guint32, i);

        if (of != TRACE_NONE && trace_lane_at(self->timeline, lane)->place !=
                                    trace_lane_at(self->timeline, of)->place) {
            break;
        }
        if (works_until(self, lane, until, &at) && (best == TRACE_NONE || at > *end)) {
            best = lane;
            *end = at;
        }
    }
    return best;
}

SimTime
trace_actor_stalled(const TraceActors *self, guint32 lane, SimTime begin, SimTime end)
{
    const TraceLane *of = trace_lane_at(self->timeline, lane);
    SimTime sum = 0;

    for (guint32 count = marks_before(self->timeline, of, end); count > 0; count--) {
        const TraceMark *mark =
            trace_mark_at(self->timeline, of->first_mark + count - 1);
        const SimTime until = trace_time_after(mark->at, mark->cycles);

        if (until <= begin) {
            break;
        }
        if (mark->is_stall) {
            sum += MIN(until, end) - MAX(mark->at, begin);
        }
    }
    return sum;
}

static bool has_prefix(const TraceArgument *argument, const char *prefix)
{
    return strncmp(argument->name, prefix, strlen(prefix)) == 0;
}

/* Names of causes lack the chip's, which is that of the lane that waits. */
static guint32 lane_named(const TraceActors *self, guint32 lane, const char *name)
{
    const TraceLane *of = trace_lane_at(self->timeline, lane);
    const TracePlace *place = trace_place_at(self->timeline, of->place);
    const char *own = strstr(place->name, place->kind);
    g_autofree char *prefix = own == NULL
                                  ? g_strdup("")
                                  : g_strndup(place->name, (gsize) (own - place->name));
    g_autofree char *whole = g_strconcat(prefix, name, NULL);
    const guint found = GPOINTER_TO_UINT(
        g_hash_table_lookup(self->by_name, *prefix == '\0' ? name : whole));

    return found == 0 ? TRACE_NONE : found - 1;
}

TraceCause
trace_cause_read(const TraceActors *self, guint32 lane, const ActorRecord *record)
{
    static const char by[] = "by ";
    static const char line[] = "line ";
    TraceCause cause = {.lane = TRACE_NONE, .bank = -1};

    for (guint32 i = 0; i < record->argument_count; i++) {
        const TraceArgument *argument =
            trace_argument_at(self->timeline, record->first_argument + i);

        if (has_prefix(argument, by)) {
            cause.lane = lane_named(self, lane, argument->name + strlen(by));
            cause.is_missing = cause.lane == TRACE_NONE;
            cause.at = (SimTime) MAX(argument->value, 0);
        } else if (has_prefix(argument, line)) {
            cause.file = argument->name + strlen(line);
            cause.line = (guint) CLAMP(argument->value, 0, G_MAXINT);
        } else if (g_str_equal(argument->name, "fed")) {
            cause.fed = (SimTime) MAX(argument->value, 0);
        } else if (g_str_equal(argument->name, "credits")) {
            cause.credits = (SimTime) MAX(argument->value, 0);
        } else if (g_str_equal(argument->name, "bank")) {
            cause.bank = argument->value;
        }
    }
    return cause;
}
