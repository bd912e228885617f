/* Numbers as people read them. */
#include "tools/gridloom/quantity.h"

#include <math.h>
#include <string.h>

#include <glib.h>

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

char *quantity_seconds(double seconds)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};

    if (seconds == 0) {
        return g_strdup("0 s");
    }
    for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
        if (fabs(seconds) >= units[i].unit || i + 1 == G_N_ELEMENTS(units)) {
            return g_strdup_printf("%.4g %s", seconds / units[i].unit, units[i].name);
        }
    }
    return NULL;
}

char *quantity_scaled(double value)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    gsize prefix = 0;

    while (fabs(value) >= 1000 && prefix + 1 < G_N_ELEMENTS(prefixes)) {
        value /= 1000;
        prefix++;
    }
    return g_strdup_printf("%.3g %s", value, prefixes[prefix]);
}
