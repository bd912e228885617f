/* JSON text that every reader accepts. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* The text of a node, indented or on one line; the caller frees it. Numbers that JSON
 * cannot hold (infinite, not a number) become null, in the node too. */
char *trace_json_text(JsonNode *node, bool is_indented);

/* The same of an object. */
char *trace_json_object_text(JsonObject *object, bool is_indented);

/* Whether objects and arrays lie in each other no deeper than results have them:
 * json-glib goes as deep as the text does, until the stack is full. */
bool trace_json_is_shallow(const char *text);
