/* Parses one value of a chip file, exactly and in any locale. */
#include "arch/chipfile/value.h"

#include <math.h>
#include <string.h>

#include "arch/error.h"

/* So that products of a ratio and a count stay far from 2^64. */
#define RATIO_DECIMALS 6
#define RATIO_DIGITS   9

/* Of an exponent with its letter and sign: more is beyond any number. */
#define EXPONENT_CHARACTERS 8

/* Longer values are cut in messages. */
#define QUOTE_CHARACTERS 60

static bool is_in_range(const ArchKey *key, double number)
{
    return number >= key->minimum && number <= key->maximum;
}

static gsize span_digits(const char *text)
{
    return strspn(text, "0123456789");
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* digits [ "." digits ] [ e [+-] digits ]: what g_ascii_strtod also takes (signs, hex,
 * inf, nan, blanks) is refused. */
static bool is_plain_number(const char *text, bool may_have_exponent)
{
    gsize digits = span_digits(text);

    if (digits == 0) {
        return false;
    }
    text += digits;
    if (*text == '.') {
        digits = span_digits(++text);
        if (digits == 0) {
            return false;
        }
        text += digits;
    }
    if (may_have_exponent && (*text == 'e' || *text == 'E')) {
        text++;
        text += *text == '+' || *text == '-' ? 1 : 0;
        digits = span_digits(text);
        if (digits == 0) {
            return false;
        }
        text += digits;
    }
    return *text == '\0';
}

/* number x 10^shift, if that is whole and fits. */
static bool scale(uint64_t number, int64_t shift, uint64_t *whole)
{
    for (; shift > 0 && number != 0; shift--) {
        if (!g_uint64_checked_mul(&number, number, 10)) {
            return false;
        }
    }
    for (; shift < 0 && number != 0; shift++) {
        if (number % 10 != 0) {
            return false;
        }
        number /= 10;
    }
    *whole = number;
    return true;
}

/* A whole number with an exponent, 12e9 or 1.5e3: exactly, or not at all. */
static bool parse_exponent(const char *text, uint64_t *whole)
{
    const char *exponent = strpbrk(text, "eE");
    uint64_t number = 0;
    int64_t decimals = 0;
    bool is_fraction = false;

    if (exponent == NULL || !is_plain_number(text, true) ||
        strlen(exponent) > EXPONENT_CHARACTERS) {
        return false;
    }
    for (const char *at = text; at < exponent; at++) {
        if (*at == '.') {
            is_fraction = true;
        } else if (!g_uint64_checked_mul(&number, number, 10) ||
                   !g_uint64_checked_add(&number, number,
                                         (guint64) g_ascii_digit_value(*at))) {
            return false;
        } else {
            decimals += is_fraction ? 1 : 0;
        }
    }
    return scale(number, g_ascii_strtoll(exponent + 1, NULL, 10) - decimals, whole);
}

static bool parse_whole(const ArchKey *key, const char *text, uint64_t *whole)
{
    uint64_t number = 0;

    if ((!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &number, NULL) &&
         !parse_exponent(text, &number)) ||
        !is_in_range(key, (double) number)) {
        return false;
    }
    *whole = number;
    return true;
}

static bool parse_uint(const ArchKey *key, const char *text, ArchValue *value)
{
    if (!parse_whole(key, text, &value->whole)) {
        return false;
    }
    value->ratio = (SimRatio){.num = value->whole, .den = 1};
    value->real = (double) value->whole;
    value->canonical = g_strdup_printf("%" G_GUINT64_FORMAT, value->whole);
    return true;
}

static bool parse_real(const ArchKey *key, const char *text, ArchValue *value)
{
    char canonical[G_ASCII_DTOSTR_BUF_SIZE];

    if (!is_plain_number(text, true)) {
        return false;
    }
    value->real = g_ascii_strtod(text, NULL);
    if (!isfinite(value->real) || !is_in_range(key, value->real)) {
        return false;
    }
    value->canonical =
        g_strdup(g_ascii_dtostr(canonical, sizeof canonical, value->real));
    return true;
}

