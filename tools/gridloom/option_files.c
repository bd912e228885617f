/* Compares names of files. */
#include "tools/gridloom/option_files.h"

#include <sys/stat.h>

#include <glib/gstdio.h>

#include "traces/error.h"

/* A file that is there may have several names. */
static bool is_one_file(const char *first, const char *second)
{
    GStatBuf one;
    GStatBuf other;

    return g_stat(first, &one) == 0 && g_stat(second, &other) == 0 &&
           S_ISREG(one.st_mode) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static bool differ(const OptionFile *first, const OptionFile *second, GError **error)
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

bool option_files_differ(const OptionFile *files, gsize count, GError **error)
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
