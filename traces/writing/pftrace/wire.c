/* Pieces of packets. */
#include "traces/writing/pftrace/wire.h"

enum {
    PACKET_SEQUENCE = WIRE_TAG(10, VARINT),
    PACKET_EVENT = WIRE_TAG(11, BLOCK),
    EVENT_ARGUMENT = WIRE_TAG(4, BLOCK),
    EVENT_NAME = WIRE_TAG(10, VARINT),
    ARGUMENT_NAME = WIRE_TAG(1, VARINT),
    ARGUMENT_VALUE = WIRE_TAG(4, VARINT),
};

/* `before`, the number, and `after` if it is not 0. */
static WirePiece
piece_of(const guint8 *before, guint size, guint32 number, guint8 after)
{
    guint8 bytes[2 * WIRE_PIECE] = {0};
    WirePiece piece;
    guint8 *end;

    memcpy(bytes, before, size);
    end = wire_number(bytes + size, number);
    *end = after;
    memcpy(piece.bytes, bytes, WIRE_PIECE);
    piece.size = (guint8) (end - bytes + (after != 0));
    g_assert(piece.size <= WIRE_PIECE);
    return piece;
}

WirePiece wire_sequence(guint32 number)
{
    return piece_of((const guint8[]){PACKET_SEQUENCE}, 1, number, PACKET_EVENT);
}

WirePiece wire_event_name(guint32 number)
{
    return piece_of((const guint8[]){WIRE_TYPE, 0, EVENT_NAME}, 3, number, 0);
}

WirePiece wire_argument_name(guint32 number)
{
    return piece_of((const guint8[]){EVENT_ARGUMENT, 0, ARGUMENT_NAME}, 3, number,
                    ARGUMENT_VALUE);
}
