/* Traces made packet by packet, as other programs might make them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/perfetto.pb-c.h"

typedef Perfetto__TracePacket Packet;
typedef Perfetto__TrackEvent Event;
typedef Perfetto__TrackDescriptor Descriptor;

enum {
    BEGIN = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN,
    END = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END,
    INSTANT = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT,
    COUNTER = PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER,
};

void add_packet(GByteArray *bytes, Packet *packet);

/* An event that says everything itself. */
Event event_of(guint type, uint64_t track, const char *name);
void add_event(GByteArray *bytes, guint32 sequence, SimTime at, Event *event);
/* The same in one, of sequence 1. */
void add_plain(
    GByteArray *bytes, SimTime at, guint type, uint64_t track, const char *name);
void add_value(
    GByteArray *bytes, SimTime at, uint64_t track, bool is_double, double value);
/* A mark with a flow; below 0: which ends it. */
void add_flow(
    GByteArray *bytes, SimTime at, uint64_t track, const char *name, gint64 flow);

/* Descriptors of tracks; `parent` of 0: none. */
void add_track(GByteArray *bytes, uint64_t id, uint64_t parent, const char *name);
void add_process(GByteArray *bytes, uint64_t id, int pid, const char *name);
void add_thread(GByteArray *bytes, uint64_t id, int pid, int tid, const char *name);
/* Called level, in litres; `is_delta`: its values are changes. */
void add_counter(GByteArray *bytes, uint64_t id, uint64_t parent, bool is_delta);
