/* Writes the packets of a trace to a file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/perfetto.pb-c.h"

typedef struct Stream Stream;

/* The arguments are those of trace_pftrace_new(). */
Stream *stream_new(const char *path, GError **error);

/* Removes the file unless it is finished. */
void stream_free(Stream *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Stream, stream_free)

uint64_t stream_bytes(const Stream *self);

/* Reserves a few bytes for whole packets; commit says where the written ones end. */
guint8 *stream_reserve(Stream *self, gsize size);
void stream_commit(Stream *self, const guint8 *end);

/* Writes the next packet. stream_finish() reports any error. */
void stream_add(Stream *self, const Perfetto__TracePacket *packet);

/* Renames the finished file to its path. */
bool stream_finish(Stream *self, GError **error);
