/* Routing that a user wrote: Lua functions, compiled into tables of routes or trees. */
#include "workloads/routing.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <glib.h>
#include <lua.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/network/neighbour.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/sandbox.h"

typedef enum {
    ROUTING_NEXT,     /* next(x, y, tx, ty, grid): the next node toward the target */
    ROUTING_CHILDREN, /* children(x, y, rx, ry, grid): the nodes below, seen from the
                         root */
    ROUTING_PARENT,   /* parent(x, y, rx, ry, grid): the node above */
} RoutingKind;

typedef struct {
    WlSandbox *sandbox;
    NeighbourGrid grid;
    RoutingKind kind;
    bool allow_cycles;
} RoutingFile;

/* Takes the answer to function(node, other): the values on the stack from `first` on.
 * On failure the message goes on after the question. Must not raise. */
typedef bool (*RoutingAnswerFunc)(gpointer data,
                                  lua_State *L,
                                  int first,
                                  uint32_t node,
                                  uint32_t other,
                                  GError **error);

/* Where things lie on the Lua stack of a call of ask_all(). */
enum {
    SURVEY = 1,
    FUNCTION = 2,
    GRID = 3,
};

/* Where they lie on the stack of an open file. */
enum {
    FILE_TABLE = 1,
    FILE_FUNCTION = 2,
    FILE_GRID = 3,
};

static const char *const functions[] = {
    [ROUTING_NEXT] = "next",
    [ROUTING_CHILDREN] = "children",
    [ROUTING_PARENT] = "parent",
};

/* All questions about one node, and the one that was asked last. */
typedef struct {
    const RoutingFile *file;
    uint32_t fixed;
    RoutingAnswerFunc func;
    gpointer data;
    uint32_t node;
    uint32_t other;
    GError *failure; /* an answer that is no good */
} Survey;

/* The name of its function: next, children or parent. */
static const char *routing_file_function(const RoutingFile *self)
{
    return functions[self->kind];
}

/* The question as Lua would write it. The caller frees it. */
static char *question_text(const Survey *self)
{
    const guint width = self->file->grid.width;

    return g_strdup_printf("%s(%u, %u, %u, %u)", routing_file_function(self->file),
                           self->node % width, self->node / width, self->other % width,
                           self->other / width);
}

static void push_node(const Survey *self, lua_State *L, uint32_t node)
{
    lua_pushinteger(L, node % self->file->grid.width);
    lua_pushinteger(L, node / self->file->grid.width);
}

/* Lua function: one protected call for all questions, each of which costs as much as a
 * short answer. */
static int ask_all(lua_State *L)
{
    Survey *self = lua_touserdata(L, SURVEY);
    const RoutingKind kind = self->file->kind;
    const uint32_t node_count = self->file->grid.width * self->file->grid.height;

    for (uint32_t i = 0; i < node_count; i++) {
        self->node = kind == ROUTING_NEXT ? self->fixed : i;
        self->other = kind == ROUTING_NEXT ? i : self->fixed;
        if (self->node == self->other && kind != ROUTING_CHILDREN) {
            continue;
        }
        lua_pushvalue(L, FUNCTION);
        push_node(self, L, self->node);
        push_node(self, L, self->other);
        lua_pushvalue(L, GRID);
        lua_call(L, 5, kind == ROUTING_CHILDREN ? LUA_MULTRET : 2);
        if (!self->func(self->data, L, GRID + 1, self->node, self->other,
                        &self->failure)) {
            return 0;
        }
        lua_settop(L, GRID);
    }
    return 0;
}

/* Says in the error's first line, before the traceback, which question it was. */
static void add_question(const Survey *self, GError *error)
{
    g_autofree char *question = question_text(self);
    int length = sim_i32(strcspn(error->message, "\n"));
    char *message = g_strdup_printf("%.*s in %s%s", length, error->message, question,
                                    error->message + length);

    g_free(error->message);
    error->message = message;
}

/* Asks function(node, other) about one `fixed` node and each node in turn: ROUTING_NEXT
 * about the fixed node and all other targets, the others about all nodes and the fixed
 * root, ROUTING_PARENT not about the root itself. The limit of steps is for all of them
 * together. */
