/* Fields in the order of their numbers, as protobuf-c has them. */
#include "traces/writing/pftrace/wire.h"

#include <string.h>

/* A field's number and the kind of its value, as one byte or two. */
enum {
    KIND_NUMBER = 0,
    KIND_64_BITS = 1,
    KIND_LENGTH = 2,
    KIND_BITS = 3,
};

#define TAG(field, kind) ((field) << KIND_BITS | (kind))

enum {
    TRACE_PACKET = TAG(1, KIND_LENGTH),
    PACKET_TIMESTAMP = TAG(8, KIND_NUMBER),
    PACKET_SEQUENCE = TAG(10, KIND_NUMBER),
    PACKET_EVENT = TAG(11, KIND_LENGTH),
    PACKET_FLAGS = TAG(13, KIND_NUMBER),
    EVENT_CATEGORY = TAG(3, KIND_NUMBER),
    EVENT_ARGUMENT = TAG(4, KIND_LENGTH),
    EVENT_TYPE = TAG(9, KIND_NUMBER),
    EVENT_NAME = TAG(10, KIND_NUMBER),
    EVENT_VALUE = TAG(30, KIND_NUMBER),
    EVENT_FLOW = TAG(47, KIND_64_BITS),
    EVENT_FLOW_END = TAG(48, KIND_64_BITS),
    ARGUMENT_NAME = TAG(1, KIND_NUMBER),
    ARGUMENT_VALUE = TAG(4, KIND_NUMBER),
    NEEDS_INCREMENTAL_STATE = 2,
    TYPE_SLICE_END = 2,
    TYPE_COUNTER = 4,
};

static inline guint8 *put(guint8 *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (guint8) (value | 0x80);
        value >>= 7;
    }
    *out++ = (guint8) value;
    return out;
}

/* Sets the length of the bytes after the byte at `length`, which was reserved for
 * it. */
static inline guint8 *close_length(guint8 *length, guint8 *end)
{
    const gsize size = (gsize) (end - length) - 1;

    if (size < 0x80) {
        *length = (guint8) size;
        return end;
    }
    memmove(length + 2, length + 1, size); /* below 2^14: it takes one more */
    (void) put(length, size);
    return end + 1;
}

static inline guint8 *put_argument(guint8 *out, const WireArgument *argument)
{
    guint8 *length;

    *out++ = EVENT_ARGUMENT;
    length = out++;
    *out++ = ARGUMENT_NAME;
    out = put(out, argument->name);
    *out++ = ARGUMENT_VALUE;
    out = put(out, (uint64_t) argument->value);
    *length = (guint8) (out - length - 1);
    return out;
}

static inline guint8 *put_event(guint8 *out, const WireEvent *event)
{
    guint8 *length;

    *out++ = PACKET_EVENT;
    length = out++;
    if (event->category != 0) {
        *out++ = EVENT_CATEGORY;
        out = put(out, event->category);
    }
    for (guint i = 0; i < event->argument_count; i++) {
        out = put_argument(out, &event->arguments[i]);
    }
    *out++ = EVENT_TYPE;
    *out++ = (guint8) event->type;
    if (event->name != 0) {
        *out++ = EVENT_NAME;
        out = put(out, event->name);
    }
    if (event->flow != 0) {
        const uint64_t flow = GUINT64_TO_LE(event->flow);

        out = put(out, event->is_flow_end ? EVENT_FLOW_END : EVENT_FLOW);
        memcpy(out, &flow, sizeof(flow));
        out += sizeof(flow);
    }
    return close_length(length, out);
}

static inline guint8 *open_packet(guint8 *out, guint32 sequence, SimTime at)
{
    out[0] = TRACE_PACKET;
    out[2] = PACKET_TIMESTAMP;
    out = put(out + 3, at);
    *out++ = PACKET_SEQUENCE;
    return put(out, sequence);
}

static inline guint8 *close_packet(guint8 *packet, guint8 *out)
{
    *out++ = PACKET_FLAGS;
    *out++ = NEEDS_INCREMENTAL_STATE;
    return close_length(packet + 1, out);
}

guint8 *wire_event(guint8 *out, const WireEvent *event)
{
    guint8 *next = open_packet(out, event->sequence, event->at);

    return close_packet(out, put_event(next, event));
}

guint8 *wire_slice_end(guint8 *out, guint32 sequence, SimTime at)
{
    guint8 *next = open_packet(out, sequence, at);

    *next++ = PACKET_EVENT;
    *next++ = 2;
    *next++ = EVENT_TYPE;
    *next++ = TYPE_SLICE_END;
    return close_packet(out, next);
}

guint8 *wire_value(guint8 *out, guint32 sequence, SimTime at, int64_t value)
{
    guint8 *next = open_packet(out, sequence, at);
    guint8 *length;

    *next++ = PACKET_EVENT;
    length = next++;
    *next++ = EVENT_TYPE;
    *next++ = TYPE_COUNTER;
    next = put(next, EVENT_VALUE);
    next = put(next, (uint64_t) value);
    *length = (guint8) (next - length - 1);
    return close_packet(out, next);
}