static bool parse_ratio(const ArchKey *key, const char *text, ArchValue *value)
{
    gsize whole_digits = span_digits(text);
    uint64_t num = 0;
    uint64_t den = 1;
    uint64_t divisor;

    if (!is_plain_number(text, false) || whole_digits > RATIO_DIGITS ||
        strlen(text) > whole_digits + 1 + RATIO_DECIMALS) {
        return false;
    }
    for (gsize i = 0; text[i] != '\0'; i++) {
        if (text[i] != '.') {
            num = num * 10 + (uint64_t) g_ascii_digit_value(text[i]);
            den *= i > whole_digits ? 10 : 1;
        }
    }
    divisor = greatest_common_divisor(num, den);
    value->ratio = (SimRatio){.num = num / divisor, .den = den / divisor};
    value->real = (double) num / (double) den;
    if (!is_in_range(key, value->real)) {
        return false;
    }
    value->canonical = g_strdup_printf("%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                                       value->ratio.num, value->ratio.den);
    return true;
}

static bool parse_list(const ArchKey *key, const char *text, ArchValue *value)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    g_autoptr(GString) canonical = g_string_new(NULL);
    guint count = g_strv_length(words);

    if (count < key->item_minimum || count > key->item_maximum) {
        return false;
    }
    value->items = g_new0(uint64_t, count);
    value->item_count = count;
    for (guint i = 0; i < count; i++) {
        if (!parse_whole(key, g_strstrip(words[i]), &value->items[i])) {
            return false;
        }
        g_string_append_printf(canonical, "%" G_GUINT64_FORMAT ",", value->items[i]);
    }
    value->canonical = g_strdup(canonical->str);
    return true;
}

static bool parse_choice(const ArchKey *key, const char *text, ArchValue *value)
{
    g_auto(GStrv) words = g_strsplit(key->choices, "|", -1);

    if (!g_strv_contains((const char *const *) words, text)) {
        return false;
    }
    value->canonical = g_strdup(text);
    return true;
}

static bool parse_text(const char *text, ArchValue *value)
{
    if (*text == '\0' || !g_utf8_validate(text, -1, NULL)) {
        return false;
    }
    for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
        if (!g_unichar_isprint(g_utf8_get_char(at))) {
            return false;
        }
    }
    value->canonical = g_strdup(text);
    return true;
}

static bool parse_by_type(const ArchKey *key, const char *text, ArchValue *value)
{
    switch (key->type) {
    case ARCH_KEY_UINT:
        return parse_uint(key, text, value);
    case ARCH_KEY_REAL:
        return parse_real(key, text, value);
    case ARCH_KEY_RATIO:
        return parse_ratio(key, text, value);
    case ARCH_KEY_LIST:
        return parse_list(key, text, value);
    case ARCH_KEY_CHOICE:
        return parse_choice(key, text, value);
    case ARCH_KEY_TEXT:
        return parse_text(text, value);
    }
    g_assert_not_reached();
}

bool arch_value_parse(const ArchKey *key,
                      const char *text,
                      ArchValue *value,
                      GError **error)
{
    ArchValue parsed = {0};
    g_autofree char *expected = NULL;

    if (parse_by_type(key, text, &parsed)) {
        *value = parsed;
        return true;
    }
    arch_value_clear(&parsed);
    expected = arch_key_describe(key);
    return arch_refuse(error, "expected %s", expected);
}

void arch_value_clear(ArchValue *self)
{
    g_free(self->items);
    g_free(self->canonical);
    *self = (ArchValue){0};
}

char *arch_value_quote(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_autoptr(GString) quoted = g_string_new(NULL);
    guint count = 0;

    if (*text == '\0') {
        return g_strdup("(nothing)");
    }
    for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);

        if (count++ == QUOTE_CHARACTERS) {
            g_string_append(quoted, "...");
            break;
        }
        g_string_append_unichar(quoted, g_unichar_isprint(character) ? character : '?');
    }
    return g_strdup(quoted->str);
}
