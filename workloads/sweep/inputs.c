/* Digests of the files that runs are made of. */
#include <string.h>

#include "workloads/sweep_inputs.h"

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

static int compare_names(gconstpointer first, gconstpointer second)
{
    return strcmp(*(const char *const *) first, *(const char *const *) second);
}

/* Adds all modules that a script may require, sorted. */
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

static bool add_named(GString *lines,
                      const WlSweepSources *sources,
                      const char *what,
                      const char *name,
                      GError **error)
{
    g_autofree char *path = sources->find(what, name, error);

    return path != NULL && add_file(lines, path, error);
}

/* Adds what an option names in any run; where none says, the usual ones. */
static bool add_option(GString *lines,
                       const WlSweep *sweep,
                       const WlSweepSources *sources,
                       const char *option,
                       const char *const *usual,
                       GError **error)
{
    const char *const *names = usual;
    guint count = 0;

    while (usual[count] != NULL) {
        count++;
    }

    for (guint i = 0; i < wl_sweep_fixed_count(sweep); i++) {
        const WlSweepFixed *fixed = wl_sweep_fixed(sweep, i);

        if (g_str_equal(fixed->name, option)) {
            names = &fixed->value;
            count = 1;
        }
    }
    for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
        const WlSweepAxis *axis = wl_sweep_axis(sweep, i);

        if (g_str_equal(axis->name, option)) {
            names = axis->values;
            count = axis->value_count;
        }
    }
    for (guint i = 0; i < count; i++) {
        if (!add_named(lines, sources, option, names[i], error)) {
            return false;
        }
    }
    return true;
}

char *
wl_sweep_inputs(const WlSweep *sweep, const WlSweepSources *sources, GError **error)
{
    static const char *const usual_systems[] = {"default", NULL};
    g_autoptr(GString) lines = g_string_new(NULL);

    g_string_append_printf(lines, "gridloom %s\n", sources->version);
    /* Chips that no option names are chosen by system and script: any of them. */
    if (!add_named(lines, sources, "script", wl_sweep_script(sweep), error) ||
        (sources->library != NULL && !add_folder(lines, sources->library, error)) ||
        !add_option(lines, sweep, sources, "chip", sources->chips, error) ||
        !add_option(lines, sweep, sources, "system", usual_systems, error)) {
        return NULL;
    }
    return g_string_free(g_steal_pointer(&lines), FALSE);
}
