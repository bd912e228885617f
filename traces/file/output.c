/* Output files: checked before a run, written after it. */
#include "traces/file/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/file/draft.h"

static bool fail(const char *path, const char *why, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE, "%s: cannot be written, %s",
                path, why);
    return false;
}

bool trace_output_is_stdout(const char *path)
{
    return path != NULL && g_str_equal(path, "-");
}

bool trace_output_has_stdout(char *const *paths)
{
    return paths != NULL && g_strv_contains((const char *const *) paths, "-");
}

/* A device or a pipe, which a rename would replace. */
static bool is_special(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS) &&
           !g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

bool trace_output_check(const char *path, GError **error)
{
    if (trace_output_is_stdout(path)) {
        return true;
    }
    if (*path == '\0') {
        return fail("(empty name)", "give a file name or - for standard output", error);
    }
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        return fail(path, "it is a folder", error);
    }
    if (is_special(path)) {
        return g_access(path, W_OK) == 0 || fail(path, g_strerror(errno), error);
    }
    g_autoptr(TraceDraft) draft = trace_draft_open(path, error);

    return draft != NULL;
}

/* Is `path` the folder itself, or one above it? */
static bool is_above(const char *path, const char *folder)
{
    g_autofree char *above = g_canonicalize_filename(path, NULL);
    g_autofree char *whole = g_canonicalize_filename(folder, NULL);
    const gsize length = strlen(above);

    return g_str_has_prefix(whole, above) &&
           (whole[length] == '\0' || whole[length] == '/');
}

bool trace_output_check_beside(const char *path,
                               const char *option,
                               const char *out,
                               GError **error)
{
    g_autofree char *folder = NULL;

    if (path == NULL) {
        return true;
    }
    if (trace_output_is_stdout(path) || *path == '\0' || out == NULL || *out == '\0') {
        return trace_output_check(path, error);
    }
    if (is_above(path, out)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: named by %s and by --out, give a file and a folder", path,
                    option);
        return false;
    }
    folder = g_path_get_dirname(path);
    return (is_above(folder, out) && !g_file_test(folder, G_FILE_TEST_EXISTS)) ||
           trace_output_check(path, error);
}

bool trace_output_check_file(const char *path, const char *option, GError **error)
{
    if (trace_output_is_stdout(path)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: standard output cannot take it, give a file", option);
        return false;
    }
    return true;
}

/* The nearest folder above it that exists can take a new one. */
bool trace_output_check_folder(const char *path, const char *option, GError **error)
{
    g_autofree char *above = g_strdup(path);

    if (*path == '\0') {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: the name is empty, give a folder", option);
        return false;
    }
    while (!g_file_test(above, G_FILE_TEST_EXISTS)) {
        char *parent = g_path_get_dirname(above);

        g_free(above);
        above = parent;
    }
    g_autofree char *probe = g_build_filename(above, "result.json", NULL);

    if (!g_file_test(above, G_FILE_TEST_IS_DIR)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: folder cannot be made, %s is a file", path, above);
        return false;
    }
    return trace_output_check(probe, error);
}

static bool is_same(const GStatBuf *file, const char *path)
{
    GStatBuf other;

    return g_stat(path, &other) == 0 && file->st_dev == other.st_dev &&
           file->st_ino == other.st_ino;
}

bool trace_output_check_apart(const char *path, char *const *inputs, GError **error)
{
    GStatBuf file;

    if (g_stat(path, &file) != 0 || !S_ISREG(file.st_mode)) {
        return true;
    }
    for (; *inputs != NULL; inputs++) {
        g_autofree char *result = g_build_filename(*inputs, "result.json", NULL);
        g_autofree char *trace = g_build_filename(*inputs, "trace.pftrace", NULL);

        if (is_same(&file, *inputs) || is_same(&file, result) ||
            is_same(&file, trace)) {
            return fail(path, "it is what is read, give another file", error);
        }
    }
    return true;
}

static bool write_all(const char *path, const void *bytes, gsize count, GError **error)
{
    g_autoptr(TraceDraft) draft = trace_draft_open(path, error);

    if (draft == NULL) {
        return false;
    }
    trace_draft_put(draft, bytes, count);
    return trace_draft_close(draft, error);
}

bool trace_output_write(const char *path, const char *text, GError **error)
{
    return write_all(path, text, strlen(text), error);
}

bool trace_output_write_bytes(const char *path, GBytes *bytes, GError **error)
{
    gsize count = 0;
    gconstpointer data = g_bytes_get_data(bytes, &count);

    return write_all(path, data, count, error);
}

bool trace_output_make_folder(const char *path, GError **error)
{
    if (g_mkdir_with_parents(path, 0777) != 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: folder cannot be made, %s", path, g_strerror(errno));
        return false;
    }
    return true;
}
