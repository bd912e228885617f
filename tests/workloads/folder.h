/* A temporary folder with script files in it. */
#pragma once

#include <stdbool.h>
#include <string.h>

#include <glib.h>
#include <glib/gstdio.h>

typedef struct {
    char *path;
    GPtrArray *files; /* what to remove, in reverse order */
} Folder;

static inline Folder folder_new(void)
{
    return (Folder){.path = g_dir_make_tmp("gridloom-XXXXXX", NULL),
                    .files = g_ptr_array_new_with_free_func(g_free)};
}

static inline void folder_clear(Folder *self)
{
    for (guint i = self->files->len; i > 0; i--) {
        (void) g_remove(self->files->pdata[i - 1]);
    }
    (void) g_rmdir(self->path);
    g_ptr_array_unref(self->files);
    g_free(self->path);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Folder, folder_clear)

/* The path of a name in the folder, which is removed at the end. */
static inline const char *folder_path(Folder *self, const char *name)
{
    g_ptr_array_add(self->files, g_build_filename(self->path, name, NULL));
    return self->files->pdata[self->files->len - 1];
}

static inline const char *
folder_write(Folder *self, const char *name, const char *bytes, gssize length)
{
    const char *path = folder_path(self, name);
    bool is_written = g_file_set_contents(path, bytes, length, NULL);
    g_assert(is_written);
    return path;
}
