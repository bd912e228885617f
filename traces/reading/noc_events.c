/* Reads a trace whole, then puts its events in order of time. */
#include "traces/reading/noc_events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/reading/noc_events/element.h"
#include "traces/reading/noc_events/scanner.h"

enum {
    NAMED_TYPES = 5, /* unknown types that a message names */
};

struct TraceNocEvents {
    GArray *events;      /* of TraceNocEvent */
    GArray *unknown;     /* of TraceNocUnknown, by name */
    GStringChunk *names; /* owns those of zones and unknown types */
    gsize unsorted_count;
    uint64_t first_stamp;
    uint64_t last_stamp;
};

/* The state of the reader. */
typedef struct {
    TraceNocEvents *events;
    GHashTable *unknown; /* name -> count */
    gsize element_count;
    gsize zone_count;
    gint64 device;
    uint64_t previous_stamp;
} Reader;

static bool fail(GError **error, const char *name, const char *message)
{
    return trace_refuse(error, "%s: %s", name, message);
}

static TraceNocEvents *events_new(void)
{
    TraceNocEvents *self = g_new0(TraceNocEvents, 1);

    self->events = g_array_new(FALSE, FALSE, sizeof(TraceNocEvent));
    self->unknown = g_array_new(FALSE, FALSE, sizeof(TraceNocUnknown));
    self->names = g_string_chunk_new(256);
    return self;
}

void trace_noc_events_free(TraceNocEvents *self)
{
    if (self != NULL) {
        g_array_free(self->events, TRUE);
        g_array_free(self->unknown, TRUE);
        g_string_chunk_free(self->names);
        g_free(self);
    }
}

static void count_unknown(Reader *reader, const char *type)
{
    char *name = g_string_chunk_insert_const(reader->events->names, type);
    gsize count = GPOINTER_TO_SIZE(g_hash_table_lookup(reader->unknown, name));

    g_hash_table_insert(reader->unknown, name, GSIZE_TO_POINTER(count + 1));
}

/* One chip at a time: coordinates of two would be taken for one. */
static bool check_device(Reader *reader, gint64 device, GError **error)
{
    if (device < 0) {
        return true;
    }
    if (reader->device >= 0 && reader->device != device) {
        return trace_refuse(error,
                            "src_device_id = %" G_GINT64_FORMAT
                            ", expected %" G_GINT64_FORMAT
                            " as before: one device a file",
                            device, reader->device);
    }
    reader->device = device;
    return true;
}

static void add_element(Reader *reader, TraceNocElement *element)
{
    TraceNocEvents *events = reader->events;

    if (reader->element_count == 1 || element->stamp < events->first_stamp) {
        events->first_stamp = element->stamp;
    }
    if (element->stamp < reader->previous_stamp) {
        events->unsorted_count++;
    }
    events->last_stamp = MAX(events->last_stamp, element->stamp);
    reader->previous_stamp = element->stamp;
    if (element->unknown != NULL) {
        count_unknown(reader, element->unknown);
        return;
    }
    /* Until the first stamp is known, the stamp itself. */
    element->event.time = element->stamp;
    element->event.place = reader->element_count;
    reader->zone_count += element->event.zone != NULL ? 1 : 0;
    g_array_append_val(events->events, element->event);
}

static bool read_element(Reader *reader, Scanner *scanner, GError **error)
{
    TraceNocElement element;
    bool is_read;

    reader->element_count++;
    is_read = trace_noc_element_read(scanner, reader->events->names, &element, error) &&
              check_device(reader, element.device, error);
    if (is_read) {
        add_element(reader, &element);
    } else {
        g_prefix_error(error, "event %" G_GSIZE_FORMAT ": ", reader->element_count);
    }
    trace_noc_element_clear(&element);
    return is_read;
}

static bool
fail_at(const Scanner *scanner, const char *name, const char *expected, GError **error)
{
    g_autofree char *message = scanner_complain(scanner, expected);

    return fail(error, name, message);
}

