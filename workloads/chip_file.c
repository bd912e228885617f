/* Loads chips and changes their numbers. */
#include "workloads/chip_file.h"

#include "arch/error.h"
#include "arch/family.h"
#include "arch/gpu.h"
#include "workloads/search.h"

ArchParams *wl_chip_load(const char *name, GError **error)
{
    g_autofree char *path = search_find_or_fail(SEARCH_CHIP, "chip", name, error);

    return path != NULL ? arch_params_load(path, error) : NULL;
}

ArchParams *wl_chip_load_to_run(const char *name, GError **error)
{
    g_autoptr(ArchParams) params = wl_chip_load(name, error);

    if (params != NULL && gpu_is(params)) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                    "%s: is a GPU, on which no programs run here; 'gridloom gpu' and "
                    "'gridloom roofline' model it",
                    arch_params_name(params));
        return NULL;
    }
    if (params != NULL && wl_chip_has_roofs_only(params)) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                    "%s: family = %s, of which only roofs are known and on which no "
                    "programs run here; 'gridloom roofline --beside %s' shows it",
                    arch_params_name(params), arch_params_family(params),
                    arch_params_name(params));
        return NULL;
    }
    return g_steal_pointer(&params);
}

bool wl_chip_has_roofs_only(const ArchParams *params)
{
    return !arch_family_runs(arch_family_of(params));
}

/* Names of the chips that are such. */
static char *names_of(bool (*is_such)(const ArchParams *params))
{
    g_autoptr(GPtrArray) names = search_names(SEARCH_CHIP);
    g_autoptr(GPtrArray) found = g_ptr_array_new();

    for (guint i = 0; i < names->len; i++) {
        g_autoptr(ArchParams) params = wl_chip_load(g_ptr_array_index(names, i), NULL);

        if (params != NULL && is_such(params)) {
            g_ptr_array_add(found, g_ptr_array_index(names, i));
        }
    }
    g_ptr_array_add(found, NULL);
    return g_strjoinv(", ", (char **) found->pdata);
}

char *wl_chip_gpu_names(void)
{
    return names_of(gpu_is);
}

char *wl_chip_roof_names(void)
{
    return names_of(wl_chip_has_roofs_only);
}

ArchParams *wl_chip_load_gpu(const char *name, GError **error)
{
    const char *wanted = name != NULL ? name : WL_CHIP_GPU;
    g_autofree char *path = search_find(SEARCH_CHIP, wanted);
    g_autofree char *known = wl_chip_gpu_names();
    g_autoptr(ArchParams) params = NULL;

    if (path == NULL) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                    "%s: no such GPU; known are %s",
                    *wanted != '\0' ? wanted : "(nothing)", known);
        return NULL;
    }
    params = arch_params_load(path, error);
    if (params != NULL && !gpu_is(params)) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "%s: family = %s, which is no GPU; known are %s",
                    arch_params_name(params), arch_params_family(params), known);
        return NULL;
    }
    return g_steal_pointer(&params);
}

bool wl_chip_override(ArchParams *params, char **overrides, GError **error)
{
    for (char **override = overrides; override != NULL && *override != NULL;
         override++) {
        if (!arch_params_override(params, *override, error)) {
            g_prefix_error(error, "--set: ");
            return false;
        }
    }
    return true;
}
