/* Arranges the events read: places, lanes, then events by lane and time. */
#include <string.h>

#include "traces/reading/timeline/draft.h"

enum {
    PARENT_LIMIT = 16, /* generations of tracks */
};

/* A track that is a lane, and where it is. */
typedef struct {
    guint32 track;
    guint32 place; /* the track that is its place */
    int64_t process;
    int64_t thread;
} LaneTrack;

static DraftTrack *track_at(const Draft *self, guint32 number)
{
    return &g_array_index(self->tracks, DraftTrack, number);
}

/* The track above, or TRACE_NONE. */
static guint32 parent_of(const Draft *self, guint32 number)
{
    const gpointer key = sources_key(track_at(self, number)->parent);
    gpointer found = NULL;

    if (key == NULL ||
        !g_hash_table_lookup_extended(self->track_numbers, key, NULL, &found)) {
        return TRACE_NONE;
    }
    return GPOINTER_TO_UINT(found);
}

/* The track of the process that a track is of, else the one highest above it. */
static guint32 place_of(const Draft *self, GHashTable *processes, guint32 number)
{
    for (guint i = 0; i < PARENT_LIMIT; i++) {
        const DraftTrack *track = track_at(self, number);
        const guint32 parent = parent_of(self, number);
        gpointer process = NULL;

        if (track->is_process) {
            return number;
        }
        if (track->process >= 0 &&
            g_hash_table_lookup_extended(processes, &track->process, NULL, &process)) {
            return GPOINTER_TO_UINT(process);
        }
        if (parent == TRACE_NONE) {
            break;
        }
        number = parent;
    }
    return number;
}

static int compare_lanes(gconstpointer a, gconstpointer b)
{
    const LaneTrack *first = a;
    const LaneTrack *second = b;

    if (first->process != second->process) {
        return first->process < second->process ? -1 : 1;
    }
    if (first->place != second->place) {
        return first->place < second->place ? -1 : 1;
    }
    if (first->thread != second->thread) {
        return first->thread < second->thread ? -1 : 1;
    }
    return (first->track > second->track) - (first->track < second->track);
}

/* The lane of a counter is the track above it, or itself. */
static guint32 lane_track_of(const Draft *self, guint32 number)
{
    const guint32 parent =
        track_at(self, number)->is_counter ? parent_of(self, number) : TRACE_NONE;

    return parent == TRACE_NONE ? number : parent;
}

/* Tracks with events, and those that have counters; of LaneTrack, in order. */
static GArray *find_lanes(const Draft *self)
{
    GArray *lanes = g_array_new(FALSE, FALSE, sizeof(LaneTrack));
    g_autoptr(GHashTable) processes = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_autofree guint8 *is_lane = g_new0(guint8, MAX(self->tracks->len, 1));

    for (guint i = 0; i < self->tracks->len; i++) {
        DraftTrack *track = track_at(self, i);

        if (track->is_process) {
            g_hash_table_insert(processes, &track->process, GUINT_TO_POINTER(i));
        }
        if (track->has_events) {
            is_lane[lane_track_of(self, i)] = 1;
        }
    }
    for (guint i = 0; i < self->tracks->len; i++) {
        if (is_lane[i] != 0) {
            const guint32 place = place_of(self, processes, i);
            const LaneTrack lane = {.track = i,
                                    .place = place,
                                    .process = track_at(self, place)->process,
                                    .thread = track_at(self, i)->thread};

            g_array_append_val(lanes, lane);
        }
    }
    g_array_sort(lanes, compare_lanes);
    return lanes;
}

static const char *
name_of_place(const Draft *self, const LaneTrack *lane, char **made_up)
{
    const DraftTrack *place = track_at(self, lane->place);

    if (*place->name != '\0' &&
        (place->is_process || lane->place != lane->track || place->process < 0)) {
        return place->name;
    }
    if (place->process >= 0) {
        *made_up = g_strdup_printf("process %" G_GINT64_FORMAT, place->process);
    } else {
        *made_up = g_strdup_printf("track %" G_GUINT64_FORMAT, place->id);
    }
    return *made_up;
}

