/* Routing that a user wrote: Lua functions, compiled into tables of routes or trees. */
#include "workloads/routing.h"

#include "workloads/error.h"
#include "workloads/network/routing_file.h"

/* What is compiled from a file, one of the two. */
typedef struct {
    const RoutingFile *file;
    ArchNocRoutes *routes;
    ArchNocTrees *trees;
} Compiler;

/* Says which node an answer was that is no good. */
static void add_answer(const Compiler *self, uint32_t answer, GError **error)
{
    const guint width = self->file->grid.width;

    g_prefix_error(error, "returns %u, %u, but ", answer % width, answer / width);
}

static bool take_next(gpointer data,
                      lua_State *L,
                      int first G_GNUC_UNUSED,
                      uint32_t node,
                      uint32_t target,
                      GError **error)
{
    const Compiler *self = data;
    uint32_t next = 0;

    if (!neighbour_read(&self->file->grid, L, node, &next, error)) {
        return false;
    }
    if (!arch_noc_routes_set(self->routes, node, target, next, error)) {
        add_answer(self, next, error);
        return false;
    }
    return true;
}

static bool take_parent(gpointer data,
                        lua_State *L,
                        int first G_GNUC_UNUSED,
                        uint32_t node,
                        uint32_t root,
                        GError **error)
{
    const Compiler *self = data;
    uint32_t parent = 0;

    if (!neighbour_read(&self->file->grid, L, node, &parent, error)) {
        return false;
    }
    if (!arch_noc_trees_set(self->trees, root, node, parent, error)) {
        add_answer(self, parent, error);
        return false;
    }
    return true;
}

static bool take_children(gpointer data,
                          lua_State *L,
                          int first,
                          uint32_t node,
                          uint32_t root,
                          GError **error)
{
    const Compiler *self = data;

    for (int i = first; i <= lua_gettop(L); i++) {
        uint32_t child = 0;

        if (lua_type(L, i) != LUA_TSTRING) {
            g_set_error(error, WL_ERROR, WL_ERROR_RUNTIME,
                        "returns a %s, expected any of " NEIGHBOUR_DIRECTIONS
                        ", or nothing",
                        lua_typename(L, lua_type(L, i)));
            return false;
        }
        if (!neighbour_read_direction(&self->file->grid, node, lua_tostring(L, i),
                                      "any of " NEIGHBOUR_DIRECTIONS ", or nothing",
                                      &child, error)) {
            return false;
        }
        if (!arch_noc_trees_set(self->trees, root, child, node, error)) {
            g_prefix_error(error, "returns %s, but ", lua_tostring(L, i));
            return false;
        }
    }
    return true;
}

ArchNocRoutes *wl_routing_load(const char *path,
                               const WlSandboxConfig *config,
                               ArchNocTopology topology,
                               guint width,
                               guint height,
                               GError **error)
{
    g_return_val_if_fail(path != NULL && config != NULL, NULL);
    g_return_val_if_fail(width >= 1 && height >= 1, NULL);
    const NeighbourGrid grid = {.topology = topology, .width = width, .height = height};
    g_auto(RoutingFile) file = {0};

    if (!routing_file_open(&file, path, config, &grid, WL_ROUTING_NODES_MAXIMUM,
                           error)) {
        return NULL;
    }
    if (file.kind != ROUTING_NEXT) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "%s: %s gives a tree, which is for broadcast and reduce", path,
                    routing_file_function(&file));
        return NULL;
    }
    g_autoptr(ArchNocRoutes) routes = arch_noc_routes_new(topology, width, height);
    Compiler compiler = {.file = &file, .routes = routes};

    for (uint32_t node = 0; node < width * height; node++) {
        if (!routing_file_ask(&file, node, take_next, &compiler, error)) {
            return NULL;
        }
    }
    if (!arch_noc_routes_check(routes, file.allow_cycles, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    return g_steal_pointer(&routes);
}

/* Asks for the tree of one root, or those of all. */
static bool
compile_trees(Compiler *self, RoutingFile *file, uint32_t root, GError **error)
{
    const uint32_t node_count = file->grid.width * file->grid.height;
    const uint32_t first = root == ARCH_NOC_ALL_ROOTS ? 0 : root;
    const uint32_t last = root == ARCH_NOC_ALL_ROOTS ? node_count - 1 : root;

    for (uint32_t i = first; i <= last; i++) {
        if (!routing_file_ask(
                file, i, file->kind == ROUTING_PARENT ? take_parent : take_children,
                self, error)) {
            return false;
        }
    }
    return true;
}

ArchNocTrees *wl_routing_load_trees(const char *path,
                                    const WlSandboxConfig *config,
                                    const WlRoutingTrees *wanted,
                                    GError **error)
{
    g_return_val_if_fail(path != NULL && config != NULL && wanted != NULL, NULL);
    g_return_val_if_fail(wanted->width >= 1 && wanted->height >= 1, NULL);
    const NeighbourGrid grid = {
        .topology = wanted->topology, .width = wanted->width, .height = wanted->height};
    g_auto(RoutingFile) file = {0};

    if (!routing_file_open(&file, path, config, &grid, WL_ROUTING_NODES_MAXIMUM,
                           error)) {
        return NULL;
    }
    if (file.kind == ROUTING_NEXT) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "%s: next gives no tree, expected children or parent", path);
        return NULL;
    }
    g_autoptr(ArchNocTrees) trees = arch_noc_trees_new(
        wanted->topology, wanted->width, wanted->height, wanted->root, wanted->use);
    Compiler compiler = {.file = &file, .trees = trees};

    if (!compile_trees(&compiler, &file, wanted->root, error)) {
        return NULL;
    }
    if (!arch_noc_trees_check(trees, file.allow_cycles, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    return g_steal_pointer(&trees);
}
