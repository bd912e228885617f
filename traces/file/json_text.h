/* Writes JSON that every reader accepts. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* The text of a node, indented or on one line. The caller frees it. Numbers that JSON
 * cannot hold (infinity, NaN) become null, in the node as well. */
char *trace_json_text(JsonNode *node, bool is_indented);

/* The same for an object. */
char *trace_json_object_text(JsonObject *object, bool is_indented);

/* Whether objects and arrays nest no deeper than in any result. json-glib recurses as
 * deep as the text does, until the stack overflows. */
bool trace_json_is_shallow(const char *text);
