/* Digests of a sweep. */
#include "tools/gridloom/sweep/plan.h"

#include <string.h>

#include "tools/gridloom/search.h"
#include "traces/suite/formula.h"

void cmd_sweep_plan_clear(CmdSweepPlan *self)
{
    g_clear_pointer(&self->digest, g_free);
    g_clear_pointer(&self->inputs, g_free);
    g_clear_pointer(&self->axes, g_free);
    g_clear_pointer(&self->metrics, g_free);
}

static bool check_formulas(const WlSweep *sweep, GError **error)
{
    for (guint i = 0; i < wl_sweep_record_count(sweep); i++) {
        const WlSweepRecord *record = wl_sweep_record(sweep, i);

        if (!trace_formula_check(record->formula, error)) {
            g_prefix_error(error, "record %s: ", record->name);
            return false;
        }
    }
    return true;
}

/* Adds "FILE digest" to the lines. */
static bool add_file(GString *lines, const char *path, GError **error)
{
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *text = NULL;
    g_autofree char *digest = NULL;
    gsize length = 0;

    if (!g_file_get_contents(path, &text, &length, error)) {
        return false;
    }
    digest =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *) text, length);
    g_string_append_printf(lines, "%s %s\n", name, digest);
    return true;
}

static bool add_named(GString *lines, SearchKind kind, const char *name, GError **error)
{
    g_autofree char *path =
        search_find_or_fail(kind, kind == SEARCH_CHIP ? "chip" : "system", name, error);

    return path != NULL && add_file(lines, path, error);
}

static int compare_names(gconstpointer first, gconstpointer second)
{
    return strcmp(*(const char *const *) first, *(const char *const *) second);
}

/* What a script may require, all of it and sorted. */
static bool add_folder(GString *lines, const char *path, GError **error)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, error);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *entry;

    if (folder == NULL) {
        return false;
    }
    while ((entry = g_dir_read_name(folder)) != NULL) {
        g_ptr_array_add(names, g_build_filename(path, entry, NULL));
    }
    g_ptr_array_sort(names, compare_names);
    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);

        if (g_file_test(name, G_FILE_TEST_IS_DIR)
                ? !add_folder(lines, name, error)
                : g_str_has_suffix(name, ".lua") && !add_file(lines, name, error)) {
            return false;
        }
    }
    return true;
}

/* The values that an option has in any run; NULL where none says. The caller frees the
 * list, not the texts. */
static const char **values_of(const WlSweep *sweep, const char *name)
{
    const char **list = NULL;

    for (guint i = 0; i < wl_sweep_fixed_count(sweep); i++) {
        if (g_str_equal(wl_sweep_fixed(sweep, i)->name, name)) {
            list = g_new0(const char *, 2);
            list[0] = wl_sweep_fixed(sweep, i)->value;
        }
    }
    for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
        const WlSweepAxis *axis = wl_sweep_axis(sweep, i);

        if (g_str_equal(axis->name, name)) {
            list = g_new0(const char *, axis->value_count + 1);
            memcpy(list, axis->values, axis->value_count * sizeof *list);
        }
    }
    return list;
}

/* Adds each of a list that ends with NULL. */
static bool
add_each(GString *lines, SearchKind kind, const char *const *names, GError **error)
{
    bool is_added = true;

    for (; is_added && *names != NULL; names++) {
        is_added = add_named(lines, kind, *names, error);
    }
    return is_added;
}

/* Chips that no option names are chosen by system and script: any of them. */
static bool add_options(GString *lines, const WlSweep *sweep, GError **error)
{
    static const char *const usual[] = {"default", NULL};
    g_autofree const char **chips = values_of(sweep, "chip");
    g_autofree const char **systems = values_of(sweep, "system");
    g_autoptr(GPtrArray) known = search_names(SEARCH_CHIP);

    g_ptr_array_add(known, NULL);
    return add_each(lines, SEARCH_CHIP,
                    chips != NULL ? chips : (const char *const *) known->pdata,
                    error) &&
           add_each(lines, SEARCH_SYSTEM, systems != NULL ? systems : usual, error);
}

static char *inputs_of(const WlSweep *sweep, GError **error)
{
    g_autoptr(GString) lines = g_string_new("gridloom " GRIDLOOM_VERSION "\n");
    g_autofree char *library = search_library();
    g_autofree char *script =
        search_find_or_fail(SEARCH_WORKLOAD, "script", wl_sweep_script(sweep), error);

    if (script == NULL || !add_file(lines, script, error) ||
        (library != NULL && !add_folder(lines, library, error)) ||
        !add_options(lines, sweep, error)) {
        return NULL;
    }
    return g_string_free(g_steal_pointer(&lines), FALSE);
}

bool cmd_sweep_plan_make(CmdSweepPlan *self, const WlSweep *sweep, GError **error)
{
    *self = (CmdSweepPlan){.sweep = sweep};
    if (!check_formulas(sweep, error)) {
        return false;
    }
    self->inputs = inputs_of(sweep, error);
    if (self->inputs == NULL) {
        return false;
    }
    self->digest = wl_sweep_digest(sweep);
    self->axes = g_new0(const char *, wl_sweep_axis_count(sweep) + 1);
    for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
        self->axes[i] = wl_sweep_axis(sweep, i)->name;
    }
    self->metrics = g_new0(const char *, wl_sweep_record_count(sweep) + 1);
    for (guint i = 0; i < wl_sweep_record_count(sweep); i++) {
        self->metrics[i] = wl_sweep_record(sweep, i)->name;
    }
    return true;
}

TraceSweepHead cmd_sweep_plan_head(const CmdSweepPlan *self)
{
    return (TraceSweepHead){.title = wl_sweep_summary(self->sweep),
                            .version = GRIDLOOM_VERSION,
                            .digest = self->digest,
                            .inputs = self->inputs,
                            .axes = self->axes,
                            .metrics = self->metrics,
                            .run_count = wl_sweep_run_count(self->sweep)};
}
