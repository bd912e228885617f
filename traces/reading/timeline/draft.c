/* Collects the contents of packets, and parses the names of places. */
#include "traces/reading/timeline/draft.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    EVENT_LIMIT = 80000000, /* of a kind: an array holds no more than 4 GiB */
    OPEN_LIMIT = 64,        /* slices in each other, among which an end finds its own */
};

static const char stall_category[] = "stall";
static const char stall_argument[] = "cycles";

static void track_clear(gpointer data)
{
    DraftTrack *track = data;

    g_clear_pointer(&track->open, g_array_unref);
}

void draft_init(Draft *self, TraceTimeline *timeline)
{
    self->timeline = timeline;
    self->sources = sources_new(timeline->strings);
    self->tracks = g_array_new(FALSE, FALSE, sizeof(DraftTrack));
    g_array_set_clear_func(self->tracks, track_clear);
    self->track_numbers = g_hash_table_new(NULL, NULL);
    self->sample_counters = g_array_new(FALSE, FALSE, sizeof(guint32));
    self->counter_tracks = g_array_new(FALSE, FALSE, sizeof(guint32));
    self->flows = g_array_new(FALSE, FALSE, sizeof(DraftFlow));
}

void draft_clear(Draft *self)
{
    if (self->timeline != NULL) {
        sources_free(self->sources);
        g_array_unref(self->tracks);
        g_hash_table_unref(self->track_numbers);
        g_array_unref(self->sample_counters);
        g_array_unref(self->counter_tracks);
        g_array_unref(self->flows);
    }
}

/* The number of the track with this id. */
static guint32 draft_track(Draft *self, uint64_t id)
{
    const gpointer key = sources_key(id);
    gpointer number = NULL;

    if (!g_hash_table_lookup_extended(self->track_numbers, key, NULL, &number)) {
        const DraftTrack track = {.id = id,
                                  .name = "",
                                  .process = -1,
                                  .thread = -1,
                                  .unit = "",
                                  .counter = TRACE_NONE};

        number = GUINT_TO_POINTER(self->tracks->len);
        g_array_append_val(self->tracks, track);
        g_hash_table_insert(self->track_numbers, key, number);
    }
    return GPOINTER_TO_UINT(number);
}

static DraftTrack *track_at(const Draft *self, guint32 number)
{
    return &g_array_index(self->tracks, DraftTrack, number);
}

void draft_describe(Draft *self, const Perfetto__TrackDescriptor *descriptor)
{
    DraftTrack *track = track_at(self, draft_track(self, descriptor->uuid));
    const char *name = descriptor->name;

    track->parent = descriptor->parent_uuid;
    if (descriptor->process != NULL) {
        track->is_process = true;
        track->process = descriptor->process->pid;
        name = name != NULL ? name : descriptor->process->process_name;
    }
    if (descriptor->thread != NULL) {
        track->is_thread = true;
        track->process = descriptor->thread->pid;
        track->thread = descriptor->thread->tid;
        name = name != NULL ? name : descriptor->thread->thread_name;
    }
    if (descriptor->counter != NULL) {
        track->is_counter = true;
        track->is_incremental = descriptor->counter->is_incremental;
        track->unit = sources_keep(self->sources, descriptor->counter->unit_name);
    }
    track->name = sources_keep(self->sources, name);
}

/* Text is left out: arguments are numbers. */
static bool read_number(const Perfetto__DebugAnnotation *argument, int64_t *value)
{
    if (argument->has_int_value) {
        *value = argument->int_value;
    } else if (argument->has_uint_value) {
        *value = (int64_t) argument->uint_value;
    } else if (argument->has_bool_value) {
        *value = argument->bool_value;
    } else if (argument->has_double_value && fabs(argument->double_value) < 9e18) {
        *value = (int64_t) argument->double_value;
    } else {
        return false;
    }
    return true;
}

