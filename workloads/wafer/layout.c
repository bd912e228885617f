/* A layout as a Lua type: which PEs run what, and how their routers treat colors. */
#include "workloads/wafer/layout.h"

#include <stdbool.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/host/type.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/color.h"
#include "workloads/wafer/pe.h"

enum {
    CORNERS = 4,
};

ArchWseTiles wafer_tiles_check(lua_State *L, int index, const char *what)
{
    int part[CORNERS] = {0};
    lua_Unsigned count = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
    guint named = 0;

    if (count != 2 && count != CORNERS) {
        luaL_error(L, "%s: expected { x, y } or { x0, y0, x1, y1, dx =, dy = }", what);
    }
    for (guint i = 0; i < count; i++) {
        int is_integer = 0;

        lua_rawgeti(L, index, (lua_Integer) i + 1);
        lua_Integer value = lua_tointegerx(L, -1, &is_integer);

        /* The second corner of no PEs may lie outside. */
        if (is_integer == 0 || value > G_MAXUINT16 ||
            value < (i < 2 ? 0 : -G_MAXUINT16)) {
            luaL_error(L, "%s: number %d is no column or row", what, sim_i32(i) + 1);
        }
        lua_pop(L, 1);
        part[i] = sim_i32(value);
    }
    ArchWseTiles tiles = {
        .x0 = sim_u32(part[0]),
        .y0 = sim_u32(part[1]),
        .x1 = sim_u32(count == 2 ? part[0] : MAX(part[2], 0)),
        .y1 = sim_u32(count == 2 ? part[1] : MAX(part[3], 0)),
        .dx = arguments_count(L, index, "dx", 1, G_MAXUINT16),
        .dy = arguments_count(L, index, "dy", 1, G_MAXUINT16),
    };

    named += field_push(L, index, "dx") != LUA_TNIL ? 1 : 0;
    named += field_push(L, index, "dy") != LUA_TNIL ? 1 : 0;
    lua_pop(L, 2);
    if (field_count(L, index) != count + named) {
        luaL_error(L, "%s: it has other fields than x0, y0, x1, y1, dx and dy", what);
    }
    if (count == CORNERS && (part[2] < part[0] || part[3] < part[1])) {
        tiles.x0 = 1;
        tiles.x1 = 0;
        tiles.y0 = 0;
        tiles.y1 = 0;
    }
    return tiles;
}

static bool is_list(lua_State *L, int index)
{
    bool is_there = lua_istable(L, index) && lua_rawgeti(L, index, 1) == LUA_TTABLE;

    if (lua_istable(L, index)) {
        lua_pop(L, 1);
    }
    return is_there;
}

/* The same where a list of sets may stand for one: how many there are, at least 1, and
 * each of them. */
static guint count_tiles(lua_State *L, int index)
{
    return is_list(L, index) ? sim_u32(lua_rawlen(L, index)) : 1;
}

static ArchWseTiles tiles_at(lua_State *L, int index, guint number, const char *what)
{
    if (!is_list(L, index)) {
        return wafer_tiles_check(L, index, what);
    }
    lua_pushfstring(L, "%s[%d]", what, sim_i32(number) + 1);
    lua_rawgeti(L, index, (lua_Integer) number + 1);

    ArchWseTiles tiles = wafer_tiles_check(L, lua_gettop(L), lua_tostring(L, -2));

    lua_pop(L, 2);
    return tiles;
}

#define TYPE_NAME "gridloom.wafer_layout"

typedef struct {
    Session *session;
    ArchWseLayout *layout; /* NULL when it is complete */
    guint columns;
    guint rows;
    guint iterations;
    bool is_slice;
} Layout;

/* The layout to be built, and the result. */
typedef struct {
    Session *session;
    guint columns;
    guint rows;
    guint iterations;
    bool is_slice;
    ArchWseLayout *made;
} Request;

static Layout *check_layout(lua_State *L)
{
    Layout *self = luaL_checkudata(L, 1, TYPE_NAME);

    if (self->layout == NULL) {
        luaL_error(L, "the layout is complete: its function has ended");
    }
    return self;
}

/* layout:set_tile_code(tiles or a list of them, name, function(pe)) */
static int set_tile_code(lua_State *L)
{
    Layout *self = check_layout(L);
    guint count = count_tiles(L, 2);
    ArchWseProgram *program = NULL;
    GError *error = NULL;

    for (guint i = 0; i < count; i++) {
        (void) tiles_at(L, 2, i, "tiles");
    }
    const char *name = luaL_checkstring(L, 3);

    luaL_checktype(L, 4, LUA_TFUNCTION);
    lua_settop(L, 4);
    WaferPe *pe = wafer_pe_push(L, self->session, name);

    lua_pushvalue(L, 4);
    lua_pushvalue(L, 5);
    lua_call(L, 1, 0);
    program = wafer_pe_steal(L, pe);
    for (guint i = 0; i < count; i++) {
        if (!arch_wse_layout_set_tile_code(self->layout, tiles_at(L, 2, i, "tiles"),
                                           program, &error)) {
            return sandbox_raise(L, error);
        }
    }
    return 0;
}

