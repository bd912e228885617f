/* JSON files whose content is not trusted. */
#pragma once

#include <json-glib/json-glib.h>

/* The value that a text holds; `name` is for messages, of one line. Fails with
 * TRACE_ERROR_READ. The caller unrefs it. */
JsonNode *trace_json_parse(const char *name, const char *text, GError **error);

/* The same of a file of at most 256 MB. */
JsonNode *trace_json_file_read(const char *path, GError **error);
