/* Links are followed before a path is judged. */
#include "workloads/sandbox/beside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/error.h"

char *beside_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return g_strndup(path, slash == NULL ? 0 : (gsize) (slash + 1 - path));
}

char *beside_find(const char *folder, const char *shown, GError **error)
{
    g_autofree char *real_folder = realpath(*folder == '\0' ? "." : folder, NULL);
    g_autofree char *real_file = realpath(shown, NULL);
    if (real_folder == NULL ||
        (real_file == NULL && (errno == ENOENT || errno == ENOTDIR))) {
        return NULL;
    }
    if (real_file == NULL) {
        (void) wl_refuse(error, "%s: %s", shown, g_strerror(errno));
        return NULL;
    }
    g_autofree char *inside = g_str_has_suffix(real_folder, "/")
                                  ? g_strdup(real_folder)
                                  : g_strconcat(real_folder, "/", NULL);
    if (!g_str_has_prefix(real_file, inside)) {
        (void) wl_refuse(error, "%s: a link leads out of the folder %s", shown,
                         *folder == '\0' ? "." : folder);
        return NULL;
    }
    return g_steal_pointer(&real_file);
}
