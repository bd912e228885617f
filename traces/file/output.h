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

/* Is `path` neither one of the input files nor inside one of the input folders?
 * Otherwise the output would overwrite the trace it is made from. Fails with
 * TRACE_ERROR_WRITE. */
bool trace_output_check_apart(const char *path, char *const *inputs, GError **error);

/* Writes a whole file as drafts are written (draft.h): a reader sees the old text or
 * the new one. "-" is standard output. Fails with TRACE_ERROR_WRITE. */
bool trace_output_write(const char *path, const char *text, GError **error);

/* The same for bytes. */
bool trace_output_write_bytes(const char *path, GBytes *bytes, GError **error);

/* Creates a folder and its missing parents. Fails with TRACE_ERROR_WRITE. */
bool trace_output_make_folder(const char *path, GError **error);
