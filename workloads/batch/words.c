/* Puts the words of a run together. */
#include <string.h>

#include "workloads/error.h"
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

/* What lines of files may have, which others may have written: commands that compute,
 * and options that name what they compute. None of them writes a file. */
static const char *const line_commands[] = {"gpu",      "model", "noc",
                                            "roofline", "run",   NULL};
/* clang-format off */
static const char *const line_options[] = {
    "api", "as-printed", "banks", "bytes", "campaign", "chip", "choose-synthetic",
    "clock-hz", "count", "data", "dim", "dtype", "figure", "first-page", "from",
    "full", "fusion", "gpu", "grid", "handshake", "issue-cycles", "kernels",
    "lengths", "loopback", "measured", "multiprocessors", "neighbours", "no-caches",
    "noc", "op", "order", "page-memory", "page-run", "page-step", "pages", "pattern",
    "peer-cycles", "posted", "program", "radius", "random-chains", "regress",
    "regress-synthetic", "resident", "seed", "set", "set-of", "shape", "shared-kb",
    "single", "size", "sizes", "sparsity", "start", "start-skew", "stateful",
    "stencil", "steps", "system", "tile", "tile-steps", "timing-only", "to", "vc",
    "vcs", "vector-units", "with", "words", NULL,
};
/* clang-format on */

static bool check_line(const char *command, char *const *words, GError **error)
{
    if (!g_strv_contains(line_commands, command)) {
        return wl_refuse(error,
                         "gridloom %s: no command for a line of a file, allowed "
                         "are gpu, model, noc, roofline and run",
                         command);
    }
    for (; *words != NULL; words++) {
        g_autofree char *name = g_strndup(*words, strcspn(*words, "="));

        if (*name == '-' && !(g_str_has_prefix(name, "--") &&
                              g_strv_contains(line_options, name + strlen("--")))) {
            return wl_refuse(error,
                             "%s: no option for a line of a file, which names a "
                             "workload, its parameters, --chip and --set, and writes "
                             "no files",
                             name);
        }
    }
    return true;
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
    if (!check_line(command, word, error)) {
        g_prefix_error(error, "%s: ", text);
        return NULL;
    }
    all = g_ptr_array_new();
    g_ptr_array_add(all, g_strdup(command));
    wl_words_each(all, NULL, word);
    if (threads > 0 && g_str_equal(command, "run")) {
        wl_words_count(all, "--threads", threads);
    }
    return wl_words_end(all);
}
