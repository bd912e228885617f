/* A CSV file with a header: fields by column name and row. */
#pragma once

#include <glib.h>

typedef struct TraceCsv TraceCsv;

/* Reads `length` bytes: lines of fields between commas, a field that holds commas,
 * quotes or line ends in quotes, "" for a quote in it. Empty lines are skipped, and so
 * are lines that begin with #. Every row has as many fields as the first line, which
 * names the columns, all different. Fails with TRACE_ERROR_READ, `name` and the line in
 * the message. */
TraceCsv *
trace_csv_parse(const char *name, const char *text, gsize length, GError **error);
void trace_csv_free(TraceCsv *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceCsv, trace_csv_free)

/* Without the header. */
guint trace_csv_row_count(const TraceCsv *self);

guint trace_csv_column_count(const TraceCsv *self);

/* Borrowed, as all texts here. */
const char *trace_csv_column_name(const TraceCsv *self, guint column);

/* The number of the column, or -1 where there is none of this name. */
int trace_csv_column(const TraceCsv *self, const char *name);

const char *trace_csv_field(const TraceCsv *self, guint row, guint column);

/* The line of the file in which a row begins, from 1 on. */
guint trace_csv_line(const TraceCsv *self, guint row);
