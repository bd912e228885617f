/* Reads values of options. */
#include "tools/gridloom/option_value.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "arch/chipfile/value.h"
#include "sim/error.h"
#include "traces/file/number.h"
#include "traces/writing/squares.h"

bool option_fail(GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_propagate_error(error, g_error_new_valist(G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                                                format, arguments));
    va_end(arguments);
    return false;
}

bool option_refuse(const char *option,
                   const char *text,
                   const char *allowed,
                   GError **error)
{
    g_autofree char *quoted = arch_value_quote(text);

    return sim_fail(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "%s = %s, allowed is %s", option, quoted, allowed);
}

bool option_count(const char *text,
                  const char *option,
                  uint64_t minimum,
                  uint64_t maximum,
                  uint64_t *value,
                  GError **error)
{
    if (text != NULL && !quantity_read_count(text, minimum, maximum, value)) {
        g_autofree char *allowed = g_strdup_printf(
            "a whole number in %" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT, minimum,
            maximum);

        return option_refuse(option, text, allowed, error);
    }
    return true;
}

bool option_is_number(const char *text, double *value)
{
    char *end = NULL;

    *value = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

bool option_is_pair(const char *text, const char *separator, guint pair[2])
{
    g_auto(GStrv) parts = g_strsplit(text, separator, -1);
    uint64_t numbers[2] = {0};

    if (g_strv_length(parts) != 2 ||
        !quantity_read_count(parts[0], 0, G_MAXINT32, &numbers[0]) ||
        !quantity_read_count(parts[1], 0, G_MAXINT32, &numbers[1])) {
        return false;
    }
    pair[0] = (guint) numbers[0];
    pair[1] = (guint) numbers[1];
    return true;
}

bool option_is_sizes(const char *text, guint count, uint64_t most, uint64_t *sizes)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    bool is_read = g_strv_length(parts) == count;

    for (guint i = 0; is_read && i < count; i++) {
        is_read = quantity_read_count(parts[i], 1, most, &sizes[i]);
    }
    return is_read;
}

bool option_word(const char *text,
                 const char *option,
                 const char *const *words,
                 guint *value,
                 GError **error)
{
    for (guint i = 0; text != NULL && words[i] != NULL; i++) {
        if (g_str_equal(text, words[i])) {
            *value = i;
            return true;
        }
    }
    if (text == NULL) {
        return true;
    }
    g_autofree char *known = g_strjoinv(", ", (char **) words);
    g_autofree char *quoted = arch_value_quote(text);

    return sim_fail(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "%s = %s, known are %s", option, quoted, known);
}

bool option_values(
    const char *text, const char *option, char **name, char ***values, GError **error)
{
    const char *equals = strchr(text, '=');

    if (equals == NULL || equals == text || equals[1] == '\0') {
        return option_refuse(option, text, OPTION_VALUES, error);
    }
    *name = g_strndup(text, (gsize) (equals - text));
    *values = g_strsplit(equals + 1, ",", -1);
    return true;
}

bool option_window(
    const char *text, const char *option, SimTime *from, SimTime *to, GError **error)
{
    static const char allowed[] = "FROM:TO in cycles, FROM below TO, either may be "
                                  "left out";
    g_auto(GStrv) ends = text != NULL ? g_strsplit(text, ":", -1) : NULL;
    uint64_t first = 0;

    if (text == NULL) {
        return true;
    }
    if (g_strv_length(ends) != 2 ||
        (*ends[0] != '\0' && !quantity_read_count(ends[0], 0, G_MAXINT64, &first)) ||
        (*ends[1] != '\0' &&
         !quantity_read_count(ends[1], first + 1, G_MAXINT64, to))) {
        return option_refuse(option, text, allowed, error);
    }
    *from = *ends[0] != '\0' ? first : *from;
    return true;
}

bool option_squares(const char *text,
                    const char *option,
                    GArray **squares,
                    GError **error)
{
    if (text == NULL) {
        return true;
    }
    *squares = trace_squares_read(text);
    return *squares != NULL ||
           option_refuse(option, text,
                         "x,y or first:last,first:last, several with ; between", error);
}
