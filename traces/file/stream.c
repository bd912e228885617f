/* Streams: a temporary file, then one rename. */
#include "traces/file/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/file/csv.h"
#include "traces/file/output.h"

struct TraceStream {
    FILE *file;
    char *path;    /* as it was given, for messages */
    char *target;  /* where links lead */
    char *partial; /* the file until it is whole; NULL: written to in place */
    int fault;     /* errno of the first failure */
};

static void set_fault(GError **error, const char *path, int fault)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE, "%s: cannot be written, %s",
                path, g_strerror(fault));
}

static bool open_partial(TraceStream *self)
{
    int descriptor;

    self->partial = g_strconcat(self->target, ".XXXXXX", NULL);
    descriptor = g_mkstemp_full(self->partial, O_RDWR, 0666);
    if (descriptor < 0) {
        self->fault = errno;
        g_clear_pointer(&self->partial, g_free);
        return false;
    }
    self->file = fdopen(descriptor, "w");
    return self->file != NULL;
}

static bool open_file(TraceStream *self)
{
    if (g_str_equal(self->path, "-")) {
        self->file = stdout;
        return true;
    }
    if (g_file_test(self->path, G_FILE_TEST_EXISTS) &&
        !g_file_test(self->path, G_FILE_TEST_IS_REGULAR)) {
        self->file = fopen(self->path, "w");
        self->fault = errno;
        return self->file != NULL;
    }
    return open_partial(self);
}

TraceStream *trace_stream_open(const char *path, GError **error)
{
    g_autoptr(TraceStream) self = g_new0(TraceStream, 1);

    self->path = g_strdup(path);
    self->target = trace_output_target(path);
    if (!open_file(self)) {
        set_fault(error, path, self->fault);
        return NULL;
    }
    self->fault = 0;
    return g_steal_pointer(&self);
}

/* Not standard output: others write there, too. */
static bool close_file(TraceStream *self)
{
    FILE *file = g_steal_pointer(&self->file);

    return file == stdout ? fflush(file) == 0 : fclose(file) == 0;
}

void trace_stream_free(TraceStream *self)
{
    if (self != NULL) {
        if (self->file != NULL) {
            (void) close_file(self);
        }
        if (self->partial != NULL) {
            (void) g_unlink(self->partial);
        }
        g_free(self->partial);
        g_free(self->target);
        g_free(self->path);
        g_free(self);
    }
}

static void note(TraceStream *self, bool is_written)
{
    if (!is_written && self->fault == 0) {
        self->fault = errno != 0 ? errno : EIO;
    }
}

void trace_stream_bytes(TraceStream *self, const void *bytes, gsize count)
{
    note(self, fwrite(bytes, 1, count, self->file) == count);
}

void trace_stream_text(TraceStream *self, const char *text)
{
    trace_stream_bytes(self, text, strlen(text));
}

void trace_stream_format(TraceStream *self, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    note(self, vfprintf(self->file, format, arguments) >= 0);
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
    note(self, close_file(self));
    if (self->fault == 0 && self->partial != NULL) {
        note(self, g_rename(self->partial, self->target) == 0);
        if (self->fault == 0) {
            g_clear_pointer(&self->partial, g_free);
        }
    }
    if (self->fault != 0) {
        set_fault(error, self->path, self->fault);
        return false;
    }
    return true;
}
