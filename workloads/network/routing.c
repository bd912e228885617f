/* Routing that a user wrote: Lua functions, compiled into tables of routes or trees. */
#include "workloads/routing.h"

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "workloads/error.h"
#include "workloads/network/choice.h"
#include "workloads/network/survey.h"
#include "workloads/sandbox/field.h"

typedef enum {
    ROUTING_NEXT,     /* next(x, y, tx, ty, grid): the next node toward the target */
    ROUTING_CHILDREN, /* children(x, y, rx, ry, grid): the nodes below, seen from the
                         root */
    ROUTING_PARENT,   /* parent(x, y, rx, ry, grid): the node above */
    ROUTING_OUTPUTS,  /* outputs(x, y, tx, ty, grid) alone */
} RoutingKind;

typedef struct {
    Survey survey;
    RoutingKind kind;
    bool allow_cycles;
    bool has_outputs; /* outputs(x, y, tx, ty, grid): all nodes that may come next */
    bool has_choose;  /* choose(x, y, tx, ty, free, grid): one of them, at every hop */
} RoutingFile;

static const char *const functions[] = {
    [ROUTING_NEXT] = "next",
    [ROUTING_CHILDREN] = "children",
    [ROUTING_PARENT] = "parent",
    [ROUTING_OUTPUTS] = "outputs",
};

static const SurveyKind surveys[] = {
    [ROUTING_NEXT] = SURVEY_OF_FIXED,
    [ROUTING_CHILDREN] = SURVEY_FROM_ALL,
    [ROUTING_PARENT] = SURVEY_TO_FIXED,
    [ROUTING_OUTPUTS] = SURVEY_OF_FIXED,
};

/* The name of its function: next, children or parent. */
static const char *routing_file_function(const RoutingFile *self)
{
    return functions[self->kind];
}

static bool has_field(lua_State *L, int index, const char *name)
{
    const bool is_there = field_push(L, index, name) != LUA_TNIL;

    lua_pop(L, 1);
    return is_there;
}

/* Finds the one function that the table at `index` has, and pushes it. */
static bool read_function(RoutingFile *self, lua_State *L, int index, GError **error)
{
    guint count = 0;

    self->has_outputs = has_field(L, index, "outputs");
    self->has_choose = has_field(L, index, "choose");
    if (self->has_outputs && !has_field(L, index, "next")) {
        self->kind = ROUTING_OUTPUTS;
    }
    for (guint i = 0; i < ROUTING_OUTPUTS; i++) {
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
    if ((self->has_outputs || self->has_choose) &&
        (self->kind == ROUTING_CHILDREN || self->kind == ROUTING_PARENT)) {
        return wl_refuse(error, "has outputs or choose beside %s, which gives a tree",
                         functions[self->kind]);
    }
    if (self->has_choose && count == 0 && !self->has_outputs) {
        return wl_refuse(error,
                         "has choose alone, expected next, the escape, or outputs, "
                         "all that it may choose from");
    }
    return field_push(L, index, functions[self->kind]) == LUA_TFUNCTION ||
           wl_refuse(error, "%s is not a function", functions[self->kind]);
}

/* A SurveyReadFunc. */
static bool
read_declaration(gpointer data, Survey *survey, lua_State *L, GError **error)
{
    static const char *const known[] = {"summary", "allow_cycles", "next",   "children",
                                        "parent",  "outputs",      "choose", NULL};
    RoutingFile *self = data;

    if (lua_type(L, SURVEY_TABLE) != LUA_TTABLE) {
        return wl_refuse(
            error,
            "the file returns no routing, but a %s; expected return { summary = "
            "..., allow_cycles = false, next = function(x, y, tx, ty, grid) "
            "... end }",
            lua_typename(L, lua_type(L, SURVEY_TABLE)));
    }
    if (!field_check_known(L, SURVEY_TABLE, known, error) ||
        field_summary(L, SURVEY_TABLE, error) == NULL) {
        return false;
    }
    int type = field_push(L, SURVEY_TABLE, "allow_cycles");
    self->allow_cycles = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        return wl_refuse(error, "allow_cycles is a %s, expected true or false",
                         lua_typename(L, type));
    }
    if (!read_function(self, L, SURVEY_TABLE, error)) {
        return false;
    }
    survey->function = functions[self->kind];
    survey->kind = surveys[self->kind];
    survey->answers =
        self->kind == ROUTING_NEXT || self->kind == ROUTING_PARENT ? 2 : LUA_MULTRET;
    return true;
}

/* Runs the file at `path`. Fails with WL_ERROR_SYNTAX (no routing file), or as
 * survey_open() does. */
static bool routing_file_open(RoutingFile *self,
                              const char *path,
                              const WlSandboxConfig *config,
                              const NeighbourGrid *grid,
                              GError **error)
{
    const SurveyFile file = {.path = path,
                             .config = config,
                             .grid = *grid,
                             .most_nodes = WL_ROUTING_NODES_MAXIMUM,
                             .noun = "routing"};

    *self = (RoutingFile){0};
    return survey_open(&self->survey, &file, read_declaration, self, error);
}

