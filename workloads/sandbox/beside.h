/* Files beside a script: the only ones that it may open without being told. */
#pragma once

#include <glib.h>

/* The folder of the script as the user typed it, with its '/', or "". The caller frees
 * it. */
char *beside_folder(const char *path);

/* The real path of `shown`, a path that begins with `folder`, if the file exists and
 * lies inside the folder. NULL without an error if it does not exist. Fails with
 * WL_ERROR_SYNTAX if a link leads out of the folder. The caller frees it. */
char *beside_find(const char *folder, const char *shown, GError **error);
