/* Writes the events of a sequence in Perfetto's form. */
#include "traces/writing/pftrace/sequence.h"

#include <string.h>

#include "traces/writing/pftrace/wire.h"

enum {
    CACHE_SLOTS = 1024,
    WORD_BITS = 64,
};

typedef struct {
    const char *name;
    guint32 number;
} Slot;

struct Names {
    Slot cache[CACHE_SLOTS];
    GHashTable *numbers; /* by text */
};

Names *names_new(void)
{
    Names *self = g_new0(Names, 1);

    self->numbers = g_hash_table_new(g_str_hash, g_str_equal);
    return self;
}

void names_free(Names *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->numbers);
        g_free(self);
    }
}

guint32 names_number(Names *self, const char *name)
{
    const guintptr address = (guintptr) name;
    Slot *slot = &self->cache[(address ^ (address >> 10)) % CACHE_SLOTS];

    if (slot->name != name) {
        gpointer number = g_hash_table_lookup(self->numbers, name);

        if (number == NULL) {
            number = GUINT_TO_POINTER(g_hash_table_size(self->numbers) + 1);
            g_hash_table_insert(self->numbers, (gpointer) name, number);
        }
        *slot = (Slot){.name = name, .number = GPOINTER_TO_UINT(number)};
    }
    return slot->number;
}

static void names_told_clear(NamesTold *self)
{
    g_clear_pointer(&self->more, g_free);
    self->more_count = 0;
}

/* The word after the first one. */
static uint64_t *more_word(NamesTold *self, guint word)
{
    if (G_UNLIKELY(word >= self->more_count)) {
        self->more = g_renew(uint64_t, self->more, word + 1);
        memset(self->more + self->more_count, 0,
               (word + 1 - self->more_count) * sizeof(uint64_t));
        self->more_count = word + 1;
    }
    return &self->more[word];
}

/* Whether the number is new to it; afterwards it is not. */
static inline bool names_told_is_new(NamesTold *self, guint32 number)
{
    const guint word = number / WORD_BITS;
    const uint64_t bit = UINT64_C(1) << (number % WORD_BITS);
    uint64_t *bits = word == 0 ? &self->first : more_word(self, word - 1);

    if ((*bits & bit) != 0) {
        return false;
    }
    *bits |= bit;
    return true;
}

enum {
    STALL_CATEGORY = 1,
};

G_STATIC_ASSERT((int) SIM_PROBE_ARGUMENTS < (int) WIRE_ARGUMENTS);

static const char stall_category[] = "stall";
static const char stall_argument[] = "cycles";

Perfetto__TracePacket sequence_packet(const Sequence *self,
                                      Perfetto__TracePacket__SequenceFlags flags)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

    packet.has_trusted_packet_sequence_id = true;
    packet.trusted_packet_sequence_id = self->id;
    packet.has_sequence_flags = true;
    packet.sequence_flags = flags;
    return packet;
}

void sequence_open(Sequence *self,
                   Packets *packets,
                   uint64_t track,
                   Perfetto__TrackDescriptor *descriptor)
{
    Perfetto__TrackEventDefaults event = PERFETTO__TRACK_EVENT_DEFAULTS__INIT;
    Perfetto__TracePacketDefaults defaults = PERFETTO__TRACE_PACKET_DEFAULTS__INIT;
    Perfetto__TracePacket packet;

    *self = (Sequence){.id = ++packets->sequence_count};
    event.has_track_uuid = true;
    event.track_uuid = track;
    defaults.track_event_defaults = &event;
    packet = sequence_packet(
        self, PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_INCREMENTAL_STATE_CLEARED);
    packet.trace_packet_defaults = &defaults;
    packet.track_descriptor = descriptor;
    stream_add(packets->stream, &packet);
}

void sequence_clear(Sequence *self)
{
    names_told_clear(&self->events);
    names_told_clear(&self->arguments);
}

/* Writes the numbers of one or more names: those set in `interned`. */
static void
tell(const Sequence *self, Packets *packets, Perfetto__InternedData *interned)
{
    Perfetto__TracePacket packet = sequence_packet(
        self, PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_NEEDS_INCREMENTAL_STATE);

    packet.interned_data = interned;
    stream_add(packets->stream, &packet);
}

static guint32 number_of_event(Sequence *self, Packets *packets, const char *name)
{
    const guint32 number = names_number(packets->events, name);

    if (G_UNLIKELY(names_told_is_new(&self->events, number))) {
        Perfetto__InternedData interned = PERFETTO__INTERNED_DATA__INIT;
        Perfetto__EventName event = PERFETTO__EVENT_NAME__INIT;

        event.has_iid = true;
        event.iid = number;
        event.name = (char *) name;
        interned.n_event_names = 1;
        interned.event_names = (Perfetto__EventName *[]){&event};
        tell(self, packets, &interned);
    }
    return number;
}