/* layout:set_color_config(tiles, color, { routes =, switches =, filter =, teardown =,
 * names = }) */
static int set_color_config(lua_State *L)
{
    Layout *self = check_layout(L);
    ArchWseTiles tiles = wafer_tiles_check(L, 2, "tiles");
    guint color = wafer_pe_number(L, 3);
    ArchWseColorConfig config = wafer_color_check(L, 4);
    GError *error = NULL;

    return wafer_pe_end(
        L,
        arch_wse_layout_set_color_config(self->layout, tiles, color, &config, &error),
        &error);
}

/* layout.columns, layout.rows, layout.iterations, layout.is_slice, and its methods,
 * which are upvalue 1. */
static int get(lua_State *L)
{
    const Layout *self = luaL_checkudata(L, 1, TYPE_NAME);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";

    if (g_str_equal(name, "columns")) {
        lua_pushinteger(L, self->columns);
    } else if (g_str_equal(name, "rows")) {
        lua_pushinteger(L, self->rows);
    } else if (g_str_equal(name, "iterations")) {
        lua_pushinteger(L, self->iterations);
    } else if (g_str_equal(name, "is_slice")) {
        lua_pushboolean(L, self->is_slice);
    } else {
        return host_type_method(L);
    }
    return 1;
}

static int collect(lua_State *L)
{
    Layout *self = luaL_checkudata(L, 1, TYPE_NAME);

    g_clear_pointer(&self->layout, arch_wse_layout_free);
    return 0;
}

static const ApiCall methods[] = {
    {"set_tile_code", set_tile_code,
     "(tiles: gl.Tiles, name: string, program: fun(pe: gl.Pe))"},
    {"set_color_config", set_color_config,
     "(tiles: gl.Tiles, color: integer, config: gl.ColorConfig)"},
    {"encode_payload", wafer_color_encode_payload,
     "(options: { commands: (\"NOP\"|\"SWITCH_ADV\"|\"SWITCH_RST\"|\"TEARDOWN\")[], "
     "ce_filter?: boolean|boolean[], task?: integer }): integer"},
    {0},
};

const ApiClass wafer_layout_api = {
    .name = "Layout",
    .page = "workloads/doc/wafer-programs.md",
    .calls = (const ApiCall *const[]){methods, NULL},
    .fields = "columns integer\nrows integer\niterations integer\n"
              "is_slice boolean",
    .is_object = true,
};

void wafer_layout_register(lua_State *L)
{
    wafer_pe_register(L);
    host_type_register(L, &(HostType){.name = TYPE_NAME,
                                      .api = &wafer_layout_api,
                                      .get = get,
                                      .collect = collect});
}

/* Lua function: calls argument 1 with the layout that argument 2, a Request, wants. */
static int make_layout(lua_State *L)
{
    Request *request = lua_touserdata(L, 2);
    Layout *self = lua_newuserdatauv(L, sizeof *self, 0);
    GError *error = NULL;

    *self = (Layout){.session = request->session,
                     .columns = request->columns,
                     .rows = request->rows,
                     .iterations = request->iterations,
                     .is_slice = request->is_slice};
    luaL_setmetatable(L, TYPE_NAME);
    self->layout = arch_wse_layout_new(arch_chip_params(request->session->chip),
                                       request->columns, request->rows, &error);
    if (self->layout == NULL) {
        return sandbox_raise(L, error);
    }
    arch_wse_layout_allow_loose_ends(self->layout);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 3);
    lua_call(L, 1, 0);
    request->made = g_steal_pointer(&self->layout);
    return 0;
}

ArchWseLayout *wafer_layout_build(
    gpointer data, guint columns, guint rows, guint iterations, GError **error)
{
    const WaferBuilder *self = data;
    lua_State *L = self->state;
    Request request = {.session = self->session,
                       .columns = columns,
                       .rows = rows,
                       .iterations = iterations,
                       .is_slice = self->is_slice};

    lua_pushcfunction(L, make_layout);
    lua_pushvalue(L, self->function);
    lua_pushlightuserdata(L, &request);
    self->session->run->inside = "layout";
    bool is_made = sandbox_call(L, 2, 0, error);

    self->session->run->inside = NULL;
    return is_made ? request.made : NULL;
}
