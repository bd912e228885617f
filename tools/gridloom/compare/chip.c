/* Chips and finished runs of a comparison. */
#include "tools/gridloom/compare/chip.h"

#include <string.h>

#include "tools/gridloom/option_value.h"
#include "traces/file/json_member.h"
#include "workloads/chip_file.h"
#include "workloads/search.h"

static void chip_free(gpointer data)
{
    CompareChip *self = data;

    g_free(self->given);
    g_free(self->name);
    g_ptr_array_unref(self->words);
    g_ptr_array_unref(self->overrides);
    g_clear_pointer(&self->over, trace_run_free);
    g_free(self);
}

GPtrArray *compare_chips_new(void)
{
    return g_ptr_array_new_with_free_func(chip_free);
}

/* The chip called so, by the name it was given or its own; NULL for none. */
static CompareChip *find_chip(const GPtrArray *self, const char *name)
{
    for (guint i = 0; i < self->len; i++) {
        CompareChip *chip = g_ptr_array_index(self, i);

        if (g_str_equal(chip->given, name) || g_str_equal(chip->name, name)) {
            return chip;
        }
    }
    return NULL;
}

/* Adds one without words. */
static CompareChip *add_column(GPtrArray *self, const char *given, const char *name)
{
    CompareChip *chip = g_new(CompareChip, 1);

    *chip = (CompareChip){
        .given = g_strdup(given),
        .name = g_strdup(name),
        .words = g_ptr_array_new_with_free_func(g_free),
        .overrides = g_ptr_array_new_with_free_func(g_free),
    };
    g_ptr_array_add(self, chip);
    return chip;
}

static bool add_chip(GPtrArray *self, const char *given, GError **error)
{
    g_autoptr(ArchParams) params = wl_chip_load_to_run(given, error);

    if (params == NULL) {
        return false;
    }
    if (find_chip(self, arch_params_name(params)) != NULL) {
        return option_fail(error, "--chips: %s is there twice",
                           arch_params_name(params));
    }
    (void) add_column(self, given, arch_params_name(params));
    return true;
}

bool compare_chips_read(GPtrArray *self, const char *text, GError **error)
{
    g_autofree char *known = search_names_text(SEARCH_CHIP);
    g_auto(GStrv) names = g_strsplit(text != NULL ? text : "", ",", -1);

    if (text == NULL) {
        return option_fail(
            error, "compare: no chips, give some with --chips A,B; known are %s",
            known);
    }
    for (char **name = names; *name != NULL; name++) {
        if (**name == '\0') {
            return option_fail(error, "--chips: a name is empty; known are %s", known);
        }
        if (!add_chip(self, *name, error)) {
            return false;
        }
    }
    return names[0] != NULL ||
           option_fail(error, "--chips: empty; known are %s", known);
}

/* The part behind CHIP: of a word, and the chip. Without such a beginning, the word and
 * NULL for all chips. */
static bool split_word(const GPtrArray *self,
                       const char *word,
                       const char **rest,
                       CompareChip **chip,
                       GError **error)
{
    const gsize before = strcspn(word, "=");
    g_autofree char *name = g_strndup(word, before);
    /* Files may have colons in their names. */
    char *colon = strrchr(name, ':');

    *rest = word;
    *chip = NULL;
    if (colon == NULL) {
        return true;
    }
    *rest = word + (colon - name) + 1;
    *colon = '\0';
    *chip = find_chip(self, name);
    if (*chip == NULL) {
        g_autofree char *shown = g_utf8_make_valid(word, -1);
        g_autoptr(GPtrArray) names = g_ptr_array_new();

        for (guint i = 0; i < self->len; i++) {
            g_ptr_array_add(names, ((CompareChip *) g_ptr_array_index(self, i))->name);
        }
        g_ptr_array_add(names, NULL);
        g_autofree char *known = g_strjoinv(", ", (char **) names->pdata);

        return option_fail(error, "'%s': --chips has no such chip, only %s", shown,
                           known);
    }
    return true;
}

bool compare_words_are_alike(const char *a, const char *b)
{
    const gsize length = strcspn(a, "=");

    return length == strcspn(b, "=") && strncmp(a, b, length) == 0;
}

