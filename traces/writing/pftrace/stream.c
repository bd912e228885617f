/* Buffers packets. */
#include "traces/writing/pftrace/stream.h"

enum {
    BUFFER_BYTES =
        1 << 17,       /* small enough to be in the host's cache when it is written */
    PACKET_TAG = 0x0a, /* field 1 of a trace, with a length */
    VARINT_BYTES = 10, /* at most */
};

Stream *stream_new(const char *path, GError **error)
{
    TraceDraft *draft = trace_draft_open_early(path, error);
    Stream *self;

    if (draft == NULL) {
        return NULL;
    }
    self = g_new0(Stream, 1);
    self->draft = draft;
    self->capacity = BUFFER_BYTES;
    self->buffer = g_malloc(self->capacity);
    return self;
}

void stream_free(Stream *self)
{
    if (self != NULL) {
        trace_draft_free(self->draft);
        g_free(self->buffer);
        g_free(self);
    }
}

void stream_flush(Stream *self, gsize size)
{
    trace_draft_put(self->draft, self->buffer, self->used);
    self->used = 0;
    if (G_UNLIKELY(size > self->capacity)) {
        self->capacity = size;
        self->buffer = g_realloc(self->buffer, size);
    }
}

void stream_add(Stream *self, const Perfetto__TracePacket *packet)
{
    const gsize size = perfetto__trace_packet__get_packed_size(packet);
    guint8 *next = stream_reserve(self, 1 + VARINT_BYTES + size);
    gsize left = size;

    *next++ = PACKET_TAG;
    for (; left >= 0x80; left >>= 7) {
        *next++ = (guint8) (left | 0x80);
    }
    *next++ = (guint8) left;
    stream_commit(self, next + perfetto__trace_packet__pack(packet, next));
}

bool stream_finish(Stream *self, GError **error)
{
    trace_draft_put(self->draft, self->buffer, self->used);
    return trace_draft_close(self->draft, error);
}
