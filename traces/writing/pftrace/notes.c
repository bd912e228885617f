/* Writes notes as instants with annotations on a track of their own. */
#include "traces/writing/pftrace/notes.h"

#include "traces/file/json_text.h"

enum {
    RUN_TRACK = 4, /* the low bits of lanes, places and counters are not 0 */
};

typedef struct {
    GPtrArray *annotations; /* of Perfetto__DebugAnnotation; owns them */
} Note;

static void annotation_free(gpointer data)
{
    Perfetto__DebugAnnotation *annotation = data;

    g_free(annotation->name);
    g_free(annotation->string_value);
    g_free(annotation);
}

static void note_init(Note *self)
{
    self->annotations = g_ptr_array_new_with_free_func(annotation_free);
}

static void note_clear(Note *self)
{
    g_ptr_array_unref(self->annotations);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Note, note_clear)

static Perfetto__DebugAnnotation *note_add(Note *self, const char *name)
{
    Perfetto__DebugAnnotation *added = g_new0(Perfetto__DebugAnnotation, 1);

    perfetto__debug_annotation__init(added);
    added->name = g_strdup(name);
    g_ptr_array_add(self->annotations, added);
    return added;
}

static void note_int(Note *self, const char *name, int64_t value)
{
    Perfetto__DebugAnnotation *added = note_add(self, name);

    added->has_int_value = true;
    added->int_value = value;
}

static void note_double(Note *self, const char *name, double value)
{
    Perfetto__DebugAnnotation *added = note_add(self, name);

    added->has_double_value = true;
    added->double_value = value;
}

static void note_text(Note *self, const char *name, const char *value)
{
    note_add(self, name)->string_value = g_strdup(value);
}

/* `without`, a member, is left out. */
static void
note_json(Note *self, const char *name, JsonObject *object, const char *without)
{
    g_autoptr(JsonObject) copy = json_object_new();
    g_autoptr(GList) members = json_object_get_members(object);

    for (GList *member = members; member != NULL; member = member->next) {
        if (g_strcmp0(member->data, without) != 0) {
            json_object_set_member(copy, member->data,
                                   json_object_dup_member(object, member->data));
        }
    }
    note_add(self, name)->string_value = trace_json_object_text(copy, false);
}

static void note_write(
    Note *self, Sequence *sequence, Packets *packets, const char *name, SimTime at)
{
    Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
    Perfetto__TracePacket packet = sequence_packet(
        sequence, PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_NEEDS_INCREMENTAL_STATE);

    event.has_type = true;
    event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT;
    event.name = (char *) name;
    event.n_debug_annotations = self->annotations->len;
    event.debug_annotations = (Perfetto__DebugAnnotation **) self->annotations->pdata;
    packet.has_timestamp = true;
    packet.timestamp = at;
    packet.track_event = &event;
    stream_add(packets->stream, &packet);
}

/* "0:3,0:6;8:8,1:1". */
static char *squares_text(const TracePftraceConfig *config)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < config->core_count; i++) {
        const TraceSquare *square = &config->cores[i];

        g_string_append_printf(text, "%s%u:%u,%u:%u", i > 0 ? ";" : "", square->x,
                               square->x_end, square->y, square->y_end);
    }
    return g_string_free(text, FALSE);
}

/* The part of the run that is recorded, if it is not all. */
static void note_scope(Note *self, const TracePftraceConfig *config)
{
    if (config->from > 0) {
        note_int(self, "from", (int64_t) config->from);
    }
    if (config->to != SIM_TIME_NEVER) {
        note_int(self, "to", (int64_t) config->to);
    }
    if (config->core_count > 0) {
        g_autofree char *squares = squares_text(config);

        note_text(self, "cores", squares);
    }
}

void notes_begin(Sequence *sequence,
                 Packets *packets,
                 const TracePftraceStart *start,
                 const TracePftraceConfig *config)
{
    Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;
    g_auto(Note) note = {0};

    descriptor.has_uuid = true;
    descriptor.uuid = RUN_TRACK;
    descriptor.name = (char *) "run";
    sequence_open(sequence, packets, RUN_TRACK, &descriptor);
    note_init(&note);
    note_int(&note, "format", TRACE_PFTRACE_FORMAT);
    note_text(&note, "workload", start->workload);
    note_text(&note, "chip", start->chip);
    note_double(&note, "clock_hz", start->clock_hz);
    if (start->details != NULL) {
        note_json(&note, "start", start->details, NULL);
    }
    note_scope(&note, config);
    note_write(&note, sequence, packets, "gridloom", 0);
}

void notes_end(Sequence *sequence,
               Packets *packets,
               const TracePftraceEnd *end,
               const NotesEnd *more)
{
    g_auto(Note) note = {0};

    note_init(&note);
    note_double(&note, "clock_hz", more->clock_hz);
    note_int(&note, "cycles", (int64_t) end->cycles);
    if (end->measured_end > 0) {
        note_int(&note, "measured_end", (int64_t) end->measured_end);
    }
    if (more->is_part) {
        note_int(&note, "window", 1);
    }
    if (more->cut != SIM_TIME_NEVER) {
        note_int(&note, "cut", (int64_t) more->cut);
    }
    if (more->lacks_use) {
        note_int(&note, "lacks_use", 1);
    }
    if (end->counters != NULL) {
        g_autoptr(GList) members = json_object_get_members(end->counters);

        for (GList *member = members; member != NULL; member = member->next) {
            g_autofree char *name = g_strconcat("counters.", member->data, NULL);

            note_int(&note, name,
                     json_object_get_int_member(end->counters, member->data));
        }
    }
    if (end->failure != NULL) {
        note_text(&note, "failure", end->failure);
    }
    if (end->result != NULL) {
        note_json(&note, "result", end->result, "host");
    }
    if (end->work != NULL) {
        note_json(&note, "work", end->work, NULL);
    }
    note_write(&note, sequence, packets, "summary", more->at);
}
