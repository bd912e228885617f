/* Looks at a script before windows of it are run. */
#include <string.h>

#include "arch/chipfile/params.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/tune/study.h"
#include "tools/gridloom/watchdog.h"
#include "workloads/chip_file.h"
#include "workloads/chips.h"
#include "workloads/process.h"
#include "workloads/search.h"
#include "workloads/tune_words.h"

static bool load_chip(TunePlan *self, WlScript *script, GError **error)
{
    const char *given =
        self->options->chip != NULL ? self->options->chip : wl_chips_usual(script);
    g_autoptr(ArchParams) params = wl_chip_load_to_run(given, error);

    if (params == NULL || !wl_chip_override(params, self->options->overrides, error) ||
        !wl_chips_fit_script(script, params, error)) {
        return false;
    }
    if (self->chip == NULL) {
        self->chip = g_strdup(arch_params_name(params));
        self->chip_digest = arch_params_digest(params);
    }
    return true;
}

/* All words of a group, as its runs will have them, but for windows. */
static bool try_group(TunePlan *self, guint group, GError **error)
{
    g_autofree char *path =
        search_find_or_fail(SEARCH_WORKLOAD, "script", self->options->script, error);
    g_autoptr(Watchdog) watchdog = watchdog_new(0);
    g_autoptr(WlScript) script =
        path != NULL ? watchdog_load_script(watchdog, path, error) : NULL;
    g_autofree char *word = tune_plan_group(self, group);

    if (script == NULL || !load_chip(self, script, error)) {
        return false;
    }
    for (char **at = self->options->words; *at != NULL; at++) {
        if (!wl_script_set(script, *at, error)) {
            return false;
        }
    }
    if (*word != '\0' && !wl_script_set(script, word, error)) {
        return false;
    }
    if (self->space == NULL) {
        g_autofree char *where =
            g_strdup_printf("%s on %s", self->options->name, self->chip);

        self->space = wl_tune_space_of_script(script, where, self->options->axes,
                                              self->options->sizes, error);
    }
    return self->space != NULL;
}

static bool read_window(const TunePlan *self,
                        const char *option,
                        const char *text,
                        WlTuneWindow *window,
                        GError **error)
{
    g_autofree char *allowed = wl_tune_window_allowed(self->space);

    return wl_tune_window_parse(window, self->space, text) ||
           option_refuse(option, text, allowed, error);
}

static bool read_hand(TunePlan *self, GError **error)
{
    if (self->options->hand == NULL) {
        wl_tune_usual_guests(self->space, self->guests);
        return true;
    }
    for (char **text = self->options->hand; *text != NULL; text++) {
        WlTuneGuest guest = {.group = -1};

        if (!read_window(self, "--hand", *text, &guest.window, error)) {
            return false;
        }
        g_array_append_val(self->guests, guest);
    }
    return true;
}

/* The part behind VALUE: of a mark, and which value that is. */
static bool
split_mark(const TunePlan *self, const char *text, WlTuneGuest *guest, GError **error)
{
    const char *colon = strrchr(text, ':');
    g_autofree char *value =
        colon != NULL ? g_strndup(text, (gsize) (colon - text)) : NULL;

    for (guint i = 0; value != NULL && i < self->group_count; i++) {
        if (g_str_equal(self->options->by_values[i], value)) {
            guest->group = (int) i;
        }
    }
    if (value != NULL && (guest->group < 0 || *value == '\0')) {
        return option_refuse("--mark", text,
                             self->options->by != NULL
                                 ? "VALUE:WINDOW with a value of --by, or WINDOW"
                                 : "WINDOW; there is no --by",
                             error);
    }
    return read_window(self, "--mark", colon != NULL ? colon + 1 : text, &guest->window,
                       error);
}

static bool read_marks(TunePlan *self, GError **error)
{
    for (char **text = self->options->marks; text != NULL && *text != NULL; text++) {
        WlTuneGuest guest = {.group = -1, .is_marked = true};

        if (!split_mark(self, *text, &guest, error)) {
            return false;
        }
        g_array_append_val(self->guests, guest);
    }
    return true;
}

bool tune_plan_make(TunePlan *self, const TuneOptions *options, GError **error)
{
    *self = (TunePlan){.options = options,
                       .guests = g_array_new(FALSE, FALSE, sizeof(WlTuneGuest)),
                       .group_count = g_strv_length(options->by_values)};
    for (guint i = 0; i < self->group_count; i++) {
        if (!try_group(self, i, error)) {
            return false;
        }
    }
    return read_hand(self, error) && read_marks(self, error);
}

void tune_plan_clear(TunePlan *self)
{
    g_clear_pointer(&self->guests, g_array_unref);
    g_clear_pointer(&self->space, wl_tune_space_free);
    g_free(self->chip);
    g_free(self->chip_digest);
}

char *tune_plan_group(const TunePlan *self, guint group)
{
    return self->options->by == NULL
               ? g_strdup("")
               : g_strconcat(self->options->by, "=", self->options->by_values[group],
                             NULL);
}

/* The folder of what --out keeps of a chosen window; NULL where there is no --out. The
 * caller frees it. */
static char *folder_of(const TunePlan *self, guint group)
{
    g_autofree char *word = tune_plan_group(self, group);

    if (self->options->out == NULL) {
        return NULL;
    }
    /* Values may be paths. */
    (void) g_strdelimit(word, "/", '_');
    return g_build_filename(self->options->out, *word != '\0' ? word : "chosen", NULL);
}

char **tune_plan_words(const TunePlan *self,
                       guint group,
                       const WlTuneWindow *window,
                       bool is_functional)
{
    const TuneOptions *options = self->options;
    GPtrArray *words = g_ptr_array_new();
    g_autofree char *word = tune_plan_group(self, group);
    g_autofree char *folder = is_functional ? folder_of(self, group) : NULL;

    g_ptr_array_add(words, g_strdup("run"));
    g_ptr_array_add(words, g_strdup(options->script));
    wl_words_each(words, NULL, options->words);
    wl_words_option(words, NULL, *word != '\0' ? word : NULL);
    wl_tune_window_add_words(window, words);
    wl_words_option(words, "--chip", options->chip);
    wl_words_each(words, "--set", options->overrides);
    wl_words_count(words, "--seed", options->seed);
    wl_words_option(words, "--limit-seconds", options->limit_seconds);
    wl_words_option(words, "--out", folder);
    wl_words_option(words, NULL, is_functional ? NULL : "--timing-only");
    g_ptr_array_add(words, g_strdup("--quiet"));
    return wl_words_end(words);
}
