/* Texts and numbers by index, each stored once, in order of first use. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct {
    GHashTable *indices; /* by text */
    JsonArray *rows;
} TraceReportTable;

void trace_report_table_init(TraceReportTable *self);
void trace_report_table_clear(TraceReportTable *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceReportTable, trace_report_table_clear)

/* The index of a text. What is no UTF-8 becomes it. */
guint trace_report_table_text(TraceReportTable *self, const char *text);

/* The index of a row of numbers. */
guint trace_report_table_row(TraceReportTable *self,
                             const gint64 *numbers,
                             guint count);
