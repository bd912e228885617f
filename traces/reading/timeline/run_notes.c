/* Reads the first and the last event of a trace. */
#include "traces/reading/timeline/run_notes.h"

#include "traces/file/json_text.h"

void trace_run_notes_clear(TraceRunNotes *self)
{
    g_free(self->failure);
    g_clear_pointer(&self->start, json_object_unref);
    g_clear_pointer(&self->result, json_object_unref);
}

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

bool trace_run_notes_hear(TraceRunNotes *self,
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
    }
    self->has_end = is_last;
    for (gsize i = 0; i < event->n_debug_annotations; i++) {
        take(self, sources_argument_name(sources, source, event->debug_annotations[i]),
             event->debug_annotations[i]);
    }
    return true;
}
