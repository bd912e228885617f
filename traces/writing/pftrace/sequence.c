/* Writes the events of a sequence in Perfetto's form. */
#include "traces/writing/pftrace/sequence.h"

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
    self->piece = wire_sequence(self->id);
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

static void tell_event(Sequence *self, Packets *packets, const char *text)
{
    const guint32 number = names_find(packets->events, text)->number;
    Perfetto__InternedData interned = PERFETTO__INTERNED_DATA__INIT;
    Perfetto__EventName event = PERFETTO__EVENT_NAME__INIT;

    if (names_told_has(&self->events, number)) {
        return;
    }
    names_told_add(&self->events, number);
    event.has_iid = true;
    event.iid = number;
    event.name = (char *) text;
    interned.n_event_names = 1;
    interned.event_names = (Perfetto__EventName *[]){&event};
    tell(self, packets, &interned);
}

static void tell_argument(Sequence *self, Packets *packets, const char *text)
{
    const guint32 number = names_find(packets->arguments, text)->number;
    Perfetto__InternedData interned = PERFETTO__INTERNED_DATA__INIT;
    Perfetto__DebugAnnotationName argument = PERFETTO__DEBUG_ANNOTATION_NAME__INIT;

    if (names_told_has(&self->arguments, number)) {
        return;
    }
    names_told_add(&self->arguments, number);
    argument.has_iid = true;
    argument.iid = number;
    argument.name = (char *) text;
    interned.n_debug_annotation_names = 1;
    interned.debug_annotation_names = (Perfetto__DebugAnnotationName *[]){&argument};
    tell(self, packets, &interned);
}

static void tell_stalls(Sequence *self, Packets *packets)
{
    Perfetto__InternedData interned = PERFETTO__INTERNED_DATA__INIT;
    Perfetto__EventCategory category = PERFETTO__EVENT_CATEGORY__INIT;

    if (self->has_stalls) {
        return;
    }
    self->has_stalls = true;
    category.has_iid = true;
    category.iid = STALL_CATEGORY;
    category.name = (char *) stall_category;
    interned.n_event_categories = 1;
    interned.event_categories = (Perfetto__EventCategory *[]){&category};
    tell(self, packets, &interned);
}

/* Writes the names of a record that the sequence has not written yet. */
static void tell_names(Sequence *self,
                       Packets *packets,
                       const SimProbeRecord *record,
                       const Name *cause)
{
    const SimProbeDetail *detail = &record->detail;

    if (record->kind == SIM_PROBE_STALL) {
        tell_stalls(self, packets);
        tell_argument(self, packets, stall_argument);
    }
    for (guint i = 0; i < detail->argument_count; i++) {
        tell_argument(self, packets, detail->arguments[i].name);
    }
    if (cause != NULL && detail->argument_count < SIM_PROBE_ARGUMENTS) {
        tell_argument(self, packets, cause->text);
    }
    tell_event(self, packets, record->name);
}

/* Returns whether the sequence has told the argument's name. */
static inline bool
put_argument(const Sequence *self, WirePacket *packet, const Name *name, int64_t value)
{
    wire_argument(packet, &name->piece, value);
    return names_told_has(&self->arguments, name->number);
}

/* The arguments of a record and its cause, likewise. */
static inline bool put_arguments(const Sequence *self,
                                 Packets *packets,
                                 WirePacket *packet,
                                 const SimProbeDetail *detail,
                                 Name *cause)
{
    bool is_told = true;

    for (guint i = 0; i < detail->argument_count; i++) {
        const SimProbeArgument *argument = &detail->arguments[i];

        is_told &=
            put_argument(self, packet, names_find(packets->arguments, argument->name),
                         argument->value);
    }
    if (cause != NULL && detail->argument_count < SIM_PROBE_ARGUMENTS) {
        if (G_UNLIKELY(cause->number == 0)) {
            *cause = *names_find(packets->arguments, cause->text);
        }
        is_told &= put_argument(self, packet, cause, (int64_t) detail->cause_at);
    }
    return is_told;
}

static inline guint8 *put_slice_end(const Sequence *self, guint8 *out, SimTime at)
{
    WirePacket packet = wire_open(out, &self->piece, at);

    *packet.next++ = WIRE_TYPE;
    *packet.next++ = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
    return wire_close(&packet);
}

/* Returns what follows the record; NULL: it has a name that has not been told. */
static guint8 *put_record(const Sequence *self,
                          Packets *packets,
                          const SimProbeRecord *record,
                          Name *cause,
                          guint8 *out)
{
    const Name *name = names_find(packets->events, record->name);
    bool is_told = names_told_has(&self->events, name->number);
    WirePacket packet = wire_open(out, &self->piece, record->begin);

    if (record->kind == SIM_PROBE_STALL) {
        *packet.next++ = WIRE_CATEGORY;
        *packet.next++ = STALL_CATEGORY;
        is_told &= self->has_stalls;
        is_told &=
            put_argument(self, &packet, names_find(packets->arguments, stall_argument),
                         (int64_t) (record->end - record->begin));
    }
    is_told &= put_arguments(self, packets, &packet, &record->detail, cause);
    if (G_UNLIKELY(!is_told)) {
        return NULL;
    }
    const bool is_slice = record->kind == SIM_PROBE_SLICE;

    wire_name(&packet, &name->piece,
              is_slice ? PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN
                       : PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT);
    if (G_UNLIKELY(record->detail.flow != 0)) {
        wire_flow(&packet, record->detail.flow, record->detail.is_flow_end);
    }
    out = wire_close(&packet);
    return is_slice ? put_slice_end(self, out, record->end) : out;
}

void sequence_record(Sequence *self,
                     Packets *packets,
                     const SimProbeRecord *record,
                     Name *cause)
{
    Stream *stream = packets->stream;
    guint8 *end =
        put_record(self, packets, record, cause, stream_reserve(stream, WIRE_BYTES));

    if (G_UNLIKELY(end == NULL)) {
        tell_names(self, packets, record, cause);
        end = put_record(self, packets, record, cause,
                         stream_reserve(stream, WIRE_BYTES));
    }
    stream_commit(stream, end);
    self->last = record->kind == SIM_PROBE_SLICE ? record->end : record->begin;
}

void sequence_value(Sequence *self, Packets *packets, SimTime at, int64_t value)
{
    WirePacket packet =
        wire_open(stream_reserve(packets->stream, WIRE_BYTES), &self->piece, at);

    *packet.next++ = WIRE_TYPE;
    *packet.next++ = PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER;
    packet.next = wire_number(packet.next, WIRE_VALUE);
    packet.next = wire_number(packet.next, (uint64_t) value);
    stream_commit(packets->stream, wire_close(&packet));
    self->last = at;
}
