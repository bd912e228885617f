/* Asks the kernel for large pages, and maps files. */
#include "sim/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "sim/error.h"

enum {
    LARGE_PAGE = 1 << 21,
};

gpointer sim_pages_large(gpointer memory, gsize bytes)
{
    const uintptr_t from = (uintptr_t) memory;
    const uintptr_t first = (from + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    const uintptr_t end = (from + bytes) / LARGE_PAGE * LARGE_PAGE;

    if (memory != NULL && first < end) {
        /* A host without large pages refuses, and goes on with small ones. */
        (void) madvise((char *) memory + (first - from), end - first, MADV_HUGEPAGE);
    }
    return memory;
}

static char *folder; /* of files, or NULL */

/* A file without a name, or -1. */
static int open_file(void)
{
    g_autofree char *path = g_build_filename(folder, "gridloom-XXXXXX", NULL);
    const int file = g_mkstemp(path);

    if (file >= 0) {
        (void) g_unlink(path);
    }
    return file;
}

bool sim_pages_keep_in(const char *where, GError **error)
{
    g_free(folder);
    folder = g_strdup(where);
    if (folder == NULL) {
        return true;
    }
    const int file = open_file();

    if (file < 0) {
        (void) sim_fail(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", where,
                        g_strerror(errno));
        g_clear_pointer(&folder, g_free);
        return false;
    }
    (void) close(file);
    return true;
}

bool sim_pages_is_filed(gsize bytes)
{
    return folder != NULL && bytes >= SIM_PAGES_FILED;
}

/* The blocks are taken at once, so that a full disk is seen now. A file system that
 * cannot do so gives them when they are written. */
static gpointer map_file(int file, gsize bytes)
{
    const off_t size = (off_t) bytes;

    if (fallocate(file, 0, 0, size) != 0 &&
        (errno != EOPNOTSUPP || ftruncate(file, size) != 0)) {
        return NULL;
    }
    gpointer memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

gpointer sim_pages_new(gsize bytes)
{
    if (!sim_pages_is_filed(bytes)) {
        return sim_pages_large(g_try_malloc0(bytes), bytes);
    }
    const int file = open_file();

    if (file < 0) {
        return NULL;
    }
    gpointer memory = map_file(file, bytes);

    (void) close(file);
    return memory;
}

void sim_pages_free(gpointer memory, gsize bytes)
{
    if (memory != NULL && sim_pages_is_filed(bytes)) {
        (void) munmap(memory, bytes);
    } else {
        g_free(memory);
    }
}
