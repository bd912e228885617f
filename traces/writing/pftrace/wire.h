/* Encodes the events that a trace has millions of, in a tenth of the time that
 * protobuf-c takes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

enum {
    WIRE_ARGUMENTS = 5,
    WIRE_BYTES = 192, /* that an event takes at most */
};

typedef struct {
    uint64_t name; /* its number, as the sequence has told it */
    int64_t value;
} WireArgument;

/* An event of a track that the sequence has told to be its own. */
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

/* These write a packet of a trace, with its tag and length, and return where it ends.
 */
guint8 *wire_event(guint8 *out, const WireEvent *event);
guint8 *wire_slice_end(guint8 *out, guint32 sequence, SimTime at);
guint8 *wire_value(guint8 *out, guint32 sequence, SimTime at, int64_t value);