static guint32 add_arguments(Draft *self,
                             const TraceSource *source,
                             const Perfetto__TrackEvent *event,
                             const char *without)
{
    GArray *arguments = self->timeline->arguments;
    const guint before = arguments->len;

    for (gsize i = 0; i < event->n_debug_annotations; i++) {
        const Perfetto__DebugAnnotation *told = event->debug_annotations[i];
        TraceArgument argument = {
            .name = sources_argument_name(self->sources, source, told)};

        if (read_number(told, &argument.value) &&
            g_strcmp0(argument.name, without) != 0) {
            g_array_append_val(arguments, argument);
        }
    }
    return arguments->len - before;
}

/* The argument of that name, or 0. */
static SimTime read_time(Draft *self,
                         const TraceSource *source,
                         const Perfetto__TrackEvent *event,
                         const char *name)
{
    for (gsize i = 0; i < event->n_debug_annotations; i++) {
        const Perfetto__DebugAnnotation *told = event->debug_annotations[i];
        int64_t value = 0;

        if (g_str_equal(sources_argument_name(self->sources, source, told), name) &&
            read_number(told, &value)) {
            return (SimTime) MAX(value, 0);
        }
    }
    return 0;
}

static void add_flows(Draft *self,
                      const Perfetto__TrackEvent *told,
                      SimTime at,
                      bool is_mark,
                      guint32 event)
{
    DraftFlow flow = {.at = at, .is_mark = is_mark, .event = event};

    for (gsize i = 0; i < told->n_flow_ids; i++) {
        flow.id = told->flow_ids[i];
        flow.order = self->flows->len;
        g_array_append_val(self->flows, flow);
    }
    flow.is_end = true;
    for (gsize i = 0; i < told->n_terminating_flow_ids; i++) {
        flow.id = told->terminating_flow_ids[i];
        flow.order = self->flows->len;
        g_array_append_val(self->flows, flow);
    }
}

static void begin_slice(Draft *self,
                        const TraceSource *source,
                        guint32 number,
                        const Perfetto__TracePacket *packet)
{
    TraceTimeline *timeline = self->timeline;
    const Perfetto__TrackEvent *event = packet->track_event;
    DraftTrack *track = track_at(self, number);
    const DraftOpen open = {.slice = timeline->slices->len, .source = source->id};
    TraceSlice slice = {.name = sources_event_name(self->sources, source, event),
                        .begin = packet->timestamp,
                        .end = SIM_TIME_NEVER,
                        .lane = number,
                        .first_argument = timeline->arguments->len};

    slice.argument_count = add_arguments(self, source, event, NULL);
    g_array_append_val(timeline->slices, slice);
    add_flows(self, event, slice.begin, false, open.slice);
    if (track->open == NULL) {
        track->open = g_array_new(FALSE, FALSE, sizeof(DraftOpen));
    }
    g_array_append_val(track->open, open);
}

/* The innermost open slice of the same sequence, as far as it looks, else the innermost
 * one. */
static void
end_slice(Draft *self, const TraceSource *source, guint32 number, SimTime at)
{
    const DraftTrack *track = track_at(self, number);
    guint count = track->open == NULL ? 0 : track->open->len;

    if (count == 0) {
        return;
    }
    guint found = count - 1;

    for (guint i = count; i > 0 && count - i < OPEN_LIMIT; i--) {
        if (g_array_index(track->open, DraftOpen, i - 1).source == source->id) {
            found = i - 1;
            break;
        }
    }
    TraceSlice *slice =
        &g_array_index(self->timeline->slices, TraceSlice,
                       g_array_index(track->open, DraftOpen, found).slice);

    slice->end = MAX(at, slice->begin);
    g_array_remove_index(track->open, found);
}

static void add_mark(Draft *self,
                     const TraceSource *source,
                     guint32 number,
                     const Perfetto__TracePacket *packet)
{
    TraceTimeline *timeline = self->timeline;
    const Perfetto__TrackEvent *event = packet->track_event;
    TraceMark mark = {.name = sources_event_name(self->sources, source, event),
                      .at = packet->timestamp,
                      .lane = number,
                      .is_stall = sources_has_category(source, event, stall_category),
                      .first_argument = timeline->arguments->len};

    if (mark.is_stall) {
        mark.cycles = read_time(self, source, event, stall_argument);
    }
    mark.argument_count =
        add_arguments(self, source, event, mark.is_stall ? stall_argument : NULL);
    add_flows(self, event, mark.at, true, timeline->marks->len);
    g_array_append_val(timeline->marks, mark);
}

