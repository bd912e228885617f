/* Formats numbers of tables. */
#include "traces/table/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "traces/file/csv.h"

const char *trace_number_text(TraceNumberText text, const char *format, double value)
{
    return isfinite(value)
               ? g_ascii_formatd(text, TRACE_NUMBER_TEXT_BYTES, format, value)
               : "-";
}

void trace_number_text_add_list(GString *text,
                                const char *missing,
                                const char *format,
                                va_list arguments)
{
    while (*format != '\0') {
        const gsize plain = strcspn(format, "%");
        const char *at = format + plain;
        const gsize length = *at == '\0' ? 0 : strcspn(at + 1, "sudfgeE%") + 2;
        g_autofree char *conversion = g_strndup(at, length);
        TraceNumberText number;
        const char *word;
        double real;

        g_string_append_len(text, format, (gssize) plain);
        format = at + length;
        switch (length == 0 ? '\0' : conversion[length - 1]) {
        case '\0':
            break;
        case '%':
            g_string_append_c(text, '%');
            break;
        case 's':
            word = va_arg(arguments, const char *);
            g_string_append(text, word != NULL ? word : missing);
            break;
        case 'd':
            g_string_append_printf(text, "%d", va_arg(arguments, int));
            break;
        case 'u':
            g_string_append_printf(text, "%" G_GUINT64_FORMAT,
                                   length == 2 ? va_arg(arguments, guint)
                                               : va_arg(arguments, guint64));
            break;
        default:
            real = va_arg(arguments, double);
            g_string_append(text, isfinite(real)
                                      ? trace_number_text(number, conversion, real)
                                      : missing);
        }
    }
}

void trace_number_text_add(GString *text, const char *missing, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    trace_number_text_add_list(text, missing, format, arguments);
    va_end(arguments);
}

void trace_csv_printf(GString *csv, const char *format, ...)
{
    const bool is_end = g_str_has_suffix(format, "\n");
    /* Texts may have a |, and never this. */
    g_autofree char *fields =
        g_strdelimit(g_strndup(format, strlen(format) - is_end), "|", '\x1f');
    g_autoptr(GString) text = g_string_new(NULL);
    va_list arguments;

    va_start(arguments, format);
    trace_number_text_add_list(text, "", fields, arguments);
    va_end(arguments);
    g_string_append_c(text, '\x1f'); /* nothing, split, would be no field */
    g_auto(GStrv) texts = g_strsplit(text->str, "\x1f", -1);

    for (char **at = texts; at[1] != NULL; at++) {
        g_autofree char *written = trace_csv_written(*at);

        g_string_append(csv, written != NULL ? written : *at);
        g_string_append_c(csv, is_end && at[2] == NULL ? '\n' : ',');
    }
}

void trace_number_text_print(const char *format, ...)
{
    g_autoptr(GString) text = g_string_new(NULL);
    va_list arguments;

    va_start(arguments, format);
    trace_number_text_add_list(text, "-", format, arguments);
    va_end(arguments);
    (void) fputs(text->str, stdout);
}
