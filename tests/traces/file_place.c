/* Makes and removes places for files. */
#include "tests/traces/file_place.h"

#include <glib.h>
#include <glib/gstdio.h>

int file_place_make(void **state)
{
    FilePlace *self = g_new0(FilePlace, 1);

    self->folder = g_dir_make_tmp("gridloom-XXXXXX", NULL);
    g_assert_nonnull(self->folder);
    self->path = g_build_filename(self->folder, "result.json", NULL);
    *state = self;
    return 0;
}

int file_place_remove(void **state)
{
    FilePlace *self = *state;

    (void) g_unlink(self->path);
    g_assert_cmpint(g_rmdir(self->folder), ==, 0);
    g_free(self->path);
    g_free(self->folder);
    g_free(self);
    return 0;
}