static bool
read_list(Reader *reader, const char *name, Scanner *scanner, GError **error)
{
    if (!scanner_take(scanner, '[')) {
        return fail_at(scanner, name, "a list of NoC events in [ ]", error);
    }
    if (scanner_take(scanner, ']')) {
        return fail(error, name, "the list of events is empty");
    }
    do {
        if (!read_element(reader, scanner, error)) {
            g_prefix_error(error, "%s: ", name);
            return false;
        }
    } while (scanner_take(scanner, ','));
    if (!scanner_take(scanner, ']')) {
        return fail_at(scanner, name, "a comma or the ] of the list", error);
    }
    (void) scanner_peek(scanner);
    return scanner->at == scanner->end ||
           fail_at(scanner, name, "nothing after the list", error);
}

static gint compare_names(gconstpointer one, gconstpointer other)
{
    return strcmp(((const TraceNocUnknown *) one)->name,
                  ((const TraceNocUnknown *) other)->name);
}

static void list_unknown(Reader *reader)
{
    GHashTableIter entries;
    gpointer name;
    gpointer count;

    g_hash_table_iter_init(&entries, reader->unknown);
    while (g_hash_table_iter_next(&entries, &name, &count)) {
        TraceNocUnknown unknown = {name, GPOINTER_TO_SIZE(count)};

        g_array_append_val(reader->events->unknown, unknown);
    }
    g_array_sort(reader->events->unknown, compare_names);
}

/* A trace without any event that we know is of no use. */
static bool check_events(const Reader *reader, const char *name, GError **error)
{
    const GArray *unknown = reader->events->unknown;
    g_autoptr(GString) names = g_string_new(NULL);

    if (reader->events->events->len > reader->zone_count) {
        return true;
    }
    if (unknown->len == 0) {
        return fail(error, name, "zones only, expected at least one NoC event");
    }
    for (guint i = 0; i < MIN(unknown->len, (guint) NAMED_TYPES); i++) {
        const TraceNocUnknown *type = &g_array_index(unknown, TraceNocUnknown, i);

        g_string_append_printf(names, "%s%s (%" G_GSIZE_FORMAT ")", i > 0 ? ", " : "",
                               type->name, type->count);
    }
    if (unknown->len > NAMED_TYPES) {
        g_string_append(names, "...");
    }
    return trace_refuse(error, "%s: no NoC event of a known type, only %s", name,
                        names->str);
}

static gint compare_times(gconstpointer one, gconstpointer other)
{
    const TraceNocEvent *left = one;
    const TraceNocEvent *right = other;

    if (left->time != right->time) {
        return left->time < right->time ? -1 : 1;
    }
    return left->place < right->place ? -1 : left->place > right->place;
}

static TraceNocEvent *event_at(const TraceNocEvents *self, gsize index)
{
    return &g_array_index(self->events, TraceNocEvent, index);
}

static void sort_events(TraceNocEvents *self)
{
    g_array_sort(self->events, compare_times);
    for (gsize i = 0; i < self->events->len; i++) {
        event_at(self, i)->time -= self->first_stamp;
    }
}

/* The place of the registers that hold the state of reads or writes. */
static gsize state_of(const TraceNocEvent *event)
{
    bool is_write = event->kind >= TRACE_NOC_WRITE;
    gsize node = event->source_y * (gsize) TRACE_NOC_GRID_SIDE + event->source_x;

    return ((node * TRACE_NOC_NO_PROCESSOR + event->processor) * 2 + event->noc) * 2 +
           (is_write ? 1 : 0);
}

static bool use_state(const TraceNocEvent *state, TraceNocEvent *event, GError **error)
{
    if (state == NULL) {
        return trace_refuse(
            error,
            "event %" G_GSIZE_FORMAT
            ": type = %s, expected an event before it that sets the state",
            event->place, trace_noc_kind_name(event->kind));
    }
    event->has_target = true;
    event->target_x = state->target_x;
    event->target_y = state->target_y;
    event->target_end_x = state->target_end_x;
    event->target_end_y = state->target_end_y;
    /* A state may leave the length to the command. */
    if (state->bytes > 0) {
        event->bytes = state->bytes;
    }
    return true;
}

