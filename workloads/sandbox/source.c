/* The text of a script file, or why the file cannot be a script. */
#include "workloads/sandbox/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/narrow.h"
#include "workloads/error.h"

enum {
    LIMIT_BYTES = 16 * 1024 * 1024,
};

static GBytes *refuse(const char *shown, const char *why, GError **error)
{
    g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX, "%s: %s", shown, why);
    return NULL;
}

/* At most one byte more than the limit, so that a file that grows is found too. */
static GByteArray *read_all(int file)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint8 block[65536];
    while (bytes->len <= LIMIT_BYTES) {
        ssize_t got = read(file, block, sizeof block);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return NULL;
        }
        if (got == 0) {
            break;
        }
        g_byte_array_append(bytes, block, sim_u32(got));
    }
    return g_steal_pointer(&bytes);
}

static GBytes *check_text(GByteArray *bytes, const char *shown, GError **error)
{
    const char *text = (const char *) bytes->data;
    if (bytes->len == 0) {
        return refuse(shown, "is empty", error);
    }
    if (bytes->len > LIMIT_BYTES) {
        return refuse(shown, "is longer than 16 MiB", error);
    }
    if (text[0] == '\033') {
        return refuse(shown, "is Lua bytecode; only source text is run", error);
    }
    if (memchr(text, '\0', bytes->len) != NULL) {
        return refuse(shown, "is binary, not a script", error);
    }
    if (bytes->len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        g_byte_array_remove_range(bytes, 0, 3);
    }
    if (bytes->len >= 2 && memcmp(bytes->data, "#!", 2) == 0) {
        memcpy(bytes->data, "--", 2); /* keeps the line numbers */
    }
    return g_byte_array_free_to_bytes(g_byte_array_ref(bytes));
}

static GBytes *read_open_file(int file, const char *shown, GError **error)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return refuse(shown, g_strerror(errno), error);
    }
    if (S_ISDIR(status.st_mode)) {
        return refuse(shown, "is a folder, not a script", error);
    }
    if (!S_ISREG(status.st_mode)) {
        return refuse(shown, "is not a regular file", error);
    }
    g_autoptr(GByteArray) bytes = read_all(file);
    if (bytes == NULL) {
        return refuse(shown, g_strerror(errno), error);
    }
    return check_text(bytes, shown, error);
}

GBytes *source_read(const char *path, const char *shown, GError **error)
{
    /* A pipe without a writer must not make us wait. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return refuse(shown, g_strerror(errno), error);
    }
    GBytes *text = read_open_file(file, shown, error);
    (void) close(file);
    return text;
}
