/* Creates a track when something first happens on it: an idle lane costs nothing. */
#include "traces/writing/pftrace/track.h"

enum {
    PAGE_LANES = 256,
    TRACK_PLACE = 1, /* the low bits of a track's number */
    TRACK_LANE = 2,
    TRACK_COUNTER = 3,
    TRACK_BITS = 2,
    ENGINE_BITS = 25, /* of processes and threads of one engine */
};

typedef struct {
    Track *track; /* NULL: nothing happened on it so far */
    Name cause;   /* without a text: it ended no wait so far */
} Lane;

struct Tracks {
    const SimEngine *engine;
    guint32 base; /* processes and threads have numbers above it */
    const char *prefix;
    Packets *packets;
    GPtrArray *pages;   /* of Lane[PAGE_LANES] or NULL, by lane */
    GHashTable *blocks; /* of Track *, by lane */
    SimLane block;      /* the last one that was asked for */
    Track *of_block;    /* its track, or NULL */
    GHashTable *places; /* processes that the file knows */
    GHashTable *named;  /* of Track *, by PLACE.LANE, and of places by their names */
    guint32 name_count; /* of both */
    GPtrArray *tracks;  /* all of them, in the order of their making; owns them */
};

static void track_free(gpointer data)
{
    Track *track = data;

    sequence_clear(&track->sequence);
    for (guint i = 0; track->more != NULL && i < track->more->len; i++) {
        sequence_clear(&g_array_index(track->more, Sequence, i));
    }
    g_clear_pointer(&track->more, g_array_unref);
    for (guint i = 0; i < track->counter_count; i++) {
        sequence_clear(&track->counters[i].sequence);
    }
    g_free(track->counter_names);
    g_free(track->counters);
    g_free(track);
}

Tracks *
tracks_new(const SimEngine *engine, guint number, const char *prefix, Packets *packets)
{
    Tracks *self = g_new0(Tracks, 1);

    self->engine = engine;
    self->base = (guint32) number << ENGINE_BITS;
    self->prefix = prefix;
    self->packets = packets;
    self->pages = g_ptr_array_new_with_free_func(g_free);
    self->blocks = g_hash_table_new(NULL, NULL);
    self->places = g_hash_table_new(NULL, NULL);
    self->named = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    self->tracks = g_ptr_array_new_with_free_func(track_free);
    return self;
}

void tracks_free(Tracks *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->pages);
        g_hash_table_unref(self->blocks);
        g_hash_table_unref(self->places);
        g_hash_table_unref(self->named);
        g_ptr_array_unref(self->tracks);
        g_free(self);
    }
}

/* core[3,4], or pe[0:15,16:31] where it is the first of a square. */
static char *place_name(const char *prefix, const SimLanePlace *place, guint edge)
{
    const SimLaneGrid *grid = place->grid;

    if (grid->columns == 0) {
        return g_strconcat(prefix, grid->kind, NULL);
    }
    if (edge == 1) {
        return g_strdup_printf("%s%s[%u,%u]", prefix, grid->kind, place->x, place->y);
    }
    return g_strdup_printf("%s%s[%u:%u,%u:%u]", prefix, grid->kind, place->x,
                           MIN(place->x + edge, grid->columns) - 1, place->y,
                           MIN(place->y + edge, grid->rows) - 1);
}

static void describe_place(Tracks *self, guint32 process, const char *name)
{
    Perfetto__ProcessDescriptor descriptor = PERFETTO__PROCESS_DESCRIPTOR__INIT;
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

    if (!g_hash_table_add(self->places, GUINT_TO_POINTER(process))) {
        return;
    }
    descriptor.has_pid = true;
    descriptor.pid = (int32_t) process;
    descriptor.process_name = (char *) name;
    track.has_uuid = true;
    track.uuid = (uint64_t) process << TRACK_BITS | TRACK_PLACE;
    track.name = (char *) name;
    track.process = &descriptor;
    packet.track_descriptor = &track;
    stream_add(self->packets->stream, &packet);
}

/* A thread of a process that the file knows. */
static Track *
add_thread(Tracks *self, guint32 process, guint32 number, const char *name)
{
    Track *track = g_new0(Track, 1);
    Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
    Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;

    track->id = (uint64_t) number << TRACK_BITS | TRACK_LANE;
    thread.has_pid = true;
    thread.pid = (int32_t) process;
    thread.has_tid = true;
    thread.tid = (int32_t) number;
    thread.thread_name = (char *) name;
    descriptor.has_uuid = true;
    descriptor.uuid = track->id;
    descriptor.name = thread.thread_name;
    descriptor.has_parent_uuid = true;
    descriptor.parent_uuid = (uint64_t) process << TRACK_BITS | TRACK_PLACE;
    descriptor.thread = &thread;
    sequence_open(&track->sequence, self->packets, track->id, &descriptor);
    g_ptr_array_add(self->tracks, track);
    return track;
}

/* Numbers a lane's thread. A place's process has the number of its first lane, so that
 * readers may take it for a thread. Squares come after all lanes. */