static bool resolve_states(TraceNocEvents *self, GError **error)
{
    gsize state_count =
        (gsize) TRACE_NOC_GRID_SIDE * TRACE_NOC_GRID_SIDE * TRACE_NOC_NO_PROCESSOR * 4;
    g_autofree const TraceNocEvent **states =
        g_new0(const TraceNocEvent *, state_count);

    for (gsize i = 0; i < self->events->len; i++) {
        TraceNocEvent *event = event_at(self, i);

        if (trace_noc_kind_sets_state(event->kind)) {
            states[state_of(event)] = event;
        } else if (trace_noc_kind_uses_state(event->kind) &&
                   !use_state(states[state_of(event)], event, error)) {
            return false;
        }
    }
    return true;
}

static bool read_text(
    Reader *reader, const char *name, const char *text, gsize length, GError **error)
{
    /* Some editors begin a file with this mark. */
    bool is_marked = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    Scanner scanner = {text, text + (is_marked ? 3 : 0), text + length};
    const char *offence;

    if (length > TRACE_NOC_FILE_MAXIMUM) {
        return fail(error, name, "larger than 64 MiB, which is the most that is read");
    }
    if (!g_utf8_validate_len(text, length, &offence)) {
        scanner.at = offence;
        return fail_at(&scanner, name, "JSON", error);
    }
    if (!read_list(reader, name, &scanner, error)) {
        return false;
    }
    list_unknown(reader);
    if (!check_events(reader, name, error)) {
        return false;
    }
    sort_events(reader->events);
    if (!resolve_states(reader->events, error)) {
        g_prefix_error(error, "%s: ", name);
        return false;
    }
    return true;
}

TraceNocEvents *
trace_noc_events_parse(const char *name, const char *text, gsize length, GError **error)
{
    g_autoptr(TraceNocEvents) self = events_new();
    g_autoptr(GHashTable) unknown = g_hash_table_new(g_str_hash, g_str_equal);
    Reader reader = {.events = self, .unknown = unknown, .device = -1};

    return read_text(&reader, name, text, length, error) ? g_steal_pointer(&self)
                                                         : NULL;
}

static bool fail_file(GError **error, const char *path, int code)
{
    return trace_refuse(error, "%s: cannot be read, %s", path,
                        code == EISDIR ? "it is a folder" : g_strerror(code));
}

/* All of a file or a pipe; one byte more than allowed tells that it is too long. */
static bool read_file(const char *path, GString *text, GError **error)
{
    gsize block_bytes = 1 << 16;
    g_autofree char *block = g_malloc(block_bytes);
    FILE *file = g_fopen(path, "rb");
    gsize length = block_bytes;
    int code = 0;

    if (file == NULL) {
        return fail_file(error, path, errno);
    }
    while (length > 0 && text->len <= TRACE_NOC_FILE_MAXIMUM) {
        length = fread(block, 1, block_bytes, file);
        code = ferror(file) != 0 ? errno : 0;
        g_string_append_len(text, block, (gssize) length);
    }
    (void) fclose(file);
    return code == 0 || fail_file(error, path, code);
}

TraceNocEvents *trace_noc_events_load(const char *path, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);

    return read_file(path, text, error)
               ? trace_noc_events_parse(path, text->str, text->len, error)
               : NULL;
}

gsize trace_noc_events_count(const TraceNocEvents *self)
{
    return self->events->len;
}

const TraceNocEvent *trace_noc_events_at(const TraceNocEvents *self, gsize index)
{
    g_return_val_if_fail(index < self->events->len, NULL);
    return event_at(self, index);
}

gsize trace_noc_events_unknown_count(const TraceNocEvents *self)
{
    return self->unknown->len;
}

const TraceNocUnknown *trace_noc_events_unknown(const TraceNocEvents *self, gsize index)
{
    g_return_val_if_fail(index < self->unknown->len, NULL);
    return &g_array_index(self->unknown, TraceNocUnknown, index);
}

gsize trace_noc_events_unsorted_count(const TraceNocEvents *self)
{
    return self->unsorted_count;
}

SimTime trace_noc_events_last_time(const TraceNocEvents *self)
{
    return self->last_stamp - self->first_stamp;
}

SimTime trace_noc_events_recorded_cycles(const TraceNocEvents *self)
{
    SimTime last = trace_noc_events_last_time(self);

    return last - MIN(last, (SimTime) TRACE_NOC_PROFILER_CYCLES);
}
