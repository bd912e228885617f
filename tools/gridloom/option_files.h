/* Files that options of a command name: no two of them may be one, and how their text
 * is read. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    const char *option;
    const char *path; /* NULL: not given */
} OptionFile;

/* Is each of them a file of its own? Of two in one, the second would replace the first.
 * Fails with TRACE_ERROR_WRITE. */
bool option_files_differ(const OptionFile *files, gsize count, GError **error);

/* The text of a file that a user names, a regular one of at most 256 MiB; NULL: fails
 * with TRACE_ERROR_READ. The caller frees it. */
char *option_file_read(const char *path, gsize *length, GError **error);
