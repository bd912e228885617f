/* A file that is written piece by piece, and is there whole or not at all. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct TraceStream TraceStream;

/* Opens a file beside `path`, which takes its place when all is written. "-" is
 * standard output; what is no regular file (a pipe, a terminal) is written to as it
 * goes. Fails with TRACE_ERROR_WRITE. */
TraceStream *trace_stream_open(const char *path, GError **error);
/* What was not closed leaves nothing behind. */
void trace_stream_free(TraceStream *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceStream, trace_stream_free)

/* These write; what goes wrong is said when the stream is closed. */
void trace_stream_bytes(TraceStream *self, const void *bytes, gsize count);
void trace_stream_text(TraceStream *self, const char *text);
void trace_stream_format(TraceStream *self, const char *format, ...)
    G_GNUC_PRINTF(2, 3);
void trace_stream_count(TraceStream *self, uint64_t value);
/* Of bytes that are no UTF-8, what can be kept: a string of JSON with its quotes, */
void trace_stream_json(TraceStream *self, const char *text);
/* a field of CSV, in quotes where it needs them (RFC 4180). */
void trace_stream_field(TraceStream *self, const char *text);

/* Puts the file in its place. Fails with TRACE_ERROR_WRITE where anything before it
 * did; the stream can only be freed then. */
bool trace_stream_close(TraceStream *self, GError **error);
