/* Reads a trace packet by packet, then puts everything in order. */
#include "traces/reading/timeline.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/time.h"
#include "traces/error.h"
#include "traces/file/json_text.h"
#include "traces/perfetto.pb-c.h"
#include "traces/reading/timeline/arena.h"
#include "traces/reading/timeline/draft.h"
#include "traces/writing/pftrace.h"

typedef struct {
    bool is_ours; /* the first event was there */
    bool has_end; /* and the last one */
    uint64_t track;
    int64_t format;
    double clock_hz;
    SimTime measured_end; /* 0: not known */
    bool is_part;         /* of the cycles */
    SimTime cut;    /* from which on slices are missing; SIM_TIME_NEVER: none are */
    bool lacks_use; /* of blocks, for want of room */
    char *failure;
    JsonObject *start;
    JsonObject *result;
    JsonObject *work;
    SimTime from; /* the part of the run that is recorded */
    SimTime to;
    char *cores;
} TraceRunNotes;

static void trace_run_notes_clear(TraceRunNotes *self)
{
    g_free(self->failure);
    g_free(self->cores);
    g_clear_pointer(&self->work, json_object_unref);
    g_clear_pointer(&self->start, json_object_unref);
    g_clear_pointer(&self->result, json_object_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceRunNotes, trace_run_notes_clear)

static void take_object(JsonObject **object, const char *text)
{
    g_autoptr(JsonNode) node = text != NULL && trace_json_is_shallow(text)
                                   ? json_from_string(text, NULL)
                                   : NULL;

    if (node != NULL && JSON_NODE_HOLDS_OBJECT(node)) {
        g_clear_pointer(object, json_object_unref);
        *object = json_node_dup_object(node);
    }
}

static void take_text(char **kept, const char *text)
{
    g_free(*kept);
    *kept = g_utf8_make_valid(text != NULL ? text : "", -1);
}

static void
take(TraceRunNotes *self, const char *name, const Perfetto__DebugAnnotation *note)
{
    if (g_str_equal(name, "clock_hz") && note->double_value > 0) {
        self->clock_hz = note->double_value;
    } else if (g_str_equal(name, "start")) {
        take_object(&self->start, note->string_value);
    } else if (g_str_equal(name, "result")) {
        take_object(&self->result, note->string_value);
    } else if (g_str_equal(name, "measured_end")) {
        self->measured_end = (SimTime) note->int_value;
    } else if (g_str_equal(name, "window")) {
        self->is_part = true;
    } else if (g_str_equal(name, "work")) {
        take_object(&self->work, note->string_value);
    } else if (g_str_equal(name, "cores")) {
        take_text(&self->cores, note->string_value);
    } else if (g_str_equal(name, "from")) {
        self->from = (SimTime) note->int_value;
    } else if (g_str_equal(name, "to")) {
        self->to = (SimTime) note->int_value;
    } else if (g_str_equal(name, "cut")) {
        self->cut = (SimTime) note->int_value;
    } else if (g_str_equal(name, "lacks_use")) {
        self->lacks_use = true;
    } else if (g_str_equal(name, "failure")) {
        take_text(&self->failure, note->string_value);
    } else if (g_str_equal(name, "format")) {
        self->format = note->int_value;
    }
}

static bool has_format(Sources *sources,
                       const TraceSource *source,
                       const Perfetto__TrackEvent *event)
{
    for (gsize i = 0; i < event->n_debug_annotations; i++) {
        if (g_str_equal(
                sources_argument_name(sources, source, event->debug_annotations[i]),
                "format")) {
            return true;
        }
    }
    return false;
}

/* Reads the event if it is one of the notes; returns whether it is. */
static bool trace_run_notes_hear(TraceRunNotes *self,
                                 Sources *sources,
                                 const TraceSource *source,
                                 const Perfetto__TrackEvent *event)
{
    const uint64_t track = event->has_track_uuid ? event->track_uuid : source->track;
    bool is_first;
    bool is_last;

    if (event->type != PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT ||
        event->name == NULL) {
        return false;
    }
    is_first = !self->is_ours && g_str_equal(event->name, "gridloom") &&
               has_format(sources, source, event);
    is_last =
        self->is_ours && track == self->track && g_str_equal(event->name, "summary");
    if (!is_first && !is_last) {
        return false;
    }
    if (is_first) {
        self->is_ours = true;
        self->track = track;
        self->cut = SIM_TIME_NEVER;
        self->to = SIM_TIME_NEVER;
    }
    self->has_end = is_last;
    for (gsize i = 0; i < event->n_debug_annotations; i++) {
        take(self, sources_argument_name(sources, source, event->debug_annotations[i]),
             event->debug_annotations[i]);
    }
    return true;
}

typedef enum {
    PACKETS_NEXT,  /* there is one */
    PACKETS_END,   /* the bytes are over */
    PACKETS_CUT,   /* they end within one */
    PACKETS_WRONG, /* what follows is none */
} PacketsStep;

typedef struct {
    const guint8 *bytes; /* borrowed */
    gsize size;
    gsize at; /* of what comes next */
    Arena *arena;
} PacketsReader;

enum {
    PACKET_FIELD = 1,
    WIRE_VARINT = 0,
    WIRE_64 = 1,
    WIRE_LENGTH = 2,
    WIRE_32 = 5,
    VARINT_BYTES = 10,
    PACKET_BYTES = 1 << 25, /* more than any writer makes of one */
    PACKETS_TOLD = 10000,   /* between two words to who waits */
};

static PacketsStep read_varint(const PacketsReader *self, gsize *at, uint64_t *value)
{
    *value = 0;
    for (guint i = 0; i < VARINT_BYTES; i++) {
        if (*at >= self->size) {
            return PACKETS_CUT;
        }
        const guint8 byte = self->bytes[(*at)++];

        *value |= (uint64_t) (byte & 0x7f) << (7 * i);
        if ((byte & 0x80) == 0) {
            return PACKETS_NEXT;
        }
    }
    return PACKETS_WRONG;
}

/* How many bytes follow the tag that ends at `at`. */
static PacketsStep
read_length(const PacketsReader *self, guint wire, gsize *at, uint64_t *length)
{
    uint64_t ignored;

    *length = 0;
    switch (wire) {
    case WIRE_VARINT:
        return read_varint(self, at, &ignored);
    case WIRE_64:
        *length = 8;
        return PACKETS_NEXT;
    case WIRE_32:
        *length = 4;
        return PACKETS_NEXT;
    case WIRE_LENGTH:
        return read_varint(self, at, length);
    default:
        return PACKETS_WRONG;
    }
}

/* `packet` is valid until the next call. */
static PacketsStep packets_next(PacketsReader *self, Perfetto__TracePacket **packet)
{
    *packet = NULL;
    while (self->at < self->size) {
        gsize at = self->at;
        uint64_t tag;
        uint64_t length;
        PacketsStep step = read_varint(self, &at, &tag);

        if (step == PACKETS_NEXT) {
            step = tag >> 3 == 0 ? PACKETS_WRONG
                                 : read_length(self, tag & 7, &at, &length);
        }
        if (step != PACKETS_NEXT) {
            return step;
        }
        if (length > self->size - at) {
            return PACKETS_CUT;
        }
        if (tag == (PACKET_FIELD << 3 | WIRE_LENGTH)) {
            arena_reset(self->arena);
            *packet = length > PACKET_BYTES
                          ? NULL
                          : perfetto__trace_packet__unpack(arena_allocator(self->arena),
                                                           length, self->bytes + at);
            if (*packet == NULL) {
                return PACKETS_WRONG;
            }
            self->at = at + length;
            return PACKETS_NEXT;
        }
        self->at = at + length;
    }
    return PACKETS_END;
}

enum {
    OWN_CLOCKS = 64, /* from here on, clocks are what each trace makes of them */
};

#define OTHER_CLOCK_HZ 1e9 /* stamps of other programs are nanoseconds */
#define LIMIT_BYTES    (G_GUINT64_CONSTANT(1) << 32)

static bool fail(const char *name, const char *why, GError **error)
{
    return trace_refuse(error, "%s: %s", name, why);
}

TraceTimeline *trace_timeline_new(void)
{
    TraceTimeline *self = g_new0(TraceTimeline, 1);

    self->places = g_array_new(FALSE, FALSE, sizeof(TracePlace));
    self->lanes = g_array_new(FALSE, FALSE, sizeof(TraceLane));
    self->slices = g_array_new(FALSE, FALSE, sizeof(TraceSlice));
    self->marks = g_array_new(FALSE, FALSE, sizeof(TraceMark));
    self->arguments = g_array_new(FALSE, FALSE, sizeof(TraceArgument));
    self->counters = g_array_new(FALSE, FALSE, sizeof(TraceCounter));
    self->samples = g_array_new(FALSE, FALSE, sizeof(TraceSample));
    self->flows = g_array_new(FALSE, FALSE, sizeof(TraceFlow));
    self->to = SIM_TIME_NEVER;
    self->cut = SIM_TIME_NEVER;
    self->strings = g_string_chunk_new(4096);
    return self;
}

void trace_timeline_free(TraceTimeline *self)
{
    if (self != NULL) {
        g_array_unref(self->places);
        g_array_unref(self->lanes);
        g_array_unref(self->slices);
        g_array_unref(self->marks);
        g_array_unref(self->arguments);
        g_array_unref(self->counters);
        g_array_unref(self->samples);
        g_array_unref(self->flows);
        g_clear_pointer(&self->start, json_object_unref);
        g_clear_pointer(&self->result, json_object_unref);
        g_clear_pointer(&self->work, json_object_unref);
        g_free(self->cores);
        g_free(self->warning);
        g_string_chunk_free(self->strings);
        g_free(self);
    }
}

/* A trace while it is read. */
typedef struct {
    const char *name;
    PacketsReader packets;
    Draft draft;
    TraceRunNotes notes;
    bool has_events;
} Reading;

static void reading_clear(Reading *self)
{
    g_clear_pointer(&self->packets.arena, arena_free);
    draft_clear(&self->draft);
    trace_run_notes_clear(&self->notes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reading, reading_clear)

static bool hear_event(Reading *self,
                       const TraceSource *source,
                       const Perfetto__TracePacket *packet,
                       GError **error)
{
    const guint32 clock =
        packet->has_timestamp_clock_id ? packet->timestamp_clock_id : source->clock;

    if (clock >= OWN_CLOCKS) {
        return trace_refuse(
            error,
            "%s: its stamps are of clock %u, which is one of its own; read are "
            "those of the trace's clock",
            self->name, clock);
    }
    if (trace_run_notes_hear(&self->notes, self->draft.sources, source,
                             packet->track_event)) {
        if (self->notes.format > TRACE_PFTRACE_FORMAT) {
            return trace_refuse(error,
                                "%s: of format %" G_GINT64_FORMAT
                                ", made by a newer gridloom; this one reads up to %d",
                                self->name, self->notes.format, TRACE_PFTRACE_FORMAT);
        }
        return true;
    }
    return draft_event(&self->draft, source, packet) ||
           fail(self->name, "too large: more events than can be counted", error);
}

static bool hear(Reading *self, const Perfetto__TracePacket *packet, GError **error)
{
    const TraceSource *source = sources_hear(self->draft.sources, packet);

    if (packet->track_descriptor != NULL) {
        draft_describe(&self->draft, packet->track_descriptor);
    }
    if (packet->track_event != NULL) {
        self->has_events = true;
        return hear_event(self, source, packet, error);
    }
    return true;
}

/* A warning for readers of the timeline; NULL: it is complete. */
static char *warning(const Reading *self, PacketsStep step)
{
    const gsize at = self->packets.at;
    const TraceRunNotes *notes = &self->notes;

    if (step == PACKETS_CUT) {
        return g_strdup_printf("%s: cut off, the %" G_GSIZE_FORMAT
                               " bytes up to there are read",
                               self->name, at);
    }
    if (step == PACKETS_WRONG) {
        return g_strdup_printf("%s: damaged, the %" G_GSIZE_FORMAT
                               " bytes up to there are read",
                               self->name, at);
    }
    if (notes->is_ours && !notes->has_end) {
        return g_strdup_printf("%s: cut off, its summary is missing", self->name);
    }
    if (notes->failure != NULL) {
        g_auto(GStrv) lines = g_strsplit(notes->failure, "\n", 2);

        return g_strdup_printf("%s: of a run that failed: %s", self->name, lines[0]);
    }
    if (notes->is_ours && notes->result == NULL) {
        return g_strdup_printf("%s: damaged, its result cannot be read", self->name);
    }
    if (notes->is_ours && notes->cut != SIM_TIME_NEVER) {
        return g_strdup_printf("%s: slices that end from cycle %" G_GUINT64_FORMAT
                               " on%s are missing, its limit was reached",
                               self->name, notes->cut,
                               notes->lacks_use ? " and use by time" : "");
    }
    if (notes->lacks_use) {
        return g_strdup_printf("%s: use by time is missing, its limit was reached",
                               self->name);
    }
    return NULL;
}

static void conclude(Reading *self, TraceTimeline *timeline, PacketsStep step)
{
    draft_arrange(&self->draft);
    timeline->warning = warning(self, step);
    timeline->clock_hz =
        self->notes.clock_hz > 0 ? self->notes.clock_hz : OTHER_CLOCK_HZ;
    timeline->measured_end = self->notes.measured_end;
    timeline->is_part = self->notes.is_part;
    timeline->start = g_steal_pointer(&self->notes.start);
    timeline->result = g_steal_pointer(&self->notes.result);
    timeline->work = g_steal_pointer(&self->notes.work);
    timeline->cores = g_steal_pointer(&self->notes.cores);
    timeline->from = self->notes.from;
    timeline->to = self->notes.is_ours ? self->notes.to : SIM_TIME_NEVER;
    timeline->cut = self->notes.is_ours ? self->notes.cut : SIM_TIME_NEVER;
}

static TraceTimeline *parse(const char *name,
                            const guint8 *bytes,
                            gsize size,
                            const TraceWatch *watch,
                            GError **error)
{
    g_autoptr(TraceTimeline) timeline = trace_timeline_new();
    g_auto(Reading) reading = {.name = name, .packets = {.bytes = bytes, .size = size}};
    Perfetto__TracePacket *packet = NULL;
    PacketsStep step;
    guint count = 0;

    timeline->begin = SIM_TIME_NEVER; /* what is read lowers it */
    reading.packets.arena = arena_new();
    draft_init(&reading.draft, timeline);
    while ((step = packets_next(&reading.packets, &packet)) == PACKETS_NEXT) {
        if (!hear(&reading, packet, error)) {
            return NULL;
        }
        if (watch != NULL && ++count % PACKETS_TOLD == 0) {
            watch->tell(watch->data, (double) reading.packets.at / (double) size);
        }
    }
    if (!reading.has_events) {
        (void) fail(name,
                    size == 0 ? "empty, no trace" : "no trace that Perfetto would read",
                    error);
        return NULL;
    }
    conclude(&reading, timeline, step);
    return g_steal_pointer(&timeline);
}

TraceTimeline *
trace_timeline_parse(const char *name, const guint8 *bytes, gsize size, GError **error)
{
    return parse(name, bytes, size, NULL, error);
}

TraceTimeline *
trace_timeline_read(const char *path, const TraceWatch *watch, GError **error)
{
    g_autoptr(GError) trouble = NULL;
    g_autoptr(GMappedFile) file = NULL;

    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        (void) fail(path, "cannot be read, it is a folder", error);
        return NULL;
    }
    file = g_mapped_file_new(path, FALSE, &trouble);
    if (file == NULL) {
        const char *why = strrchr(trouble->message, ':');

        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "%s: cannot be read%s%s",
                    path, why != NULL ? "," : "", why != NULL ? why + 1 : "");
        return NULL;
    }
    if (g_mapped_file_get_length(file) > LIMIT_BYTES) {
        (void) fail(path, "too large, at most 4 GiB are read; see --trace-window",
                    error);
        return NULL;
    }
    return parse(path, (const guint8 *) g_mapped_file_get_contents(file),
                 g_mapped_file_get_length(file), watch, error);
}
