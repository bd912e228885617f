/* Encodes the frequent events of a trace, many times as fast as protobuf-c: what is the
 * same in many packets is prepared as a piece. Fields come in the order of their
 * numbers, as protobuf-c has them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "sim/time.h"

enum {
    WIRE_ARGUMENTS = 13, /* of an event, at most */
    WIRE_BYTES = 512, /* room for an event and the end of it, and what is written beyond
                         and then overwritten */
    WIRE_PIECE = 8,
};

/* A field's number and the kind of its value, as one byte or two. */
#define WIRE_TAG(field, kind) ((field) << 3 | WIRE_##kind)

enum {
    WIRE_VARINT = 0,
    WIRE_64_BITS = 1,
    WIRE_BLOCK = 2, /* with its length before it */
    WIRE_PACKET = WIRE_TAG(1, BLOCK),
    WIRE_STAMP = WIRE_TAG(8, VARINT),
    WIRE_FLAGS = WIRE_TAG(13, VARINT),
    WIRE_NEEDS_NAMES = 2, /* SEQ_NEEDS_INCREMENTAL_STATE */
    WIRE_CATEGORY = WIRE_TAG(3, VARINT),
    WIRE_TYPE = WIRE_TAG(9, VARINT),
    WIRE_VALUE = WIRE_TAG(30, VARINT),
    WIRE_FLOW = WIRE_TAG(47, 64_BITS),
    WIRE_FLOW_END = WIRE_TAG(48, 64_BITS),
};

/* A few bytes of a packet. */
typedef struct {
    guint8 bytes[WIRE_PIECE];
    guint8 size; /* those that count */
} WirePiece;

/* The packets of a sequence: from its number up to the event's length. */
WirePiece wire_sequence(guint32 number);
/* The type and name of an event. */
WirePiece wire_event_name(guint32 number);
/* An argument up to its value; for numbers below 2^28. */
WirePiece wire_argument_name(guint32 number);

/* A packet while it is written. */
typedef struct {
    guint8 *begin;
    guint8 *event; /* the byte of its length */
    guint8 *next;
} WirePacket;

/* As seven bits a byte, the low ones first. */
static inline guint8 *wire_number(guint8 *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (guint8) (value | 0x80);
        value >>= 7;
    }
    *out++ = (guint8) value;
    return out;
}

static inline guint8 *wire_piece(guint8 *out, const WirePiece *piece)
{
    memcpy(out, piece->bytes, WIRE_PIECE);
    return out + piece->size;
}

/* Begins a packet of the sequence; its event follows. */
static inline WirePacket wire_open(guint8 *out, const WirePiece *sequence, SimTime at)
{
    guint8 *next;

    out[0] = WIRE_PACKET;
    out[2] = WIRE_STAMP;
    next = wire_piece(wire_number(out + 3, at), sequence);
    return (WirePacket){.begin = out, .event = next, .next = next + 1};
}

static inline void wire_argument(WirePacket *self, const WirePiece *name, int64_t value)
{
    guint8 *begin = self->next;

    self->next = wire_number(wire_piece(begin, name), (uint64_t) value);
    begin[1] = (guint8) (self->next - begin - 2);
}

/* The event's type, and its name's piece. */
static inline void wire_name(WirePacket *self, const WirePiece *name, guint8 type)
{
    guint8 *begin = self->next;

    self->next = wire_piece(begin, name);
    begin[1] = type;
}

static inline void wire_flow(WirePacket *self, uint64_t flow, bool is_end)
{
    const uint64_t bytes = GUINT64_TO_LE(flow);

    self->next = wire_number(self->next, is_end ? WIRE_FLOW_END : WIRE_FLOW);
    memcpy(self->next, &bytes, sizeof(bytes));
    self->next += sizeof(bytes);
}

/* Sets the length of what follows the byte at `length`, which was reserved for it. */
static inline guint8 *wire_length(guint8 *length, guint8 *end)
{
    const gsize size = (gsize) (end - length) - 1;

    if (G_LIKELY(size < 0x80)) {
        *length = (guint8) size;
        return end;
    }
    memmove(length + 2, length + 1, size); /* below 2^14: it takes one more */
    length[0] = (guint8) (size | 0x80);
    length[1] = (guint8) (size >> 7);
    return end + 1;
}

/* Ends the packet; returns what follows it. */
static inline guint8 *wire_close(WirePacket *self)
{
    guint8 *end = wire_length(self->event, self->next);

    *end++ = WIRE_FLAGS;
    *end++ = WIRE_NEEDS_NAMES;
    return wire_length(self->begin + 1, end);
}
