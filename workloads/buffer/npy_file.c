/* Reads files in blocks: an array may be as large as memory. */
#include "workloads/buffer/npy_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/error.h"
#include "workloads/error.h"

enum {
    BLOCK_BYTES = 1 << 18, /* a multiple of each type's bytes */
};

typedef struct {
    int file;
    uint64_t bytes;  /* of the whole file */
    uint64_t offset; /* of the first number */
    GChecksum *sum;  /* of what was read; NULL: nobody wants it */
    NpyArray array;
    guint8 block[MAX(BLOCK_BYTES, NPY_HEADER_BYTES)];
} Reader;

static bool fail(GError **error, const char *why)
{
    return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "%s", why);
}

/* Reads `count` bytes from `offset` on into the block. */
static bool read_block(Reader *self, uint64_t offset, gsize count, GError **error)
{
    gsize got = 0;

    while (got < count) {
        const ssize_t more =
            pread(self->file, self->block + got, count - got, (off_t) (offset + got));

        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more <= 0) {
            return fail(error,
                        more < 0 ? g_strerror(errno) : "truncated while it was read");
        }
        got += (gsize) more;
    }
    return true;
}

static bool read_header(Reader *self, GError **error)
{
    struct stat status;

    if (fstat(self->file, &status) != 0) {
        return fail(error, g_strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return fail(error, "a folder, expected an .npy file");
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(error, "not a regular file");
    }
    self->bytes = (uint64_t) status.st_size;
    const gsize count = (gsize) MIN(self->bytes, (uint64_t) NPY_HEADER_BYTES);

    return read_block(self, 0, count, error) &&
           npy_read(&self->array, self->block, count, self->bytes, &self->offset,
                    error);
}

static Reader *reader_open(const char *path, GError **error)
{
    /* A pipe without a writer must not make us wait. */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    Reader *self;

    if (file < 0) {
        (void) fail(error, g_strerror(errno));
        return NULL;
    }
    self = g_new0(Reader, 1);
    self->file = file;
    return self;
}

static void reader_free(Reader *self)
{
    (void) close(self->file);
    g_clear_pointer(&self->sum, g_checksum_free);
    g_free(self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reader, reader_free)

bool npy_file_look(const char *path, NpyArray *array, GError **error)
{
    g_autoptr(Reader) reader = reader_open(path, error);

    if (reader == NULL || !read_header(reader, error)) {
        g_prefix_error(error, "%s: ", path);
        return false;
    }
    *array = reader->array;
    return true;
}

static bool read_numbers(Reader *self, NumberFormat format, guint8 *to, GError **error)
{
    const uint64_t each = npy_type_bytes(self->array.type);
    const uint64_t most = BLOCK_BYTES / each;

    for (uint64_t first = 0; first < self->array.count; first += most) {
        const NpyPart part = {.bytes = self->block,
                              .first = first,
                              .count = MIN(most, self->array.count - first)};
        const gsize bytes = (gsize) (part.count * each);

        if (!read_block(self, self->offset + first * each, bytes, error) ||
            !npy_take(&self->array, part, format, to, error)) {
            return false;
        }
        g_checksum_update(self->sum, self->block, (gssize) bytes);
    }
    return true;
}

bool npy_file_load(const char *path,
                   const NpyArray *array,
                   NumberFormat format,
                   guint8 *to,
                   char **digest,
                   GError **error)
{
    g_autoptr(Reader) reader = reader_open(path, error);
    bool is_read = reader != NULL && read_header(reader, error);

    if (is_read &&
        (reader->array.type != array->type ||
         !npy_has_shape(&reader->array, array->shape, array->dimension_count))) {
        is_read = fail(error, "changed while it was read");
    }
    if (is_read) {
        reader->sum = g_checksum_new(G_CHECKSUM_SHA256);
        g_checksum_update(reader->sum, reader->block, (gssize) reader->offset);
        is_read = read_numbers(reader, format, to, error);
    }
    if (!is_read) {
        g_prefix_error(error, "%s: ", path);
        return false;
    }
    *digest = g_strdup(g_checksum_get_string(reader->sum));
    return true;
}

GBytes *npy_file_bytes(const NpyArray *array, NumberFormat format, const guint8 *from)
{
    g_autoptr(GByteArray) header = g_byte_array_new();
    gsize bytes;
    guint8 *data;

    npy_write(array, header);
    bytes = header->len + (gsize) array->count * npy_type_bytes(array->type);
    data = g_malloc(bytes);
    memcpy(data, header->data, header->len);
    npy_give(format, from, array->count, array->type, data + header->len);
    return g_bytes_new_take(data, bytes);
}
