/* Numbers as people read them. */
#include "traces/file/quantity.h"

#include <math.h>
#include <string.h>

#include <glib.h>

/* From here on, a number shown with this many digits rounds up to the next power of
 * ten. */
#define FOUR_DIGITS_ROUND_UP  0.99995
#define THREE_DIGITS_ROUND_UP 0.9995
#define THREE_DIGITS          (PREFIX_STEP * THREE_DIGITS_ROUND_UP)
#define PREFIX_STEP           1000.0
/* Seconds from here on are shown whole, without an exponent, as long as that helps. */
#define SECONDS_WHOLE 9999.5
#define SECONDS_PLAIN 1e9
#define SHORT_MOST    1e4

enum {
    SCALED_DIGITS = 3,
};

char *quantity_count(uint64_t value)
{
    g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, value);
    gsize length = strlen(digits);
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            g_string_append_c(text, ',');
        }
        g_string_append_c(text, digits[i]);
    }
    return g_string_free(text, FALSE);
}

char *quantity_sizes(const uint64_t *sizes, guint count)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < count; i++) {
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i > 0 ? "x" : "",
                               sizes[i]);
    }
    return g_string_free(text, FALSE);
}

char *quantity_seconds(double seconds)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};

    if (seconds == 0) {
        return g_strdup("0 s");
    }
    if (fabs(seconds) >= SECONDS_WHOLE && fabs(seconds) < SECONDS_PLAIN) {
        return g_strdup_printf("%.0f s", seconds);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
        if (fabs(seconds) >= units[i].unit * FOUR_DIGITS_ROUND_UP ||
            i + 1 == G_N_ELEMENTS(units)) {
            return g_strdup_printf("%.4g %s", seconds / units[i].unit, units[i].name);
        }
    }
    return NULL;
}

char *quantity_joules(double joules)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e-3, "mJ"}, {1e-6, "uJ"}, {1e-9, "nJ"}};

    for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
        const double number = joules / units[i].unit;

        if (fabs(number) >= THREE_DIGITS_ROUND_UP && fabs(number) < THREE_DIGITS) {
            return g_strdup_printf("%.3g %s", number, units[i].name);
        }
    }
    g_autofree char *number = quantity_scaled(joules);

    return g_strconcat(number, "J", NULL);
}

char *quantity_percent(double percent)
{
    const double size = fabs(percent);

    if (percent == 0) {
        return g_strdup("0 %");
    }
    return g_strdup_printf("%.*f %%", size >= 9.95 ? 0 : size >= 0.95 ? 1 : 2, percent);
}

char *quantity_scaled(double value)
{
    return quantity_scaled_to(value, SCALED_DIGITS);
}

char *quantity_scaled_to(double value, int digits)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    /* From here on it would be shown as 1000, or as 1e+03. */
    const double most = PREFIX_STEP - 5 * pow(10, 2 - MAX(digits, 3));
    gsize prefix = 0;

    while (fabs(value) >= most && prefix + 1 < G_N_ELEMENTS(prefixes)) {
        value /= PREFIX_STEP;
        prefix++;
    }
    return g_strdup_printf("%.*g %s", digits, value, prefixes[prefix]);
}

char *quantity_short(double value, int digits)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    char format[8];

    if (fabs(value) >= SHORT_MOST) {
        return g_strchomp(quantity_scaled_to(value, digits));
    }
    (void) g_snprintf(format, sizeof format, "%%.%dg", CLAMP(digits, 1, 15));
    return g_strdup(g_ascii_formatd(text, sizeof text, format, value));
}
