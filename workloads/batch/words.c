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

char **wl_words_of_line(const char *text, guint threads, GError **error)
{
    g_auto(GStrv) split = NULL;
    GPtrArray *all = NULL;
    const char *command = "run";
    char **word;

    if (!g_shell_parse_argv(text, NULL, &split, error)) {
        return NULL;
    }
    word = split;
    if (g_str_equal(word[0], "gridloom")) {
        command = word[1] != NULL ? word[1] : "";
        word += word[1] != NULL ? 2 : 1;
    }
    if (g_str_equal(command, "validate")) { /* a suite that runs itself has no end */
        g_set_error_literal(error, G_SHELL_ERROR, G_SHELL_ERROR_FAILED,
                            "a validation runs no validations");
        return NULL;
    }
    all = g_ptr_array_new();
    g_ptr_array_add(all, g_strdup(command));
    wl_words_each(all, NULL, word);
    if (g_str_equal(command, "run")) {
        wl_words_count(all, "--threads", threads);
    }
    return wl_words_end(all);
}
