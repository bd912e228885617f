/* Texts and numbers by index, each once, in the order in which they came. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct {
    GHashTable *indices; /* by text */
    JsonArray *rows;
} ReportTable;

void report_table_init(ReportTable *self);
void report_table_clear(ReportTable *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ReportTable, report_table_clear)

/* The index of a text. What is no UTF-8 becomes it. */
guint report_table_text(ReportTable *self, const char *text);

/* The index of a row of numbers. */
guint report_table_row(ReportTable *self, const gint64 *numbers, guint count);