static void
add_lane(Draft *self, const LaneTrack *found, const TracePlace *place, guint32 number)
{
    GStringChunk *strings = self->timeline->strings;
    const DraftTrack *track = track_at(self, found->track);
    const bool is_place =
        found->track == found->place || g_str_equal(track->name, place->name);
    TraceLane lane = {.name = place->name, .unit = "", .place = number};

    if (!is_place || (track->is_thread && !g_str_equal(track->name, place->name))) {
        g_autofree char *name = g_strdup_printf("%s.%s", place->name, track->name);

        lane.unit = track->name;
        lane.name = g_string_chunk_insert_const(strings, name);
    }
    g_array_append_val(self->timeline->lanes, lane);
}

/* Makes places and lanes; returns the lane of each track. */
static guint32 *make_lanes(Draft *self)
{
    TraceTimeline *timeline = self->timeline;
    g_autoptr(GArray) found = find_lanes(self);
    guint32 *lane_of = g_new0(guint32, MAX(self->tracks->len, 1));
    guint32 last_place = TRACE_NONE;

    for (guint i = 0; i < found->len; i++) {
        const LaneTrack *lane = &g_array_index(found, LaneTrack, i);

        if (lane->place != last_place) {
            g_autofree char *made_up = NULL;
            const char *name = name_of_place(self, lane, &made_up);
            const TracePlace place = place_name_read(name, timeline->strings);

            g_array_append_val(timeline->places, place);
            last_place = lane->place;
        }
        lane_of[lane->track] = timeline->lanes->len;
        add_lane(
            self, lane,
            &g_array_index(timeline->places, TracePlace, timeline->places->len - 1),
            timeline->places->len - 1);
    }
    return lane_of;
}

/* How events are put in order: by a number of theirs, and among those with the same one
 * by time. */
typedef int (*CompareFunc)(const TraceTimeline *timeline, guint32 a, guint32 b);

typedef struct {
    const TraceTimeline *timeline;
    CompareFunc compare;
} Order;

static int compare_indices(gconstpointer a, gconstpointer b, gpointer data)
{
    const Order *order = data;
    const guint32 first = *(const guint32 *) a;
    const guint32 second = *(const guint32 *) b;
    const int difference = order->compare(order->timeline, first, second);

    return difference != 0 ? difference : (first > second) - (first < second);
}

/* Sorts events by group: `groups` has the group of each event; `firsts` gets the
 * index at which each group begins and, after the last, the end. Returns the events
 * in order. */
static guint32 *put_in_order(const Order *order,
                             const guint32 *groups,
                             guint count,
                             guint32 *firsts,
                             guint group_count)
{
    guint32 *events = g_new0(guint32, MAX(count, 1));
    g_autofree guint32 *next = g_new0(guint32, group_count + 1);

    for (guint i = 0; i < count; i++) {
        next[groups[i] + 1]++;
    }
    for (guint i = 0; i < group_count; i++) {
        next[i + 1] += next[i];
    }
    memcpy(firsts, next, (group_count + 1) * sizeof(guint32));
    for (guint i = 0; i < count; i++) {
        events[next[groups[i]]++] = i;
    }
    for (guint i = 0; i < group_count; i++) {
        bool is_sorted = true;

        for (guint j = firsts[i] + 1; j < firsts[i + 1] && is_sorted; j++) {
            is_sorted = order->compare(order->timeline, events[j - 1], events[j]) <= 0;
        }
        if (!is_sorted) {
            g_qsort_with_data(events + firsts[i], (gint) (firsts[i + 1] - firsts[i]),
                              sizeof(guint32), compare_indices, (gpointer) order);
        }
    }
    return events;
}

/* An array with the elements of `array` in that order. */
static GArray *reorder(GArray *array, const guint32 *events, guint element_size)
{
    GArray *ordered = g_array_sized_new(FALSE, FALSE, element_size, array->len);

    for (guint i = 0; i < array->len; i++) {
        g_array_append_vals(ordered, array->data + (gsize) events[i] * element_size, 1);
    }
    g_array_unref(array);
    return ordered;
}

/* The new index of each event. Takes `events`. */
static guint32 *invert(guint32 *events, guint count)
{
    guint32 *places = g_new(guint32, MAX(count, 1));

    for (guint i = 0; i < count; i++) {
        places[events[i]] = i;
    }
    g_free(events);
    return places;
}