static void
add_sample(Draft *self, guint32 number, SimTime at, const Perfetto__TrackEvent *event)
{
    TraceTimeline *timeline = self->timeline;
    DraftTrack *track = track_at(self, number);
    TraceSample sample = {.at = at, .value = event->counter_value};

    if (!event->has_counter_value && fabs(event->double_counter_value) < 9e18) {
        sample.value = (int64_t) event->double_counter_value;
    }
    if (track->is_incremental) {
        /* As unsigned numbers, which may overflow. */
        sample.value = (int64_t) ((uint64_t) sample.value + (uint64_t) track->value);
    }
    track->value = sample.value;
    if (track->counter == TRACE_NONE) {
        track->counter = self->counter_tracks->len;
        g_array_append_val(self->counter_tracks, number);
    }
    g_array_append_val(timeline->samples, sample);
    g_array_append_val(self->sample_counters, track->counter);
}

bool draft_event(Draft *self,
                 const TraceSource *source,
                 const Perfetto__TracePacket *packet)
{
    const Perfetto__TrackEvent *event = packet->track_event;
    const TraceTimeline *timeline = self->timeline;
    const SimTime at = packet->timestamp;
    const guint32 number =
        draft_track(self, event->has_track_uuid ? event->track_uuid : source->track);

    if (timeline->slices->len >= EVENT_LIMIT || timeline->marks->len >= EVENT_LIMIT ||
        timeline->samples->len >= EVENT_LIMIT ||
        timeline->arguments->len >= EVENT_LIMIT || self->flows->len >= EVENT_LIMIT) {
        return false;
    }
    switch (event->type) {
    case PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN:
        begin_slice(self, source, number, packet);
        break;
    case PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END:
        end_slice(self, source, number, at);
        break;
    case PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT:
        add_mark(self, source, number, packet);
        break;
    case PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER:
        add_sample(self, number, at, event);
        break;
    case PERFETTO__TRACK_EVENT__TYPE__TYPE_UNSPECIFIED:
    default:
        return true;
    }
    track_at(self, number)->has_events = true;
    self->timeline->begin = MIN(self->timeline->begin, at);
    self->timeline->end = MAX(self->timeline->end, at);
    return true;
}

static bool read_coordinate(const char **next, guint *number)
{
    guint64 value = 0;
    const char *digits = *next;

    while (g_ascii_isdigit(**next) && value <= G_MAXINT32) {
        value = 10 * value + (guint64) g_ascii_digit_value(*(*next)++);
    }
    *number = (guint) value;
    return *next != digits && value <= G_MAXINT32;
}

/* 3 or 0:15, and then `end`. */
static bool read_span(const char **next, guint *first, guint *last, char end)
{
    if (!read_coordinate(next, first)) {
        return false;
    }
    *last = *first;
    if (**next == ':') {
        (*next)++;
        if (!read_coordinate(next, last) || *last < *first) {
            return false;
        }
    }
    return *(*next)++ == end;
}

TracePlace place_name_read(const char *name, GStringChunk *strings)
{
    const char *open = strchr(name, '[');
    TracePlace place = {.name = g_string_chunk_insert_const(strings, name)};
    TracePlace spans = {0};
    const char *next = open == NULL ? NULL : open + 1;

    if (next != NULL && open != name && read_span(&next, &spans.x, &spans.x_end, ',') &&
        read_span(&next, &spans.y, &spans.y_end, ']') && *next == '\0') {
        g_autofree char *kind = g_strndup(name, (gsize) (open - name));

        spans.name = place.name;
        spans.kind = g_string_chunk_insert_const(strings, kind);
        spans.has_place = true;
        return spans;
    }
    place.kind = place.name;
    return place;
}
