/* Numbers as users type them: decimal, exact, finite. */
#include "workloads/script/number.h"

#include <math.h>

enum {
    EXPONENT_LIMIT = 9999, /* beyond every double and every 64-bit integer */
};

/* A decimal number taken apart: sign * digits * 10^(exponent - fraction_digits). */
typedef struct {
    const char *whole;
    size_t whole_digits;
    const char *fraction;
    size_t fraction_digits;
    int exponent;
    bool is_negative;
} Decimal;

static size_t count_digits(const char *text)
{
    size_t count = 0;
    while (g_ascii_isdigit(text[count])) {
        count++;
    }
    return count;
}

static bool take_exponent(const char **cursor, int *exponent)
{
    const char *text = *cursor;
    *exponent = 0;
    if (*text != 'e' && *text != 'E') {
        return true;
    }
    text++;
    bool is_negative = *text == '-';
    if (*text == '-' || *text == '+') {
        text++;
    }
    size_t digits = count_digits(text);
    for (size_t i = 0; i < digits; i++) {
        *exponent = MIN(*exponent * 10 + (text[i] - '0'), EXPONENT_LIMIT);
    }
    if (is_negative) {
        *exponent = -*exponent;
    }
    *cursor = text + digits;
    return digits > 0;
}

static bool take_apart(const char *text, Decimal *decimal)
{
    *decimal = (Decimal){.is_negative = *text == '-'};
    if (*text == '-' || *text == '+') {
        text++;
    }
    decimal->whole = text;
    decimal->whole_digits = count_digits(text);
    text += decimal->whole_digits;
    decimal->fraction = text;
    if (*text == '.') {
        decimal->fraction = ++text;
        decimal->fraction_digits = count_digits(text);
        text += decimal->fraction_digits;
    }
    return decimal->whole_digits + decimal->fraction_digits > 0 &&
           take_exponent(&text, &decimal->exponent) && *text == '\0';
}

static char digit_at(const Decimal *decimal, size_t index)
{
    if (index < decimal->whole_digits) {
        return decimal->whole[index];
    }
    return decimal->fraction[index - decimal->whole_digits];
}

static bool append_digit(guint64 *magnitude, char digit)
{
    return g_uint64_checked_mul(magnitude, *magnitude, 10) &&
           g_uint64_checked_add(magnitude, *magnitude, (guint64) (digit - '0'));
}

bool number_parse_integer(const char *text, gint64 *value)
{
    Decimal decimal;
    if (!take_apart(text, &decimal)) {
        return false;
    }
    size_t count = decimal.whole_digits + decimal.fraction_digits;
    gint64 point = (gint64) decimal.whole_digits + decimal.exponent;
    guint64 magnitude = 0;
    for (size_t i = 0; i < count; i++) {
        char digit = digit_at(&decimal, i);
        if ((gint64) i >= point && digit != '0') {
            return false;
        }
        if ((gint64) i < point && !append_digit(&magnitude, digit)) {
            return false;
        }
    }
    for (gint64 i = (gint64) count; i < point && magnitude != 0; i++) {
        if (!append_digit(&magnitude, '0')) {
            return false;
        }
    }

    guint64 limit = (guint64) G_MAXINT64 + (decimal.is_negative ? 1 : 0);
    if (magnitude > limit) {
        return false;
    }
    /* Negated as unsigned: the magnitude of the least integer has no signed form. */
    *value = (gint64) (decimal.is_negative ? 0 - magnitude : magnitude);
    return true;
}

static bool has_nonzero_digit(const Decimal *decimal)
{
    for (size_t i = 0; i < decimal->whole_digits + decimal->fraction_digits; i++) {
        if (digit_at(decimal, i) != '0') {
            return true;
        }
    }
    return false;
}

bool number_parse_double(const char *text, double *value)
{
    Decimal decimal;
    if (!take_apart(text, &decimal)) {
        return false;
    }
    double parsed = g_ascii_strtod(text, NULL);
    if (!isfinite(parsed) ||
        (fpclassify(parsed) == FP_ZERO && has_nonzero_digit(&decimal))) {
        return false;
    }
    *value = parsed;
    return true;
}

char *number_format_double(double value)
{
    if (isnan(value)) {
        return g_strdup("nan"); /* its sign differs between machines */
    }
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    for (int precision = 1; precision < 17; precision++) {
        char format[8];
        g_snprintf(format, sizeof format, "%%.%dg", precision);
        g_ascii_formatd(text, sizeof text, format, value);
        /* Equal values are the same here: a zero keeps its sign in every format. */
        if (g_ascii_strtod(text, NULL) == value) {
            return g_strdup(text);
        }
    }
    return g_strdup(g_ascii_dtostr(text, sizeof text, value));
}