static int compare_slices(const TraceTimeline *timeline, guint32 a, guint32 b)
{
    const TraceSlice *first = &g_array_index(timeline->slices, TraceSlice, a);
    const TraceSlice *second = &g_array_index(timeline->slices, TraceSlice, b);

    if (first->begin != second->begin) {
        return first->begin < second->begin ? -1 : 1;
    }
    return (first->end < second->end) - (first->end > second->end);
}

static int compare_marks(const TraceTimeline *timeline, guint32 a, guint32 b)
{
    const SimTime first = g_array_index(timeline->marks, TraceMark, a).at;
    const SimTime second = g_array_index(timeline->marks, TraceMark, b).at;

    return (first > second) - (first < second);
}

static int compare_samples(const TraceTimeline *timeline, guint32 a, guint32 b)
{
    const SimTime first = g_array_index(timeline->samples, TraceSample, a).at;
    const SimTime second = g_array_index(timeline->samples, TraceSample, b).at;

    return (first > second) - (first < second);
}

/* How many slices each lies in; of a lane, outer ones come first. */
static void find_depths(TraceTimeline *timeline)
{
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(SimTime));
    guint32 lane = TRACE_NONE;

    for (guint i = 0; i < timeline->slices->len; i++) {
        TraceSlice *slice = &g_array_index(timeline->slices, TraceSlice, i);

        if (slice->lane != lane) {
            g_array_set_size(ends, 0);
            lane = slice->lane;
        }
        while (ends->len > 0 &&
               g_array_index(ends, SimTime, ends->len - 1) <= slice->begin) {
            g_array_set_size(ends, ends->len - 1);
        }
        slice->depth = ends->len;
        g_array_append_val(ends, slice->end);
    }
}

/* Returns where each slice went. */
static guint32 *arrange_slices(Draft *self, const guint32 *lane_of)
{
    TraceTimeline *timeline = self->timeline;
    const guint lanes = timeline->lanes->len;
    const guint count = timeline->slices->len;
    const Order order = {timeline, compare_slices};
    g_autofree guint32 *groups = g_new(guint32, MAX(count, 1));
    g_autofree guint32 *firsts = g_new(guint32, lanes + 1);
    guint32 *events;

    for (guint i = 0; i < count; i++) {
        TraceSlice *slice = &g_array_index(timeline->slices, TraceSlice, i);

        slice->lane = lane_of[lane_track_of(self, slice->lane)];
        slice->end = slice->end == SIM_TIME_NEVER ? timeline->end : slice->end;
        groups[i] = slice->lane;
    }
    events = put_in_order(&order, groups, count, firsts, lanes);
    timeline->slices = reorder(timeline->slices, events, sizeof(TraceSlice));
    for (guint i = 0; i < lanes; i++) {
        TraceLane *lane = &g_array_index(timeline->lanes, TraceLane, i);

        lane->first_slice = firsts[i];
        lane->slice_count = firsts[i + 1] - firsts[i];
    }
    find_depths(timeline);
    return invert(events, count);
}

static guint32 *arrange_marks(Draft *self, const guint32 *lane_of)
{
    TraceTimeline *timeline = self->timeline;
    const guint lanes = timeline->lanes->len;
    const guint count = timeline->marks->len;
    const Order order = {timeline, compare_marks};
    g_autofree guint32 *groups = g_new(guint32, MAX(count, 1));
    g_autofree guint32 *firsts = g_new(guint32, lanes + 1);
    guint32 *events;

    for (guint i = 0; i < count; i++) {
        TraceMark *mark = &g_array_index(timeline->marks, TraceMark, i);

        mark->lane = lane_of[lane_track_of(self, mark->lane)];
        groups[i] = mark->lane;
    }
    events = put_in_order(&order, groups, count, firsts, lanes);
    timeline->marks = reorder(timeline->marks, events, sizeof(TraceMark));
    for (guint i = 0; i < lanes; i++) {
        TraceLane *lane = &g_array_index(timeline->lanes, TraceLane, i);

        lane->first_mark = firsts[i];
        lane->mark_count = firsts[i + 1] - firsts[i];
    }
    return invert(events, count);
}

