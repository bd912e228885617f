/* Reads a trace packet by packet, then puts everything in order. */
#include "traces/reading/timeline.h"

#include <string.h>

#include "traces/error.h"
#include "traces/reading/timeline/draft.h"
#include "traces/reading/timeline/packets.h"
#include "traces/reading/timeline/run_notes.h"
#include "traces/writing/pftrace.h"

enum {
    OWN_CLOCKS = 64, /* from here on, clocks are what each trace makes of them */
};

#define OTHER_CLOCK_HZ 1e9 /* stamps of other programs are nanoseconds */
#define LIMIT_BYTES    (G_GUINT64_CONSTANT(1) << 32)

static bool fail(const char *name, const char *why, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "%s: %s", name, why);
    return false;
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
    self->strings = g_string_chunk_new(4096);
    return self;
}

void trace_timeline_free(TraceTimeline *self)
{
    if (self == NULL) {
        return;
    }
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
    g_free(self->warning);
    g_string_chunk_free(self->strings);
    g_free(self);
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
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s: its stamps are of clock %u, which is one of its own; read are "
                    "those of the trace's clock",
                    self->name, clock);
        return false;
    }
    if (trace_run_notes_hear(&self->notes, self->draft.sources, source,
                             packet->track_event)) {
        if (self->notes.format > TRACE_PFTRACE_FORMAT) {
            g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                        "%s: of format %" G_GINT64_FORMAT
                        ", made by a newer gridloom; this one reads up to %d",
                        self->name, self->notes.format, TRACE_PFTRACE_FORMAT);
            return false;
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

/* What a reader of the timeline must know of it; NULL: it is whole. */
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
    timeline->start = g_steal_pointer(&self->notes.start);
    timeline->result = g_steal_pointer(&self->notes.result);
}

TraceTimeline *
trace_timeline_parse(const char *name, const guint8 *bytes, gsize size, GError **error)
{
    g_autoptr(TraceTimeline) timeline = trace_timeline_new();
    g_auto(Reading) reading = {.name = name, .packets = {.bytes = bytes, .size = size}};
    Perfetto__TracePacket *packet = NULL;
    PacketsStep step;

    timeline->begin = SIM_TIME_NEVER; /* what is read lowers it */
    reading.packets.arena = arena_new();
    draft_init(&reading.draft, timeline);
    while ((step = packets_next(&reading.packets, &packet)) == PACKETS_NEXT) {
        if (!hear(&reading, packet, error)) {
            return NULL;
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

TraceTimeline *trace_timeline_read(const char *path, GError **error)
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
    return trace_timeline_parse(path, (const guint8 *) g_mapped_file_get_contents(file),
                                g_mapped_file_get_length(file), error);
}
