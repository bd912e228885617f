/* Tables whose rows are JSON objects, so that a row is built once for the result, a CSV
 * file and the page.
 *
 * A column names a member, "mm2"; "tile.steps" is a member of a member. A heading may
 * stand before it and a format of reals after it: "MM2=mm2:%.2f". Reals have 15 digits
 * by default. Whole numbers and texts are written unchanged. */
#pragma once

#include <json-glib/json-glib.h>

/* The rows as CSV. `columns` is separated by commas; `missing` replaces values that are
 * absent, null or not finite. Takes the rows; the caller frees the text. */
char *trace_rows_csv(JsonArray *rows, const char *columns, const char *missing);

/* Prints the rows. `columns` is separated by |; "-" replaces missing values. Takes the
 * rows. */
void trace_rows_print(JsonArray *rows, const char *columns);
