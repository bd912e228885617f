/* Routing that a user wrote: a Lua function, compiled into a table of routes. */
#include "workloads/routing.h"

#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "arch/error.h"
#include "workloads/error.h"
#include "workloads/script/field.h"
#include "workloads/script/loader.h"
#include "workloads/script/quote.h"
#include "workloads/script/sandbox.h"
#include "workloads/script/summary.h"

#define ANSWERS "x, y or one of east, west, south, north"

/* Where things lie on the Lua stack of a call of ask_for_node(). */
enum {
    COMPILER = 1,
    NEXT = 2,
    GRID = 3,
};

typedef struct {
    const char *name;
    int dx;
    int dy;
} Direction;

static const Direction directions[] = {
    {.name = "east", .dx = 1},
    {.name = "west", .dx = -1},
    {.name = "south", .dy = 1},
    {.name = "north", .dy = -1},
};

static const char *const topology_names[] = {
    [ARCH_NOC_MESH] = "mesh",
    [ARCH_NOC_TORUS] = "torus",
    [ARCH_NOC_WORMHOLE0] = "wormhole0",
    [ARCH_NOC_WORMHOLE1] = "wormhole1",
};

/* What is compiled, and the question that next() was asked last. */
typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
    ArchNocRoutes *routes;
    uint32_t node;
    uint32_t target;
    GError *failure; /* an answer that is no good */
} Compiler;

/* The question as Lua would write it. The caller frees it. */
static char *question_text(const Compiler *self)
{
    return g_strdup_printf("next(%u, %u, %u, %u)", self->node % self->width,
                           self->node / self->width, self->target % self->width,
                           self->target / self->width);
}

static bool has_direction(ArchNocTopology topology, const Direction *direction)
{
    bool is_up = direction->dx + direction->dy > 0;

    switch (topology) {
    case ARCH_NOC_MESH:
    case ARCH_NOC_TORUS:
        return true;
    case ARCH_NOC_WORMHOLE0:
        return is_up;
    case ARCH_NOC_WORMHOLE1:
        return !is_up;
    }
    g_assert_not_reached();
}

static const Direction *find_direction(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(directions); i++) {
        if (strcmp(directions[i].name, name) == 0) {
            return &directions[i];
        }
    }
    return NULL;
}

static bool
read_direction(const Compiler *self, const char *name, uint32_t *next, GError **error)
{
    const Direction *direction = find_direction(name);
    if (direction == NULL) {
        g_autofree char *shown = quote_word(name);
        g_set_error(error, WL_ERROR, WL_ERROR_RUNTIME, "returns '%s', expected %s",
                    shown, ANSWERS);
        return false;
    }
    int width = (int) self->width;
    int height = (int) self->height;
    int x = (int) (self->node % self->width) + direction->dx;
    int y = (int) (self->node / self->width) + direction->dy;
    bool is_inside = x >= 0 && x < width && y >= 0 && y < height;
    if (!has_direction(self->topology, direction) ||
        (self->topology == ARCH_NOC_MESH && !is_inside)) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "returns %s, but no link leads %s from there", direction->name,
                    direction->name);
        return false;
    }
    *next = (uint32_t) ((x + width) % width + width * ((y + height) % height));
    return true;
}

static bool
read_position(const Compiler *self, lua_State *L, uint32_t *next, GError **error)
{
    int is_whole_x = 0;
    int is_whole_y = 0;
    lua_Integer x = lua_tointegerx(L, -2, &is_whole_x);
    lua_Integer y = lua_tointegerx(L, -1, &is_whole_y);
    if (is_whole_x == 0 || is_whole_y == 0) {
        g_set_error(error, WL_ERROR, WL_ERROR_RUNTIME,
                    "returns %g, %g, expected whole numbers",
                    (double) lua_tonumber(L, -2), (double) lua_tonumber(L, -1));
        return false;
    }
    if (x < 0 || x >= self->width || y < 0 || y >= self->height) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "returns %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                    ", which is off the grid of %ux%u",
                    (gint64) x, (gint64) y, self->width, self->height);
        return false;
    }
    *next = (uint32_t) (x + y * self->width);
    return true;
}

/* Reads the two values on top of the stack. */
static bool
read_answer(const Compiler *self, lua_State *L, uint32_t *next, GError **error)
{
    int first = lua_type(L, -2);
    int second = lua_type(L, -1);
    if (first == LUA_TSTRING && second == LUA_TNIL) {
        return read_direction(self, lua_tostring(L, -2), next, error);
    }
    if (first == LUA_TNUMBER && second == LUA_TNUMBER) {
        return read_position(self, L, next, error);
    }
    if (first == LUA_TNIL && second == LUA_TNIL) {
        g_set_error(error, WL_ERROR, WL_ERROR_RUNTIME, "returns nothing, expected %s",
                    ANSWERS);
    } else {
        g_set_error(error, WL_ERROR, WL_ERROR_RUNTIME,
                    "returns a %s and a %s, expected %s", lua_typename(L, first),
                    lua_typename(L, second), ANSWERS);
    }
    return false;
}

static bool take_answer(Compiler *self, lua_State *L)
{
    uint32_t next = 0;
    if (!read_answer(self, L, &next, &self->failure)) {
        return false;
    }
    if (!arch_noc_routes_set(self->routes, self->node, self->target, next,
                             &self->failure)) {
        g_prefix_error(&self->failure, "returns %u, %u, but ", next % self->width,
                       next / self->width);
        return false;
    }
    return true;
}

