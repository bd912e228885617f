/* Output files: written whole or not at all. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* Can `path` be written? Meant to be called before a long run; leaves nothing behind.
 * "-" always can. */
bool trace_output_check(const char *path, GError **error);

/* The same for the file that `option` names; a `path` of NULL passes. The file's folder
 * may be missing if creating the folder `out` creates it, too; `out` may be NULL. */
bool trace_output_check_beside(const char *path,
                               const char *option,
                               const char *out,
                               GError **error);

/* Is `path` a file and not standard output, which `option` does not accept? NULL
 * passes. */
bool trace_output_check_file(const char *path, const char *option, GError **error);

/* Can the folder that `option` names be created or, if it exists, written to? */
bool trace_output_check_folder(const char *path, const char *option, GError **error);

/* Is the path standard output, or is any path of a NULL-terminated list? NULL, no file,
 * is not. */
bool trace_output_is_stdout(const char *path);
bool trace_output_has_stdout(char *const *paths);

/* The target of a link, so that a rename replaces the file and not the link
 * (/dev/stdout is one). Returns a copy of `path` if it is no link. The caller frees
 * it. */
char *trace_output_target(const char *path);

/* Is `path` neither one of the input files nor inside one of the input folders?
 * Otherwise the output would overwrite the trace it is made from. Fails with
 * TRACE_ERROR_WRITE. */
bool trace_output_check_apart(const char *path, char *const *inputs, GError **error);

/* Replaces the file at `path` in one step: a reader sees the old text or the new one.
 * "-" is standard output. Anything that is not a regular file (a pipe, a terminal) is
 * written to directly. */
bool trace_output_write(const char *path, const char *text, GError **error);

/* Creates a folder and its missing parents. Fails with TRACE_ERROR_WRITE. */
bool trace_output_make_folder(const char *path, GError **error);

/* The path for a partly written file whose folder does not exist yet: beside the first
 * missing folder above `path`, so that a failure leaves no folders behind. NULL if no
 * folder is missing. The caller frees it. */
char *trace_output_partial(const char *path);
