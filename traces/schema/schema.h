/* A JSON Schema (draft 2020-12), and values that fit it or not. Known are the keywords
 * that our own schemas use; see keyword.h. */
#pragma once

#include <stdbool.h>

#include <json-glib/json-glib.h>

typedef struct TraceSchema TraceSchema;

/* Checks the schema itself: keywords that are not known, operands of another type, and
 * a $ref to nothing or back to itself are refused. A $ref is "#/$defs/NAME". Fails with
 * TRACE_ERROR_READ, where the message begins with the place as a JSON pointer. */
TraceSchema *trace_schema_new(JsonNode *root, GError **error);
void trace_schema_free(TraceSchema *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceSchema, trace_schema_free)

typedef enum {
    TRACE_SCHEMA_WHOLE,   /* as the schema says */
    TRACE_SCHEMA_PARTIAL, /* members may be missing: those of an older version do */
} TraceSchemaStrictness;

/* Fails with TRACE_ERROR_READ and the first mismatch: the place as a JSON pointer, the
 * value, and what is allowed. */
bool trace_schema_check(const TraceSchema *self,
                        JsonNode *value,
                        TraceSchemaStrictness strictness,
                        GError **error);
