/* Formats numbers of tables. */
#include "tools/gridloom/number_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *cmd_number_text(CmdNumberText text, const char *format, double value)
{
    return isfinite(value) ? g_ascii_formatd(text, CMD_NUMBER_TEXT_BYTES, format, value)
                           : "-";
}

/* One conversion, "%.2f" without the %; returns its length. */
static gsize add_conversion(GString *text,
                            const char *missing,
                            const char *conversion,
                            va_list *arguments)
{
    const gsize length = strcspn(conversion, "sudfgeE%") + 1;
    char format[CMD_NUMBER_TEXT_BYTES] = "%";
    CmdNumberText number;
    double real;

    switch (conversion[length - 1]) {
    case 's':
        g_string_append(text, va_arg(*arguments, const char *));
        break;
    case 'd':
        g_string_append_printf(text, "%d", va_arg(*arguments, int));
        break;
    case 'u':
        if (length == 1) {
            g_string_append_printf(text, "%u", va_arg(*arguments, guint));
        } else {
            g_string_append_printf(text, "%" G_GUINT64_FORMAT,
                                   va_arg(*arguments, guint64));
        }
        break;
    case '%':
        g_string_append_c(text, '%');
        break;
    default:
        g_assert(length + 1 < sizeof format);
        memcpy(format + 1, conversion, length);
        real = va_arg(*arguments, double);
        g_string_append(text, isfinite(real) ? cmd_number_text(number, format, real)
                                             : missing);
    }
    return length;
}

void cmd_number_text_add_list(GString *text,
                              const char *missing,
                              const char *format,
                              gsize length,
                              va_list *arguments)
{
    for (gsize i = 0; i < length; i++) {
        if (format[i] == '%') {
            i += add_conversion(text, missing, format + i + 1, arguments);
        } else {
            g_string_append_c(text, format[i]);
        }
    }
}

void cmd_number_text_add(GString *text, const char *missing, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    cmd_number_text_add_list(text, missing, format, strlen(format), &arguments);
    va_end(arguments);
}

void cmd_number_text_print(const char *format, ...)
{
    g_autoptr(GString) text = g_string_new(NULL);
    va_list arguments;

    va_start(arguments, format);
    cmd_number_text_add_list(text, "-", format, strlen(format), &arguments);
    va_end(arguments);
    (void) fputs(text->str, stdout);
}
