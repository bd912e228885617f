/* Numbers and words of a result by their paths: "metrics.a.b"; of a list the item with
 * a number, "metrics.points.0.rate", or the one with a member that says so,
 * "roofs.name.DRAM.value". */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* The value of a formula of members, "metrics.a.b/seconds". Fails where it has none. */
bool result_number(JsonObject *result,
                   const char *formula,
                   double *value,
                   GError **error);

/* The member at a path, a text or a switch ("true", "false"); the caller frees it.
 * Fails where there is none. */
char *result_word(JsonObject *result, const char *path, GError **error);
