/* Reads the text of a script file, or says why the file cannot be a script. */
#pragma once

#include <glib.h>

/* Reads the file at `path`; messages call it `shown`. Fails with WL_ERROR_SYNTAX if it
 * is missing, unreadable, not a regular file, empty, longer than 16 MiB, bytecode or
 * other binary. The caller unrefs the result. */
GBytes *source_read(const char *path, const char *shown, GError **error);
