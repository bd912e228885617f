/* Encodes the frequent events of a trace, ten times as fast as protobuf-c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

enum {
    WIRE_ARGUMENTS = 13,
    WIRE_BYTES = 384, /* largest size of an event */
};

typedef struct {
    uint64_t name; /* its number in the sequence */
    int64_t value;
} WireArgument;

/* An event of the sequence's own track. */
typedef struct {
    SimTime at;
    guint32 sequence;
    guint32 type;     /* Perfetto's */
    guint32 name;     /* number; 0: none */
    guint32 category; /* number; 0: none */
    uint64_t flow;    /* 0: none */
    bool is_flow_end;
    guint argument_count;
    const WireArgument *arguments; /* borrowed */
} WireEvent;

/* Each writes one packet of a trace, with tag and length, and returns the end of it. */
guint8 *wire_event(guint8 *out, const WireEvent *event);
guint8 *wire_slice_end(guint8 *out, guint32 sequence, SimTime at);
guint8 *wire_value(guint8 *out, guint32 sequence, SimTime at, int64_t value);
