/* Compares file names; writes and reads the files. */
#include "traces/file/named_files.h"

#include <errno.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/file/output.h"

enum {
    FOLDER_MODE = 0777,
};

#define LIMIT_BYTES ((goffset) 256 << 20)

/* A file that is there may have several names. */
static bool is_one_file(const char *first, const char *second)
{
    GStatBuf one;
    GStatBuf other;

    return g_stat(first, &one) == 0 && g_stat(second, &other) == 0 &&
           S_ISREG(one.st_mode) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static bool
differ(const TraceNamedFile *first, const TraceNamedFile *second, GError **error)
{
    if (first->path == NULL || second->path == NULL) {
        return true;
    }
    g_autofree char *first_path = g_canonicalize_filename(first->path, NULL);
    g_autofree char *second_path = g_canonicalize_filename(second->path, NULL);

    if ((g_str_equal(first_path, second_path) &&
         !g_str_has_prefix(first_path, "/dev/")) ||
        is_one_file(first_path, second_path)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: named by %s and by %s, give two files", first->path,
                    first->option, second->option);
        return false;
    }
    return true;
}

bool trace_named_files_differ(const TraceNamedFile *files, gsize count, GError **error)
{
    for (gsize i = 0; i < count; i++) {
        for (gsize k = i + 1; k < count; k++) {
            if (!differ(&files[i], &files[k], error)) {
                return false;
            }
        }
    }
    return true;
}

bool trace_named_outputs_check(const TraceNamedOutput *files,
                               gsize count,
                               const char *folder,
                               GError **error)
{
    for (gsize i = 0; i < count; i++) {
        if (files[i].path != NULL && !trace_output_check(files[i].path, error)) {
            return false;
        }
    }
    if (folder != NULL && g_mkdir_with_parents(folder, FOLDER_MODE) != 0) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "--out %s: %s",
                    folder, g_strerror(errno));
        return false;
    }
    for (gsize i = 0; folder != NULL && i < count; i++) {
        g_autofree char *path = g_build_filename(folder, files[i].name, NULL);

        if (!trace_output_check(path, error)) {
            return false;
        }
    }
    return true;
}

guint trace_named_outputs_on_stdout(const TraceNamedOutput *files, gsize count)
{
    guint on_stdout = 0;

    for (gsize i = 0; i < count; i++) {
        on_stdout += trace_output_is_stdout(files[i].path);
    }
    return on_stdout;
}

bool trace_named_outputs_write(const TraceNamedOutput *files,
                               gsize count,
                               const char *folder,
                               gconstpointer data,
                               GError **error)
{
    for (gsize i = 0; i < count; i++) {
        const bool is_wanted = files[i].path != NULL || folder != NULL;
        g_autofree char *text = is_wanted ? files[i].to_text(data) : NULL;
        g_autofree char *path =
            folder != NULL ? g_build_filename(folder, files[i].name, NULL) : NULL;

        if ((files[i].path != NULL &&
             !trace_output_write(files[i].path, text, error)) ||
            (path != NULL && !trace_output_write(path, text, error))) {
            return false;
        }
    }
    return true;
}

static char *refuse(const char *path, const char *why, GError **error)
{
    g_autofree char *shown = g_utf8_make_valid(path, -1);

    g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "%s: cannot be read, %s", shown,
                why);
    return NULL;
}

char *trace_named_file_read(const char *path, gsize *length, GError **error)
{
    g_autofree char *text = NULL;
    GStatBuf status;

    if (g_stat(path, &status) != 0) {
        return refuse(path, g_strerror(errno), error);
    }
    if (S_ISDIR(status.st_mode)) {
        return refuse(path, "it is a folder", error);
    }
    /* A device may have no end. */
    if (!S_ISREG(status.st_mode)) {
        return refuse(path, "it is not a regular file", error);
    }
    if (status.st_size > LIMIT_BYTES) {
        return refuse(path, "it is longer than 256 MiB", error);
    }
    errno = 0;
    return g_file_get_contents(path, &text, length, NULL)
               ? g_steal_pointer(&text)
               : refuse(path, errno != 0 ? g_strerror(errno) : "it changes", error);
}
