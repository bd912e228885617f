/* Members of JSON objects that may hold anything. */
#pragma once

#include <stdbool.h>

#include <json-glib/json-glib.h>

/* Each of them takes NULL for an object without members, and gives what is borrowed
 * from it; where the member is missing or of another kind, NULL or `otherwise`. */

const char *
trace_json_string(JsonObject *object, const char *member, const char *otherwise);
double trace_json_number(JsonObject *object, const char *member, double otherwise);
bool trace_json_bool(JsonObject *object, const char *member); /* or false */
JsonObject *trace_json_object(JsonObject *object, const char *member);
JsonArray *trace_json_array(JsonObject *object, const char *member);

/* How many items of the array, which may be NULL; one of them as an object, or NULL. */
guint trace_json_count(JsonArray *array);
JsonObject *trace_json_item(JsonArray *array, guint index);

/* The text of a number of the chip in a result's "chip_parameters", or NULL. */
const char *
trace_json_chip_number(JsonArray *numbers, const char *section, const char *key);

/* Sets a member to a text of any bytes: those that are no UTF-8 are replaced. NULL
 * becomes null. */
void trace_json_set_text(JsonObject *object, const char *member, const char *text);
