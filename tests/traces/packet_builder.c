/* Makes packets. */
#include "tests/traces/packet_builder.h"

void add_packet(GByteArray *bytes, Packet *packet)
{
    Perfetto__Trace trace = PERFETTO__TRACE__INIT;
    const guint before = bytes->len;

    trace.n_packet = 1;
    trace.packet = &packet;
    g_byte_array_set_size(bytes,
                          before + (guint) perfetto__trace__get_packed_size(&trace));
    (void) perfetto__trace__pack(&trace, bytes->data + before);
}

void add_event(GByteArray *bytes, guint32 sequence, SimTime at, Event *event)
{
    Packet packet = PERFETTO__TRACE_PACKET__INIT;

    packet.has_timestamp = true;
    packet.timestamp = at;
    packet.has_trusted_packet_sequence_id = true;
    packet.trusted_packet_sequence_id = sequence;
    packet.track_event = event;
    add_packet(bytes, &packet);
}

Event event_of(guint type, uint64_t track, const char *name)
{
    Event event = PERFETTO__TRACK_EVENT__INIT;

    event.has_type = true;
    event.type = (Perfetto__TrackEvent__Type) type;
    event.has_track_uuid = true;
    event.track_uuid = track;
    event.name = (char *) name;
    return event;
}

void add_plain(
    GByteArray *bytes, SimTime at, guint type, uint64_t track, const char *name)
{
    Event event = event_of(type, track, name);

    add_event(bytes, 1, at, &event);
}

static void add_descriptor(GByteArray *bytes, Descriptor *descriptor)
{
    Packet packet = PERFETTO__TRACE_PACKET__INIT;

    packet.track_descriptor = descriptor;
    add_packet(bytes, &packet);
}

static Descriptor track_of(uint64_t id, uint64_t parent, const char *name)
{
    Descriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;

    track.has_uuid = true;
    track.uuid = id;
    track.has_parent_uuid = parent != 0;
    track.parent_uuid = parent;
    track.name = (char *) name;
    return track;
}

void add_track(GByteArray *bytes, uint64_t id, uint64_t parent, const char *name)
{
    Descriptor track = track_of(id, parent, name);

    add_descriptor(bytes, &track);
}

void add_process(GByteArray *bytes, uint64_t id, int pid, const char *name)
{
    Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
    Descriptor track = track_of(id, 0, NULL);

    process.has_pid = true;
    process.pid = pid;
    process.process_name = (char *) name;
    track.process = &process;
    add_descriptor(bytes, &track);
}

void add_thread(GByteArray *bytes, uint64_t id, int pid, int tid, const char *name)
{
    Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
    Descriptor track = track_of(id, 0, NULL);

    thread.has_pid = true;
    thread.pid = pid;
    thread.has_tid = true;
    thread.tid = tid;
    thread.thread_name = (char *) name;
    track.thread = &thread;
    add_descriptor(bytes, &track);
}

void add_counter(GByteArray *bytes, uint64_t id, uint64_t parent, bool is_delta)
{
    Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
    Descriptor track = track_of(id, parent, "level");

    counter.has_is_incremental = is_delta;
    counter.is_incremental = is_delta;
    counter.unit_name = (char *) "litres";
    track.counter = &counter;
    add_descriptor(bytes, &track);
}

void add_value(
    GByteArray *bytes, SimTime at, uint64_t track, bool is_double, double value)
{
    Event event = event_of(COUNTER, track, NULL);

    event.has_double_counter_value = is_double;
    event.double_counter_value = value;
    event.has_counter_value = !is_double;
    event.counter_value = (int64_t) value;
    add_event(bytes, 1, at, &event);
}

void add_flow(
    GByteArray *bytes, SimTime at, uint64_t track, const char *name, gint64 flow)
{
    Event event = event_of(INSTANT, track, name);
    uint64_t id = (uint64_t) (flow < 0 ? -flow : flow);

    if (flow < 0) {
        event.n_terminating_flow_ids = 1;
        event.terminating_flow_ids = &id;
    } else {
        event.n_flow_ids = 1;
        event.flow_ids = &id;
    }
    add_event(bytes, 1, at, &event);
}
