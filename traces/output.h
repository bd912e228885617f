/* Files that are written whole or not at all. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Can `path` be written? Asked before a long run; leaves no trace. "-" always can. */
bool trace_output_check(const char *path, GError **error);

/* Replaces the file at `path`, so that a reader sees the old text or the new one. "-"
 * is standard output; what is no regular file (a pipe, a terminal) is written to. */
bool trace_output_write(const char *path, const char *text, GError **error);
