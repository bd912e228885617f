/* Reads values of options. */
#include "tools/gridloom/noc_transfer_values.h"

#include "arch/value.h"
#include "traces/error.h"
#include "traces/output.h"

bool noc_value_refuse(const char *option,
                      const char *text,
                      const char *allowed,
                      GError **error)
{
    g_autofree char *quoted = arch_value_quote(text);

    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                "%s = %s, allowed is %s", option, quoted, allowed);
    return false;
}

bool noc_value_count(const char *text,
                     const char *option,
                     uint64_t minimum,
                     uint64_t maximum,
                     uint64_t *value,
                     GError **error)
{
    guint64 number = 0;

    if (text == NULL) {
        return true;
    }
    if (!g_ascii_string_to_unsigned(text, 10, minimum, maximum, &number, NULL)) {
        g_autofree char *allowed = g_strdup_printf(
            "a whole number in %" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT, minimum,
            maximum);

        return noc_value_refuse(option, text, allowed, error);
    }
    *value = number;
    return true;
}

bool noc_value_word(const char *text,
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

    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                "%s = %s, known are %s", option, quoted, known);
    return false;
}

bool noc_value_switch(const char *text, const char *option, bool *value, GError **error)
{
    static const char *const words[] = {"off", "on", NULL};
    guint word = *value ? 1 : 0;

    if (!noc_value_word(text, option, words, &word, error)) {
        return false;
    }
    *value = word == 1;
    return true;
}

bool noc_value_check_targets(const char *json, const char *heatmap, GError **error)
{
    if (heatmap != NULL && json != NULL && g_str_equal(heatmap, json)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: --json and --heatmap cannot both be written there", json);
        return false;
    }
    return (json == NULL || trace_output_check(json, error)) &&
           (heatmap == NULL || trace_output_check(heatmap, error));
}