static Track *add(Tracks *self, SimLane lane, guint edge)
{
    const SimLanePlace place = sim_engine_lane_place(self->engine, lane);
    const guint32 base =
        self->base + (edge == 1 ? 1 : sim_engine_lane_count(self->engine) + 1);
    guint unit = 0;

    while (place.unit != NULL && place.grid->units[unit] != place.unit) {
        unit++;
    }
    const guint32 process = base + lane - unit;
    g_autofree char *name = place_name(self->prefix, &place, edge);

    describe_place(self, process, name);
    return add_thread(self, process, base + lane,
                      place.unit != NULL ? place.unit : name);
}

Track *tracks_named(Tracks *self, const char *place, const char *lane)
{
    g_autofree char *name = g_strconcat(place, ".", lane, NULL);
    Track *track = g_hash_table_lookup(self->named, name);
    guint32 process = GPOINTER_TO_UINT(g_hash_table_lookup(self->named, place));

    if (track != NULL) {
        return track;
    }
    /* The first lane has the number of its place. */
    const guint32 number = self->base + ++self->name_count;

    if (process == 0) {
        process = number;
        g_hash_table_insert(self->named, g_strdup(place), GUINT_TO_POINTER(process));
        describe_place(self, process, place);
    }
    track = add_thread(self, process, number, lane);
    g_hash_table_insert(self->named, g_steal_pointer(&name), track);
    return track;
}

static Lane *lane_at(Tracks *self, SimLane lane)
{
    const guint page = lane / PAGE_LANES;

    if (G_UNLIKELY(page >= self->pages->len)) {
        g_ptr_array_set_size(self->pages, (gint) page + 1);
    }
    if (G_UNLIKELY(self->pages->pdata[page] == NULL)) {
        self->pages->pdata[page] = g_new0(Lane, PAGE_LANES);
    }
    return (Lane *) self->pages->pdata[page] + lane % PAGE_LANES;
}

Track *tracks_lane(Tracks *self, SimLane lane)
{
    Lane *found = lane_at(self, lane);

    if (G_UNLIKELY(found->track == NULL)) {
        found->track = add(self, lane, 1);
    }
    return found->track;
}

Name *tracks_cause(Tracks *self, SimLane lane)
{
    Name *cause = &lane_at(self, lane)->cause;

    if (G_UNLIKELY(cause->text == NULL)) {
        g_autofree char *place = sim_engine_lane_name(self->engine, lane);
        g_autofree char *text = g_strconcat("by ", place, NULL);

        cause->text = g_intern_string(text);
    }
    return cause;
}

static Track *find_block(Tracks *self, SimLane lane)
{
    const guint edge = sim_engine_lane_edge(self->engine, lane);
    Track *track;

    if (edge == 1) {
        return tracks_lane(self, lane);
    }
    track = g_hash_table_lookup(self->blocks, GUINT_TO_POINTER(lane));
    if (track == NULL) {
        track = add(self, lane, edge);
        g_hash_table_insert(self->blocks, GUINT_TO_POINTER(lane), track);
    }
    return track;
}

Track *tracks_block(Tracks *self, SimLane lane)
{
    if (self->of_block == NULL || self->block != lane) {
        self->block = lane;
        self->of_block = find_block(self, lane);
    }
    return self->of_block;
}

Sequence *tracks_later_sequence(Tracks *self, Track *track, SimTime at)
{
    Sequence added;

    if (track->more == NULL) {
        track->more = g_array_new(FALSE, FALSE, sizeof(Sequence));
    }
    for (guint i = 0; i < track->more->len; i++) {
        Sequence *sequence = &g_array_index(track->more, Sequence, i);

        if (sequence->last <= at) {
            return sequence;
        }
    }
    sequence_open(&added, self->packets, track->id, NULL);
    g_array_append_val(track->more, added);
    return &g_array_index(track->more, Sequence, track->more->len - 1);
}

Counter *tracks_find_counter(Tracks *self, const Track *track, const char *name)
{
    for (guint i = 0; i < track->counter_count; i++) {
        if (track->counter_names[i] == name) {
            return &track->counters[i];
        }
    }
    /* Equal texts may be at several places. */
    const guint32 number = names_find(self->packets->events, name)->number;

    for (guint i = 0; i < track->counter_count; i++) {
        if (track->counters[i].name == number) {
            return &track->counters[i];
        }
    }
    return NULL;
}

Counter *
tracks_add_counter(Tracks *self, Track *track, const char *name, const char *unit)
{
    Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
    Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;

    const guint count = track->counter_count++;

    track->counter_names = g_renew(const char *, track->counter_names, count + 1);
    track->counter_names[count] = name;
    track->counters = g_renew(Counter, track->counters, count + 1);
    Counter *added = &track->counters[count];

    *added = (Counter){.name = names_find(self->packets->events, name)->number};
    counter.unit_name = (char *) unit;
    descriptor.has_uuid = true;
    descriptor.uuid = ++self->packets->counter_count << TRACK_BITS | TRACK_COUNTER;
    descriptor.name = (char *) name;
    descriptor.has_parent_uuid = true;
    descriptor.parent_uuid = track->id;
    descriptor.counter = &counter;
    sequence_open(&added->sequence, self->packets, descriptor.uuid, &descriptor);
    return added;
}

void tracks_each_counter(Tracks *self, CounterFunc func, gpointer data)
{
    for (guint i = 0; i < self->tracks->len; i++) {
        const Track *track = self->tracks->pdata[i];

        for (guint j = 0; j < track->counter_count; j++) {
            func(data, &track->counters[j]);
        }
    }
}