/* Adds a word for one chip, in place of a common one of its name: those stand before
 * `common`. */
static void add_own(GPtrArray *words, guint *common, const char *word)
{
    for (guint i = 0; i < *common; i++) {
        if (compare_words_are_alike(g_ptr_array_index(words, i), word)) {
            g_ptr_array_remove_index(words, i);
            (*common)--;
            break;
        }
    }
    g_ptr_array_add(words, g_strdup(word));
}

static GPtrArray *list_of(CompareChip *chip, bool is_set)
{
    return is_set ? chip->overrides : chip->words;
}

bool compare_chips_deal(GPtrArray *self, char **texts, bool is_set, GError **error)
{
    g_autofree guint *commons = g_new0(guint, self->len);

    /* The common ones first: a chip's own may stand before them on the line. */
    for (guint pass = 0; pass < 2; pass++) {
        for (char **text = texts; text != NULL && *text != NULL; text++) {
            const char *rest;
            CompareChip *only;

            if (!split_word(self, *text, &rest, &only, error)) {
                return false;
            }
            for (guint i = 0; i < self->len; i++) {
                CompareChip *chip = g_ptr_array_index(self, i);

                if (pass == 0 && only == NULL) {
                    g_ptr_array_add(list_of(chip, is_set), g_strdup(rest));
                    commons[i]++;
                } else if (pass == 1 && only == chip) {
                    add_own(list_of(chip, is_set), &commons[i], rest);
                }
            }
        }
    }
    return true;
}

/* A tt-metal program is named by its file: dot.cpp is another one for dot. */
static bool is_same_problem(const char *of, const char *workload)
{
    return g_str_equal(of, workload) || (g_str_has_prefix(of, workload) &&
                                         g_str_equal(of + strlen(workload), ".cpp"));
}

/* Adds a GPU or processor by its name; false: it is none. */
static bool
add_machine(GPtrArray *self, const char *given, bool *is_good, GError **error)
{
    g_autoptr(ArchParams) params = wl_chip_load(given, NULL);

    if (params == NULL || !wl_chip_has_roofs_only(params)) {
        return false;
    }
    const char *name = arch_params_name(params);

    *is_good = find_chip(self, name) == NULL ||
               option_fail(error, "--beside: %s is there twice", name);
    if (*is_good) {
        add_column(self, given, name)->is_matched = true;
    }
    return true;
}

bool compare_chips_add_over(GPtrArray *self,
                            const char *given,
                            const char *workload,
                            GError **error)
{
    bool is_good = false;

    if (!g_file_test(given, G_FILE_TEST_EXISTS) &&
        add_machine(self, given, &is_good, error)) {
        return is_good;
    }
    g_autofree char *path =
        g_file_test(given, G_FILE_TEST_EXISTS)
            ? g_strdup(given)
            : search_find_or_fail(SEARCH_MEASURED, "run", given, error);
    g_autoptr(TraceRun) run = path != NULL ? trace_run_read(path, error) : NULL;

    if (run == NULL) {
        return false;
    }
    const char *of = trace_json_string(run->result, "workload", "");

    if (!run->is_whole) {
        return option_fail(error, "--beside %s: a run that did not end", given);
    }
    if (!is_same_problem(of, workload)) {
        g_autofree char *shown = g_strescape(of, NULL); /* any text of the file */

        return option_fail(error, "--beside %s: a run of '%s', not of '%s'", given,
                           shown, workload);
    }
    g_autofree char *name = trace_run_short_name(path);

    if (find_chip(self, name) != NULL) {
        return option_fail(error, "--beside: %s is there twice", name);
    }
    add_column(self, given, name)->over = g_steal_pointer(&run);
    return true;
}

const char *compare_chip_origin(const CompareChip *self)
{
    JsonObject *metrics =
        self->over != NULL ? trace_json_object(self->over->result, "metrics") : NULL;

    if (self->over == NULL) {
        return self->is_matched ? "none" : "simulated";
    }
    if (trace_json_bool(metrics, "published")) {
        return "published";
    }
    return trace_json_bool(metrics, "measured") ? "measured" : "earlier";
}
