/* Keeps the names and tracks of packet sequences. */
#include "traces/reading/timeline/draft.h"

struct Sources {
    GStringChunk *strings;
    GHashTable *sources; /* of TraceSource, by their number */
    TraceSource *last;   /* most packets are of the one before */
};

static void source_free(gpointer data)
{
    TraceSource *source = data;

    g_hash_table_unref(source->categories);
    g_hash_table_unref(source->events);
    g_hash_table_unref(source->arguments);
    g_free(source);
}

Sources *sources_new(GStringChunk *strings)
{
    Sources *self = g_new0(Sources, 1);

    self->strings = strings;
    self->sources = g_hash_table_new_full(NULL, NULL, NULL, source_free);
    return self;
}

void sources_free(Sources *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->sources);
        g_free(self);
    }
}

const char *sources_keep(Sources *self, const char *text)
{
    g_autofree char *valid = NULL;

    if (text == NULL) {
        return "";
    }
    if (!g_utf8_validate(text, -1, NULL)) {
        valid = g_utf8_make_valid(text, -1);
        text = valid;
    }
    return g_string_chunk_insert_const(self->strings, text);
}

/* Numbers are of 64 bits; a table of pointers holds them on the machines we run on. */
G_STATIC_ASSERT(sizeof(gpointer) == sizeof(uint64_t));

gpointer sources_key(uint64_t number)
{
    return GSIZE_TO_POINTER(number);
}

static TraceSource *find(Sources *self, guint32 id)
{
    TraceSource *source = self->last;

    if (source != NULL && source->id == id) {
        return source;
    }
    source = g_hash_table_lookup(self->sources, GUINT_TO_POINTER(id));
    if (source == NULL) {
        source = g_new0(TraceSource, 1);
        source->id = id;
        source->categories = g_hash_table_new(NULL, NULL);
        source->events = g_hash_table_new(NULL, NULL);
        source->arguments = g_hash_table_new(NULL, NULL);
        g_hash_table_insert(self->sources, GUINT_TO_POINTER(id), source);
    }
    self->last = source;
    return source;
}

static void forget(TraceSource *source)
{
    source->track = 0;
    source->clock = 0;
    g_hash_table_remove_all(source->categories);
    g_hash_table_remove_all(source->events);
    g_hash_table_remove_all(source->arguments);
}

static void
learn(Sources *self, GHashTable *names, bool has_number, uint64_t number, char *name)
{
    if (has_number) {
        g_hash_table_insert(names, sources_key(number),
                            (gpointer) sources_keep(self, name));
    }
}

static void
learn_all(Sources *self, TraceSource *source, const Perfetto__InternedData *data)
{
    for (gsize i = 0; i < data->n_event_categories; i++) {
        learn(self, source->categories, data->event_categories[i]->has_iid,
              data->event_categories[i]->iid, data->event_categories[i]->name);
    }
    for (gsize i = 0; i < data->n_event_names; i++) {
        learn(self, source->events, data->event_names[i]->has_iid,
              data->event_names[i]->iid, data->event_names[i]->name);
    }
    for (gsize i = 0; i < data->n_debug_annotation_names; i++) {
        learn(self, source->arguments, data->debug_annotation_names[i]->has_iid,
              data->debug_annotation_names[i]->iid,
              data->debug_annotation_names[i]->name);
    }
}

TraceSource *sources_hear(Sources *self, const Perfetto__TracePacket *packet)
{
    TraceSource *source = find(self, packet->trusted_packet_sequence_id);
    const Perfetto__TracePacketDefaults *defaults = packet->trace_packet_defaults;
    const guint32 cleared =
        PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_INCREMENTAL_STATE_CLEARED;

    if ((packet->sequence_flags & cleared) != 0 || packet->incremental_state_cleared) {
        forget(source);
    }
    if (defaults != NULL) {
        source->clock = defaults->timestamp_clock_id;
        source->track = defaults->track_event_defaults == NULL
                            ? 0
                            : defaults->track_event_defaults->track_uuid;
    }
    if (packet->interned_data != NULL) {
        learn_all(self, source, packet->interned_data);
    }
    return source;
}

static const char *known(GHashTable *names, uint64_t number)
{
    const char *name = g_hash_table_lookup(names, sources_key(number));

    return name != NULL ? name : "";
}

const char *sources_event_name(Sources *self,
                               const TraceSource *source,
                               const Perfetto__TrackEvent *event)
{
    return event->name != NULL ? sources_keep(self, event->name)
                               : known(source->events, event->name_iid);
}

const char *sources_argument_name(Sources *self,
                                  const TraceSource *source,
                                  const Perfetto__DebugAnnotation *argument)
{
    return argument->name != NULL ? sources_keep(self, argument->name)
                                  : known(source->arguments, argument->name_iid);
}

bool sources_has_category(const TraceSource *source,
                          const Perfetto__TrackEvent *event,
                          const char *category)
{
    for (gsize i = 0; i < event->n_category_iids; i++) {
        if (g_str_equal(known(source->categories, event->category_iids[i]), category)) {
            return true;
        }
    }
    for (gsize i = 0; i < event->n_categories; i++) {
        if (g_str_equal(event->categories[i], category)) {
            return true;
        }
    }
    return false;
}
