/* The text of a script file, or why the file cannot be a script. */
#pragma once

#include <glib.h>

/* Reads the file at `path`; `shown` is how messages call it. Fails with
 * WL_ERROR_SYNTAX: missing, unreadable, no regular file, empty, longer than 16 MiB,
 * bytecode or other binary. The caller unrefs the result. */
GBytes *source_read(const char *path, const char *shown, GError **error);
