/* Reads members of JSON objects whose content is not trusted. */
#pragma once

#include <stdbool.h>

#include <json-glib/json-glib.h>

/* Each function accepts NULL for an object without members and returns a borrowed
 * value. A member that is missing or of another type gives NULL or `otherwise`. */

const char *
trace_json_string(JsonObject *object, const char *member, const char *otherwise);
double trace_json_number(JsonObject *object, const char *member, double otherwise);
bool trace_json_bool(JsonObject *object, const char *member); /* false if missing */
JsonObject *trace_json_object(JsonObject *object, const char *member);
JsonArray *trace_json_array(JsonObject *object, const char *member);

/* The length of an array, which may be NULL; one item as an object, or NULL. */
guint trace_json_count(JsonArray *array);
JsonObject *trace_json_item(JsonArray *array, guint index);

/* The text of one chip number in a result's "chip_parameters", or NULL. */
const char *
trace_json_chip_number(JsonArray *numbers, const char *section, const char *key);

/* Sets a member to a text of arbitrary bytes: invalid UTF-8 is replaced. NULL becomes
 * null. */
void trace_json_set_text(JsonObject *object, const char *member, const char *text);
