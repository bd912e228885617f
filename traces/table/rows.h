/* Tables whose rows are JSON objects: what builds a row once serves the result, a CSV
 * file and the page.
 *
 * A column names a member, "mm2"; "tile.steps" is a member of a member. Before it may
 * stand another heading and behind it a format of reals: "MM2=mm2:%.2f"; otherwise they
 * have 15 digits. Whole numbers and texts are written as they are. */
#pragma once

#include <json-glib/json-glib.h>

/* Columns have commas between them; `missing` stands for what is not there, null or not
 * finite. Takes the rows; the caller frees the text. */
char *trace_rows_csv(JsonArray *rows, const char *columns, const char *missing);

/* Columns have | between them; prints them, "-" for what is missing. Takes the rows. */
void trace_rows_print(JsonArray *rows, const char *columns);
