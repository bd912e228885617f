/* An output file written piece by piece; it appears whole or not at all. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct TraceStream TraceStream;

/* Opens a draft of `path` (draft.h); closing the stream moves it there. "-" is standard
 * output. Fails with TRACE_ERROR_WRITE. */
TraceStream *trace_stream_open(const char *path, GError **error);
/* A stream that was not closed leaves no file behind. */
void trace_stream_free(TraceStream *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceStream, trace_stream_free)

/* These write; trace_stream_close() reports any error. */
void trace_stream_bytes(TraceStream *self, const void *bytes, gsize count);
void trace_stream_text(TraceStream *self, const char *text);
void trace_stream_format(TraceStream *self, const char *format, ...)
    G_GNUC_PRINTF(2, 3);
void trace_stream_count(TraceStream *self, uint64_t value);
/* Writes a JSON string with its quotes. Invalid UTF-8 is replaced. */
void trace_stream_json(TraceStream *self, const char *text);
/* Writes a CSV field, quoted where RFC 4180 requires it. Invalid UTF-8 is replaced. */
void trace_stream_field(TraceStream *self, const char *text);

/* Moves the file into place. Fails with TRACE_ERROR_WRITE if this or any earlier write
 * failed; the stream can then only be freed. */
bool trace_stream_close(TraceStream *self, GError **error);
