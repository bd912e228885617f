/* The search for chips, systems and scripts. */
#include "workloads/search.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *folder;
    const char *ending;
} kinds[] = {
    [SEARCH_CHIP] = {"arch/chips", ".ini"},
    [SEARCH_SYSTEM] = {"arch/systems", ".xml"},
    [SEARCH_WORKLOAD] = {"workloads", ".lua"},
    [SEARCH_SUITE] = {"traces/reference", ".csv"},
    [SEARCH_FIGURE] = {"traces/figures", ".csv"},
    [SEARCH_MEASURED] = {"traces/gpu", ".json"},
    [SEARCH_TIMES] = {"traces/gpu/models", ".csv"},
    [SEARCH_ROOFLINE] = {"traces/figures", ".ini"},
    [SEARCH_TEMPLATE] = {"workloads/templates", ".lua"},
};

/* Short names of chips, for where no file has them. */
static const struct {
    const char *name;
    const char *chip;
} aliases[] = {
    {"a100", "a100_80gb"},
    {"n150", "wormhole_n150"},
    {"n300", "wormhole_n300"},
};

/* Folders laid out like the source tree, first ones first. */
static GPtrArray *roots(void)
{
    GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) path = g_strsplit(
        g_getenv("GRIDLOOM_PATH") != NULL ? g_getenv("GRIDLOOM_PATH") : "", ":", -1);
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);

    for (char **folder = path; *folder != NULL; folder++) {
        if (**folder != '\0') {
            g_ptr_array_add(folders, g_strdup(*folder));
        }
    }
    if (program != NULL) {
        g_autofree char *folder = g_path_get_dirname(program);

        g_ptr_array_add(
            folders, g_build_filename(folder, "..", GRIDLOOM_SHARE, "gridloom", NULL));
    }
    g_ptr_array_add(folders, g_strdup(GRIDLOOM_SOURCE_DIR));
    return folders;
}

static bool looks_like_path(SearchKind kind, const char *name)
{
    return strchr(name, '/') != NULL || g_str_has_suffix(name, kinds[kind].ending);
}

/* A relative path into the kind's folder that does not lead out of it again. */
static bool is_inside(SearchKind kind, const char *name)
{
    gsize length = strlen(kinds[kind].folder);

    return strncmp(name, kinds[kind].folder, length) == 0 && name[length] == '/' &&
           strstr(name, "..") == NULL;
}

static char *find_file(SearchKind kind, const char *name)
{
    g_autoptr(GPtrArray) folders = roots();
    const char *ending =
        g_str_has_suffix(name, kinds[kind].ending) ? "" : kinds[kind].ending;

    if (looks_like_path(kind, name) && g_file_test(name, G_FILE_TEST_EXISTS)) {
        return g_strdup(name);
    }
    for (guint i = 0; i < folders->len; i++) {
        const char *root = g_ptr_array_index(folders, i);
        g_autofree char *file = g_strconcat(name, ending, NULL);
        g_autofree char *by_name =
            g_build_filename(root, kinds[kind].folder, file, NULL);
        g_autofree char *by_path = g_build_filename(root, name, NULL);

        if (strchr(name, '/') == NULL && g_file_test(by_name, G_FILE_TEST_IS_REGULAR)) {
            return g_steal_pointer(&by_name);
        }
        /* workloads/x.lua means the same from any folder. */
        if (is_inside(kind, name) && g_file_test(by_path, G_FILE_TEST_IS_REGULAR)) {
            return g_steal_pointer(&by_path);
        }
    }
    return NULL;
}

char *search_find(SearchKind kind, const char *name)
{
    char *path = find_file(kind, name);

    for (gsize i = 0; path == NULL && i < G_N_ELEMENTS(aliases); i++) {
        if (kind == SEARCH_CHIP && g_str_equal(name, aliases[i].name)) {
            path = find_file(kind, aliases[i].chip);
        }
    }
    return path;
}

char *
search_find_or_fail(SearchKind kind, const char *what, const char *name, GError **error)
{
    char *path = search_find(kind, name);

    if (path == NULL) {
        g_autofree char *names = search_names_text(kind);

        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                    "%s: no such %s; known are %s", *name != '\0' ? name : "(nothing)",
                    what, names);
    }
    return path;
}

char *search_name(SearchKind kind, const char *path)
{
    char *name = g_path_get_basename(path);

    if (g_str_has_suffix(name, kinds[kind].ending)) {
        name[strlen(name) - strlen(kinds[kind].ending)] = '\0';
    }
    return name;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *search_names(SearchKind kind)
{
    g_autoptr(GPtrArray) folders = roots();
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < folders->len; i++) {
        g_autofree char *path =
            g_build_filename(g_ptr_array_index(folders, i), kinds[kind].folder, NULL);
        g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
        const char *file;

        while (folder != NULL && (file = g_dir_read_name(folder)) != NULL) {
            g_autofree char *whole = g_build_filename(path, file, NULL);

            if (!g_str_has_suffix(file, kinds[kind].ending) ||
                !g_file_test(whole, G_FILE_TEST_IS_REGULAR)) {
                continue;
            }
            g_autofree char *name = search_name(kind, file);

            /* Adding a key that is there would replace the pointer to it. */
            if (!g_hash_table_contains(seen, name)) {
                g_hash_table_add(seen, name);
                g_ptr_array_add(names, g_steal_pointer(&name));
            }
        }
    }
    g_ptr_array_sort(names, compare_names);
    return names;
}

char *search_names_text(SearchKind kind)
{
    g_autoptr(GPtrArray) names = search_names(kind);

    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **) names->pdata);
}

/* A folder of workloads/; NULL: there is none. The caller frees it. */
static char *find_folder(const char *name)
{
    g_autoptr(GPtrArray) folders = roots();

    for (guint i = 0; i < folders->len; i++) {
        g_autofree char *path =
            g_build_filename(g_ptr_array_index(folders, i), "workloads", name, NULL);

        if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
            return g_steal_pointer(&path);
        }
    }
    return NULL;
}

char *search_library(void)
{
    return find_folder("lib");
}

char *search_metal(void)
{
    return find_folder("metal/device");
}

char *search_csl(void)
{
    return find_folder("csl/lib");
}

char *search_beside(char *folder, const char *name)
{
    g_autofree char *taken = folder;
    g_autofree char *parent = taken == NULL ? NULL : g_path_get_dirname(taken);

    return parent == NULL ? NULL : g_build_filename(parent, name, NULL);
}

WlScript *
search_load_script(const char *path, const WlSandboxConfig *config, GError **error)
{
    g_autofree char *library = search_library();
    WlSandboxConfig whole = *config;

    whole.library_path = library;
    return wl_script_load(path, &whole, error);
}