/* Lua function: asks next() for the ways from one node to all others. One protected
 * call for all of them: each costs as much as a short answer. */
static int ask_for_node(lua_State *L)
{
    Compiler *self = lua_touserdata(L, COMPILER);
    uint32_t node_count = self->width * self->height;
    for (self->target = 0; self->target < node_count; self->target++) {
        if (self->target == self->node) {
            continue;
        }
        lua_pushvalue(L, NEXT);
        lua_pushinteger(L, self->node % self->width);
        lua_pushinteger(L, self->node / self->width);
        lua_pushinteger(L, self->target % self->width);
        lua_pushinteger(L, self->target / self->width);
        lua_pushvalue(L, GRID);
        lua_call(L, 5, 2);
        if (!take_answer(self, L)) {
            return 0;
        }
        lua_settop(L, GRID);
    }
    return 0;
}

/* Says in the error's first line, before the traceback, which question it was. */
static void add_question(const Compiler *self, GError *error)
{
    g_autofree char *question = question_text(self);
    int length = (int) strcspn(error->message, "\n");
    char *message = g_strdup_printf("%.*s in %s%s", length, error->message, question,
                                    error->message + length);

    g_free(error->message);
    error->message = message;
}

/* Lua function: the table that next() gets as its last argument. */
static int push_grid(lua_State *L)
{
    const Compiler *self = lua_touserdata(L, 1);
    lua_createtable(L, 0, 3);
    lua_pushinteger(L, self->width);
    lua_setfield(L, -2, "width");
    lua_pushinteger(L, self->height);
    lua_setfield(L, -2, "height");
    lua_pushstring(L, topology_names[self->topology]);
    lua_setfield(L, -2, "topology");
    return 1;
}

/* Asks for all ways from self->node; next() and the grid are on top of the stack. */
static bool compile_node(Compiler *self, WlSandbox *sandbox, GError **error)
{
    lua_State *L = sandbox_state(sandbox);
    GError *raised = NULL;
    sandbox_progress(sandbox);
    lua_pushcfunction(L, ask_for_node);
    lua_pushlightuserdata(L, self);
    lua_pushvalue(L, -4);
    lua_pushvalue(L, -4);
    if (!sandbox_call(L, 3, 0, &raised)) {
        g_clear_error(&self->failure);
        if (g_error_matches(raised, WL_ERROR, WL_ERROR_RUNTIME)) {
            add_question(self, raised);
        }
        g_propagate_error(error, raised);
        return false;
    }
    if (self->failure != NULL) {
        g_autofree char *question = question_text(self);
        g_propagate_prefixed_error(error, g_steal_pointer(&self->failure), "%s: %s ",
                                   sandbox_path(sandbox), question);
        return false;
    }
    return true;
}

/* Compiles the function on top of the stack. */
static bool compile(Compiler *self, WlSandbox *sandbox, GError **error)
{
    lua_State *L = sandbox_state(sandbox);
    uint32_t node_count = self->width * self->height;
    lua_pushcfunction(L, push_grid);
    lua_pushlightuserdata(L, self);
    bool is_done = sandbox_call(L, 1, 1, error);
    for (self->node = 0; is_done && self->node < node_count; self->node++) {
        is_done = compile_node(self, sandbox, error);
    }
    return is_done;
}

/* Reads what the file returned, which is at the top of the stack, and pushes its
 * function `next`. */
static bool read_declaration(lua_State *L, bool *allow_cycles, GError **error)
{
    static const char *const known[] = {"summary", "allow_cycles", "next", NULL};
    int index = lua_gettop(L);
    if (lua_type(L, index) != LUA_TTABLE) {
        g_set_error(
            error, WL_ERROR, WL_ERROR_SYNTAX,
            "the file returns no routing, but a %s; expected return { summary = "
            "..., allow_cycles = false, next = function(x, y, tx, ty, grid) "
            "... end }",
            lua_typename(L, lua_type(L, index)));
        return false;
    }
    if (!field_check_known(L, index, known, error) ||
        summary_read(L, index, error) == NULL) {
        return false;
    }
    int type = field_push(L, index, "allow_cycles");
    *allow_cycles = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        g_set_error(error, WL_ERROR, WL_ERROR_SYNTAX,
                    "allow_cycles is a %s, expected true or false",
                    lua_typename(L, type));
        return false;
    }
    if (field_push(L, index, "next") != LUA_TFUNCTION) {
        g_set_error_literal(error, WL_ERROR, WL_ERROR_SYNTAX, "next is not a function");
        return false;
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
    if ((uint64_t) width * height > WL_ROUTING_NODES_MAXIMUM) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "%s: a grid of %ux%u nodes, routing files are for at most %d nodes",
                    path, width, height, WL_ROUTING_NODES_MAXIMUM);
        return NULL;
    }
    g_autoptr(WlSandbox) sandbox = loader_open(path, config, error);
    if (sandbox == NULL) {
        return NULL;
    }
    bool allow_cycles = false;
    if (!read_declaration(sandbox_state(sandbox), &allow_cycles, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    g_autoptr(ArchNocRoutes) routes = arch_noc_routes_new(topology, width, height);
    Compiler compiler = {
        .topology = topology, .width = width, .height = height, .routes = routes};
    if (!compile(&compiler, sandbox, error)) {
        return NULL;
    }
    if (!arch_noc_routes_check(routes, allow_cycles, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    return g_steal_pointer(&routes);
}
