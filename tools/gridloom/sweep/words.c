/* Words of runs. */
#include "tools/gridloom/sweep/words.h"

#include <string.h>

#include "tools/gridloom/run/words.h"

static void add(GPtrArray *words, WlSweepKind kind, const char *name, const char *value)
{
    switch (kind) {
    case WL_SWEEP_WORD:
        g_ptr_array_add(words, g_strconcat(name, "=", value, NULL));
        return;
    case WL_SWEEP_KEY:
        g_ptr_array_add(words, g_strdup("--set"));
        g_ptr_array_add(words, g_strconcat(name, "=", value, NULL));
        return;
    case WL_SWEEP_OPTION:
        g_ptr_array_add(words, g_strconcat("--", name, "=", value, NULL));
        return;
    }
}

/* One run of a point has all of its samples, one after another: points are what goes
 * on at a time. */
static void add_uncertainty(GPtrArray *words, const WlSweep *sweep)
{
    if (wl_sweep_uncertainty(sweep) == 0) {
        return;
    }
    g_ptr_array_add(words,
                    g_strdup_printf("--uncertainty=%u", wl_sweep_uncertainty(sweep)));
    g_ptr_array_add(words, g_strdup("--samples-only"));
    g_ptr_array_add(words, g_strdup("--jobs=1"));
    for (guint i = 0; i < wl_sweep_own_record_count(sweep); i++) {
        g_ptr_array_add(words, g_strconcat("--interval=",
                                           wl_sweep_record(sweep, i)->formula, NULL));
    }
}

/* What a point is; not the end of the list. */
static GPtrArray *words_of(const WlSweep *sweep, guint run)
{
    GPtrArray *words = g_ptr_array_new();

    g_ptr_array_add(words, g_strdup(wl_sweep_script(sweep)));
    for (guint i = 0; i < wl_sweep_fixed_count(sweep); i++) {
        const WlSweepFixed *fixed = wl_sweep_fixed(sweep, i);

        add(words, fixed->kind, fixed->name, fixed->value);
    }
    for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
        const WlSweepAxis *axis = wl_sweep_axis(sweep, i);

        add(words, axis->kind, axis->name, wl_sweep_run_text(sweep, run, i));
    }
    if (wl_sweep_is_timing_only(sweep)) {
        g_ptr_array_add(words, g_strdup("--timing-only"));
    }
    return words;
}

char **cmd_sweep_words_to_check(const WlSweep *sweep, guint run)
{
    GPtrArray *words = words_of(sweep, run);

    return cmd_run_words_end(words);
}

char **cmd_sweep_words(const WlSweep *sweep, guint run, const char *limit_seconds)
{
    GPtrArray *words = words_of(sweep, run);

    add_uncertainty(words, sweep);
    if (limit_seconds != NULL) {
        g_ptr_array_add(words, g_strconcat("--limit-seconds=", limit_seconds, NULL));
    }
    return cmd_run_words_end(words);
}

static bool is_plain(const char *word)
{
    for (const char *c = word; *c != '\0'; c++) {
        if (!g_ascii_isalnum(*c) && strchr("_.,-+=:/", *c) == NULL) {
            return false;
        }
    }
    return true;
}

char *cmd_sweep_words_line(const WlSweep *sweep, guint run)
{
    g_auto(GStrv) words = cmd_sweep_words(sweep, run, NULL);
    GString *line = g_string_new("gridloom run");

    for (char **word = words; *word != NULL; word++) {
        g_autofree char *quoted =
            is_plain(*word) ? g_strdup(*word) : g_shell_quote(*word);

        g_string_append_printf(line, " %s", quoted);
    }
    return g_string_free(line, FALSE);
}

char *cmd_sweep_words_point(const WlSweep *sweep, guint run)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
        g_string_append_printf(text, "%s%s=%s", i == 0 ? "" : " ",
                               wl_sweep_axis(sweep, i)->name,
                               wl_sweep_run_text(sweep, run, i));
    }
    return g_string_free(text, FALSE);
}
