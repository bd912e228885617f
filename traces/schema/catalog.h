/* The schemas of everything that commands write as JSON: traces/schema/NAME.json, which
 * are part of the program. */
#pragma once

#include <stdbool.h>

#include <json-glib/json-glib.h>

#include "traces/schema/schema.h"

/* All names in the order of the alphabet; the caller frees them with g_strfreev(). */
char **trace_catalog_names(void);

/* One schema with all definitions that it refers to, also those of other files. Fails
 * with TRACE_ERROR_READ and the known names. The caller unrefs it. */
JsonNode *trace_catalog_read(const char *name, GError **error);

/* The name of the schema that a value belongs to, by its own members; NULL: it is
 * nothing that gridloom writes. The caller frees it. */
char *trace_catalog_name_of(JsonNode *value);

/* Does the value fit the schema that it belongs to? Fails with TRACE_ERROR_READ: the
 * first mismatch, and the schema's name. */
bool trace_catalog_check(JsonNode *value,
                         TraceSchemaStrictness strictness,
                         GError **error);
