/* A schema's file with what it refers to in other files. */
#pragma once

#include <stdbool.h>

#include <json-glib/json-glib.h>

/* The names of the files without .json, sorted; the caller frees them with
 * g_strfreev(). */
char **trace_bundle_names(void);
bool trace_bundle_has(const char *name);

/* The schema of a file: $ref to "#/$defs/X" and "FILE.json#/$defs/X" become X in the
 * $defs at its end, those to "FILE.json" become FILE there. Two definitions must not
 * have one name. Fails with TRACE_ERROR_READ. The caller unrefs it. */
JsonNode *trace_bundle_new(const char *name, GError **error);
