/* Numbers of tables, in a place that the caller has: for rows of many. */
#pragma once

#include <stdarg.h>

#include <glib.h>

enum {
    TRACE_NUMBER_TEXT_BYTES = 40,
};

typedef char TraceNumberText[TRACE_NUMBER_TEXT_BYTES];

/* Formats a number in the C locale and returns `text`; "-" where it is not finite. */
const char *trace_number_text(TraceNumberText text, const char *format, double value);

/* Appends as g_string_append_printf() does, but in the C locale, and `missing` for a
 * text of NULL and for a real that is not finite. Knows %s, %u, %d, G_GUINT64_FORMAT
 * and all formats of reals.
 */
void trace_number_text_add(GString *text, const char *missing, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

void trace_number_text_add_list(GString *text,
                                const char *missing,
                                const char *format,
                                va_list arguments) G_GNUC_PRINTF(3, 0);

/* Adds fields of CSV, empty ones for what is missing: "%s|%.10g" for two of a line that
 * goes on, "%s|%.10g\n" for its last ones. Texts are quoted where they have to be. */
void trace_csv_printf(GString *csv, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The same to standard output, "-" for what is missing. */
void trace_number_text_print(const char *format, ...) G_GNUC_PRINTF(1, 2);
