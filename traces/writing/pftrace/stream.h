/* Packets of a trace on their way into a file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/perfetto.pb-c.h"

typedef struct Stream Stream;

/* As of trace_pftrace_new(). */
Stream *stream_new(const char *path, const char *partial, GError **error);

/* Removes the file unless it is finished. */
void stream_free(Stream *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Stream, stream_free)

const char *stream_partial(const Stream *self);
uint64_t stream_bytes(const Stream *self);

/* Room for so many bytes of whole packets, few, and where they end that were written
 * there. */
guint8 *stream_reserve(Stream *self, gsize size);
void stream_commit(Stream *self, const guint8 *end);

/* The next packet. What goes wrong is reported by stream_finish(). */
void stream_add(Stream *self, const Perfetto__TracePacket *packet);

/* Gives the file its name. */
bool stream_finish(Stream *self, GError **error);