/* The sequence has its name from now on. */
static inline void
tell_argument(Sequence *self, Packets *packets, const char *name, guint32 number)
{
    if (G_UNLIKELY(names_told_is_new(&self->arguments, number))) {
        Perfetto__InternedData interned = PERFETTO__INTERNED_DATA__INIT;
        Perfetto__DebugAnnotationName argument = PERFETTO__DEBUG_ANNOTATION_NAME__INIT;

        argument.has_iid = true;
        argument.iid = number;
        argument.name = (char *) name;
        interned.n_debug_annotation_names = 1;
        interned.debug_annotation_names =
            (Perfetto__DebugAnnotationName *[]){&argument};
        tell(self, packets, &interned);
    }
}

static guint32 number_of_argument(Sequence *self, Packets *packets, const char *name)
{
    const guint32 number = names_number(packets->arguments, name);

    tell_argument(self, packets, name, number);
    return number;
}

static guint32 number_of_cause(Sequence *self, Packets *packets, Name *cause)
{
    if (cause->number == 0) {
        cause->number = names_number(packets->arguments, cause->text);
    }
    tell_argument(self, packets, cause->text, cause->number);
    return cause->number;
}

static void tell_stalls(Sequence *self, Packets *packets)
{
    Perfetto__InternedData interned = PERFETTO__INTERNED_DATA__INIT;
    Perfetto__EventCategory category = PERFETTO__EVENT_CATEGORY__INIT;

    self->has_stalls = true;
    category.has_iid = true;
    category.iid = STALL_CATEGORY;
    category.name = (char *) stall_category;
    interned.n_event_categories = 1;
    interned.event_categories = (Perfetto__EventCategory *[]){&category};
    tell(self, packets, &interned);
}

static guint number_arguments(Sequence *self,
                              Packets *packets,
                              const SimProbeDetail *detail,
                              Name *cause,
                              WireArgument *arguments)
{
    guint count = detail->argument_count;

    for (guint i = 0; i < detail->argument_count; i++) {
        arguments[i] = (WireArgument){
            .name = number_of_argument(self, packets, detail->arguments[i].name),
            .value = detail->arguments[i].value};
    }
    if (cause != NULL && count < SIM_PROBE_ARGUMENTS) {
        arguments[count++] =
            (WireArgument){.name = number_of_cause(self, packets, cause),
                           .value = (int64_t) detail->cause_at};
    }
    return count;
}

static void
write_stall(Sequence *self, Packets *packets, const SimProbeRecord *record, Name *cause)
{
    WireArgument arguments[SIM_PROBE_ARGUMENTS + 1];

    if (G_UNLIKELY(!self->has_stalls)) {
        tell_stalls(self, packets);
    }
    arguments[0] =
        (WireArgument){.name = number_of_argument(self, packets, stall_argument),
                       .value = (int64_t) (record->end - record->begin)};
    const guint count =
        1 + number_arguments(self, packets, &record->detail, cause, &arguments[1]);
    const WireEvent event = {.at = record->begin,
                             .sequence = self->id,
                             .type = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT,
                             .name = number_of_event(self, packets, record->name),
                             .category = STALL_CATEGORY,
                             .argument_count = count,
                             .arguments = arguments};
    guint8 *out = stream_reserve(packets->stream, WIRE_BYTES);

    stream_commit(packets->stream, wire_event(out, &event));
    self->last = record->begin;
}

void sequence_record(Sequence *self,
                     Packets *packets,
                     const SimProbeRecord *record,
                     Name *cause)
{
    const SimProbeDetail *detail = &record->detail;
    WireArgument arguments[SIM_PROBE_ARGUMENTS];
    guint8 *out;

    if (record->kind == SIM_PROBE_STALL) {
        write_stall(self, packets, record, cause);
        return;
    }
    const guint count = number_arguments(self, packets, detail, cause, arguments);
    const bool is_slice = record->kind == SIM_PROBE_SLICE;
    const WireEvent event = {.at = record->begin,
                             .sequence = self->id,
                             .type = is_slice
                                         ? PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN
                                         : PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT,
                             .name = number_of_event(self, packets, record->name),
                             .flow = detail->flow,
                             .is_flow_end = detail->is_flow_end,
                             .argument_count = count,
                             .arguments = arguments};

    out = wire_event(stream_reserve(packets->stream, (gsize) 2 * WIRE_BYTES), &event);
    self->last = record->begin;
    if (is_slice) {
        out = wire_slice_end(out, self->id, record->end);
        self->last = record->end;
    }
    stream_commit(packets->stream, out);
}

void sequence_value(Sequence *self, Packets *packets, SimTime at, int64_t value)
{
    guint8 *out = stream_reserve(packets->stream, WIRE_BYTES);

    stream_commit(packets->stream, wire_value(out, self->id, at, value));
    self->last = at;
}