static void routing_file_clear(RoutingFile *self)
{
    survey_clear(&self->survey);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RoutingFile, routing_file_clear)

/* The table compiled from a file, one of the two. */
typedef struct {
    RoutingFile *file;
    ArchNocRoutes *routes;
    ArchNocTrees *trees;
} Compiler;

/* What was asked about. */
typedef struct {
    uint32_t node;
    uint32_t other;
} Pair;

/* Says which node an answer was that is no good. */
static void add_answer(const Compiler *self, uint32_t answer, GError **error)
{
    const guint width = self->file->survey.grid.width;

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

    if (!neighbour_read(&self->file->survey.grid, L, node, &next, error)) {
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

    if (!neighbour_read(&self->file->survey.grid, L, node, &parent, error)) {
        return false;
    }
    if (!arch_noc_trees_set(self->trees, root, node, parent, error)) {
        add_answer(self, parent, error);
        return false;
    }
    return true;
}

/* Takes directions, and no fewer than none. */
static bool take_nodes(
    const Compiler *self, lua_State *L, int first, const Pair *pair, GError **error)
{
    for (int i = first; i <= lua_gettop(L); i++) {
        uint32_t found = 0;

        if (lua_type(L, i) != LUA_TSTRING) {
            return sim_fail(error, WL_ERROR, WL_ERROR_RUNTIME,
                            "returns a %s, expected any of " NEIGHBOUR_DIRECTIONS
                            ", or nothing",
                            lua_typename(L, lua_type(L, i)));
        }
        if (!neighbour_read_direction(
                &self->file->survey.grid, pair->node, lua_tostring(L, i),
                "any of " NEIGHBOUR_DIRECTIONS ", or nothing", &found, error)) {
            return false;
        }
        if (!(self->trees != NULL ? arch_noc_trees_set(self->trees, pair->other, found,
                                                       pair->node, error)
                                  : arch_noc_routes_allow(self->routes, pair->node,
                                                          pair->other, found, error))) {
            g_prefix_error(error, "returns %s, but ", lua_tostring(L, i));
            return false;
        }
    }
    return true;
}

/* Of a tree the nodes below one, of routes those that may come next. */
static bool take_directions(gpointer data,
                            lua_State *L,
                            int first,
                            uint32_t node,
                            uint32_t other,
                            GError **error)
{
    return take_nodes(data, L, first, &(Pair){.node = node, .other = other}, error);
}

static bool compile_routes(Compiler *self, SurveyAnswerFunc take, GError **error)
{
    const NeighbourGrid *grid = &self->file->survey.grid;

    for (uint32_t node = 0; node < grid->width * grid->height; node++) {
        if (!survey_ask(&self->file->survey, node, take, self, error)) {
            return false;
        }
    }
    return true;
}

/* What packets may choose from: what the file says, or else all shortest ways. */
static bool compile_choices(Compiler *self, GError **error)
{
    RoutingFile *file = self->file;

    if (file->has_outputs) {
        return survey_turn_to(&file->survey, "outputs", LUA_MULTRET, error) &&
               compile_routes(self, take_directions, error);
    }
    if (file->has_choose) {
        arch_noc_routes_allow_shortest(self->routes);
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

    if (!routing_file_open(&file, path, config, &grid, error)) {
        return NULL;
    }
    if (file.kind != ROUTING_NEXT && file.kind != ROUTING_OUTPUTS) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "%s: %s gives a tree, which is for broadcast and reduce", path,
                    routing_file_function(&file));
        return NULL;
    }
    g_autoptr(ArchNocRoutes) routes = arch_noc_routes_new(topology, width, height);
    Compiler compiler = {.file = &file, .routes = routes};

    if ((file.kind == ROUTING_NEXT && !compile_routes(&compiler, take_next, error)) ||
        !compile_choices(&compiler, error)) {
        return NULL;
    }
    if (!arch_noc_routes_check(routes, file.allow_cycles, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    if (file.has_choose && !choice_attach(&file.survey, routes, error)) {
        return NULL;
    }
    return g_steal_pointer(&routes);
}

/* Asks for the tree of one root, or those of all. */
static bool
compile_trees(Compiler *self, RoutingFile *file, uint32_t root, GError **error)
{
    const uint32_t node_count = file->survey.grid.width * file->survey.grid.height;
    const uint32_t first = root == ARCH_NOC_ALL_ROOTS ? 0 : root;
    const uint32_t last = root == ARCH_NOC_ALL_ROOTS ? node_count - 1 : root;

    for (uint32_t i = first; i <= last; i++) {
        if (!survey_ask(&file->survey, i,
                        file->kind == ROUTING_PARENT ? take_parent : take_directions,
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

    if (!routing_file_open(&file, path, config, &grid, error)) {
        return NULL;
    }
    if (file.kind == ROUTING_NEXT || file.kind == ROUTING_OUTPUTS) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "%s: %s gives no tree, expected children or parent", path,
                    routing_file_function(&file));
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
