/* Members of what a host program sends; what is missing or wrong is said by its name.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* Fail with WL_ERROR_SYNTAX. The number is at most `most`. */
bool host_member_count(JsonObject *words,
                       const char *name,
                       uint64_t most,
                       uint64_t *value,
                       GError **error);
bool host_member_u32(JsonObject *words,
                     const char *name,
                     uint32_t *value,
                     GError **error);

/* A text; "" if it is not there. Borrowed. */
bool host_member_text(JsonObject *words,
                      const char *name,
                      const char **value,
                      GError **error);

/* A flag, false if it is not there. */
bool host_member_flag(JsonObject *words, const char *name, bool *value, GError **error);

/* An array, empty if it is not there: NULL. Borrowed. */
bool host_member_array(JsonObject *words,
                       const char *name,
                       JsonArray **value,
                       GError **error);

/* A new array of uint32_t from an array of integers. */
bool host_member_words(JsonObject *words,
                       const char *name,
                       GArray **value,
                       GError **error);

/* A new array of texts. */
bool host_member_texts(JsonObject *words,
                       const char *name,
                       GPtrArray **value,
                       GError **error);

/* The integer at `index` of an array, at most `most`. */
bool host_item_count(
    JsonArray *array, guint index, uint64_t most, uint64_t *value, GError **error);
/* The object there; NULL, with the error set, if it is something else. */
JsonObject *
host_item_object(JsonArray *array, guint index, const char *name, GError **error);
