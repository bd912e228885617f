/* Words of runs. */
#include <string.h>

#include "workloads/sweep.h"
#include "workloads/sweep/run.h"

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

/* What a point is. */
static void add_point(GPtrArray *words, const WlSweep *sweep, guint run)
{
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
}

static char **end(GPtrArray *words)
{
    g_ptr_array_add(words, NULL);
    return (char **) g_ptr_array_free(words, FALSE);
}

char **wl_sweep_words(const WlSweep *self, guint run)
{
    GPtrArray *words = g_ptr_array_new();

    add_point(words, self, run);
    add_uncertainty(words, self);
    return end(words);
}

char **sweep_words_of_task(const SweepCommon *common, SweepTask task)
{
    GPtrArray *words = g_ptr_array_new();

    g_ptr_array_add(words, g_strdup("run"));
    add_point(words, common->sweep, task.run);
    if (task.is_check != 0) {
        g_ptr_array_add(words, g_strdup("--dry-run"));
    } else {
        add_uncertainty(words, common->sweep);
        if (common->limit_seconds != NULL) {
            g_ptr_array_add(
                words, g_strconcat("--limit-seconds=", common->limit_seconds, NULL));
        }
    }
    g_ptr_array_add(words, g_strdup("--quiet"));
    g_ptr_array_add(words, g_strdup("--json=-"));
    return end(words);
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

char *wl_sweep_run_line(const WlSweep *self, guint run)
{
    g_auto(GStrv) words = wl_sweep_words(self, run);
    GString *line = g_string_new("gridloom run");

    for (char **word = words; *word != NULL; word++) {
        g_autofree char *quoted =
            is_plain(*word) ? g_strdup(*word) : g_shell_quote(*word);

        g_string_append_printf(line, " %s", quoted);
    }
    return g_string_free(line, FALSE);
}

char *wl_sweep_run_point(const WlSweep *self, guint run)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < wl_sweep_axis_count(self); i++) {
        g_string_append_printf(text, "%s%s=%s", i == 0 ? "" : " ",
                               wl_sweep_axis(self, i)->name,
                               wl_sweep_run_text(self, run, i));
    }
    return g_string_free(text, FALSE);
}

static void
add_key(GPtrArray *keys, WlSweepKind kind, const char *name, const char *value)
{
    if (kind == WL_SWEEP_KEY) {
        g_ptr_array_add(keys, g_strconcat(name, "=", value, NULL));
    }
}

char **wl_sweep_keys(const WlSweep *self, guint run)
{
    GPtrArray *keys = g_ptr_array_new();

    for (guint i = 0; i < wl_sweep_fixed_count(self); i++) {
        const WlSweepFixed *fixed = wl_sweep_fixed(self, i);

        add_key(keys, fixed->kind, fixed->name, fixed->value);
    }
    for (guint i = 0; i < wl_sweep_axis_count(self); i++) {
        const WlSweepAxis *axis = wl_sweep_axis(self, i);

        add_key(keys, axis->kind, axis->name, wl_sweep_run_text(self, run, i));
    }
    return end(keys);
}