static bool routing_file_ask(RoutingFile *self,
                             uint32_t fixed,
                             RoutingAnswerFunc func,
                             gpointer data,
                             GError **error)
{
    lua_State *L = sandbox_state(self->sandbox);
    Survey survey = {.file = self, .fixed = fixed, .func = func, .data = data};
    GError *raised = NULL;

    sandbox_progress(self->sandbox);
    lua_pushcfunction(L, ask_all);
    lua_pushlightuserdata(L, &survey);
    lua_pushvalue(L, FILE_FUNCTION);
    lua_pushvalue(L, FILE_GRID);
    if (!sandbox_call(L, 3, 0, &raised)) {
        g_clear_error(&survey.failure);
        if (g_error_matches(raised, WL_ERROR, WL_ERROR_RUNTIME)) {
            add_question(&survey, raised);
        }
        g_propagate_error(error, raised);
        return false;
    }
    if (survey.failure != NULL) {
        g_autofree char *question = question_text(&survey);

        g_propagate_prefixed_error(error, survey.failure, "%s: %s ",
                                   sandbox_path(self->sandbox), question);
        return false;
    }
    return true;
}

/* Finds the one function that the table at `index` has, and pushes it. */
static bool read_function(RoutingFile *self, lua_State *L, int index, GError **error)
{
    guint count = 0;

    for (guint i = 0; i < G_N_ELEMENTS(functions); i++) {
        if (field_push(L, index, functions[i]) != LUA_TNIL) {
            self->kind = (RoutingKind) i;
            count++;
        }
        lua_pop(L, 1);
    }
    if (count > 1) {
        return wl_refuse(error,
                         "has several of next, children and parent, expected one");
    }
    return field_push(L, index, functions[self->kind]) == LUA_TFUNCTION ||
           wl_refuse(error, "%s is not a function", functions[self->kind]);
}

/* Reads what the file returned, which is at the top of the stack, and pushes its
 * function. */
static bool read_declaration(RoutingFile *self, lua_State *L, GError **error)
{
    static const char *const known[] = {"summary",  "allow_cycles", "next",
                                        "children", "parent",       NULL};

    if (lua_type(L, FILE_TABLE) != LUA_TTABLE) {
        return wl_refuse(
            error,
            "the file returns no routing, but a %s; expected return { summary = "
            "..., allow_cycles = false, next = function(x, y, tx, ty, grid) "
            "... end }",
            lua_typename(L, lua_type(L, FILE_TABLE)));
    }
    if (!field_check_known(L, FILE_TABLE, known, error) ||
        field_summary(L, FILE_TABLE, error) == NULL) {
        return false;
    }
    int type = field_push(L, FILE_TABLE, "allow_cycles");
    self->allow_cycles = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        return wl_refuse(error, "allow_cycles is a %s, expected true or false",
                         lua_typename(L, type));
    }
    return read_function(self, L, FILE_TABLE, error);
}

/* Runs the file at `path`. Fails with WL_ERROR_SYNTAX (no routing file), WL_ERROR_FIT
 * (more nodes than `most_nodes`), or as loader_open() does. */
static bool routing_file_open(RoutingFile *self,
                              const char *path,
                              const WlSandboxConfig *config,
                              const NeighbourGrid *grid,
                              guint most_nodes,
                              GError **error)
{
    *self = (RoutingFile){.grid = *grid};
    if ((uint64_t) grid->width * grid->height > most_nodes) {
        return sim_fail(
            error, WL_ERROR, WL_ERROR_FIT,
            "%s: a grid of %ux%u nodes, routing files are for at most %u nodes", path,
            grid->width, grid->height, most_nodes);
    }
    self->sandbox = loader_open(path, config, NULL, error);
    if (self->sandbox == NULL) {
        return false;
    }
    lua_State *L = sandbox_state(self->sandbox);

    if (!read_declaration(self, L, error)) {
        g_prefix_error(error, "%s: ", path);
        return false;
    }
    lua_pushcfunction(L, neighbour_push_grid);
    lua_pushlightuserdata(L, &self->grid);
    return sandbox_call(L, 1, 1, error);
}

static void routing_file_clear(RoutingFile *self)
{
    g_clear_pointer(&self->sandbox, sandbox_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RoutingFile, routing_file_clear)

/* The table compiled from a file, one of the two. */
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
            return sim_fail(error, WL_ERROR, WL_ERROR_RUNTIME,
                            "returns a %s, expected any of " NEIGHBOUR_DIRECTIONS
                            ", or nothing",
                            lua_typename(L, lua_type(L, i)));
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
