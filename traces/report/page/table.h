/* Texts and numbers by index, each stored once, in order of first use. */
#pragma once

#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct {
    GHashTable *indices; /* by text */
    JsonArray *rows;
} TraceReportTable;

void trace_report_table_init(TraceReportTable *self);
void trace_report_table_clear(TraceReportTable *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceReportTable, trace_report_table_clear)

/* The index of a text. Invalid UTF-8 is replaced. */
guint trace_report_table_text(TraceReportTable *self, const char *text);

/* The index of a row of numbers. */
guint trace_report_table_row(TraceReportTable *self,
                             const gint64 *numbers,
                             guint count);

/* 7 bits a byte, the lowest first; the highest bit says that more follow. */
void trace_report_bytes_add(GByteArray *self, uint64_t value);

/* The same of a number with a sign: 0, -1, 1, -2 ... are 0, 1, 2, 3. */
void trace_report_bytes_add_signed(GByteArray *self, int64_t value);

/* In base64; the caller frees it. */
char *trace_report_bytes_text(const GByteArray *self);
