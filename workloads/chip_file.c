/* Loads chips and changes their numbers. */
#include "workloads/chip_file.h"

#include "arch/error.h"
#include "arch/family.h"
#include "arch/gpu.h"
#include "sim/error.h"
#include "sim/narrow.h"
#include "workloads/routing.h"
#include "workloads/search.h"

#define ROUTING "noc.routing"

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

static void free_routes(gpointer data)
{
    arch_noc_routes_free(data);
}

/* SHA-256 of all routes, so that results tell chips apart whose files have one name. */
static char *content_of(const ArchNocRoutes *routes, guint nodes)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

    for (guint node = 0; node < nodes; node++) {
        for (guint target = 0; target < nodes; target++) {
            const guint8 port = sim_u8(arch_noc_routes_port(routes, node, target));

            g_checksum_update(sum, &port, 1);
        }
    }
    return g_strdup(g_checksum_get_string(sum));
}

/* Reads the file of routes that the chip names. */
static bool read_routing(ArchParams *params, const char *name, GError **error)
{
    const char *topology = arch_params_text(params, "noc.topology");
    g_autofree char *path = search_find(SEARCH_WORKLOAD, name);
    g_autofree char *library = search_library();
    WlSandboxConfig config = wl_sandbox_config_default();
    ArchNocRoutes *routes;

    if (path == NULL) {
        return sim_fail(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                        "noc.routing = %s: no such routing file", name);
    }
    config.library_path = library;
    routes = wl_routing_load(
        path, &config, g_str_equal(topology, "mesh") ? ARCH_NOC_MESH : ARCH_NOC_TORUS,
        sim_u32(arch_params_uint(params, "grid.column_count")),
        sim_u32(arch_params_uint(params, "grid.row_count")), error);
    if (routes == NULL) {
        return false;
    }
    g_autofree char *content =
        content_of(routes, sim_u32(arch_params_uint(params, "grid.column_count") *
                                   arch_params_uint(params, "grid.row_count")));

    arch_params_attach(params, ROUTING, routes, free_routes, content);
    return !arch_noc_routes_has_choice(routes) ||
           arch_refuse(
               error,
               "noc.routing = %s: packets that choose at every hop overtake each "
               "other, which programs do not expect; such files are for noc "
               "traffic",
               name);
}

/* A chip with a network of its own one way has no use for such a file. */
static bool read_files(ArchParams *params, GError **error)
{
    const char *routing =
        arch_params_has(params, ROUTING) ? arch_params_text(params, ROUTING) : "";

    return !g_str_has_suffix(routing, ".lua") ||
           g_str_equal(arch_params_text(params, "noc.topology"), "wormhole") ||
           read_routing(params, routing, error);
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
    return read_files(params, error);
}
