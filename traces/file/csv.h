/* A CSV file with a header: fields by column name and row; and fields to be written. */
#pragma once

#include <glib.h>

typedef struct TraceCsv TraceCsv;

/* Parses `length` bytes of comma-separated fields. A field that holds a comma, a quote
 * or a line end is written in quotes, with "" for a quote inside it. Empty lines and
 * lines that begin with # are skipped. The first line names the columns, which all
 * differ; every row has as many fields. Fails with TRACE_ERROR_READ and a message with
 * `name` and the line. */
TraceCsv *
trace_csv_parse(const char *name, const char *text, gsize length, GError **error);
void trace_csv_free(TraceCsv *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceCsv, trace_csv_free)

/* The header is not counted. */
guint trace_csv_row_count(const TraceCsv *self);

guint trace_csv_column_count(const TraceCsv *self);

/* Every text returned here is borrowed. */
const char *trace_csv_column_name(const TraceCsv *self, guint column);

/* The index of the column with this name, or -1. */
int trace_csv_column(const TraceCsv *self, const char *name);

const char *trace_csv_field(const TraceCsv *self, guint row, guint column);

/* The line of the file, counted from 1, on which a row begins. */
guint trace_csv_line(const TraceCsv *self, guint row);

/* A field as it is written: in quotes where it holds a comma, a quote or a line end
 * (RFC 4180). A text that a spreadsheet would compute, as it begins with =, +, - or @
 * and is no number, gets a ' in front. NULL if it is written as it is; else the caller
 * frees it. */
char *trace_csv_written(const char *field);
