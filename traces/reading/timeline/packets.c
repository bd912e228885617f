/* Splits a trace into packets by their lengths, and skips other fields. */
#include "traces/reading/timeline/packets.h"

enum {
    PACKET_FIELD = 1,
    WIRE_VARINT = 0,
    WIRE_64 = 1,
    WIRE_LENGTH = 2,
    WIRE_32 = 5,
    VARINT_BYTES = 10,
    PACKET_BYTES = 1 << 25, /* more than any writer makes of one */
};

static PacketsStep read_varint(const PacketsReader *self, gsize *at, uint64_t *value)
{
    *value = 0;
    for (guint i = 0; i < VARINT_BYTES; i++) {
        if (*at >= self->size) {
            return PACKETS_CUT;
        }
        const guint8 byte = self->bytes[(*at)++];

        *value |= (uint64_t) (byte & 0x7f) << (7 * i);
        if ((byte & 0x80) == 0) {
            return PACKETS_NEXT;
        }
    }
    return PACKETS_WRONG;
}

/* How many bytes follow the tag that ends at `at`. */
static PacketsStep
read_length(const PacketsReader *self, guint wire, gsize *at, uint64_t *length)
{
    uint64_t ignored;

    *length = 0;
    switch (wire) {
    case WIRE_VARINT:
        return read_varint(self, at, &ignored);
    case WIRE_64:
        *length = 8;
        return PACKETS_NEXT;
    case WIRE_32:
        *length = 4;
        return PACKETS_NEXT;
    case WIRE_LENGTH:
        return read_varint(self, at, length);
    default:
        return PACKETS_WRONG;
    }
}

PacketsStep packets_next(PacketsReader *self, Perfetto__TracePacket **packet)
{
    *packet = NULL;
    while (self->at < self->size) {
        gsize at = self->at;
        uint64_t tag;
        uint64_t length;
        PacketsStep step = read_varint(self, &at, &tag);

        if (step == PACKETS_NEXT) {
            step = tag >> 3 == 0 ? PACKETS_WRONG
                                 : read_length(self, tag & 7, &at, &length);
        }
        if (step != PACKETS_NEXT) {
            return step;
        }
        if (length > self->size - at) {
            return PACKETS_CUT;
        }
        if (tag == (PACKET_FIELD << 3 | WIRE_LENGTH)) {
            arena_reset(self->arena);
            *packet = length > PACKET_BYTES
                          ? NULL
                          : perfetto__trace_packet__unpack(arena_allocator(self->arena),
                                                           length, self->bytes + at);
            if (*packet == NULL) {
                return PACKETS_WRONG;
            }
            self->at = at + length;
            return PACKETS_NEXT;
        }
        self->at = at + length;
    }
    return PACKETS_END;
}
