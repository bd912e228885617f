/* Texts of source files in a result: arrays of lines by file. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

/* Adds a file once; `text` is NULL if it is to be read. A file that cannot be read, or
 * that is no UTF-8, is left out. */
void host_source_add(JsonObject *sources, const char *file, const char *text);

/* A line of it, as far as it fits a table; "" if it is not there. The caller frees it.
 */
char *host_source_line(JsonObject *sources, const char *file, guint line);
