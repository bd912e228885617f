/* Puts the words of a run together. */
#include "workloads/process.h"

void wl_words_option(GPtrArray *words, const char *option, const char *value)
{
    if (value != NULL && option != NULL) {
        g_ptr_array_add(words, g_strdup(option));
    }
    if (value != NULL) {
        g_ptr_array_add(words, g_strdup(value));
    }
}

void wl_words_count(GPtrArray *words, const char *option, uint64_t count)
{
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, count);

    wl_words_option(words, option, text);
}

void wl_words_each(GPtrArray *words, const char *option, char *const *values)
{
    for (; values != NULL && *values != NULL; values++) {
        wl_words_option(words, option, *values);
    }
}

char **wl_words_end(GPtrArray *words)
{
    g_ptr_array_add(words, NULL);
    return (char **) g_ptr_array_free(words, FALSE);
}
