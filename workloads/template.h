/* Starts for programs of one's own: files that run at once, to be changed. */
#pragma once

#include <glib.h>

/* The kinds of files, NULL-terminated. */
extern const char *const wl_template_kinds[];

/* Writes a new file of a kind, at `path` (NULL fails), and returns the line that says
 * what to do with it; the caller frees it. An unknown kind and a file that exists are
 * failures, with the nearest kind; whatever fails leaves no file behind and no other
 * one changed. */
char *wl_template_write(const char *kind, const char *path, GError **error);
