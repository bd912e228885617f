/* Formats numbers of tables into a buffer of the caller, for rows of many. */
#pragma once

#include <stdarg.h>

#include <glib.h>

enum {
    TRACE_NUMBER_TEXT_BYTES = 40,
};

typedef char TraceNumberText[TRACE_NUMBER_TEXT_BYTES];

/* Formats a number in the C locale and returns `text`; "-" if it is not finite. */
const char *trace_number_text(TraceNumberText text, const char *format, double value);

/* Appends like g_string_append_printf(), but in the C locale, with `missing` for a NULL
 * text and for a real that is not finite. Supports %s, %u, %d, G_GUINT64_FORMAT and all
 * formats of reals. */
void trace_number_text_add(GString *text, const char *missing, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

void trace_number_text_add_list(GString *text,
                                const char *missing,
                                const char *format,
                                va_list arguments) G_GNUC_PRINTF(3, 0);

/* Appends CSV fields: "%s|%.10g" for two fields of a line that continues,
 * "%s|%.10g\n" for the last ones. Missing values become empty fields. Texts are quoted
 * where needed. */
void trace_csv_printf(GString *csv, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The same to standard output, with "-" for missing values. */
void trace_number_text_print(const char *format, ...) G_GNUC_PRINTF(1, 2);
