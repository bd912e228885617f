/* Sequences: events as Perfetto has them. */
#include "traces/pftrace/sequence.h"

enum {
    STALL_CATEGORY = 1,
    ARGUMENTS = SIM_PROBE_ARGUMENTS + 1,
};

static const char stall_category[] = "stall";
static const char stall_argument[] = "cycles";

void sequence_open(Sequence *self,
                   Packets *packets,
                   uint64_t track,
                   Perfetto__TrackDescriptor *descriptor)
{
    Perfetto__TrackEventDefaults event = PERFETTO__TRACK_EVENT_DEFAULTS__INIT;
    Perfetto__TracePacketDefaults defaults = PERFETTO__TRACE_PACKET_DEFAULTS__INIT;
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

    *self = (Sequence){.id = ++packets->sequence_count};
    event.has_track_uuid = true;
    event.track_uuid = track;
    defaults.track_event_defaults = &event;
    packet.has_trusted_packet_sequence_id = true;
    packet.trusted_packet_sequence_id = self->id;
    packet.has_sequence_flags = true;
    packet.sequence_flags =
        PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_INCREMENTAL_STATE_CLEARED;
    packet.trace_packet_defaults = &defaults;
    packet.track_descriptor = descriptor;
    stream_add(packets->stream, &packet.base);
}

void sequence_clear(Sequence *self)
{
    names_told_clear(&self->events);
    names_told_clear(&self->arguments);
}

/* An event with everything it may need, on the stack. */
typedef struct {
    Perfetto__TracePacket packet;
    Perfetto__TrackEvent event;
    Perfetto__InternedData interned;
    Perfetto__EventCategory category;
    Perfetto__EventCategory *categories[1];
    Perfetto__EventName name;
    Perfetto__EventName *names[1];
    Perfetto__DebugAnnotationName argument_name[ARGUMENTS];
    Perfetto__DebugAnnotationName *argument_names[ARGUMENTS];
    Perfetto__DebugAnnotation argument[ARGUMENTS];
    Perfetto__DebugAnnotation *arguments[ARGUMENTS];
    uint64_t category_iids[1];
    uint64_t flow_ids[1];
} Event;

static void event_begin(Event *self,
                        const Sequence *sequence,
                        Perfetto__TrackEvent__Type type,
                        SimTime at)
{
    perfetto__trace_packet__init(&self->packet);
    perfetto__track_event__init(&self->event);
    perfetto__interned_data__init(&self->interned);
    self->packet.has_timestamp = true;
    self->packet.timestamp = at;
    self->packet.has_trusted_packet_sequence_id = true;
    self->packet.trusted_packet_sequence_id = sequence->id;
    self->packet.has_sequence_flags = true;
    self->packet.sequence_flags =
        PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_NEEDS_INCREMENTAL_STATE;
    self->packet.track_event = &self->event;
    self->event.has_type = true;
    self->event.type = type;
}

static void
event_name(Event *self, Sequence *sequence, Packets *packets, const char *name)
{
    const guint32 number = names_number(packets->events, name);

    self->event.has_name_iid = true;
    self->event.name_iid = number;
    if (names_told_is_new(&sequence->events, number)) {
        perfetto__event_name__init(&self->name);
        self->name.has_iid = true;
        self->name.iid = number;
        self->name.name = (char *) name;
        self->names[0] = &self->name;
        self->interned.n_event_names = 1;
        self->interned.event_names = self->names;
        self->packet.interned_data = &self->interned;
    }
}

static void event_stall(Event *self, Sequence *sequence)
{
    self->category_iids[0] = STALL_CATEGORY;
    self->event.n_category_iids = 1;
    self->event.category_iids = self->category_iids;
    if (!sequence->has_stalls) {
        sequence->has_stalls = true;
        perfetto__event_category__init(&self->category);
        self->category.has_iid = true;
        self->category.iid = STALL_CATEGORY;
        self->category.name = (char *) stall_category;
        self->categories[0] = &self->category;
        self->interned.n_event_categories = 1;
        self->interned.event_categories = self->categories;
        self->packet.interned_data = &self->interned;
    }
}

static void event_argument(
    Event *self, Sequence *sequence, Packets *packets, const char *name, int64_t value)
{
    const guint32 number = names_number(packets->arguments, name);
    Perfetto__DebugAnnotation *argument =
        &self->argument[self->event.n_debug_annotations];

    perfetto__debug_annotation__init(argument);
    argument->has_name_iid = true;
    argument->name_iid = number;
    argument->has_int_value = true;
    argument->int_value = value;
    self->arguments[self->event.n_debug_annotations++] = argument;
    self->event.debug_annotations = self->arguments;
    if (names_told_is_new(&sequence->arguments, number)) {
        Perfetto__DebugAnnotationName *told =
            &self->argument_name[self->interned.n_debug_annotation_names];

        perfetto__debug_annotation_name__init(told);
        told->has_iid = true;
        told->iid = number;
        told->name = (char *) name;
        self->argument_names[self->interned.n_debug_annotation_names++] = told;
        self->interned.debug_annotation_names = self->argument_names;
        self->packet.interned_data = &self->interned;
    }
}

static void event_detail(Event *self,
                         Sequence *sequence,
                         Packets *packets,
                         const SimProbeDetail *detail)
{
    for (guint i = 0; i < detail->argument_count; i++) {
        event_argument(self, sequence, packets, detail->arguments[i].name,
                       detail->arguments[i].value);
    }
    if (detail->flow == 0) {
        return;
    }
    self->flow_ids[0] = detail->flow;
    if (detail->is_flow_end) {
        self->event.n_terminating_flow_ids = 1;
        self->event.terminating_flow_ids = self->flow_ids;
    } else {
        self->event.n_flow_ids = 1;
        self->event.flow_ids = self->flow_ids;
    }
}

static void event_end(Sequence *sequence, Packets *packets, SimTime at)
{
    Event event;

    event_begin(&event, sequence, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, at);
    stream_add(packets->stream, &event.packet.base);
}

void sequence_record(Sequence *self, Packets *packets, const SimProbeRecord *record)
{
    Event event;

    event_begin(&event, self,
                record->kind == SIM_PROBE_SLICE
                    ? PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN
                    : PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT,
                record->begin);
    event_name(&event, self, packets, record->name);
    if (record->kind == SIM_PROBE_STALL) {
        event_stall(&event, self);
        event_argument(&event, self, packets, stall_argument,
                       (int64_t) (record->end - record->begin));
    } else {
        event_detail(&event, self, packets, &record->detail);
    }
    stream_add(packets->stream, &event.packet.base);
    self->last = record->begin;
    if (record->kind == SIM_PROBE_SLICE) {
        event_end(self, packets, record->end);
        self->last = record->end;
    }
}

void sequence_value(Sequence *self, Packets *packets, SimTime at, int64_t value)
{
    Event event;

    event_begin(&event, self, PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER, at);
    event.event.has_counter_value = true;
    event.event.counter_value = value;
    stream_add(packets->stream, &event.packet.base);
    self->last = at;
}
