/* Files that options of a command name: no two of them may be one. */
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
