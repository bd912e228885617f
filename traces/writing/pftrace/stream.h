/* Writes the packets of a trace to a file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/file/draft.h"
#include "traces/perfetto.pb-c.h"

typedef struct {
    TraceDraft *draft;
    uint64_t bytes; /* of the file so far */
    guint8 *buffer;
    gsize used;
    gsize capacity;
} Stream;

/* The arguments are those of trace_pftrace_new(). */
Stream *stream_new(const char *path, GError **error);

/* Removes the file unless it is finished. */
void stream_free(Stream *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Stream, stream_free)

/* Empties the buffer for at least `size` bytes. */
void stream_flush(Stream *self, gsize size);

/* Reserves a few bytes for whole packets; commit says where the written ones end. */
static inline guint8 *stream_reserve(Stream *self, gsize size)
{
    if (G_UNLIKELY(size > self->capacity - self->used)) {
        stream_flush(self, size);
    }
    return self->buffer + self->used;
}

static inline void stream_commit(Stream *self, const guint8 *end)
{
    const gsize used = (gsize) (end - self->buffer);

    self->bytes += used - self->used;
    self->used = used;
}

/* Writes the next packet. stream_finish() reports any error. */
void stream_add(Stream *self, const Perfetto__TracePacket *packet);

/* Renames the finished file to its path. */
bool stream_finish(Stream *self, GError **error);
