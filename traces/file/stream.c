/* Streams: text that is gathered, and put into a draft piece by piece. */
#include "traces/file/stream.h"

#include <stdarg.h>
#include <string.h>

#include "traces/file/csv.h"
#include "traces/file/draft.h"

enum {
    PIECE_BYTES = 1 << 16,
};

struct TraceStream {
    TraceDraft *draft;
    GString *piece; /* what is still to be written */
};

TraceStream *trace_stream_open(const char *path, GError **error)
{
    TraceDraft *draft = trace_draft_open(path, error);
    TraceStream *self;

    if (draft == NULL) {
        return NULL;
    }
    self = g_new(TraceStream, 1);
    *self = (TraceStream){.draft = draft, .piece = g_string_sized_new(PIECE_BYTES)};
    return self;
}

void trace_stream_free(TraceStream *self)
{
    if (self != NULL) {
        trace_draft_free(self->draft);
        (void) g_string_free(self->piece, TRUE);
        g_free(self);
    }
}

static void write_piece(TraceStream *self)
{
    trace_draft_put(self->draft, self->piece->str, self->piece->len);
    (void) g_string_truncate(self->piece, 0);
}

static void make_room(TraceStream *self, gsize count)
{
    if (self->piece->len + count > PIECE_BYTES) {
        write_piece(self);
    }
}

void trace_stream_bytes(TraceStream *self, const void *bytes, gsize count)
{
    make_room(self, count);
    g_string_append_len(self->piece, bytes, (gssize) count);
}

void trace_stream_text(TraceStream *self, const char *text)
{
    trace_stream_bytes(self, text, strlen(text));
}

void trace_stream_format(TraceStream *self, const char *format, ...)
{
    va_list arguments;

    make_room(self, 0);
    va_start(arguments, format);
    g_string_append_vprintf(self->piece, format, arguments);
    va_end(arguments);
}

void trace_stream_count(TraceStream *self, uint64_t value)
{
    char digits[24];
    char *at = digits + sizeof digits;

    do {
        *--at = (char) ('0' + value % 10);
        value /= 10;
    } while (value > 0);
    trace_stream_bytes(self, at, (gsize) (digits + sizeof digits - at));
}

static void put_escaped(TraceStream *self, unsigned char byte)
{
    char escape[8];

    if (byte == '"' || byte == '\\') {
        escape[0] = '\\';
        escape[1] = (char) byte;
        trace_stream_bytes(self, escape, 2);
        return;
    }
    g_snprintf(escape, sizeof escape, "\\u%04x", byte);
    trace_stream_text(self, escape);
}

/* A valid copy of a text that is not UTF-8, which the caller frees; else NULL. */
static char *valid_copy(const char *text)
{
    return g_utf8_validate(text, -1, NULL) ? NULL : g_utf8_make_valid(text, -1);
}

void trace_stream_json(TraceStream *self, const char *text)
{
    g_autofree char *valid = valid_copy(text);
    const char *start = valid != NULL ? valid : text;
    const char *at;

    trace_stream_bytes(self, "\"", 1);
    for (at = start; *at != '\0'; at++) {
        unsigned char byte = (unsigned char) *at;

        if (byte < ' ' || byte == '"' || byte == '\\' || byte == 0x7f) {
            trace_stream_bytes(self, start, (gsize) (at - start));
            put_escaped(self, byte);
            start = at + 1;
        }
    }
    trace_stream_bytes(self, start, (gsize) (at - start));
    trace_stream_bytes(self, "\"", 1);
}

void trace_stream_field(TraceStream *self, const char *text)
{
    g_autofree char *valid = valid_copy(text);
    const char *start = valid != NULL ? valid : text;
    g_autofree char *written = trace_csv_written(start);

    trace_stream_text(self, written != NULL ? written : start);
}

bool trace_stream_close(TraceStream *self, GError **error)
{
    write_piece(self);
    return trace_draft_close(self->draft, error);
}
