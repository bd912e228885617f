/* Numbers and words of a result by path: "metrics.a.b". An item of a list is chosen
 * by index, "metrics.points.0.rate", or by the value of a member,
 * "roofs.name.DRAM.value". */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* The value of a formula over members, "metrics.a.b/seconds". Fails if it has none. */
bool result_number(JsonObject *result,
                   const char *formula,
                   double *value,
                   GError **error);

/* The text or boolean ("true", "false") at a path. The caller frees it. Fails if there
 * is none. */
char *result_word(JsonObject *result, const char *path, GError **error);
