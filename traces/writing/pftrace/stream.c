/* Buffers packets, and writes the buffer to the file when it is full. */
#include "traces/writing/pftrace/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/file/output.h"

enum {
    BUFFER_BYTES = 1 << 20,
    PACKET_TAG = 0x0a, /* field 1 of a trace, with a length */
    VARINT_BYTES = 10, /* at most */
};

struct Stream {
    char *path;
    char *partial; /* NULL: a device or a pipe, written to directly */
    int file;
    bool is_finished;
    int trouble; /* errno of the first failure; 0: none */
    uint64_t bytes;
    guint8 *buffer;
    gsize used;
    gsize capacity;
};

static bool fail(const char *path, int trouble, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE, "%s: cannot be written, %s",
                path, g_strerror(trouble));
    return false;
}

Stream *stream_new(const char *path, const char *partial, GError **error)
{
    g_autoptr(Stream) self = g_new0(Stream, 1);
    bool is_special = g_file_test(path, G_FILE_TEST_EXISTS) &&
                      !g_file_test(path, G_FILE_TEST_IS_REGULAR);

    self->path = trace_output_target(path);
    if (!is_special) {
        self->partial = partial != NULL ? g_strdup(partial)
                                        : g_strconcat(self->path, ".partial", NULL);
    }
    self->capacity = BUFFER_BYTES;
    self->buffer = g_malloc(self->capacity);
    self->file = g_open(is_special ? path : self->partial,
                        O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (self->file < 0) {
        int trouble = errno;

        g_clear_pointer(&self->partial, g_free);
        (void) fail(path, trouble, error);
        return NULL;
    }
    return g_steal_pointer(&self);
}

void stream_free(Stream *self)
{
    if (self != NULL) {
        if (self->file >= 0) {
            (void) close(self->file);
        }
        if (self->partial != NULL && !self->is_finished) {
            (void) g_unlink(self->partial);
        }
        g_free(self->path);
        g_free(self->partial);
        g_free(self->buffer);
        g_free(self);
    }
}

const char *stream_partial(const Stream *self)
{
    return self->partial;
}

uint64_t stream_bytes(const Stream *self)
{
    return self->bytes;
}

static void flush(Stream *self)
{
    const guint8 *next = self->buffer;
    gsize left = self->trouble != 0 ? 0 : self->used;

    while (left > 0) {
        gssize written = write(self->file, next, left);

        if (written < 0 && errno != EINTR) {
            self->trouble = errno;
            break;
        }
        if (written > 0) {
            next += written;
            left -= (gsize) written;
        }
    }
    self->used = 0;
}

guint8 *stream_reserve(Stream *self, gsize size)
{
    if (G_UNLIKELY(size > self->capacity - self->used)) {
        flush(self);
        if (size > self->capacity) {
            self->capacity = size;
            self->buffer = g_realloc(self->buffer, size);
        }
    }
    return self->buffer + self->used;
}

void stream_commit(Stream *self, const guint8 *end)
{
    const gsize used = (gsize) (end - self->buffer);

    self->bytes += used - self->used;
    self->used = used;
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
    flush(self);
    if (close(self->file) != 0 && self->trouble == 0) {
        self->trouble = errno;
    }
    self->file = -1;
    if (self->trouble == 0 && self->partial != NULL &&
        g_rename(self->partial, self->path) != 0) {
        self->trouble = errno;
    }
    if (self->trouble != 0) {
        return fail(self->path, self->trouble, error);
    }
    self->is_finished = true;
    return true;
}
