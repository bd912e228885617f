/* Files that are written whole or not at all. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Can `path` be written? Asked before a long run; leaves no trace. "-" always can. */
bool trace_output_check(const char *path, GError **error);

/* The same of a file that `option` names, which may be NULL, and whose folder `out` may
 * make: a folder, or NULL. */
bool trace_output_check_beside(const char *path,
                               const char *option,
                               const char *out,
                               GError **error);

/* Is it not standard output, which `option` cannot take? NULL is not. */
bool trace_output_check_file(const char *path, const char *option, GError **error);

/* Can the folder that `option` names be made, or written where it is there? */
bool trace_output_check_folder(const char *path, const char *option, GError **error);

/* Does it go to standard output, or one of a list that ends with NULL? NULL, no file,
 * does not. */
bool trace_output_is_stdout(const char *path);
bool trace_output_has_stdout(char *const *paths);

/* Where a link leads, so that a rename replaces the file and not the link (/dev/stdout
 * is one); `path` itself where it is none. The caller frees it. */
char *trace_output_target(const char *path);

/* Is `path` none of the files that are read, nor a file of one of the folders? What
 * follows would replace a trace by what is made of it. Fails with TRACE_ERROR_WRITE. */
bool trace_output_check_apart(const char *path, char *const *inputs, GError **error);

/* Replaces the file at `path`, so that a reader sees the old text or the new one. "-"
 * is standard output; what is no regular file (a pipe, a terminal) is written to. */
bool trace_output_write(const char *path, const char *text, GError **error);

/* Makes a folder with all above it that are missing. Fails with TRACE_ERROR_WRITE. */
bool trace_output_make_folder(const char *path, GError **error);

/* Where a file is written until it is done, if its folder is not there yet: beside the
 * first folder that is missing above `path`, so that what fails leaves none. NULL where
 * none is missing; the caller frees it. */
char *trace_output_partial(const char *path);
