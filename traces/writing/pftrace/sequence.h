/* A sequence of packets about one track, with ascending time stamps and numbered
 * names. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/probe.h"
#include "traces/perfetto.pb-c.h"
#include "traces/writing/pftrace/names.h"
#include "traces/writing/pftrace/stream.h"

/* State shared by all sequences of a file. */
typedef struct {
    Stream *stream; /* borrowed, like the names */
    Names *events;
    Names *arguments;
    guint32 sequence_count;
    uint64_t counter_count;
} Packets;

typedef struct {
    guint32 id;
    WirePiece piece; /* of its packets */
    SimTime last;    /* stamp */
    NamesTold events;
    NamesTold arguments;
    bool has_stalls;
} Sequence;

/* `descriptor` is the track's if it is not written yet, else NULL. */
void sequence_open(Sequence *self,
                   Packets *packets,
                   uint64_t track,
                   Perfetto__TrackDescriptor *descriptor);
void sequence_clear(Sequence *self);

/* An empty packet of the sequence; `flags` says what it does to the names. */
Perfetto__TracePacket sequence_packet(const Sequence *self,
                                      Perfetto__TracePacket__SequenceFlags flags);

/* Writes a slice, a stall or a mark; `begin` is not before `last`. `cause` is the name
 * of the argument that says when the cause did what ended the wait; NULL: no cause. */
void sequence_record(Sequence *self,
                     Packets *packets,
                     const SimProbeRecord *record,
                     Name *cause);

/* Writes the value of a counter from `at` on. */
void sequence_value(Sequence *self, Packets *packets, SimTime at, int64_t value);
