/* Reads counts with exponents, and numbers of bytes. */
#include "traces/file/number.h"

#include <string.h>

#include <glib.h>

/* 1.5e6 as 1500000; NULL if it is not whole, or no such number. */
static char *without_exponent(const char *text)
{
    enum {
        MOST_DIGITS = 20,
    };
    g_auto(GStrv) parts = g_strsplit_set(text, "eE", 2);
    const char *exponent = g_strv_length(parts) == 2 ? parts[1] : "0";
    g_auto(GStrv) digits = g_strsplit(parts[0] != NULL ? parts[0] : "", ".", 2);
    const char *decimals = g_strv_length(digits) == 2 ? digits[1] : "";
    const gsize places = strlen(decimals);
    guint64 power = 0;

    if (!g_ascii_string_to_unsigned(exponent + (*exponent == '+'), 10, 0, MOST_DIGITS,
                                    &power, NULL) ||
        digits[0] == NULL || *digits[0] == '\0' || places > power ||
        (g_strv_length(digits) == 2 && places == 0)) {
        return NULL;
    }
    g_autofree char *zeros = g_strnfill((gsize) power - places, '0');

    return g_strconcat(digits[0], decimals, zeros, NULL);
}

bool quantity_read_count(const char *text,
                         uint64_t minimum,
                         uint64_t maximum,
                         uint64_t *value)
{
    g_autofree char *digits = without_exponent(text);
    guint64 number = 0;

    if (digits == NULL ||
        !g_ascii_string_to_unsigned(digits, 10, minimum, maximum, &number, NULL)) {
        return false;
    }
    *value = number;
    return true;
}

bool quantity_read_bytes(const char *text, uint64_t *bytes)
{
    static const char suffixes[] = "KMG";
    const gsize length = strlen(text);
    const char *suffix =
        length > 0 ? strchr(suffixes, g_ascii_toupper(text[length - 1])) : NULL;
    g_autofree char *number = g_strndup(text, length - (suffix != NULL));
    const guint shift = suffix != NULL ? 10 * (guint) (suffix - suffixes + 1) : 0;
    uint64_t count = 0;

    if (!quantity_read_count(number, 1, (uint64_t) G_MAXINT64 >> shift, &count)) {
        return false;
    }
    *bytes = count << shift;
    return true;
}