/* "cycles per 64" of a counter of use is its unit and its width. */
static void read_unit(TraceCounter *counter, const char *text, GStringChunk *strings)
{
    static const char per[] = " per ";
    const char *found = strstr(text, per);
    guint64 width = 0;

    counter->unit = text;
    if (found != NULL && g_ascii_string_to_unsigned(found + strlen(per), 10, 1,
                                                    G_MAXINT64, &width, NULL)) {
        g_autofree char *unit = g_strndup(text, (gsize) (found - text));

        counter->unit = g_string_chunk_insert_const(strings, unit);
        counter->width = width;
    }
}

static int compare_counters(gconstpointer a, gconstpointer b)
{
    const guint32 first = ((const TraceCounter *) a)->lane;
    const guint32 second = ((const TraceCounter *) b)->lane;

    return (first > second) - (first < second);
}

static void arrange_counters(Draft *self, const guint32 *lane_of)
{
    TraceTimeline *timeline = self->timeline;
    const guint counters = self->counter_tracks->len;
    const Order order = {timeline, compare_samples};
    g_autofree guint32 *firsts = g_new(guint32, counters + 1);
    g_autofree guint32 *events =
        put_in_order(&order, (const guint32 *) self->sample_counters->data,
                     timeline->samples->len, firsts, counters);

    timeline->samples = reorder(timeline->samples, events, sizeof(TraceSample));
    for (guint i = 0; i < counters; i++) {
        const guint32 number = g_array_index(self->counter_tracks, guint32, i);
        const DraftTrack *track = track_at(self, number);
        TraceCounter counter = {.name = track->name,
                                .lane = lane_of[lane_track_of(self, number)],
                                .first_sample = firsts[i],
                                .sample_count = firsts[i + 1] - firsts[i]};

        read_unit(&counter, track->unit, timeline->strings);
        g_array_append_val(timeline->counters, counter);
    }
    g_array_sort(timeline->counters, compare_counters); /* it is stable */
}

static int compare_flows(gconstpointer a, gconstpointer b)
{
    const DraftFlow *first = a;
    const DraftFlow *second = b;

    if (first->id != second->id) {
        return first->id < second->id ? -1 : 1;
    }
    if (first->at != second->at) {
        return first->at < second->at ? -1 : 1;
    }
    if (first->is_end != second->is_end) {
        return first->is_end ? 1 : -1;
    }
    return (first->order > second->order) - (first->order < second->order);
}

static void
add_flow(Draft *self, uint64_t id, const DraftFlow *from, const DraftFlow *to)
{
    const TraceFlow flow = {.id = id,
                            .is_from_mark = from != NULL && from->is_mark,
                            .is_to_mark = to != NULL && to->is_mark,
                            .from = from != NULL ? from->event : TRACE_NONE,
                            .to = to != NULL ? to->event : TRACE_NONE};

    g_array_append_val(self->timeline->flows, flow);
}

/* From each event to the next one of its flow; several ends of one flow have the same
 * beginning. */
static void
arrange_flows(Draft *self, const guint32 *slice_places, const guint32 *mark_places)
{
    const DraftFlow *from = NULL;
    bool is_ended = false; /* `from` has led somewhere */
    bool is_over = false;  /* and the flow has ended there */

    g_array_sort(self->flows, compare_flows);
    for (guint i = 0; i < self->flows->len; i++) {
        DraftFlow *point = &g_array_index(self->flows, DraftFlow, i);

        point->event =
            point->is_mark ? mark_places[point->event] : slice_places[point->event];
        if (from != NULL && (point->id != from->id || (is_over && !point->is_end))) {
            if (!is_ended) {
                add_flow(self, from->id, from, NULL);
            }
            from = NULL;
        }
        if (from != NULL || point->is_end) {
            add_flow(self, point->id, from, point);
            is_ended = true;
            is_over = point->is_end;
        }
        if (!point->is_end) {
            is_ended = from != NULL;
            is_over = false;
            from = point;
        }
    }
    if (from != NULL && !is_ended) {
        add_flow(self, from->id, from, NULL);
    }
}

void draft_arrange(Draft *self)
{
    TraceTimeline *timeline = self->timeline;
    g_autofree guint32 *lane_of = make_lanes(self);
    g_autofree guint32 *slice_places = arrange_slices(self, lane_of);
    g_autofree guint32 *mark_places = arrange_marks(self, lane_of);

    arrange_counters(self, lane_of);
    arrange_flows(self, slice_places, mark_places);
    timeline->begin = MIN(timeline->begin, timeline->end);
}
