/* A sequence of packets about one track, with stamps in order and names by number. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/probe.h"
#include "traces/perfetto.pb-c.h"
#include "traces/writing/pftrace/stream.h"

/* Names and their numbers, from 1 on, in the order in which they are first seen. */
typedef struct Names Names;

Names *names_new(void);
void names_free(Names *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Names, names_free)

/* `name` outlives them; the same text has the same number wherever it lies. */
guint32 names_number(Names *self, const char *name);

/* Which numbers a sequence of packets has told its reader. All zero is none. */
typedef struct {
    uint64_t *words;
    guint word_count;
} NamesTold;

/* What all sequences of a file share. */
typedef struct {
    Stream *stream; /* borrowed, like the names */
    Names *events;
    Names *arguments;
    guint32 sequence_count;
    uint64_t counter_count;
} Packets;

typedef struct {
    guint32 id;
    SimTime last; /* stamp */
    NamesTold events;
    NamesTold arguments;
    bool has_stalls;
} Sequence;

/* `descriptor` is that of the track where nobody has told it yet, else NULL. */
void sequence_open(Sequence *self,
                   Packets *packets,
                   uint64_t track,
                   Perfetto__TrackDescriptor *descriptor);
void sequence_clear(Sequence *self);

/* A packet of the sequence with nothing in it yet; `flags` is what it does to names. */
Perfetto__TracePacket sequence_packet(const Sequence *self,
                                      Perfetto__TracePacket__SequenceFlags flags);

/* Of slices, stalls and marks; `begin` is not before `last`. */
void sequence_record(Sequence *self, Packets *packets, const SimProbeRecord *record);

/* The value of a counter from `at` on. */
void sequence_value(Sequence *self, Packets *packets, SimTime at, int64_t value);
